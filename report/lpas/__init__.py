# SPDX-License-Identifier: Apache-2.0
"""Page of ``lpas``: the source's figures for three switches, and beyond.

``page.toml`` declares the figures. ``results``: measured files, checked as they are read; ``source``: the
source's values; one module each: the chapters.
"""

from collections.abc import Callable
from pathlib import Path

from report.lpas import claims, lesson, loads, programs, shots, source, waits
from report.lpas.results import FS, LPAS, SWITCHES, LpasResults
from report.page import BlockReport
from report.pages import Page
from report.tables import whole


def build(folder: Path, progress: Callable[[str], None]) -> BlockReport:
    """The block's report from a folder of results. Raises :class:`UserError`."""
    results, page = LpasResults(folder), Page("lpas", mhz=source.MHZ)
    _keys(page, results)
    for chapter in (claims, lesson, shots, waits, loads, programs):
        progress(f"lpas: {chapter.__name__.rpartition('.')[2]}")
        chapter.draw(page, results)
    return page.report(results.index)


def _keys(page: Page, results: LpasResults) -> None:
    cases = {role: results.cases[role] for role in SWITCHES}
    four = {role: role_cases.mean("class IV", source.BESIDE) for role, role_cases in cases.items()}
    mine, fs = (waits.full(results, role, "local")[0]["latency"] for role in (LPAS, FS))
    longest, where = waits.longest(results)
    checked = sum(run["checked"] for run in results.index["runs"])
    luts = {role: sizes["lut"] for role in SWITCHES if (sizes := loads.resources(role, (4, 4), loads.SWITCH))}
    page.let(checked=checked, longest=longest, longest_in=where,
             fair=waits.longest(results, FS)[0], beside=_beside(four[LPAS], four[FS]),
             switch=_switch(luts))  # fmt: skip
    paper = programs.published(results, programs.PAPERS)
    hits, lookups = paper["hits"], paper["hits"] + paper["misses"]
    page.key("hit_rate", hits / lookups, hits=hits, lookups=lookups)
    page.key("class_iv", four[LPAS], **four)
    page.key("latency", mine, fs=fs)
    page.key("longest", float(longest), where=where)
    if LPAS in luts:
        page.key("switch", luts[LPAS], sizes=_others(luts), smallest=min(luts, key=luts.__getitem__))
    took = programs.milliseconds(paper["cycles"])
    page.key("application", took, near=programs.matching(programs.latency_rows(results)))  # fmt: skip
    page.key("checked", float(checked))


def _beside(mine: float, theirs: float) -> str:
    """A mean latency in words beside that of FS, by the two decimals that the page shows."""
    if round(mine, 2) == round(theirs, 2):
        return f"LPAS writes as fast as FS: {mine:.2f} cycles"
    return f"LPAS takes {mine:.2f} cycles for a write, FS {theirs:.2f}"


def _switch(luts: dict[str, float]) -> str:
    """The size of the switch of LPAS beside the others."""
    if LPAS not in luts or FS not in luts:
        return "The size of its switch was not measured."
    return f"Its switch has {whole(luts[LPAS])} LUTs; {_others(luts)}."


def _others(luts: dict[str, float]) -> str:
    return ", ".join(f"{role} {whole(count)}" for role, count in luts.items() if role != LPAS)
