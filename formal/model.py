# SPDX-License-Identifier: Apache-2.0
"""From a proof to what the solver reads: Verilog of the configuration, properties, one SMT model."""

import shutil
from pathlib import Path

import rtl
from configs import BlockConfig, Stream
from configs.files import write_if_changed
from formal import tools
from formal.catalogue import Bug, Proof

GEOMETRY = "geometry.svh"
MODEL = "model.smt2"


class BuildError(RuntimeError):
    """The Verilog or the properties cannot be read: the text is what the tool says."""


def geometry(cfg: BlockConfig) -> str:
    """Macros for the properties: ``CFG_<FIELD>`` for each number and ``CFG_<FIELD>_<VALUE>`` for each word.

    A field of a stream becomes its range: ``req_data[`REQ_ID]``.
    """
    kind = type(cfg)
    derived = [name for name, value in vars(kind).items() if isinstance(value, property)]
    names = [*kind.model_fields, *derived]
    lines = ["// Generated: the configuration, for the properties.", "`ifndef GEOMETRY", "`define GEOMETRY"]
    for name in names:
        value = getattr(cfg, name)
        if isinstance(value, int):
            lines.append(f"`define CFG_{name.upper()} {int(value)}")
        elif isinstance(value, str) and name not in BlockConfig.ASIDE | {"name", "hash"}:
            lines.append(f"`define CFG_{name.upper()}_{value.upper().replace('-', '_')}")
    for stream in cfg.streams.values():
        lines += _ranges(stream)
    return "\n".join([*lines, "`endif"]) + "\n"


def _ranges(stream: Stream) -> list[str]:
    result = [f"`define {stream.name.upper()}_WIDTH {stream.width}"]
    for field in stream.fields:
        low = stream.offset(field.name)
        result.append(f"`define {stream.name.upper()}_{field.name.upper()} {low + field.width - 1}:{low}")
    return result


def build(proof: Proof, cfg: BlockConfig, folder: Path, bug: Bug | None = None) -> Path:
    """Write sources, properties and the SMT model into ``folder``, which is emptied first.

    Returns the model. Raises :class:`BuildError` with the tool's complaint; :class:`configs.UserError` if a
    tool is missing.
    """
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    files = rtl.generate(cfg)
    if bug:
        files = rtl.plant(files, bug.file, bug.find, bug.replace)
    for name, text in files.items():
        write_if_changed(folder / name, text)
    write_if_changed(folder / GEOMETRY, geometry(cfg))
    write_if_changed(folder / "properties.sv", (proof.folder / proof.properties).read_text())
    write_if_changed(folder / "build.ys", script(proof, list(files)))
    done = tools.yosys(folder, "-l", "build.log", "build.ys")
    if done.returncode:
        log = (folder / "build.log").read_text() if (folder / "build.log").exists() else ""
        complaints = [line for line in (log + done.stderr).splitlines() if "error" in line.lower()]
        raise BuildError("\n".join(dict.fromkeys(complaints)) or done.stderr)
    return folder / MODEL


def script(proof: Proof, files: list[str]) -> str:
    """The yosys script.

    Registers that nothing drives must survive: they are the solver's free constants. The solver is quicker
    with small memories as registers than as arrays.
    """
    values = " ".join(f"-G {name}={value}" for name, value in proof.parameters.items())
    clocks = "clk2fflogic" if proof.multiclock else "async2sync"
    free = " ".join(f"--blackboxed-module {module}" for module in proof.free)
    sources = " ".join([*files, "properties.sv"])
    lines = [
        f"read_slang -j 1 -I . --top {proof.top} {values} {free} {sources}",
        *(f"cutpoint t:{module}" for module in proof.free),
        f"chformal {'-assert' if proof.method == 'cover' else '-cover'} -remove",
        f"prep -top {proof.top} -flatten",
        "memory_map",
        "opt -keepdc -fast -noff",
        clocks,
        "dffunmap",
        "opt_clean",
        f"write_smt2 -wires {MODEL}",
    ]
    return "\n".join(lines) + "\n"
