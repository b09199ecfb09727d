# SPDX-License-Identifier: Apache-2.0
"""The second judgement: proofs that a mutant changes nothing, module against module, by Yosys.

Each module that the mutant's file becomes with the design's own parameters is compared, for all inputs and
states: what behaves alike there is equivalent. The reverse does not hold: what only the surroundings make
impossible is not found here, and is for the tests to notice.
"""

import re
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path

from ci.mutate.mutants import Mutant
from formal import tools

SECONDS = 30
READ = """
read_verilog {side}.v
hierarchy -top {top}
design -save {side}
"""
ONE = """
design -load {side}
prep -flatten -top {module}
memory_map
opt_clean
async2sync
design -stash {side}_one
"""
PROOF = """
design -reset
design -copy-from gold_one -as gold {module}
design -copy-from gate_one -as gate {module}
equiv_make gold gate equiv
prep -flatten -top equiv
equiv_struct
equiv_simple -undef
equiv_induct -undef
equiv_status -assert
"""


def proved(files: Mapping[str, str], top: str, mutant: Mutant) -> bool:
    """Whether the mutant's module is proved to behave like the original; False if undecided in time."""
    verilog = {name: text for name, text in files.items() if name.endswith(".v")}
    changed = {**verilog, mutant.file: mutant.apply(verilog[mutant.file])}
    with tempfile.TemporaryDirectory(prefix="cacheforge-equivalent-") as place:
        folder = Path(place)
        (folder / "gold.v").write_text("\n".join(verilog.values()))
        (folder / "gate.v").write_text("\n".join(changed.values()))
        modules = _modules(folder, top, mutant.file.removesuffix(".v"))
        script = READ.format(side="gold", top=top) + "design -reset\n" + READ.format(side="gate", top=top)
        for module in modules:
            script += "".join(ONE.format(side=side, module=module) for side in ("gold", "gate"))
            script += PROOF.format(module=module)
        return bool(modules) and _runs(folder, script)


def _modules(folder: Path, top: str, name: str) -> list[str]:
    """The modules that ``name`` becomes in the design: one for each set of parameters."""
    if not _runs(folder, READ.format(side="gold", top=top) + "tee -o modules.txt ls\n"):
        return []
    found = re.findall(r"^ +(\S+)$", (folder / "modules.txt").read_text(), re.MULTILINE)
    return [one for one in found if one == name or re.fullmatch(rf"\$paramod.*\\{name}(\\.*)?", one)]


def _runs(folder: Path, script: str) -> bool:
    (folder / "script.ys").write_text(script)
    try:
        return tools.yosys(folder, "-s", "script.ys", seconds=SECONDS).returncode == 0
    except subprocess.TimeoutExpired:
        return False
