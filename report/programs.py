# SPDX-License-Identifier: Apache-2.0
"""The page of either cache of the SIMT machine: claims, programs, and patterns under each policy."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from report import simt_claims
from report.page import BlockReport
from report.pages import Page
from report.results import read_index
from report.simt import Chapter
from report.simt_results import geometry, read_programs


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
    page.key("checked", float(sum(run[what] for run in rows)))
    page.key("rate", max(run["per_clock"] for run in rows))
    chapter = Chapter(block, what, base, read_programs(results, index), lost)
    simt_claims.of_cache(page, chapter)
    chapter.draw(page)
    named = {listed["id"] for listed in index["workloads"] if listed.get("program")}
    patterns = [run for run in rows if run["pattern"] not in named]
    page.draw(what, patterns, most=patterns[0][what])
    return page.report(index)
