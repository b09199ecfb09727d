# SPDX-License-Identifier: Apache-2.0
"""The source's application: cycles, bandwidth over time, and what it hangs on."""

from typing import Any

import numpy as np

from report.charts import Mark, Series, line_chart
from report.images import Picture
from report.lpas import source
from report.lpas.results import LPAS, SWITCHES, Found, Results
from report.page import Figure, Section, paragraph
from report.tables import Column, Table, fixed, plain
from report.views import View, tabbed

PAPERS, BY_LINES = "cooccurrence", "cooccurrence-lines"
TITLES = {PAPERS: "PE 33 loads (the source's way)", BY_LINES: "caches fetch lines"}
LEVELS = 4


def section(results: Results) -> Section:
    """The application."""
    return Section("lpas-application", "The application: co-occurrences of grey levels", paragraph(
        "An image of 64 x 64 pixels in four grey levels. PE 33 loads it past the caches and stores four rows "
        "into each cache; all 16 PEs count pairs at distance 3 in their own cache; PE 33 adds the 16 "
        "matrices and stores the sum of squares outside. The programs are in workloads/lpas/sources; each "
        "result is that of scikit-image's graycomatrix, each access of the RTL that of the golden model."
    ), [_images(results), _time(results), _table(results), _memory(results)])  # fmt: skip


def runs(results: Results, program: str) -> list[dict[str, Any]]:
    """All there is of a program on the first image: figures by role, the RTL's first."""
    for one, found, points in results.programs:
        if one["id"] == program:
            return [*(dict(run.about) for run in found), *points]
    return []


def published(results: Results, program: str) -> dict[str, Any]:
    """With local priority."""
    return next(run for run in runs(results, program) if run["role"] == LPAS)


def milliseconds(cycles: float) -> float:
    """At the source's clock."""
    return cycles / source.MHZ / 1e3


def bandwidth(words: float, cycles: float) -> float:
    """Bytes per second at the source's clock."""
    return words * 2 / cycles * source.MHZ * 1e6


def _images(results: Results) -> Figure:
    views, rows = [], []
    for _, found, points in results.programs:
        run = next(
            (one for one in (*(dict(run.about) for run in found), *points) if one["role"] == LPAS), None
        )
        if run is None or run["program"] != BY_LINES:
            continue
        grey = np.array(run["pixels"], np.uint8)
        views.append(
            View(run["image"], run["image"], _picture(grey), f"{run['source']}; its four levels beside it")
        )
        energy = run["moment"] / sum(map(sum, run["matrix"])) ** 2
        rows.append({"image": run["image"], "source": run["source"],
                     "matrix": "; ".join(" ".join(map(str, row)) for row in run["matrix"]),
                     "moment": run["moment"], "energy": energy, "cycles": run["cycles"]})  # fmt: skip
    columns = (
        Column("image", "image"), Column("moment", "second moment", "count"),
        Column("energy", "of a matrix with sum 1", "f3"), Column("cycles", "cycles, by lines", "count"),
        Column("matrix", "matrix"), Column("source", "source"),
    )  # fmt: skip
    return Figure(
        "lpas-images", "Images and their matrices", tabbed("co-occurrence", views),
        shows="The second moment is high where few pairs of levels make up the image.",
        traffic=f"{len(rows)} images; make run BLOCK=lpas PROGRAM=cooccurrence IMAGE=yours.png runs "
        "another one",
        table=Table("lpas_images", "Matrices of co-occurrence", columns, rows), open_table=True,
    )  # fmt: skip


def _picture(grey: Any) -> Picture:
    """Pixels and levels beside each other, four times as large."""
    levels = (grey >> 6) * np.uint8(255 // (LEVELS - 1))
    both = np.concatenate([grey, np.full((len(grey), 4), 255, np.uint8), levels], axis=1)
    large = np.kron(both, np.ones((4, 4), np.uint8))
    picture: Picture = np.repeat(large[..., None], 3, axis=2)
    return picture


def _time(results: Results) -> Figure:
    charts, words = "", []
    for one, found, _ in results.programs:
        if one["id"] not in TITLES:
            continue
        run = next((part for part in found if part.about["role"] == LPAS), None)
        if run is not None:
            charts += f"<h4>{TITLES[one['id']]}</h4>" + _curve(run)
        run_about = published(results, one["id"])
        words.append(f"{TITLES[one['id']]}: " + ", ".join(
            f"{part['name']} {part['cycles']} cycles at {part['bandwidth'] / 1e6:.0f} "
            "MB/s" for part in run_about["phases"]
        ))  # fmt: skip
    return Figure(
        "lpas-bandwidth", "Bandwidth over time", charts,
        shows=f"Bytes of loads and stores that are acknowledged, at {source.MHZ} MHz, in 120 equal parts "
        "of the run.",
        learn=". ".join(words) + f". While all count, a PE accesses its cache in {_busy(results):.0%} of the "
        "cycles, with the source's program: the instructions between are what a peak of 16 words per cycle "
        "leaves out. Hardly any PE waits for another there, as the source says.",
        traffic="on the RTL, with local priority",
    )  # fmt: skip


def _busy(results: Results) -> float:
    """Share of the cycles of counting in which a PE's access ends."""
    [part] = [part for part in published(results, PAPERS)["phases"] if part["name"] == "counting"]
    return float(part["words"] / part["cycles"] / 16)


def _curve(run: Found) -> str:
    cycle, rate = run.arrays["cycle"], run.arrays["bandwidth"]
    return line_chart(
        [Series("bandwidth", [float(one) / 1e6 for one in rate], [float(one) for one in cycle])],
        x_label="cycle", y_label="MB/s", x_format=plain, y_format=fixed(1), y_tick=plain,
        marks=[Mark("source: the whole of it, 478", y=478.125)],
        alt=f"bandwidth over time of {run.about['program']}",
    )  # fmt: skip


def _table(results: Results) -> Figure:
    rows: list[dict[str, Any]] = []
    for program, title in TITLES.items():
        for run in runs(results, program):
            if run["role"] in SWITCHES:
                parts = {part["name"]: part for part in run["phases"]}
                rows.append({
                    "program": title, "switch": run["role"], "cycles": run["cycles"],
                    "ms": milliseconds(run["cycles"]),
                    "instructions": run["instructions"], "accesses": run["accesses"],
                    "bandwidth": bandwidth(run["words"], run["cycles"]) / 1e6,
                    **{name: parts[name]["bandwidth"] / 1e6 for name in ("counting", "summing")},
                    "conflicts": run["conflict_cycles"],
                    "by": "model only" if run.get("model_only") else "RTL and model",
                })  # fmt: skip
    rows.append({
        "program": "source", "switch": LPAS, "cycles": source.CYCLES, "ms": source.MILLISECONDS,
        "instructions": None,
        "accesses": None, "bandwidth": source.WHOLE / 1e6, "counting": source.PEAK / 1e6,
        "summing": source.SUMMING / 1e6,
        "conflicts": 0, "by": "FPGA",
    })  # fmt: skip
    columns = (
        Column("program", "program"), Column("switch", "switch"), Column("cycles", "cycles", "count"),
        Column("ms", f"ms at {source.MHZ} MHz", "f3"), Column("instructions", "instructions", "count"),
        Column("accesses", "accesses", "count"), Column("bandwidth", "MB/s", "f1"),
        Column("counting", "MB/s, counting", "f1"), Column("summing", "MB/s, summing", "f1"),
        Column("conflicts", "cycles waited for others", "count"), Column("by", "measured on"),
    )  # fmt: skip
    ours, lines = published(results, PAPERS), published(results, BY_LINES)
    return Figure(
        "lpas-programs", "The application by program and switch", "",
        shows="The same image each time. Memory's first beat comes 26 cycles after the address.",
        learn=f"Loading by PE 33 alone is {ours['phases'][1]['cycles'] / ours['cycles']:.0%} of the run: a "
        "word takes 5 + 26 cycles. By lines of 16 words the whole takes "
        f"{ours['cycles'] / lines['cycles']:.1f} times less. The switch hardly matters: PEs count in their "
        "own caches, and there every switch has a way for each.",
        traffic="two programs",
        table=Table("lpas_programs", "The application by program and switch", columns, rows,
                    "The source's three bandwidths are one formula: 478.125 = 7650 / 16 = 450 x 17 / 16, "
                    "7.65 = 17 x 0.45, and 450 MB/s is a word per cycle at 225 MHz. As a mean over time they "
                    "would have all PEs at work in one 256th of the run, 207 cycles: fewer than the reads of "
                    "256 pixels take."),
        open_table=True,
    )  # fmt: skip


def latency_rows(results: Results) -> list[dict[str, Any]]:
    """Cycles of both programs by memory latency."""
    rows: dict[int, dict[str, Any]] = {}
    for program in TITLES:
        for run in runs(results, program):
            if run["role"].startswith("latency"):
                rows.setdefault(run["latency"], {"latency": run["latency"]})[program] = run["cycles"]
    return sorted(rows.values(), key=lambda row: int(row["latency"]))


def _memory(results: Results) -> Figure:
    rows = latency_rows(results)
    places = [float(row["latency"]) for row in rows]
    chart = line_chart(
        [Series(title, [float(row[program]) / 1000 for row in rows], places)
         for program, title in TITLES.items()],
        x_label="cycles from an address to memory's first beat", y_label="thousand cycles", x_format=plain,
        y_format=fixed(1), y_tick=plain, ticks=places, log=2, marks=[Mark("source: 0.24 "
        "ms", y=source.CYCLES / 1000)],
        alt="cycles of both programs over the latency of memory, beside the source's",
    )  # fmt: skip
    columns = (Column("latency", "latency of memory", "count"),
               *(Column(program, f"{title}, cycles", "count")
                 for program, title in TITLES.items()))  # fmt: skip
    pixels = (source.CYCLES) / 4096
    return Figure(
        "lpas-memory", "What memory does to it", chart,
        shows="Cycles of the whole application by the latency of memory.",
        learn=f"0.24 ms are {source.CYCLES} cycles, {pixels:.1f} by pixel: what a PE that loads and stores a "
        f"word at a time needs with a memory about {_where(rows)} cycles away. The source says nothing of "
        "its memory.",
        traffic="models only",
        table=Table("lpas_memory", "Cycles by latency of memory", columns, rows),
    )  # fmt: skip


def _where(rows: list[dict[str, Any]]) -> str:
    """The latency at which the source's cycles come out, between those measured."""
    value = matching(rows)
    return f"{value:.1f}" if value > 0 else "less than one"


def matching(rows: list[dict[str, Any]]) -> float:
    """Cycles of the loading program are linear in the latency: where they are the source's."""
    first, last = rows[0], rows[-1]
    slope = (last[PAPERS] - first[PAPERS]) / (last["latency"] - first["latency"])
    return float(first["latency"] + (source.CYCLES - first[PAPERS]) / slope)
