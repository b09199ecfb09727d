# SPDX-License-Identifier: Apache-2.0
"""The page of either cache of the SIMT machine: claims, programs, and patterns under each policy."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from report import simt_claims
from report.page import BlockReport
from report.pages import Page
from report.results import read_index
from report.simt import PER, Chapter
from report.simt_results import geometry, read_programs
from report.words import spread


def build_cache(
    block: str, what: str, results: Path, progress: Callable[[str], None],
    row: Callable[[Path, dict[str, Any]], dict[str, Any]], lost: Callable[[Mapping[str, Any]], int],
) -> BlockReport:  # fmt: skip
    """The report of a block whose look-ups are ``what``, the name of its last figure, too; ``row``: of a
    run.
    """
    progress(block)
    index = read_index(results, block)
    rows = [row(results, listed) for listed in index["runs"]]
    base = geometry(index["base"]["cache"])
    page = Page(block, base=base, kilobytes=base.capacity_bytes // 1024)
    named = {listed["id"] for listed in index["workloads"] if listed.get("program")}
    patterns = [run for run in rows if run["pattern"] not in named]
    by_pattern: dict[str, list[float]] = {}
    for run in patterns:
        by_pattern.setdefault(run["pattern"], []).append(run["hit_rate"])
    parted = {name for name, rates in by_pattern.items() if min(rates) < max(rates)}
    checked = sum(run[what] for run in rows)
    page.let(checked=checked, policies=len({run["policy"] for run in rows}), patterns=len(by_pattern))
    chapter = Chapter(block, what, base, read_programs(results, index), lost)
    simt_claims.of_cache(page, chapter)
    chapter.draw(page)
    fastest = max(rows, key=lambda run: float(run["per_clock"]))
    page.key("rate", fastest["per_clock"], fastest=fastest)
    page.key("checked", float(checked))
    widest, rates = max(by_pattern.items(), key=lambda item: max(item[1]) - min(item[1]))
    beyond = f"{', most on' if parted - {widest} else ':'} “{widest}”, {spread(rates)} hit"
    page.draw(
        what, patterns, most=patterns[0][what], parted=len(parted), beyond=beyond if parted else "",
        charted=[{**run, "_misses": PER * (1 - run["hit_rate"])}
                 for run in patterns if run["pattern"] in parted],
    )  # fmt: skip
    return page.report(index)
