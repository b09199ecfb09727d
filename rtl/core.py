# SPDX-License-Identifier: Apache-2.0
"""A FuseSoC core file (CAPI2) for generated Verilog."""

from collections.abc import Iterable

import yaml

from configs import BlockConfig
from rtl.wrapper import FIELDS

VERSION = "1.0.0"


def core(cfg: BlockConfig, files: Iterable[str], timing: Iterable[str], prefix: str = "") -> str:
    """The core of ``files`` (in compile order; the wrapper with a port for each field is one of them).

    ``timing``: the constraints, ``.sdc`` and, if there is one, ``.xdc``, which Vivado then takes instead.
    Targets: ``default`` and ``lint`` have the top with packed ports, ``fields`` the wrapper around it.
    """
    top = prefix + cfg.block
    wrapper = f"{top}{FIELDS}.v"
    own = [name for name in files if name != wrapper]
    constraints = {name.rpartition(".")[2]: name for name in timing}
    used = ["tool_vivado ? (xdc)", "!tool_vivado ? (sdc)"] if "xdc" in constraints else ["sdc"]
    kinds = {"sdc": "SDC", "xdc": "xdc"}
    description = {
        "name": f"cacheforge:{cfg.block}:{prefix}{cfg.preset}-{cfg.hash}:{VERSION}",
        "description": f"{cfg.block} {cfg.name}: {cfg.description}",
        "filesets": {
            "rtl": {"files": own, "file_type": "verilogSource-2005"},
            "fields": {"files": [wrapper], "file_type": "verilogSource-2005"},
            **{kind: {"files": [name], "file_type": kinds[kind]} for kind, name in constraints.items()},
        },
        "targets": {
            "default": {"filesets": ["rtl", *used], "toplevel": top},
            "fields": {"filesets": ["rtl", "fields", *used], "toplevel": f"{top}{FIELDS}"},
            "lint": {
                "filesets": ["rtl"],
                "toplevel": top,
                "default_tool": "verilator",
                "tools": {"verilator": {"mode": "lint-only", "verilator_options": ["-Wall"]}},
            },
        },
    }
    return "CAPI=2:\n" + yaml.safe_dump(description, sort_keys=False, width=100)
