# SPDX-License-Identifier: Apache-2.0
"""From a proof to what the solver reads: Verilog of the configuration, properties, one SMT model."""

import shutil
from operator import attrgetter
from pathlib import Path

from pydantic import BaseModel

import rtl
from configs import PROJECT, BlockConfig, Part, Stream
from formal import tools
from formal.catalogue import Bug, Proof
from utils.files import write_if_changed

GEOMETRY = "geometry.svh"
MODEL = "model.smt2"
COMMON = Path(__file__).parent / "common"


class BuildError(RuntimeError):
    """The Verilog or the properties cannot be read: the text is what the tool says."""


def geometry(cfg: BlockConfig, proof: Proof) -> str:
    """Macros for the properties: ``CFG_<FIELD>`` for each number, ``CFG_<FIELD>_<VALUE>`` for each word.

    A part's field has the part's name before its own, ``CFG_CACHE_WAYS``: in the properties of a common
    module the name that the module has for the part. ``MODULE`` is the module that is proved.

    A field of a stream becomes its range: ``req_data[`REQ_ID]``.
    """
    lines = ["// Generated: the configuration, for the properties.", "`ifndef GEOMETRY", "`define GEOMETRY"]
    lines.append(f"`define MODULE {proof.top}")
    lines += _macros(cfg, "CFG")
    for role, path in proof.roles.items():
        if role != path:
            lines += _macros(attrgetter(path)(cfg), f"CFG_{role.upper()}")
    for stream in cfg.streams.values():
        lines += _ranges(stream)
    return "\n".join([*lines, "`endif"]) + "\n"


def _macros(part: BaseModel, prefix: str) -> list[str]:
    """Of the fields of a part, those of its parts, and what its class and those above derive from them."""
    derived = [
        name
        for kind in reversed(type(part).__mro__)
        if issubclass(kind, Part | BlockConfig) and kind is not BlockConfig
        for name, value in vars(kind).items()
        if isinstance(value, property)
    ]
    lines = []
    for name in dict.fromkeys([*type(part).model_fields, *derived]):
        if isinstance(part, BlockConfig) and name in part.ASIDE:
            continue
        value, macro = getattr(part, name), f"{prefix}_{name.upper()}"
        if isinstance(value, BaseModel):
            lines += _macros(value, macro)
        elif isinstance(value, int):
            lines.append(f"`define {macro} {int(value)}")
        elif isinstance(value, str):
            lines.append(f"`define {macro}_{value.upper().replace('-', '_')}")
    return lines


def _ranges(stream: Stream) -> list[str]:
    result = [f"`define {stream.name.upper()}_WIDTH {stream.width}"]
    for field in stream.fields:
        low = stream.offset(field.name)
        result.append(f"`define {stream.name.upper()}_{field.name.upper()} {low + field.width - 1}:{low}")
    return result


def sources(proof: Proof, cfg: BlockConfig, bug: Bug | None = None) -> dict[str, str]:
    """Verilog by file name, modules named as in their templates, without the project's prefix: so properties
    name them. Raises ValueError or KeyError for a bug that does not fit once.
    """
    files = {name.replace(PROJECT, ""): text.replace(PROJECT, "") for name, text in rtl.generate(cfg).items()}
    if bug:
        part = f"{proof.part}.v"  # a list of faults names a common part by its template
        file = f"{proof.module}.v" if proof.module and bug.file == part else bug.file
        files = rtl.plant(files, file, bug.find, bug.replace)
    return files


def build(proof: Proof, cfg: BlockConfig, folder: Path, bug: Bug | None = None) -> Path:
    """Write sources, properties and the SMT model into ``folder``, which is emptied first.

    Returns the model. Raises :class:`BuildError` with the tool's complaint; :class:`configs.UserError` if a
    tool is missing.
    """
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    files = sources(proof, cfg, bug)
    for name, text in files.items():
        write_if_changed(folder / name, text)
    write_if_changed(folder / GEOMETRY, geometry(cfg, proof))
    for name in proof.common:
        own = proof.folder / name
        write_if_changed(folder / name, (own if own.is_file() else COMMON / name).read_text())
    write_if_changed(folder / "properties.sv", (proof.folder / proof.properties).read_text())
    write_if_changed(folder / "build.ys", script(proof, list(files), bug.fails if bug else ""))
    done = tools.yosys(folder, "-l", "build.log", "build.ys")
    if done.returncode:
        log = (folder / "build.log").read_text() if (folder / "build.log").exists() else ""
        complaints = [line for line in (log + done.stderr).splitlines() if "error" in line.lower()]
        raise BuildError("\n".join(dict.fromkeys(complaints)) or done.stderr)
    return folder / MODEL


def script(proof: Proof, files: list[str], only: str = "") -> str:
    """The yosys script; of the assertions it keeps ``only`` that one, if named.

    (Of several that a bug breaks, the solver shows those that fail first in the trace it happens to find.)
    Registers that nothing drives must survive: they are the solver's free constants. The solver is quicker
    with small memories as registers than as arrays.
    """
    values = " ".join(f"-G {name}={value}" for name, value in proof.parameters.items())
    clocks = "clk2fflogic" if proof.multiclock else "async2sync"
    others = f"*/* */c:*.{only} %d */c:{only} %d"
    alone = [f"chformal -assert -remove {others}"] if only and proof.method != "cover" else []
    free = " ".join(f"--blackboxed-module {module}" for module in proof.free)
    common = [name for name in proof.common if name.endswith(".sv")]  # others are included
    sources = " ".join([*files, *common, "properties.sv"])
    lines = [
        f"read_slang -j 1 -I . --top {proof.top} {values} {free} {sources}",
        *(f"cutpoint t:{module}" for module in proof.free),
        f"chformal {'-assert' if proof.method == 'cover' else '-cover'} -remove",
        *alone,
        *(f"chformal -assert2assume */c:{instance}.*" for instance in proof.proved),
        f"prep -top {proof.top} -flatten",
        "memory_map",
        "opt -keepdc -fast -noff",
        clocks,
        "dffunmap",
        "opt_clean",
        f"write_smt2 -wires {MODEL}",
    ]
    return "\n".join(lines) + "\n"
