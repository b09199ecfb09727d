# SPDX-License-Identifier: Apache-2.0
"""Page of ``lpas``: the source's figures for three switches, and beyond.

``page.toml`` declares the figures. ``results``: measured files, checked as they are read; ``source``: the
source's values; one module each: the chapters.
"""

from collections.abc import Callable
from pathlib import Path

from report.lpas import claims, lesson, loads, programs, shots, source, waits
from report.lpas.results import FS, LPAS, LR2SS, LpasResults
from report.page import BlockReport
from report.pages import Page


def build(folder: Path, progress: Callable[[str], None]) -> BlockReport:
    """The block's report from a folder of results. Raises :class:`UserError`."""
    results, page = LpasResults(folder), Page("lpas", mhz=source.MHZ)
    _keys(page, results)
    for chapter in (claims, lesson, shots, waits, loads, programs):
        progress(f"lpas: {chapter.__name__.rpartition('.')[2]}")
        chapter.draw(page, results)
    return page.report(results.index)


def _keys(page: Page, results: LpasResults) -> None:
    cases = {role: results.cases[role] for role in (LPAS, FS, LR2SS)}
    four = {role: role_cases.mean("class IV", source.BESIDE) for role, role_cases in cases.items()}
    full = {role: loads.accepted(results, "uniform", role) for role in cases}
    longest, beside = waits.longest(results)
    write, read = (cases[LPAS].mean("figure 4", op=op) for op in (1, 0))
    page.key("free", write, read=read)
    page.key("class_iv", four[LPAS], **four)
    page.key("uniform", full[LPAS], **full)
    page.key("longest", float(longest), beside=beside)
    page.key("application", programs.milliseconds(programs.published(results, programs.PAPERS)["cycles"]))
    page.key("checked", float(sum(run["checked"] for run in results.index["runs"])))
