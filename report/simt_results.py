# SPDX-License-Identifier: Apache-2.0
"""Programs of the SIMT machine as they were measured: runs of the RTL, and what the models alone say."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from configs import UserError
from configs.simt import POLICIES
from models.comparison import COMPARED, OPTIMUM, Geometry
from report.charts import span_chart
from report.pages import Page
from report.results import AGAIN, read_json
from workloads.simt.isa import WARPS


@dataclass(frozen=True)
class Compared:
    """Look-ups of a program in a cache of some geometry: how many missed, and how many lines were replaced
    for them, by policy (COMPARED).
    """

    program: "Measured"
    geometry: Geometry
    warps: int
    looked_up: int
    misses: Mapping[str, int]
    evictions: Mapping[str, int]

    def rate(self, policy: str) -> float:
        """Misses by look-up."""
        return self.misses[policy] / self.looked_up


@dataclass(frozen=True)
class Measured:
    """A program on a problem of size ``n``. ``runs``: figures of the RTL by policy."""

    program: str
    n: int
    about: Mapping[str, Any]
    runs: Mapping[str, Mapping[str, Any]]

    @property
    def name(self) -> str:
        """As a chart's category."""
        return f"{self.program}\n{self.n}"

    @property
    def ideal(self) -> float:
        """Cycles per instruction on a machine that misses nothing."""
        return float(self.about["ideal_cycles"] / self.about["instructions"])

    def at(self, where: Geometry) -> Compared:
        """Look-ups and misses in this geometry."""
        [match] = [point for point in self.points if point.geometry == where]
        return match

    @property
    def points(self) -> list[Compared]:
        """All geometries, on all warps."""
        looked_up = self.about["looked_up"]
        return [
            Compared(self, geometry(point), WARPS, looked_up, point["misses"], point["evictions"])
            for point in self.about["points"]
        ]

    @property
    def by_warps(self) -> list[Compared]:
        """On some warps, in the geometry that others are around."""
        return [
            Compared(self, self.around, some["warps"], some["looked_up"], some["misses"], some["evictions"])
            for some in self.about["warps"]
        ]

    @property
    def around(self) -> Geometry:
        """The geometry that others are around."""
        return geometry(self.about["around"])


def geometry(sizes: Mapping[str, Any]) -> Geometry:
    """Geometry of a cache from a file."""
    return Geometry(*(sizes[name] for name in Geometry._fields))


def read_programs(folder: Path, index: Mapping[str, Any]) -> list[Measured]:
    """All programs of a measurement. Raises :class:`UserError` for numbers that do not add up."""
    programs = []
    for listed in index["workloads"]:
        if listed.get("program"):
            path, about = folder / listed["file"], read_json(folder / listed["file"])
            runs = {
                run["role"]: read_json(folder / run["file"])
                for run in index["runs"]
                if run["workload"] == listed["id"]
            }
            program = Measured(about["program"], about["n"], about, runs)
            for wrong in _wrong(program, index["base"]):
                raise UserError(f"{path}: does not add up, {wrong}; {AGAIN}")
            programs.append(program)
    return programs


def _wrong(program: Measured, base: Mapping[str, Any]) -> Iterator[str]:
    """Contradictions of a program: RTL and sweep agree where both are, no policy beats the optimum, and
    "LFU" misses as LRU does.
    """
    built = program.at(geometry(base["cache"]))
    for policy in POLICIES:
        run = program.runs[policy]
        if run["hits"] + run["misses"] != program.about["looked_up"]:
            yield f"{run['hits']} hits and {run['misses']} misses under {policy}"
        if base.get("write_policy") != "write-through":
            for what, swept in (("misses", built.misses), ("evictions", built.evictions)):
                if run[what] != swept[policy]:
                    yield f"{run[what]} {what} of the RTL under {policy}, {swept[policy]} of the sweep"
    for point in [*program.points, *program.by_warps]:
        if not set(point.misses) == set(point.evictions) == set(COMPARED):
            yield f"a policy is missing in {point.geometry}"
        elif any(counted["lfu"] != counted["lru"] for counted in (point.misses, point.evictions)):
            yield f'"LFU" and LRU differ in {point.geometry}'
        elif point.misses[OPTIMUM] > min(point.misses.values()):
            yield f"a policy beats the optimum in {point.geometry}"


def largest(programs: Sequence[Measured]) -> list[Measured]:
    """Each program on its largest problem."""
    best = {program.program: program for program in sorted(programs, key=lambda program: program.n)}
    return [program for program in programs if best[program.program] is program]


PROGRAM = "matmul"  # the source's, of a size it does not give


def started(programs: Sequence[Measured]) -> Measured:
    """The program on its smallest problem."""
    return min((program for program in programs if program.program == PROGRAM), key=lambda program: program.n)


def first_requests(program: Measured, policy: str) -> list[dict[str, int]]:
    """Cycles of request and answer, and misses, of the first requests."""
    return [
        dict(zip(("asked", "answered", "misses"), row, strict=True)) for row in program.runs[policy]["begins"]
    ]


def draw_cold_start(page: Page, block: str, policy: str, programs: Sequence[Measured]) -> None:
    """The first requests of the program on its smallest problem, under ``policy``."""
    program = started(programs)
    begins = first_requests(program, policy)
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
        requests=len(begins), program=PROGRAM, n=program.n, waited=begins[0]["answered"] - begins[0]["asked"],
        rate=f"{count} requests that hit{page.values['each']} take {cycles:.2f} cycles each." if count
        else "no two hits come in a row.",
        cycles=begins[-1]["answered"] + 1,
    )  # fmt: skip


def steady(begins: Sequence[Mapping[str, int]]) -> tuple[int, float]:
    """The longest run of requests without a miss, accepted when none was under way: how many, and cycles from
    answer to answer; or zeros.
    """
    best: Sequence[Mapping[str, int]] = []
    run: list[Mapping[str, int]] = []
    filled = 0
    for row in begins:
        filled = row["answered"] if row["misses"] else filled
        run = [*run, row] if row["asked"] >= filled else []
        best = max(best, run, key=len)
    if len(best) < 2:
        return 0, 0.0
    return len(best), (best[-1]["answered"] - best[0]["answered"]) / (len(best) - 1)
