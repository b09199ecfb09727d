# SPDX-License-Identifier: Apache-2.0
"""Planted bugs: named patches of the generated Verilog, and what the testbench says to them.

``make planted`` plants them and shows which tests catch them.
"""

import re
import tomllib
from dataclasses import dataclass, replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any, TypeVar

from rich.table import Table

import configs
import rtl
from ci.mutate.mutants import combine
from tb.common.components import testcase
from tb.common.running import builds, runner
from tests.tb import held
from utils import cli
from utils.console import Console

FOLDER = Path(__file__).parent / "planted_bugs"
ROOT = builds.BUILD / "planted"
BLOCKS = sorted(path.stem for path in FOLDER.glob("*.toml"))
COUNT = 300
SECONDS = 240
P = TypeVar("P", bound="Patch")
Place = tuple[str, str, str]  # block, configuration, simulator

TOGETHER = 10  # bugs in one simulation
CHECKERS = {"Mismatch", "AssertionError"}  # anything else is the testbench's own failure


@dataclass(frozen=True, kw_only=True)
class Patch:
    """A replacement in a file of a configuration's Verilog, with its kind and what it does."""

    block: str
    name: str
    kind: str
    file: str
    find: str
    replace: str
    why: str
    config: str = "paper"

    def plant(self, root: Path) -> Path:
        """Write the Verilog with the bug; returns its folder. Raises ValueError unless it fits once."""
        files = rtl.generate(configs.load(self.block, self.config))
        folder = root / self.block / self.name / "rtl"
        rtl.write_files(folder, rtl.plant(files, self.file, self.find, self.replace))
        return folder


@dataclass(frozen=True, kw_only=True)
class Bug(Patch):
    """A patch; tests that must fail of it, with what message."""

    says: str
    tests: list[str]
    simulator: str = "icarus"
    seed: int = 1  # another one, if synchronizers must be late

    def cases(self, cfg: configs.BlockConfig) -> list[testcase.TestCase]:
        """The tests that must fail."""
        return testcase.choose(self.block, self.tests, cfg, self.simulator)

    def named(self, outcome: runner.Outcome, root: Path) -> runner.Outcome:
        """The outcome of a run with many bugs as that of this one, with the command that repeats it alone."""
        made = builds.Build(configs.load(self.block, self.config), self.simulator, root, (), False, False)
        repro = runner.repro_command(made, self.seed, COUNT, self.plant(root))
        test = outcome.test.partition("@")[0]
        return replace(outcome, test=test, repro=repro.format(test=test))

    def caught_by(self, outcome: runner.Outcome) -> bool:
        """Whether the test failed, for the right reason."""
        says = re.search(self.says, outcome.message)
        return outcome.verdict == "failed" and outcome.error in CHECKERS and says is not None

    def run(self, root: Path) -> list[runner.Outcome]:
        """Build it alone and run its tests."""
        cfg = configs.load(self.block, self.config)
        folder = self.plant(root)
        made = builds.build(cfg, self.simulator, rtl_dir=folder, root=root)
        tests = self.cases(cfg)
        run = root / self.block / self.name / "run"
        return runner.run(
            made, tests, seed=self.seed, count=COUNT, folder=run, rtl_dir=folder, seconds=SECONDS
        ).outcomes


def named(kind: type[P], block: str, name: str, entry: dict[str, Any]) -> P:
    """A record's patch; records name files without the project's prefix."""
    return kind(block=block, name=name, **{**entry, "file": configs.PROJECT + entry["file"]})


def catalogue() -> list[Bug]:
    """The bugs of all blocks."""
    bugs = []
    for block in BLOCKS:
        content = tomllib.loads((FOLDER / f"{block}.toml").read_text())
        common = content.get("defaults", {})
        bugs += [named(Bug, block, name, {**common, **entry}) for name, entry in content["bug"].items()]
    return bugs


@dataclass(frozen=True)
class Group:
    """Bugs of one configuration, on one simulator, that are run in one simulation."""

    bugs: tuple[Bug, ...]
    number: int

    @property
    def place(self) -> Place:
        """What the bugs have in common."""
        bug = self.bugs[0]
        return bug.block, bug.config, bug.simulator

    def __str__(self) -> str:
        return "-".join((*self.place, str(self.number)))

    def run(self, root: Path) -> dict[str, list[runner.Outcome]]:
        """Outcomes of each bug's tests, by the bug's name, all in one design where they fit into it.

        A bug that is not caught there is run alone, which decides: some show only in the state after
        power-up, X on Icarus, which the tests before have overwritten.
        """
        block, config, _ = self.place
        cfg = configs.load(block, config)
        made, numbers = _build(self.place, root)
        inside = [bug for bug in self.bugs if bug.name in numbers and bug.seed == 1]
        chosen = [replace(case, mutant=numbers[bug.name]) for bug in inside for case in bug.cases(cfg)]
        folder = root / block / f"held-{self}" / "run"
        by_label: dict[str, runner.Outcome] = {}
        if chosen:
            run = runner.run(made, chosen, seed=1, count=COUNT, folder=folder, seconds=SECONDS)
            by_label = {outcome.test: outcome for outcome in run.outcomes}
        outcomes = {}
        for bug in self.bugs:
            labels = [f"{test}@{numbers[bug.name]}" for test in bug.tests] if bug in inside else []
            together = [by_label[label] for label in labels]
            caught = bug in inside and all(map(bug.caught_by, together))
            outcomes[bug.name] = [bug.named(one, root) for one in together] if caught else bug.run(root)
        return outcomes


def without_bugs(place: Place, root: Path) -> list[runner.Outcome]:
    """Outcomes of all tests of the bugs of ``place``, on the design that holds them, none switched on."""
    made, _ = _build(place, root)
    cases = {case.name: case for bug in by_place()[place] for case in bug.cases(made.cfg)}
    chosen = [replace(case, mutant=0) for case in cases.values()]
    folder = root / place[0] / "-".join(("held", *place[1:], "without"))
    return runner.run(made, chosen, seed=1, count=COUNT, folder=folder).outcomes


def _build(place: Place, root: Path) -> tuple[builds.Build, dict[str, int]]:
    """The design that holds the bugs of a place, compiled, and their numbers in it."""
    block, config, simulator = place
    cfg = configs.load(block, config)
    files = rtl.generate(cfg)
    ports = held.outputs(files.values())
    mutants = {}
    for number, bug in enumerate(by_place()[place], 1):
        changed = rtl.plant(files, bug.file, bug.find, bug.replace)[bug.file]
        if mutant := held.choice(number, bug.file, files[bug.file], changed, ports):
            mutants[bug.name] = mutant
    folder = root / block / f"held-{config}-{simulator}"
    with builds.locked(folder):
        rtl.write_files(folder, combine(files, list(mutants.values()), cfg.top()))
    made = builds.build(cfg, simulator, rtl_dir=folder, root=root)
    return made, {name: mutant.id for name, mutant in mutants.items()}


def by_place() -> dict[Place, list[Bug]]:
    """All bugs, by what those have in common that one design can hold."""
    places: dict[Place, list[Bug]] = {}
    for bug in catalogue():
        places.setdefault((bug.block, bug.config, bug.simulator), []).append(bug)
    return places


def groups() -> list[Group]:
    """All bugs, in simulations of at most ``TOGETHER``."""
    return [
        Group(tuple(bugs), number)
        for together in by_place().values()
        for number, bugs in enumerate(batched(together, TOGETHER), 1)
    ]


def batched(bugs: list[Bug], size: int) -> list[list[Bug]]:
    """Lists of at most ``size``."""
    return [bugs[at : at + size] for at in range(0, len(bugs), size)]


def main(argv: list[str]) -> int:
    """Show which tests catch which bug, and how. Raises :class:`configs.UserError` for unknown bugs."""
    parser = cli.Parser(prog="python -m tests.tb.planted", description=__doc__)
    parser.add_argument("block", nargs="?", metavar="BLOCK", help="its bugs alone (default: of all blocks)")
    parser.add_argument("--test", default="", metavar="NAMES", help="separated by commas (default: all)")
    arguments = parser.parse_args(argv)
    if arguments.block and arguments.block not in BLOCKS:
        raise configs.UserError(f"no planted bugs of {arguments.block!r}: choose among {', '.join(BLOCKS)}")
    bugs = [bug for bug in catalogue() if arguments.block in (None, bug.block)]
    names = [name for name in arguments.test.split(",") if name]
    known = [bug.name for bug in bugs]
    for name in names:
        if name not in known:
            near = get_close_matches(name, sorted(set(known)), 3, 0.5)
            meant = f"did you mean {' or '.join(near)}? They are" if near else f"the {len(known)} are"
            raise configs.UserError(f"unknown bug {name!r}: {meant} in tests/tb/planted_bugs")
    table = Table("block", "bug", "kind", "test", "verdict", "message")
    for bug in bugs:
        if not names or bug.name in names:
            for outcome in bug.run(ROOT):
                message = outcome.message.replace("\n", " ")[:110]
                table.add_row(
                    bug.block, bug.name, bug.kind, outcome.test, f"{outcome.verdict} {outcome.error}", message
                )
    Console(width=200).print(table)
    return 0


if __name__ == "__main__":
    cli.run(main)
