# SPDX-License-Identifier: Apache-2.0
"""Planted bugs: named patches of the generated Verilog, and what the testbench says to them.

``python -m tests.tb.planted [NAME...]`` plants them and shows which tests catch them.
"""

import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table

import configs
import rtl
from tb.common.components import testcase
from tb.common.running import builds, runner

FOLDER = Path(__file__).parent / "planted_bugs"
ROOT = builds.BUILD / "planted"
BLOCKS = sorted(path.stem for path in FOLDER.glob("*.toml"))
COUNT = 300
SECONDS = 240


@dataclass(frozen=True)
class Bug:
    """A replacement in a file of a configuration's Verilog; tests that must fail of it, with what message."""

    block: str
    name: str
    kind: str
    file: str
    find: str
    replace: str
    why: str
    says: str
    tests: list[str]
    config: str = "paper"
    simulator: str = "icarus"

    def plant(self, root: Path) -> Path:
        """Write the Verilog with the bug; returns its folder. Raises ValueError unless it fits once."""
        files = rtl.generate(configs.load(self.block, self.config))
        folder = root / self.block / self.name / "rtl"
        rtl.write_files(folder, rtl.plant(files, self.file, self.find, self.replace))
        return folder

    def run(self, root: Path) -> list[runner.Outcome]:
        """Build it and run its tests."""
        cfg = configs.load(self.block, self.config)
        folder = self.plant(root)
        made = builds.build(cfg, self.simulator, rtl_dir=folder, root=root)
        tests = testcase.choose(self.block, self.tests, cfg, self.simulator)
        run = root / self.block / self.name / "run"
        return runner.run(
            made, tests, seed=1, count=COUNT, folder=run, rtl_dir=folder, seconds=SECONDS
        ).outcomes


def catalogue() -> list[Bug]:
    """The bugs of all blocks. Raises ValueError for two of one name in a block."""
    bugs = []
    for block in BLOCKS:
        path = FOLDER / f"{block}.toml"
        found = [Bug(block, **entry) for entry in tomllib.loads(path.read_text())["bug"]]
        if len({bug.name for bug in found}) != len(found):
            raise ValueError(f"{path}: two bugs of one name")
        bugs += found
    return bugs


def main(names: list[str]) -> None:
    """Show which tests catch which bug, and how."""
    table = Table("block", "bug", "kind", "test", "verdict", "message")
    for bug in catalogue():
        if not names or bug.name in names:
            for outcome in bug.run(ROOT):
                message = outcome.message.replace("\n", " ")[:110]
                table.add_row(
                    bug.block, bug.name, bug.kind, outcome.test, f"{outcome.verdict} {outcome.error}", message
                )
    Console(width=200).print(table)


if __name__ == "__main__":
    main(sys.argv[1:])
