# SPDX-License-Identifier: Apache-2.0
"""How a program begins on a cold cache, cycle by cycle, as the source's waveforms show it."""

from collections.abc import Mapping, Sequence

from report.page import Figure
from report.simt_results import Measured
from report.spans import Span, span_chart
from report.tables import Column, Table

PROGRAM = "matmul"  # the source's, of a size it does not give
KINDS = ("hits", "misses")


def started(programs: Sequence[Measured]) -> Measured:
    """The program on its smallest problem."""
    return min((one for one in programs if one.program == PROGRAM), key=lambda one: one.n)


def first_requests(one: Measured, policy: str) -> list[dict[str, int]]:
    """Of each of its first requests the cycles in which it was asked and answered, and its misses."""
    return [
        dict(zip(("asked", "answered", "misses"), row, strict=True)) for row in one.runs[policy]["begins"]
    ]


def cold_start(block: str, policy: str, programs: Sequence[Measured]) -> Figure:
    """The first requests of the program on its smallest problem, under ``policy``."""
    one = started(programs)
    begins = first_requests(one, policy)
    spans = [
        Span(
            row["asked"], row["answered"], int(row["misses"] > 0),
            f"request {number}\ntaken in cycle {row['asked']}, answered in {row['answered']}\n"
            f"{row['misses']} misses",
        )
        for number, row in enumerate(begins)
    ]  # fmt: skip
    columns = (
        Column("number", "request", "count"), Column("asked", "taken in cycle", "count"),
        Column("answered", "answered in cycle", "count"), Column("misses", "misses", "count"),
    )  # fmt: skip
    first, last = begins[0], begins[-1]
    count, cycles = steady(begins)
    rate = f"{count} hits behind each other take {cycles:.2f} cycles each."
    if not count:
        rate = "no two hits come one behind the other."
    return Figure(
        f"{block}-cold-start", "Cold start, cycle by cycle",
        span_chart(spans, KINDS, alt=f"cycles of the first {len(begins)} requests of {PROGRAM}",
                   x_label="cycle"),
        shows=f"The first {len(begins)} requests of {PROGRAM}, {one.n} rows, on 8 warps of 8 threads, "
        "back to back: each bar begins when a request is taken and ends with its answer.",
        learn=f"The first misses and is answered after {first['answered'] - first['asked']} cycles; {rate}",
        traffic=f"{last['answered'] + 1} cycles of the RTL under {policy}",
        table=Table(
            f"{block}_cold_start", "Cold start", columns,
            [{"number": number, **row} for number, row in enumerate(begins)],
        ),
    )  # fmt: skip


def steady(begins: Sequence[Mapping[str, int]]) -> tuple[int, float]:
    """The longest run of requests without a miss: how many, and cycles from answer to answer; or zeros."""
    best: Sequence[Mapping[str, int]] = []
    run: list[Mapping[str, int]] = []
    for row in begins:
        run = [] if row["misses"] else [*run, row]
        best = max(best, run, key=len)
    if len(best) < 2:
        return 0, 0.0
    return len(best), (best[-1]["answered"] - best[0]["answered"]) / (len(best) - 1)
