# SPDX-License-Identifier: Apache-2.0
"""``python -m tb sim BLOCK``: build, run tests, show what came of it."""

import argparse
import importlib
import json
import os
import re
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

from configs import UserError
from tb.common.components import testcase
from tb.common.coverage import data as coverage_data
from tb.common.running import baseline, builds, judging, junit, runner, summary
from utils import cli
from utils.console import Console, coloured
from utils.files import write_atomic
from utils.progress import spinner

DEFAULT_COUNT = 1000


def parser() -> cli.Parser:
    """The command line."""
    result = cli.Parser(prog="python -m tb sim", description="Run the testbench of a block.")
    cli.add_config_arguments(result)
    result.add_argument(
        "--sim", default="verilator", metavar="NAME", help="verilator (default), icarus or both"
    )
    result.add_argument(
        "--test", default="", metavar="NAMES", help="tests, separated by commas (default: all)"
    )
    result.add_argument("--seed", type=int, default=1, help="seed of everything random (default: 1)")
    result.add_argument(
        "-n", dest="count", type=int, metavar="N",
        help=f"transactions of a volume test (default: as in the block's regression, else {DEFAULT_COUNT})",
    )  # fmt: skip
    result.add_argument("--waves", action="store_true", help="record waveforms (FST)")
    result.add_argument("--cov", action="store_true", help="measure code coverage, too (on Verilator)")
    result.add_argument("--rtl-dir", metavar="DIR", help="Verilog from elsewhere: same top, same ports")
    result.add_argument(
        "--steer",
        default="",
        metavar="'K=V ...'",
        help="options of the test 'steered', with --test steered (tb/<block>/knobs.py)",
    )
    result.add_argument(
        "--figures", default="exact", choices=("exact", "any", "keep"),
        help="exact (default): cycles and the like must be those of baseline.json where it has the run; "
        "any: they may differ; keep: if all passed they are written there",
    )  # fmt: skip
    result.add_argument(
        "--jobs", type=int, default=os.cpu_count() or 1, metavar="N",
        help="simulations at a time, each of some of the tests (default: cores; one with --waves or --cov)",
    )  # fmt: skip
    result.add_argument("--list", action="store_true", help="list the block's tests and stop")
    return result


def simulators(text: str) -> tuple[str, ...]:
    """The simulators that ``text`` names. Raises :class:`UserError`."""
    if text == "both":
        return builds.SIMULATORS
    if text not in builds.SIMULATORS:
        raise UserError(f"unknown simulator {text!r}: choose {', '.join(builds.SIMULATORS)} or both")
    return (text,)


def list_tests(block: str, console: Console) -> None:
    """Names and first lines of all tests."""
    for case in testcase.cases(block).values():
        console.print(coloured(f"{case.name:22}", "bold", f" {case.doc}"), soft_wrap=True)


def steering(text: str) -> dict[str, str]:
    """Knobs and options of ``knob=option ...``; options may have blanks. Raises :class:`UserError`."""
    words = re.split(r"\s+(?=\S+=)", text.strip()) if text.strip() else []
    pairs = [word.partition("=") for word in words]
    for knob, equals, option in pairs:
        if not (knob and equals and option):
            raise UserError(f"--steer {text!r}: write it as knob=option, separated by blanks")
    return {knob: option for knob, _, option in pairs}


def running(console: Console, say: Callable[[str], None], simulator: str, total: int) -> runner.Progress:
    """A callback that shows the running test, and prints the first verdict of several when it is there."""
    first: list[str] = []

    def show(report: dict[str, Any]) -> None:
        figures = f"{report.get('checked', 0):,} checked, cycle {report.get('cycle', 0):,}"
        now = f", now {report['test']}: {report['aside'] or figures}" if "test" in report else ", starting"
        ended: dict[str, str] = report["ended"]
        say(f"{simulator}: {len(ended)} of {total} tests{now if len(ended) < total else ''}")
        if ended and total > 1 and not first:
            first.extend(next(iter(ended.items())))
            console.print(f"{simulator}: first test {first[1]} ({first[0]}); {total - 1} to go")

    return show


def run_one(
    arguments: argparse.Namespace,
    cfg: Any,
    simulator: str,
    console: Console,
    say: Callable[[str], None],
    held: ExitStack,
) -> tuple[runner.RunResult, int]:
    """Build and run on one simulator, in a folder that is this command's own until ``held`` is closed; and
    judge the run as a whole. Returns the result, and the number of tests whose figures were compared.
    """
    names = [name for name in arguments.test.split(",") if name]
    tests = testcase.choose(arguments.block, names, cfg, simulator)
    rtl_dir = Path(arguments.rtl_dir) if arguments.rtl_dir else None
    say(f"building {cfg.block} {cfg.name} for {simulator}")
    measured = arguments.cov and (simulator == "verilator" or arguments.sim != "both")
    made = builds.build(cfg, simulator, rtl_dir=rtl_dir, coverage=measured, waves=arguments.waves)
    label = f"{made.folder.name}-seed{arguments.seed}" + (f"-{'-'.join(names)}" if names else "")
    folder = cfg.build_folder(builds.BUILD) / "runs" / label[:120]
    held.enter_context(builds.locked(folder, lambda: say(f"waiting for whoever runs the same in {folder}")))
    say(f"{simulator}: {len(tests)} tests")
    run = runner.run(
        made,
        tests,
        seed=arguments.seed,
        count=arguments.count,
        folder=folder,
        rtl_dir=rtl_dir,
        progress=running(console, say, simulator, len(tests)),
        steer=steering(arguments.steer),
        jobs=arguments.jobs,
        cycles=baseline.cycles(
            cfg.block, cfg.name, arguments.seed, arguments.count, [test.name for test in tests]
        ),
    )
    if run.killed:
        console.print(f"{simulator}: {run.killed} ended the simulator at the first try; it ran once more")
    result, compared = judging.judge(made, run), 0
    if arguments.figures == "exact" and not arguments.steer:
        outcomes, compared = baseline.judge(cfg.block, cfg.name, arguments.seed, arguments.count, result)
        result = replace(result, outcomes=outcomes)
    return result, compared


def functional(cfg: Any, results: Sequence[runner.RunResult], seed: int) -> coverage_data.Database:
    """The coverage of the runs, one entry per test."""
    return {
        f"{cfg.name}/{test}/{seed}/{result.simulator}": kept["coverage"]
        for result in results
        for test, kept in result.kept.items()
    }


def cases(cfg: Any, results: Sequence[runner.RunResult]) -> list[junit.Case]:
    """What came of each test, for CI servers."""
    return [
        junit.Case(
            f"{cfg.block}.{cfg.name}.{result.simulator}",
            outcome.test,
            outcome.verdict,
            outcome.seconds,
            outcome.error,
            outcome.message,
            outcome.repro,
        )
        for result in results
        for outcome in result.outcomes
    ]


def main(argv: list[str]) -> int:
    """Entry point: 0 when all tests passed, 1 when not. Raises :class:`UserError` on bad input."""
    arguments = parser().parse_args(argv)
    cfg = cli.chosen_config(arguments)
    console = Console(highlight=False)
    if importlib.util.find_spec(f"tb.{cfg.block}") is None:
        raise UserError(f"block {cfg.block} has no testbench: tb/{cfg.block} is missing")
    if arguments.list:
        list_tests(cfg.block, console)
        return 0
    if arguments.count is None:
        arguments.count = baseline.count_of(cfg.block, cfg.name, arguments.seed) or DEFAULT_COUNT
    runner.check_numbers(arguments.seed, arguments.count)
    cli.check_number("--jobs", arguments.jobs, 1, 256)
    if arguments.steer and arguments.test != "steered":
        raise UserError("--steer is for the test 'steered' alone: --test steered (TEST=steered of make)")
    if arguments.figures == "keep":
        own = bool(arguments.rtl_dir or arguments.steer)
        baseline.check_kept(cfg.block, cfg.name, arguments.seed, arguments.count, own=own)
    chosen = simulators(arguments.sim)
    for simulator in chosen:
        builds.check_simulator(simulator)
    with ExitStack() as held:
        return _verify(arguments, cfg, chosen, console, held)


def _verify(
    arguments: argparse.Namespace, cfg: Any, chosen: Sequence[str], console: Console, held: ExitStack
) -> int:
    results, compared, began = [], 0, time.monotonic()
    with spinner(console) as say:
        for simulator in chosen:
            result, number = run_one(arguments, cfg, simulator, console, say, held)
            results.append(result)
            compared += number
            console.print(summary.tests_table(cfg, results[-1], arguments.seed))
    plan = importlib.import_module(f"tb.{cfg.block}.plan").plan(cfg)
    waivers = builds.ROOT / "tb" / cfg.block / "waivers.toml"
    database = functional(cfg, results, arguments.seed)
    verdict = coverage_data.judge(plan, coverage_data.total(database), coverage_data.waivers(waivers))
    folder = results[0].folder
    coverage_data.save(database, folder / "coverage.json")
    write_atomic(folder / "results.json", json.dumps(summary.as_json(cfg, results, verdict), indent=1))
    junit.write(folder / "junit.xml", f"{cfg.block} {cfg.name}", cases(cfg, results))
    summary.show(
        console, cfg, results, verdict, seconds=time.monotonic() - began, waivers=waivers,
        part=bool(arguments.test), compared=compared,
    )  # fmt: skip
    if not all(result.passed for result in results):
        return 1
    if arguments.figures == "keep":
        changes = baseline.keep(cfg.block, cfg.name, arguments.seed, arguments.count, results)
        console.print(f"{len(changes)} changes: {baseline.path_of(cfg.block)}")
        for change in changes:
            console.print(f"  {change}")
    return 0
