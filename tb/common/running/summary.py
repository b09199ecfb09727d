# SPDX-License-Identifier: Apache-2.0
"""What a run looks like to a person, and as JSON."""

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from rich.table import Table

from tb.common.coverage import code as code_coverage
from tb.common.coverage import coincidences
from tb.common.coverage.data import Verdict
from tb.common.running import regression, wave_views
from tb.common.running.buckets import bucket
from tb.common.running.regression import Figures
from tb.common.running.runner import Outcome, RunResult
from utils.console import Console, coloured

COLOURS = {"passed": "green", "failed": "bold red", "skipped": "yellow"}
HOLES_SHOWN = 12


def tests_table(cfg: Any, result: RunResult, seed: int) -> Table:
    """One row per test."""
    title = f"{cfg.block} {cfg.name} on {result.simulator}, seed {seed}"
    table = Table(title=title, title_justify="left", header_style="bold", pad_edge=False)
    table.add_column("test")
    table.add_column("verdict")
    figures_of = regression.figures(cfg.block)
    for name in ("accesses", *figures_of.shares, "cycles", "cycles/s"):
        table.add_column(name, justify="right")
    for outcome in result.outcomes:
        figures = result.kept.get(outcome.test, {}).get("summary", {})
        verdict = coloured(outcome.verdict, COLOURS[outcome.verdict])
        table.add_row(outcome.test, verdict, *_figures(figures_of, figures))
    return table


def _figures(figures_of: Figures, summary: dict[str, Any]) -> list[str]:
    if not summary:
        return [""] * (len(figures_of.shares) + 3)
    shares = figures_of.shares_of(summary)
    return [
        f"{summary['checked']:,}",
        *(f"{100 * shares[name]:.1f} %" if name in shares else "-" for name in figures_of.shares),
        f"{summary['cycles']:,}",
        f"{summary['cycles'] / (summary['seconds'] or 1e-3):,.0f}",
    ]


def totals(figures_of: Figures, results: Sequence[RunResult]) -> dict[str, Any]:
    """Sums over all tests that passed."""
    summaries = [kept["summary"] for result in results for kept in result.kept.values()]
    sums = {name: sum(summary[name] for summary in summaries) for name in (*figures_of.names, "seconds")}
    verdicts = [outcome.verdict for result in results for outcome in result.outcomes]
    return {**sums, **{verdict: verdicts.count(verdict) for verdict in COLOURS}}


def as_json(cfg: Any, results: Sequence[RunResult], verdict: Verdict) -> dict[str, Any]:
    """The run for other programs."""
    return {
        "block": cfg.block,
        "config": cfg.name,
        "hash": cfg.hash,
        "totals": totals(regression.figures(cfg.block), results),
        "functional coverage": {**asdict(verdict), "percent": verdict.percent},
        "runs": [
            {
                "simulator": result.simulator,
                "outcomes": [asdict(outcome) for outcome in result.outcomes],
                "summaries": {test: kept["summary"] for test, kept in result.kept.items()},
            }
            for result in results
        ],
    }


def show(
    console: Console, cfg: Any, results: Sequence[RunResult], verdict: Verdict, *, seconds: float,
    waivers: Path, part: bool = False, compared: int = 0,
) -> None:  # fmt: skip
    """Failures with the command that repeats them, then the figures of the whole run.

    ``part``: of the block's tests only some ran, so that bins which are not hit say nothing, as in a run that
    fails. ``compared``: so many tests were compared with the baseline.
    """
    _show_failures(console, cfg.block, results)
    figures_of = regression.figures(cfg.block)
    sums = totals(figures_of, results)
    good = all(result.passed for result in results)
    word = ("PASSED", "bold green") if good else ("FAILED", "bold red")
    skipped = f", {sums['skipped']} skipped" if sums["skipped"] else ""
    tests = "test" if sums["passed"] == 1 else "tests"
    counts = f"  {sums['passed']} {tests} passed, {sums['failed']} failed{skipped}, in {seconds:.1f} s"
    console.print(coloured(*word, counts))
    shares = "".join(f", {name} {100 * share:.1f} %" for name, share in figures_of.shares_of(sums).items())
    speed = f"{sums['cycles'] / (sums['seconds'] or 1e-3):,.0f} cycles/s"
    console.print(f"  accesses checked      {sums['checked']:,} at {speed}{shares}")
    by = "by a part of the tests" if part else "" if good else "by the tests that passed"
    if good:
        console.print(f"  cycle counts          {_compared(compared, sums['passed'])}")
    console.print(f"  functional coverage   {_functional(verdict, by)}", soft_wrap=True)
    if good:
        ports = coincidences.met((cfg, result.kept.values()) for result in results)[1]
        seen = f"{ports.met} of {ports.met + len(ports.holes)} seen"
        console.print(f"  pairs of port events  {seen}; the whole regression must see all")
    for result in results:
        if result.code_coverage.is_file():
            console.print(f"  code coverage         {_code(result, waivers)}")
        if result.waves.is_file():
            console.print(f"  waveforms             {result.waves}", soft_wrap=True)
            for viewer, command in wave_views.commands(result.folder).items():
                console.print(f"  {f'in {viewer}:':21} {command}", soft_wrap=True)
    console.print(f"  results               {results[0].folder}", soft_wrap=True)


def _compared(number: int, passed: int) -> str:
    return f"{number} of {passed} tests equal the baseline" if number else "not compared with a baseline"


def alike(block: str, results: Sequence[RunResult]) -> dict[str, list[tuple[RunResult, Outcome]]]:
    """The failures by :func:`tb.common.running.buckets.bucket`: wrong fields first, cycle counts last."""
    buckets: dict[str, list[tuple[RunResult, Outcome]]] = {}
    for result in results:
        for outcome in result.outcomes:
            if outcome.verdict == "failed":
                name = bucket(block, outcome.error, outcome.message)
                buckets.setdefault(name, []).append((result, outcome))
    return dict(sorted(buckets.items(), key=lambda entry: _rank(entry[1][0][1])))


def _rank(outcome: Outcome) -> int:
    if ": expected " in outcome.message:
        return 0
    return 2 if outcome.error == "Figures" or " cycles, expected " in outcome.message else 1


def _show_failures(console: Console, block: str, results: Sequence[RunResult]) -> None:
    """The first failure of each bucket in full; of those that look alike, the tests."""
    for (result, outcome), *others in alike(block, results).values():
        console.print(coloured("FAILED", "bold red", f" {outcome.test} on {result.simulator}"))
        message = outcome.message.split("\n  repeat with:")[0]
        console.print("  " + message.replace("\n", "\n  "), soft_wrap=True)
        console.print(f"  repeat: {outcome.repro}", soft_wrap=True)
        if (result.folder / f"{outcome.test}.log").is_file():
            waves = "" if result.waves.is_file() else "; or repeat with WAVES=1"
            console.print(
                f"  look at: {result.folder}/simulation.log, {outcome.test}.log{waves}", soft_wrap=True
            )
        if others:
            tests = dict.fromkeys(other.test for _, other in others)
            console.print(f"  {len(others)} more fail alike: {', '.join(tests)}", soft_wrap=True)


def _functional(verdict: Verdict, by: str) -> str:
    """The share of bins; their holes, unless the bins were hit ``by`` less than all tests."""
    bins = verdict.covered + len(verdict.holes)
    text = f"{verdict.percent:.1f} % ({verdict.covered} of {bins} bins, {len(verdict.waived)} waived)"
    if by:
        return f"{text} {by}"
    shown = verdict.holes[:HOLES_SHOWN] if len(verdict.holes) < bins / 2 else []
    for hole in shown:
        text += f"\n                          not hit: {hole}"
    if shown and len(verdict.holes) > len(shown):
        text += f"\n                          and {len(verdict.holes) - len(shown)} more"
    return text


def _code(result: RunResult, waivers: Path) -> str:
    report = code_coverage.judge(code_coverage.read([result.code_coverage]), code_coverage.waivers(waivers))
    return ", ".join(f"{kind} {part.percent:.1f} %" for kind, part in sorted(report.items()))
