# SPDX-License-Identifier: Apache-2.0
"""``python -m ci.mutate BLOCK``: plant small changes, see which of them the block's tests notice."""

import argparse
import json
import os
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from functools import partial
from pathlib import Path
from threading import Event
from typing import Any, TypeVar

import numpy as np
from rich.progress import Progress

import configs
import rtl
from ci.mutate import equivalent, replays, show, tests
from ci.mutate.mutants import Mutant, combine, find
from ci.mutate.verdicts import KILLED, MISSED, PROOF, REPLAY, TEST, Verdict, Verdicts
from configs import BlockConfig, UserError
from tb.common.running import builds, regression
from tb.common.running.tools import identity
from utils import cli
from utils.console import Console
from utils.files import write_atomic
from utils.keys import digest
from utils.progress import Bars
from utils.sources import Dependencies, dependencies

LEAST = 90.0
Due = TypeVar("Due")
Found = TypeVar("Found")


def parser() -> cli.Parser:
    """The command line."""
    result = cli.Parser(
        prog="python -m ci.mutate",
        description="Plant small changes in a block's Verilog, see which of them its tests notice.",
        epilog="Exit code 1 if the score is below --least. The same command goes on where it was stopped.",
    )
    cli.add_config_arguments(result, otherwise="a small one")
    result.add_argument(
        "-n", dest="count", type=int, default=0, help="mutants drawn by the seed (default: all)"
    )
    result.add_argument("--seed", type=int, default=1, help="of the draw and of the replays (default: 1)")
    result.add_argument("--mutant", type=int, metavar="NUMBER", help="this one alone; writes its Verilog")
    result.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="mutants judged at a time")
    result.add_argument("--least", type=float, default=LEAST, help=f"percent to reach (default: {LEAST:g})")
    result.add_argument("--list", action="store_true", help="show the mutants and judge nothing")
    result.add_argument(
        "--replays", choices=("0", "1"), default="1",
        help="0: the regression judges each mutant, replays only what it misses (default: 1, replays first)",
    )  # fmt: skip
    result.add_argument("--replays-only", action="store_true", help="no pyuvm tests, no proofs: a quick look")
    return result


def chosen(mutants: list[Mutant], arguments: argparse.Namespace) -> list[Mutant]:
    """All, one, or a sample that the seed decides. Raises :class:`UserError`."""
    cli.check_seed(arguments.seed)
    for option, value, least in (("-n", arguments.count, 0), ("--jobs", arguments.jobs, 1)):
        if value < least:
            raise UserError(f"{option} {value}: must be at least {least}")
    if arguments.replays == "0" and arguments.replays_only:
        raise UserError("--replays 0 with --replays-only leaves no judge: give one of them")
    if arguments.mutant is not None:
        if not 1 <= arguments.mutant <= len(mutants):
            raise UserError(f"--mutant {arguments.mutant}: there are mutants 1 to {len(mutants)}")
        return [mutants[arguments.mutant - 1]]
    if not arguments.count or arguments.count >= len(mutants):
        return mutants
    drawn = np.random.default_rng(arguments.seed).choice(len(mutants), arguments.count, replace=False)
    return [mutants[index] for index in sorted(drawn)]


def judges(block: str) -> Dependencies:
    """All that judges mutants of ``block``, beside the RTL."""
    return dependencies("ci.mutate.__main__", block=block, beside=("rtl",))


def judges_key(block: str) -> str:
    """A hash of the judges, of packages and of the simulator."""
    return digest([judges(block).key, repr((judges(block).versions, identity("verilator")))])


class Judging:
    """All that judges the mutants of one configuration."""

    def __init__(
        self, cfg: BlockConfig, arguments: argparse.Namespace, files: Mapping[str, str], folder: Path,
        console: Console,
    ) -> None:  # fmt: skip
        self.cfg, self.files, self.jobs, self.seed = cfg, files, arguments.jobs, arguments.seed
        self.folder, self.design = folder, folder / "design"
        self.console, self.stop = console, Event()
        key = digest([json.dumps(dict(files)), judges_key(cfg.block)])
        self.alone = arguments.replays == "0"
        self.verdicts = (
            Verdicts(self.folder / "regression.db", key, self.seed, (TEST, PROOF, REPLAY))
            if self.alone
            else Verdicts(self.folder / "verdicts.db", key, self.seed)
        )

    def judge(self, wanted: Sequence[Mutant], progress: Progress, *, replays_only: bool) -> None:
        """All judges, each those that the one before it left open."""
        judges = {REPLAY: self.replay, PROOF: self.prove, TEST: self.test}
        for stage in [REPLAY] if replays_only else self.verdicts.order:
            judges[stage](wanted, progress)

    def replay(self, wanted: Sequence[Mutant], progress: Progress) -> None:
        """Short replays. Raises RuntimeError if the design itself does not pass them."""
        due = self.verdicts.due(wanted, REPLAY)
        if not due:
            return
        task = progress.add_task("replays (compiling first)", total=len(due))
        by, wrong = replays.judge(self.cfg, self.design, self.seed, 0)
        if by:
            raise RuntimeError(f"the design without a mutant fails {by}: {wrong}")
        progress.update(task, description="replays")
        numbers = [mutant.id for mutant in due]
        for number, by, message in replays.judge_all(self.cfg, self.design, self.seed, numbers, self.jobs):
            self._put(number, REPLAY, by, message)
            progress.advance(task)

    def prove(self, wanted: Sequence[Mutant], progress: Progress) -> None:
        """Proofs of equivalence."""
        due = self.verdicts.due(wanted, PROOF)
        if not due:
            return
        task = progress.add_task("proofs of equivalence (reading first)", total=len(due))
        design = equivalent.elaborate(self.files, self.cfg.top(), self.folder / "elaborated")
        progress.update(task, description="proofs of equivalence")

        def put(one: Mutant, found: str) -> int:
            self.verdicts.put(one.id, Verdict(found, PROOF))
            return 1

        # of what the tests left there are few: time enough for the whole block
        self._each(due, partial(equivalent.judge, design, whole=self.alone), put, progress, task)

    def test(self, wanted: Sequence[Mutant], progress: Progress) -> None:
        """The regression. Raises RuntimeError if the design itself does not pass it."""
        due = self.verdicts.due(wanted, TEST)
        if not due:
            return
        task = progress.add_task("pyuvm tests (compiling first)", total=len(due))
        known = tests.build(self.cfg, self.design)
        if not known.figures:
            self.console.print(
                f"no baseline of {self.cfg.name}: what changes nothing but cycles or hits goes unnoticed"
            )
        by, wrong = tests.judge(known, 0, self.folder / "runs")
        if by:
            raise RuntimeError(f"the design without a mutant fails {by}: {wrong}")
        progress.update(task, description="pyuvm tests")
        root = self.folder / "runs"

        def put(one: Mutant, found: tuple[str, str]) -> int:
            self._put(one.id, TEST, *found)
            return 1

        def put_some(_: Sequence[Mutant], found: dict[int, tuple[str, str]]) -> int:
            for number, (by, message) in found.items():
                self._put(number, TEST, by, message)
            return len(found)

        for wave in known.waves:
            left = self.verdicts.due(wanted, TEST)
            groups = [left[at : at + tests.AT_ONCE] for at in range(0, len(left), tests.AT_ONCE)]
            together = partial(tests.judge_together, known, root=root, stop=self.stop, tests=wave)
            judge = partial(_numbers, together)
            self._each(groups, judge, put_some, progress, task)
        alone = partial(tests.judge, known, root=root, stop=self.stop)
        left = self.verdicts.due(wanted, TEST)
        self._each(left, lambda one: alone(one.id), put, progress, task)

    def _put(self, number: int, stage: str, by: str, message: str) -> None:
        """Keep who noticed a mutant, or that nobody did."""
        noticed = Verdict(MISSED if self.alone and stage == REPLAY else KILLED, stage, by, message)
        self.verdicts.put(number, noticed if by else self.verdicts.still_open(number, stage))

    def _each(
        self, due: Sequence[Due], judge: Callable[[Due], Found], put: Callable[[Due, Found], int],
        progress: Progress, task: Any,
    ) -> None:  # fmt: skip
        """Judge all that is due and keep at once what is found; ``put`` says how many that settles."""
        with ThreadPoolExecutor(self.jobs) as pool:
            waiting = {pool.submit(judge, one): one for one in due}
            try:
                for done in as_completed(waiting):
                    progress.advance(task, put(waiting[done], done.result()))
            except BaseException:
                self.stop.set()
                pool.shutdown(cancel_futures=True)
                raise


def _numbers(
    judge: Callable[[Sequence[int]], dict[int, tuple[str, str]]], mutants: Sequence[Mutant]
) -> dict[int, tuple[str, str]]:
    """What ``judge`` finds of the numbers of ``mutants``."""
    return judge([one.id for one in mutants])


def main(argv: list[str]) -> int:
    """Entry point. Raises :class:`UserError` on bad input."""
    arguments = parser().parse_args(argv)
    configs.schema(arguments.block)
    preset = arguments.config or regression.mutation(arguments.block).config
    cfg = configs.load(arguments.block, preset, arguments.set.split())
    files = rtl.generate(cfg)
    mutants = find(files)
    wanted = chosen(mutants, arguments)
    console = Console(highlight=False, emoji=False)  # ":100:" in a place is no picture
    if arguments.list:
        for mutant in wanted:
            console.print(str(mutant), soft_wrap=True)
        console.print(show.kinds(wanted), soft_wrap=True)
        return 0
    folder = cfg.build_folder(builds.BUILD / "mutate")
    with builds.locked(folder), Bars(console=console) as progress:
        judging = Judging(cfg, arguments, files, folder, console)
        rtl.write_files(judging.design, combine(files, mutants, cfg.top()))
        judging.judge(wanted, progress, replays_only=arguments.replays_only)
        told = [(mutant, judging.verdicts.known[mutant.id]) for mutant in wanted]
        judging.verdicts.close()
    one = arguments.mutant is not None
    show.show(console, told, one, alone=judging.alone, of=len(mutants))
    if one:
        alone = folder / f"mutant-{wanted[0].id}"
        rtl.write_files(alone, {**files, wanted[0].file: wanted[0].apply(files[wanted[0].file])})
        seed, count = tests.traffic(cfg)
        by = told[0][1].by
        test = by.removeprefix("test ") if by.startswith("test ") else None
        again = cli.make_command("sim", cfg, TEST=test, SEED=seed, N=count, RTL_DIR=alone)
        console.print(f"  {again}", soft_wrap=True)
        return 0
    about = {
        "block": cfg.block, "config": cfg.name, "hash": cfg.hash, "seed": arguments.seed,
        "judged": len(wanted), "of": len(mutants),
        "judge": "regression" if judging.alone else "replays first",
    }  # fmt: skip
    path = folder / ("regression.json" if judging.alone else "mutants.json")
    write_atomic(path, json.dumps(show.record(told, about, alone=judging.alone), indent=1) + "\n")
    console.print(f"results  {path}", soft_wrap=True)
    return 0 if show.score(told).percent >= arguments.least else 1


if __name__ == "__main__":
    cli.run(main)
