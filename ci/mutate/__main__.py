# SPDX-License-Identifier: Apache-2.0
"""``python -m ci.mutate BLOCK``: plant small changes, see which of them the block's tests notice."""

import argparse
import json
import os
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

import numpy as np
from rich.console import Console
from rich.progress import Progress

import configs
import rtl
from ci.mutate import equivalent, replays, show, tests
from ci.mutate.mutants import Mutant, combine, find
from ci.mutate.verdicts import EQUIVALENT, KILLED, PROOF, REPLAY, SURVIVED, TEST, Verdict, Verdicts
from configs import BlockConfig, UserError, cli
from configs.files import write_atomic
from formal import tools
from tb.common import builds, regression
from tb.common.measuring import progress_bars
from workloads.store import digest

LEAST = 90.0
JUDGES = ("tb", "models", "workloads", "configs")  # a change of these sources makes all verdicts void


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
    result.add_argument("--replays-only", action="store_true", help="no pyuvm tests, no proofs: a quick look")
    return result


def chosen(mutants: list[Mutant], arguments: argparse.Namespace) -> list[Mutant]:
    """All, one, or a sample that the seed decides. Raises :class:`UserError`."""
    if arguments.count < 0 or arguments.jobs < 1 or arguments.seed < 1:
        raise UserError("-n must not be negative, --seed and --jobs at least 1")
    if arguments.mutant is not None:
        if not 1 <= arguments.mutant <= len(mutants):
            raise UserError(f"--mutant {arguments.mutant}: there are mutants 1 to {len(mutants)}")
        return [mutants[arguments.mutant - 1]]
    if not arguments.count or arguments.count >= len(mutants):
        return mutants
    drawn = np.random.default_rng(arguments.seed).choice(len(mutants), arguments.count, replace=False)
    return [mutants[index] for index in sorted(drawn)]


class Judging:
    """All that judges the mutants of one configuration."""

    def __init__(self, cfg: BlockConfig, arguments: argparse.Namespace, files: Mapping[str, str]) -> None:
        self.cfg, self.files, self.jobs, self.seed = cfg, files, arguments.jobs, arguments.seed
        self.folder = builds.BUILD / "mutate" / cfg.block / f"{cfg.name}-{cfg.hash}"
        self.design = self.folder / "design"
        judges = builds.sources_key((*JUDGES, f"tb/{cfg.block}/baseline.json"))
        key = digest([json.dumps(dict(files)), str(arguments.seed), judges])
        self.verdicts = Verdicts(self.folder / "verdicts.db", key)

    def replay(self, wanted: Sequence[Mutant], progress: Progress) -> None:
        """The first judgement. Raises RuntimeError if the design itself does not pass it."""
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
            self.verdicts.put(number, _verdict(REPLAY, by, message))
            progress.advance(task)

    def prove(self, wanted: Sequence[Mutant], progress: Progress) -> None:
        """The second judgement."""
        due = self.verdicts.due(wanted, PROOF)
        if not due:
            return
        task = progress.add_task("proofs of equivalence", total=len(due))
        tools.environment()  # where it is compiled, no proof's time runs
        proved = partial(equivalent.proved, self.files, self.cfg.block)
        self._each(due, lambda one: Verdict(EQUIVALENT if proved(one) else SURVIVED, PROOF), progress, task)

    def test(self, wanted: Sequence[Mutant], progress: Progress) -> None:
        """The third judgement. Raises RuntimeError if the design itself does not pass it."""
        due = self.verdicts.due(wanted, TEST)
        if not due:
            return
        task = progress.add_task("pyuvm tests (compiling first)", total=len(due))
        known = tests.build(self.cfg, self.design)
        by, wrong = tests.judge(known, 0, self.folder / "runs")
        if by:
            raise RuntimeError(f"the design without a mutant fails {by}: {wrong}")
        progress.update(task, description="pyuvm tests")
        self._each(
            due, lambda one: _verdict(TEST, *tests.judge(known, one.id, self.folder / "runs")), progress, task
        )

    def _each(
        self, due: Sequence[Mutant], judge: Callable[[Mutant], Verdict], progress: Progress, task: Any
    ) -> None:
        with ThreadPoolExecutor(self.jobs) as pool:
            try:
                for mutant, verdict in zip(due, pool.map(judge, due), strict=True):
                    self.verdicts.put(mutant.id, verdict)
                    progress.advance(task)
            except BaseException:
                pool.shutdown(cancel_futures=True)
                raise


def _verdict(stage: str, by: str, message: str) -> Verdict:
    return Verdict(KILLED if by else SURVIVED, stage, by, message)


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
            console.print(str(mutant), markup=False, soft_wrap=True)
        return 0
    judging = Judging(cfg, arguments, files)
    rtl.write_files(judging.design, combine(files, mutants, cfg.block))
    with progress_bars(console) as progress:
        judging.replay(wanted, progress)
        if not arguments.replays_only:
            judging.prove(wanted, progress)
            judging.test(wanted, progress)
    told = [(mutant, judging.verdicts.known[mutant.id]) for mutant in wanted]
    judging.verdicts.close()
    one = arguments.mutant is not None
    show.show(console, told, one)
    if one:
        alone = judging.folder / f"mutant-{wanted[0].id}"
        rtl.write_files(alone, {**files, wanted[0].file: wanted[0].apply(files[wanted[0].file])})
        console.print(f"  {cli.make_command('sim', cfg, RTL_DIR=alone)}", soft_wrap=True)
        return 0
    about = {"block": cfg.block, "config": cfg.name, "hash": cfg.hash, "seed": arguments.seed}
    write_atomic(judging.folder / "mutants.json", json.dumps(show.record(told, about), indent=1) + "\n")
    console.print(f"results  {judging.folder / 'mutants.json'}", soft_wrap=True)
    return 0 if show.score(told).percent >= arguments.least else 1


if __name__ == "__main__":
    cli.run(main)
