# SPDX-License-Identifier: Apache-2.0
"""The source's application: cycles, bandwidth over time, and what they depend on."""

from operator import itemgetter
from typing import Any

import numpy as np

from report.images import Picture, View, tabbed
from report.lpas import source
from report.lpas.results import LPAS, PES, SWITCHES, LpasResults
from report.pages import Page

PAPERS, BY_LINES = "cooccurrence", "cooccurrence-lines"
TITLES = {PAPERS: "PE 33 loads (the source's way)", BY_LINES: "caches fetch lines"}
LEVELS = 4


def draw(page: Page, results: LpasResults) -> None:
    """The application."""
    _images(page, results)
    _time(page, results)
    _table(page, results)
    rows = latency_rows(results)
    where = matching(rows)
    page.draw("lpas-memory", rows, cycles=source.CYCLES, pixels=source.CYCLES / 4096,
              thousands=source.CYCLES / 1000,
              where=f"{where:.1f}" if where > 0 else "less than one")  # fmt: skip


def runs(results: LpasResults, program: str) -> list[dict[str, Any]]:
    """All there is of a program on the first image: figures by role, the RTL's first."""
    for workload, stored, points in results.programs:
        if workload["id"] == program:
            return [*(dict(run.about) for run in stored), *points]
    return []


def published(results: LpasResults, program: str) -> dict[str, Any]:
    """Figures of a program with local priority."""
    return next(run for run in runs(results, program) if run["role"] == LPAS)


def milliseconds(cycles: float) -> float:
    """Milliseconds at the source's clock."""
    return cycles / source.MHZ / 1e3


def bandwidth(words: float, cycles: float) -> float:
    """Bytes per second at the source's clock."""
    return words * 2 / cycles * source.MHZ * 1e6


def _images(page: Page, results: LpasResults) -> None:
    views, rows = [], []
    for workload, *_ in results.programs:
        run = next((run for run in runs(results, workload["id"]) if run["role"] == LPAS), None)
        if run is None or run["program"] != BY_LINES:
            continue
        grey = np.array(run["pixels"], np.uint8)
        views.append(
            View(run["image"], run["image"], _picture(grey), f"{run['source']}; its four levels beside it")
        )
        energy = run["moment"] / sum(map(sum, run["matrix"])) ** 2
        rows.append({"image": run["image"], "moment": run["moment"], "energy": energy,
                     "cycles": run["cycles"],
                     "matrix": "; ".join(" ".join(map(str, row)) for row in run["matrix"]),
                     "source": run["source"]})  # fmt: skip
    least, most = (choose(rows, key=itemgetter("moment")) for choose in (min, max))
    page.draw("lpas-images", rows, body=tabbed("co-occurrence", views), images=len(rows), least=least,
              most=most)  # fmt: skip


def _picture(grey: Any) -> Picture:
    """Pixels and levels beside each other, four times as large."""
    levels = (grey >> 6) * np.uint8(255 // (LEVELS - 1))
    both = np.concatenate([grey, np.full((len(grey), 4), 255, np.uint8), levels], axis=1)
    large = np.kron(both, np.ones((4, 4), np.uint8))
    picture: Picture = np.repeat(large[..., None], 3, axis=2)
    return picture


def _time(page: Page, results: LpasResults) -> None:
    drawn, phase_words = list[dict[str, Any]](), []
    for workload, stored, _ in results.programs:
        if workload["id"] not in TITLES:
            continue
        title = TITLES[workload["id"]]
        run = next((part for part in stored if part.about["role"] == LPAS), None)
        if run is not None:
            places = zip(run.arrays["cycle"], run.arrays["bandwidth"], strict=True)
            drawn += [
                {"program": title, "_cycle": float(cycle), "_rate": float(rate) / 1e6}
                for cycle, rate in places
            ]
        phase_words.append(f"{title}: " + ", ".join(
            f"{part['name']} {part['cycles']:,} cycles at {part['bandwidth'] / 1e6:.0f} MB/s"
            for part in published(results, workload["id"])["phases"]
        ))  # fmt: skip
    [counting] = [part for part in published(results, PAPERS)["phases"] if part["name"] == "counting"]
    page.draw(
        "lpas-bandwidth",
        charted=drawn,
        told=". ".join(phase_words),
        giga=counting["bandwidth"] / 1e9,
        busy=counting["words"] / counting["cycles"] / PES,
    )


def _table(page: Page, results: LpasResults) -> None:
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
        "instructions": None, "accesses": None, "bandwidth": source.WHOLE / 1e6,
        "counting": source.PEAK / 1e6, "summing": source.SUMMING / 1e6, "conflicts": 0, "by": "FPGA",
    })  # fmt: skip
    ours, lines = published(results, PAPERS), published(results, BY_LINES)
    cycles = [
        [run["cycles"] for run in runs(results, program) if run["role"] in SWITCHES] for program in TITLES
    ]
    page.draw(
        "lpas-programs",
        rows,
        loading=ours["phases"][1]["cycles"] / ours["cycles"],
        times=ours["cycles"] / lines["cycles"],
        apart=max(max(own) / min(own) - 1 for own in cycles),
    )


def latency_rows(results: LpasResults) -> list[dict[str, Any]]:
    """Cycles of both programs by memory latency."""
    rows: dict[int, dict[str, Any]] = {}
    for program in TITLES:
        for run in runs(results, program):
            if run["role"].startswith("latency"):
                rows.setdefault(run["latency"], {"latency": run["latency"]})[program] = run["cycles"]
    return sorted(rows.values(), key=lambda row: int(row["latency"]))


def matching(rows: list[dict[str, Any]]) -> float:
    """Cycles of the loading program are linear in the latency: where they are the source's."""
    first, last = rows[0], rows[-1]
    slope = (last[PAPERS] - first[PAPERS]) / (last["latency"] - first["latency"])
    return float(first["latency"] + (source.CYCLES - first[PAPERS]) / slope)
