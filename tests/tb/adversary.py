# SPDX-License-Identifier: Apache-2.0
"""An adversary's bugs: how many of them ``make sim`` notices. ``make adversary BLOCK=simple`` counts.

They were written after a reading of RTL and page, without one of the tests: in the way of real ones, two
events in a cycle, a second reset, one entry of a table, a lost cycle. ``adversary_bugs/<block>.toml`` keeps
them; docs/mutation.md has the scores. A verdict is not made again while the sources are the same.
"""

import os
import tomllib
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from threading import Event

from rich.table import Table

import configs
import rtl
from ci.mutate import tests
from ci.mutate.__main__ import judges_key
from ci.mutate.mutants import combine
from ci.mutate.verdicts import KILLED, SURVIVED, TEST, Verdict, Verdicts
from configs import BlockConfig, UserError
from rtl import crossings
from tb.common.components.testcase import TestCase
from tb.common.running import builds
from tests.tb import held
from tests.tb.planted import Patch, named
from utils import cli
from utils.console import Console, coloured
from utils.keys import digest
from utils.progress import Bars

FOLDER = Path(__file__).parent / "adversary_bugs"
ROOT = builds.BUILD / "adversary"
HARMLESS = "harmless"
TOGETHER = 16  # bugs, in one simulation of the tests that judge first
LEAST = 95.0  # percent to reach
CROSSINGS = "clock crossings"


@dataclass(frozen=True, kw_only=True)
class Bug(Patch):
    """A patch; ``harmless``: why it changes nothing, after all."""

    harmless: str = ""


def bugs_of(block: str) -> list[Bug]:
    """The set of a block. Raises :class:`UserError` if it has none."""
    path = FOLDER / f"{block}.toml"
    if not path.is_file():
        known = ", ".join(sorted(one.stem for one in FOLDER.glob("*.toml")))
        raise UserError(f"no adversary has written bugs for {block}: there are sets for {known}")
    content = tomllib.loads(path.read_text())
    return [
        named(Bug, block, name, {"config": content["config"], **entry})
        for name, entry in content["bug"].items()
    ]


class Judging:
    """Runs the block's regression on bugs of one configuration, in one design where they fit into it."""

    def __init__(self, block: str, bugs: Sequence[Bug]) -> None:
        self.bugs, self.folder, self.stop = bugs, ROOT / block / bugs[0].config, Event()
        self.cfg: BlockConfig = configs.load(block, bugs[0].config)
        self.files = rtl.generate(self.cfg)
        texts = [f"{bug.name} {bug.file} {bug.find} {bug.replace}" for bug in bugs]
        key = digest([*self.files.values(), *texts, judges_key(block)])
        self.verdicts = Verdicts(self.folder / "verdicts.db", key, 1)
        self.numbers = {bug.name: number for number, bug in enumerate(bugs, 1)}

    def judge(self, chosen: Sequence[Bug], jobs: int, bars: Bars) -> None:
        """Those of ``chosen`` that have no verdict yet."""
        settled = self.verdicts.known
        due = [bug for bug in chosen if self.numbers[bug.name] not in settled and not bug.harmless]
        if not due:
            return
        task = bars.add_task("the design without a bug (compiling first)", total=len(due))
        self._hold()
        known = tests.build(self.cfg, self.folder / "design")
        by, wrong = tests.judge(known, 0, self.folder / "runs")
        if by:
            raise RuntimeError(f"the design without a bug fails {by}: {wrong}")
        bars.update(task, description="bugs")
        with ThreadPoolExecutor(jobs) as pool:
            try:
                for wave in known.waves:
                    left = [self.numbers[bug.name] for bug in due]
                    left = [one for one in left if one in self.inside and one not in self.verdicts.known]
                    parts = [left[at : at + TOGETHER] for at in range(0, len(left), TOGETHER)]
                    together = partial(self._together, known, wave)
                    for found in pool.map(together, parts):
                        for number, (by, message) in found.items():
                            self.verdicts.put(number, Verdict(KILLED, TEST, by, message))
                        bars.advance(task, len(found))
                rest = [bug for bug in due if self.numbers[bug.name] not in self.verdicts.known]
                waiting = {pool.submit(self._one, known, bug): bug for bug in rest}
                for done in as_completed(waiting):
                    self.verdicts.put(self.numbers[waiting[done].name], done.result())
                    bars.advance(task)
            except BaseException:
                self.stop.set()
                pool.shutdown(cancel_futures=True)
                raise

    def _hold(self) -> None:
        """Write the design that holds all bugs which are a choice."""
        ports = held.outputs(self.files.values())
        mutants = []
        for bug in self.bugs:
            changed = rtl.plant(self.files, bug.file, bug.find, bug.replace)[bug.file]
            mutant = held.choice(self.numbers[bug.name], bug.file, self.files[bug.file], changed, ports)
            mutants += [mutant] if mutant else []
        self.inside = {mutant.id for mutant in mutants}
        rtl.write_files(self.folder / "design", combine(self.files, mutants, self.cfg.top()))

    def _together(
        self, known: tests.Regression, wave: Sequence[TestCase], numbers: Sequence[int]
    ) -> dict[int, tuple[str, str]]:
        return tests.judge_together(known, numbers, self.folder / "runs", self.stop, wave, hasty=True)

    def _one(self, known: tests.Regression, bug: Bug) -> Verdict:
        """From power-up on, whose state the bugs before would have overwritten; in a design of its own where
        it is no choice.
        """
        number = self.numbers[bug.name]
        folder = bug.plant(self.folder / "alone")
        if crossings.check_files(self.cfg, builds.sources_of(folder, self.cfg.top())):
            return Verdict(KILLED, TEST, CROSSINGS)
        design = known if number in self.inside else tests.build(self.cfg, folder)
        by, message = tests.judge(design, number, self.folder / "runs", self.stop, hasty=True)
        return Verdict(KILLED if by else SURVIVED, TEST, by, message)


def show(console: Console, told: Sequence[tuple[Bug, Verdict | None]]) -> float:
    """What came of each, survivors last; returns the percentage noticed of those that change something."""
    table = Table("bug", "kind", "noticed by", "message")
    for bug, verdict in sorted(told, key=lambda one: one[1] is None or one[1].verdict != KILLED):
        by = HARMLESS if verdict is None else verdict.by or coloured("nothing", "bold red")
        words = bug.harmless if verdict is None else verdict.message or bug.why
        table.add_row(bug.name, bug.kind, by, words[:110].replace("[", r"\["))
    console.print(table)
    counted = [(bug.kind, verdict.verdict == KILLED) for bug, verdict in told if verdict is not None]
    kinds = Counter(kind for kind, _ in counted)
    for kind, number in sorted(kinds.items()):
        console.print(f"{kind}: {counted.count((kind, True))} of {number} noticed")
    noticed = sum(killed for _, killed in counted)
    percent = 100 * noticed / len(counted) if counted else 100.0
    others = len(told) - len(counted)
    console.print(f"{noticed} of {len(counted)} noticed ({percent:.1f} %), {others} harmless")
    return percent


def main(argv: list[str]) -> int:
    """Entry point: 1 if less than 95 % are noticed. Raises :class:`UserError` on bad input."""
    parser = cli.Parser(prog="python -m tests.tb.adversary", description=__doc__)
    parser.add_argument("block", metavar="BLOCK", choices=configs.blocks())
    parser.add_argument("--test", default="", metavar="NAMES", help="separated by commas (default: all)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="bugs judged at a time")
    arguments = parser.parse_args(argv)
    bugs = bugs_of(arguments.block)
    names = [name for name in arguments.test.split(",") if name]
    for name in set(names) - {bug.name for bug in bugs}:
        raise UserError(f"{arguments.block} has no bug {name!r}: tests/tb/adversary_bugs has their names")
    chosen = [bug for bug in bugs if not names or bug.name in names]
    console = Console(highlight=False, width=200)
    with builds.locked(ROOT / arguments.block), Bars(console=console) as bars:
        told = []
        for config in dict.fromkeys(bug.config for bug in chosen):
            judging = Judging(arguments.block, [bug for bug in bugs if bug.config == config])
            here = [bug for bug in chosen if bug.config == config]
            judging.judge(here, arguments.jobs, bars)
            told += [(bug, judging.verdicts.known.get(judging.numbers[bug.name])) for bug in here]
    return 0 if show(console, told) >= LEAST else 1


if __name__ == "__main__":
    cli.run(main)
