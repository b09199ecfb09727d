# SPDX-License-Identifier: Apache-2.0
"""The second judgement: proofs by Yosys that a mutant changes nothing, of its module and of the whole block.

Each module that the mutant's file becomes with the design's own parameters is compared: from all states in
which the two have the same outputs and flip-flops, with any inputs, they have the same in the next one. What
does so is equivalent, as both power up alike; mutants of initial values are therefore not proved. The whole
block, flattened and without what does not reach its outputs, is compared in the same way: what nobody in it
looks at, and values that an instance is given as constants, show only there. The reverse does not hold: what
cannot happen because of states that are never reached is not found here, and is for the tests to notice.
"""

import os
import re
import subprocess
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from ci.faults.mutants import Mutant
from ci.faults.verdicts import EQUIVALENT, SURVIVED, UNDECIDED
from formal import tools
from utils.files import is_sealed, seal

SECONDS = 60.0  # for the proofs of one mutant in its modules
WHOLE_SECONDS = 300.0  # for the one in the block
DESIGN = "design.il"
SIDE = """
prep -flatten -top {module}
memory_map
async2sync
opt_clean -purge
{hide}
design -stash {side}_one
"""
BROKEN_OFF = "thrown Wasm exception"  # not an error that Yosys tells of: 4 GB are all it has, perhaps
# names are what is compared: of the block only its ports and flip-flops, not what nobody looks at meanwhile
HIDE = "select -set kept t:*dff* %co1:+[Q] w:* %i\nrename -hide w:* @kept %d"
PROOF = """
design -reset
design -copy-from gold_one -as gold {gold}
design -copy-from gate_one -as gate {gate}
equiv_make gold gate equiv
prep -flatten -top equiv
equiv_struct
equiv_simple -undef
equiv_induct -undef -seq 1
equiv_status -assert
design -reset
"""


@dataclass(frozen=True)
class Module:
    """A module of the elaborated design: Yosys' ``name`` of it, and the parameters it was given."""

    name: str
    parameters: dict[str, int]


@dataclass(frozen=True)
class Design:
    """The elaborated design in ``folder`` under its module ``top``, and what each source module became."""

    folder: Path
    top: str
    files: Mapping[str, str]
    modules: Mapping[str, list[Module]]


def elaborate(files: Mapping[str, str], top: str, folder: Path) -> Design:
    """Read Verilog once for all proofs: large tables take Yosys a minute. Raises RuntimeError if it fails."""
    folder.mkdir(parents=True, exist_ok=True)
    text, verilog, part = "\n".join(files.values()), folder / "design.v", f"{DESIGN}.part"
    if not (
        is_sealed(folder / DESIGN) and is_sealed(verilog) and verilog.read_text() == text
    ):  # else an earlier run has read it
        (folder / DESIGN).unlink(missing_ok=True)
        verilog.write_text(text)
        done = tools.yosys(folder, "-p", f"read_verilog design.v; hierarchy -top {top}; write_rtlil {part}")
        if done.returncode:
            raise RuntimeError(f"Yosys cannot read {top}: {done.stderr.strip()}")
        (folder / part).rename(folder / DESIGN)
        seal(folder / DESIGN)
        seal(verilog)
    modules: dict[str, list[Module]] = {}
    for line in (folder / DESIGN).read_text().splitlines():
        if line.startswith("module "):
            module = Module(line.removeprefix("module ").removeprefix("\\"), {})
            source = next(part for part in module.name.split("\\") if f"{part}.v" in files)
            modules.setdefault(source, []).append(module)
        elif line.startswith("  parameter "):
            name, value = line.removeprefix("  parameter \\").split()
            module.parameters[name] = _number(value)
    return Design(folder, top, files, modules)


def _number(value: str) -> int:
    """A parameter's value as RTLIL has it: a number, or bits behind their count (``8'00111100``)."""
    _, sized, bits = value.partition("'")
    return int(bits, 2) if sized else int(value)


def judge(design: Design, mutant: Mutant, *, whole: bool = True) -> str:
    """``EQUIVALENT`` if the mutant's module, or, if ``whole``, the block with it, is proved to behave like
    the original, ``UNDECIDED`` if there was no time for it or Yosys broke off, else ``SURVIVED``.
    """
    if mutant.initial:
        return SURVIVED
    verdict = _compare(design, mutant, mutant.file.removesuffix(".v"), SECONDS)
    if whole and verdict != EQUIVALENT:
        verdict = _compare(design, mutant, design.top, WHOLE_SECONDS, HIDE)
    return verdict


def _has_parameters(design: Design, name: str) -> bool:
    return any(module.parameters for module in design.modules[name])


def _containing(design: Design, own: str) -> set[str]:
    """``own``, and all sources that name it, or one of these, by the parameters that it was given there."""
    sources, new = set[str](), {own}
    while new:
        sources |= new
        given = [name for name in new if name in design.modules and _has_parameters(design, name)]
        named = [re.compile(rf"^\s*{name}\s*#", re.MULTILINE) for name in given]
        new = {
            source for source in design.modules if any(it.search(design.files[f"{source}.v"]) for it in named)
        } - sources
    return sources


def _compare(design: Design, mutant: Mutant, compared: str, seconds: float, hide: str = "") -> str:
    """:func:`judge` of all modules that the source module ``compared`` became, without names that ``hide``
    takes away.
    """
    own = mutant.file.removesuffix(".v")
    with tempfile.TemporaryDirectory(dir=design.folder) as place:
        folder = Path(place)
        os.link(design.folder / DESIGN, folder / DESIGN)
        (folder / mutant.file).write_text(mutant.apply(design.files[mutant.file]))
        # what has parameters is made anew where the mutant's module has it in it, or it has the mutant's
        outside = _containing(design, own)
        again = {compared, *outside, *(name for name in design.modules if _has_parameters(design, name))}
        for name in again - {own}:
            (folder / f"{name}.v").write_text(design.files[f"{name}.v"])
        old = {*again, *(module.name for name in outside for module in design.modules.get(name, ()))}
        rest = f"read_rtlil {DESIGN}\n" + "".join(f"delete {name}\n" for name in sorted(old))
        rest += f"read_verilog -defer {' '.join(f'{name}.v' for name in sorted(again))}\n"
        script = ""
        for module in design.modules.get(compared, ()):
            chosen = "".join(f" -chparam {name} {value}" for name, value in module.parameters.items())
            script += f"read_rtlil {DESIGN}" + SIDE.format(side="gold", module=module.name, hide=hide)
            script += f"{rest}hierarchy -top {compared}{chosen}"
            script += SIDE.format(side="gate", module=compared, hide=hide)
            script += PROOF.format(gold=module.name, gate=compared)
        (folder / "script.ys").write_text(script)
        try:
            done = tools.yosys(folder, "-s", "script.ys", seconds=seconds)
        except subprocess.TimeoutExpired:
            return UNDECIDED
    if BROKEN_OFF in done.stderr:
        return UNDECIDED
    if done.returncode and "unproven $equiv cells" not in done.stderr:
        raise RuntimeError(f"{mutant}: Yosys: {done.stderr.strip()}")
    return EQUIVALENT if script and not done.returncode else SURVIVED
