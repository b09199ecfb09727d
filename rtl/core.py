# SPDX-License-Identifier: Apache-2.0
"""FuseSoC core files (CAPI2) for generated Verilog: of a block, and of the modules that all blocks share."""

from collections.abc import Iterable
from typing import Any

import yaml

from configs import BlockConfig
from rtl import version
from rtl.wrapper import FIELDS

COMMON = f"cacheforge::common:{version.COMMON}"
VERILOG = "verilogSource-2005"
KINDS = {"sdc": "SDC", "xdc": "xdc"}


def core(
    cfg: BlockConfig, own: list[str], wrapper: str, timing: Iterable[str], prefix: str = "", commit: str = ""
) -> str:
    """The core of a block: its ``own`` files in compile order, and the ``wrapper`` around its top.

    ``timing``: the constraints. ``.sdc`` defines clocks, so it serves only where this core is the top level;
    ``.xdc``, if there is one, limits crossings wherever the block lies, and Vivado takes it instead.
    """
    top = cfg.top(prefix)
    constraints = {name.rpartition(".")[2]: name for name in timing}
    used = ["is_toplevel ? (sdc)"]
    if "xdc" in constraints:
        used = ["tool_vivado ? (xdc)", "is_toplevel ? (!tool_vivado ? (sdc))"]
    filesets = {"rtl": _files([*own, wrapper], VERILOG) | {"depend": [f"^{COMMON}"]}}
    filesets |= {kind: _files([name], KINDS[kind]) for kind, name in constraints.items()}
    lint = {
        "filesets": ["rtl"],
        "toplevel": f"{top}{FIELDS}",
        "default_tool": "verilator",
        "tools": {"verilator": {"mode": "lint-only", "verilator_options": ["-Wall"]}},
    }
    return _core(
        f"cacheforge:{cfg.block}:{prefix}{cfg.preset}-{cfg.hash}:{version.VERSION}",
        f"{cfg.block} {cfg.name}: {cfg.description}",
        commit,
        filesets,
        {"default": {"filesets": ["rtl", *used], "toplevel": f"{top}{FIELDS}"}, "lint": lint},
    )


def common_core(files: Iterable[str], commit: str = "") -> str:
    """The core of the modules that are the same for all blocks, which every block's core depends on."""
    filesets = {"rtl": _files(list(files), VERILOG)}
    about = "modules that the blocks of cacheforge share"
    return _core(COMMON, about, commit, filesets, {"default": {"filesets": ["rtl"]}})


def _files(names: list[str], kind: str) -> dict[str, Any]:
    return {"files": names, "file_type": kind}


def _core(name: str, about: str, commit: str, filesets: dict[str, Any], targets: dict[str, Any]) -> str:
    text = f"{about} (commit {commit})" if commit else about
    description = {"name": name, "description": text, "filesets": filesets, "targets": targets}
    return "CAPI=2:\n" + yaml.safe_dump(description, sort_keys=False, width=100)
