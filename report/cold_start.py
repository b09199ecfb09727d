# SPDX-License-Identifier: Apache-2.0
"""How a program begins on a cold cache, cycle by cycle, as the source's waveforms show it."""

from collections.abc import Mapping, Sequence

from report.charts import span_chart
from report.pages import Page
from report.simt_results import Measured

PROGRAM = "matmul"  # the source's, of a size it does not give


def started(programs: Sequence[Measured]) -> Measured:
    """The program on its smallest problem."""
    return min((one for one in programs if one.program == PROGRAM), key=lambda one: one.n)


def first_requests(one: Measured, policy: str) -> list[dict[str, int]]:
    """Cycles of request and answer, and misses, of the first requests."""
    return [
        dict(zip(("asked", "answered", "misses"), row, strict=True)) for row in one.runs[policy]["begins"]
    ]


def draw_cold_start(page: Page, block: str, policy: str, programs: Sequence[Measured]) -> None:
    """The first requests of the program on its smallest problem, under ``policy``."""
    one = started(programs)
    begins = first_requests(one, policy)
    spans = [
        (row["asked"], row["answered"], int(row["misses"] > 0),
         f"request {number}\ntaken in cycle {row['asked']}, answered in {row['answered']}\n{row['misses']} "
         f"misses")
        for number, row in enumerate(begins)
    ]  # fmt: skip
    count, cycles = steady(begins)
    page.draw(
        "cold-start", [{"number": number, **row} for number, row in enumerate(begins)],
        anchor=f"{block}-cold-start",
        body=span_chart(spans, ("hits", "misses"), alt=f"cycles of the first {len(begins)} requests of "
                                                       f"{PROGRAM}",
                        x_label="cycle"),
        requests=len(begins), program=PROGRAM, n=one.n, waited=begins[0]["answered"] - begins[0]["asked"],
        rate=f"{count} hits behind each other take {cycles:.2f} cycles each." if count
        else "no two hits come one behind the other.",
        cycles=begins[-1]["answered"] + 1, policy=policy,
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
