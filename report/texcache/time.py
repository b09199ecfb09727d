# SPDX-License-Identifier: Apache-2.0
"""How long it takes: latency, pixels per clock, what the cycles are lost to, how often rows queue."""

from typing import Any

import numpy as np

from report import memory
from report.pages import Page
from report.texcache.summary import BASE, FILTERS, LONGEST, Book, Summary
from report.words import mean

PUBLISHED_RATE = 0.8
SHOWN = 64  # cycles


def draw(page: Page, book: Book) -> None:
    """The chapter."""
    _latency(page, book)
    _cycles(page, book)
    _depths(page, book)
    _latencies(page, book)


def _latency(page: Page, book: Book) -> None:
    rows, drawn, direct = [], [], []
    for scene, run in zip(book.scenes, book.drawn(), strict=True):
        counts = run.latency
        rows += [{"scene": scene, "cycles": int(cycles), "footprints": int(counts[cycles])}
                 for cycles in np.flatnonzero(counts)]  # fmt: skip
        drawn += [{"scene": scene, "cycles": cycles, "_share": float(counts[cycles] / counts.sum())}
                  for cycles in range(SHOWN + 1)]  # fmt: skip
        direct.append(float(counts[2:5].sum() / counts.sum()))
    page.draw("latency", rows, charted=drawn, direct=mean(direct), longest=LONGEST)


def spent(run: Summary) -> dict[str, float]:
    """Shares of a run's cycles by what the request port did."""
    counted = {
        "working": "footprints",
        "stop_cycles": "stop_cycles",
        "request_wait_cycles": "request_wait_cycles",
    }
    shares = {name: run.counters[counter] / run.speed.cycles for name, counter in counted.items()}
    conflicts = min(run.counters["conflict_cycles"], run.counters["request_wait_cycles"]) / run.speed.cycles
    return {**shares, "rest": max(0.0, 1 - sum(shares.values())), "conflicts": conflicts}


def _cycles(page: Page, book: Book) -> None:
    rows: list[dict[str, Any]] = []
    for filter in FILTERS:
        for run in book.drawn(filter=filter):
            speed = run.speed
            rows.append({
                "scene": run.workload.meta["scene"], "filter": filter, "cycles": speed.cycles,
                "pixels": speed.pixels, "pixels_per_clock": speed.pixels_per_clock,
                "footprints_per_clock": speed.footprints_per_clock, "latency_mean": speed.latency_mean,
                "latency_99": speed.latency_99, **{f"share_{name}": share for name,
                    share in spent(run).items() if name != "conflicts"},
            })  # fmt: skip
    page.draw("cycles", rows)


def _depths(page: Page, book: Book) -> None:
    """Over FIFO depth, as far as it was measured."""
    rows = []
    for resume in ("drained", "space"):
        points = []
        for role in book.roles():
            cfg = book.drawn(role)[0].cfg
            if role in (BASE, f"{resume},fifo={cfg.fifo.depth}") and cfg.resume == resume:
                points.append((cfg.fifo.depth, mean(run.speed.pixels_per_clock for run in book.drawn(role))))
        rows += [
            {"resume": resume, "fifo_depth": depth, "pixels_per_clock": rate}
            for depth, rate in sorted(points)
        ]
    if sum(row["resume"] == "drained" for row in rows) < 2:
        return
    [built] = [row["pixels_per_clock"] for row in rows
               if (row["resume"], row["fifo_depth"]) == (book.base.resume, book.base.fifo.depth)]  # fmt: skip
    best = max(row["pixels_per_clock"] for row in rows)
    reached = "one of them reaches" if best >= PUBLISHED_RATE else "no depth and no rule reaches"
    page.draw("fifo-depth", rows, built=built, best=best, reached=reached)


def _latencies(page: Page, book: Book) -> None:
    """Over memory latency, as far as it was measured."""
    rates = {
        book.drawn(role)[0].cfg.memory.latency: book.by_scene(role, "pixels_per_clock")
        for role in book.roles() if role == BASE or role.startswith("latency=")
    }  # fmt: skip
    if len(rates) > 1:
        points = memory.means(rates)
        page.draw("memory", memory.rows(rates, "latency", "pixels_per_clock"), first=points[0],
                  last=points[-1],
                  latency_ticks=memory.ticks(sorted(rates)))  # fmt: skip
