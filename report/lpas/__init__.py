# SPDX-License-Identifier: Apache-2.0
"""What the report says about ``lpas``: the source's figures for three switches, and what is beyond.

====================  ==================================================================================
``results``           measured files, checked as they are read; ``source``: the source's values
one module each       chapters: ``claims`` ``lesson`` ``shots`` ``dependence`` ``waits`` ``loads``
                      ``programs`` ``resources``
====================  ==================================================================================
"""

from collections.abc import Callable
from pathlib import Path

from report.lpas import claims, dependence, lesson, loads, programs, resources, shots, source, waits
from report.lpas.results import FS, LPAS, LR2SS, Results
from report.page import BlockReport, KeyFigure
from report.results import provenance
from report.tables import whole


def build(results: Path, progress: Callable[[str], None]) -> BlockReport:
    """The block's report from a folder of results. Raises :class:`UserError`."""
    found, sections = Results(results), []
    for chapter in (claims, lesson, shots, dependence, waits, loads, programs, resources):
        progress(f"lpas: {chapter.__name__.rpartition('.')[2]}")
        sections.append(chapter.section(found))
    return BlockReport(
        block="lpas", title="The distributed caches and their switch",
        lead="16 caches over which 16 processing elements write and read at once: local priority, a full "
        "switch and a two-stage switch from the same templates, on the same traffic.",
        hero=[], key_figures=_keys(found), sections=sections, provenance=provenance(found.index),
        command=found.index["command"],
    )  # fmt: skip


def _keys(found: Results) -> list[KeyFigure]:
    cases = {role: found.cases[role] for role in (LPAS, FS, LR2SS)}
    four = {role: one.mean("class IV", source.BESIDE) for role, one in cases.items()}
    full = {role: loads.accepted(found, "uniform", role) for role in cases}
    longest, beside = waits.longest(found)
    time = programs.milliseconds(programs.published(found, programs.PAPERS)["cycles"])
    checked = sum(run["checked"] for run in found.index["runs"])
    write, read = (cases[LPAS].mean("figure 4", op=op) for op in (1, 0))
    return [
        KeyFigure("free", "Cycles of a free write", write, f"{write:.0f}",
                  f"16 at once, a read {read:.0f}; source: 1 and 2"),
        KeyFigure("class_iv", "Class IV, one write", four[LPAS], f"{four[LPAS]:.2f}",
                  f"FS {four[FS]:.2f}, LR2SS {four[LR2SS]:.2f}; source: 1.41, 1.43, 2.61"),
        KeyFigure("uniform", "Stores per PE and cycle", full[LPAS], f"{full[LPAS]:.3f}",
                  f"full uniform load; FS {full[FS]:.3f}, LR2SS {full[LR2SS]:.3f}"),
        KeyFigure("longest", "Longest wait seen", float(longest), whole(longest),
                  f"cycles from the first offer of a far PE's store; {beside}"),
        KeyFigure("application", "The application", time, f"{time:.2f} ms",
                  f"at {source.MHZ} MHz; source: 0.24 ms"),
        KeyFigure("checked", "Accesses checked", float(checked), whole(checked),
                  "acknowledges of the RTL, value and cycle as the model's"),
    ]  # fmt: skip
