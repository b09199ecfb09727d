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
from configs.files import write_if_changed
from tb.common import builds, runner, testcase

CATALOGUE = Path(__file__).parent / "planted.toml"
ROOT = builds.BUILD / "planted"
BLOCK = "texcache"
COUNT = 300
SECONDS = 240


@dataclass(frozen=True)
class Bug:
    """A replacement in a file of a configuration's Verilog; tests that must fail of it, with what message."""

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
        files = rtl.generate(configs.load(BLOCK, self.config))
        found = files[self.file].count(self.find)
        if found != 1:
            raise ValueError(
                f"{self.name}: its text occurs {found} times in {self.file} of {self.config}, not once"
            )
        files[self.file] = files[self.file].replace(self.find, self.replace)
        folder = root / self.name / "rtl"
        for name, text in files.items():
            write_if_changed(folder / name, text)
        write_if_changed(folder / "filelist.f", "".join(f"{name}\n" for name in files))
        return folder

    def run(self, root: Path) -> list[runner.Outcome]:
        """Build it and run its tests."""
        cfg = configs.load(BLOCK, self.config)
        folder = self.plant(root)
        made = builds.build(cfg, self.simulator, rtl_dir=folder, root=root)
        tests = testcase.choose(BLOCK, self.tests, cfg, self.simulator)
        run = root / self.name / "run"
        return runner.run(
            made, tests, seed=1, count=COUNT, folder=run, rtl_dir=folder, seconds=SECONDS
        ).outcomes


def catalogue() -> list[Bug]:
    """All bugs. Raises ValueError for two of one name."""
    bugs = [Bug(**entry) for entry in tomllib.loads(CATALOGUE.read_text())["bug"]]
    if len({bug.name for bug in bugs}) != len(bugs):
        raise ValueError(f"{CATALOGUE}: two bugs of one name")
    return bugs


def main(names: list[str]) -> None:
    """Show which tests catch which bug, and how."""
    table = Table("bug", "kind", "test", "verdict", "message")
    for bug in catalogue():
        if not names or bug.name in names:
            for outcome in bug.run(ROOT):
                message = outcome.message.replace("\n", " ")[:110]
                table.add_row(bug.name, bug.kind, outcome.test, f"{outcome.verdict} {outcome.error}", message)
    Console(width=200).print(table)


if __name__ == "__main__":
    main(sys.argv[1:])
