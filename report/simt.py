# SPDX-License-Identifier: Apache-2.0
"""The chapters on programs of the SIMT machine, of either of its caches: policies, geometries, warps."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from html import escape
from operator import attrgetter, itemgetter
from typing import Any

from models.comparison import COMPARED, OPTIMUM, TRUE_LFU, Geometry
from report.pages import Page
from report.simt_results import Compared, Measured, draw_cold_start, largest
from report.tables import size
from report.words import mean
from workloads.simt.programs import NINE

PUBLISHED = "pseudo-lru"  # policy after reset
PER = 1000  # misses are counted by so many look-ups
#: in charts; “LFU” misses as LRU does, or there is no page
CHARTED = {"round-robin": "round robin", "lru": "LRU and “LFU”", "pseudo-lru": "pseudo-LRU",
           TRUE_LFU: TRUE_LFU, OPTIMUM: OPTIMUM}  # fmt: skip
WORDS = {**CHARTED, "lru": "LRU", "lfu": "“LFU”"}
COLUMNS = {
    "n": "N",
    **{policy: f"{WORDS[policy]} | percent" for policy in COMPARED},
    **{f"{policy}_evictions": f"lines replaced, {WORDS[policy]} | count" for policy in COMPARED},
}


@dataclass(frozen=True)
class Chapter:
    """Programs on a cache. ``what``: its look-ups; ``lost``: cycles that a run of the RTL lost to misses."""

    block: str
    what: str
    base: Geometry
    programs: Sequence[Measured]
    lost: Callable[[Mapping[str, Any]], int]

    def draw(self, page: Page) -> None:
        """All figures."""
        around = self._around
        page.values |= {
            "what": self.what, "around": around, "capacity": around.capacity_bytes,
            "built": escape(_words(self.base)), "rest": escape(_words(around)), "published": PUBLISHED,
            "mean_of": f"{len(self._nine)} of the source's programs, each on its largest problem",
        }  # fmt: skip
        self._rates(page)
        self._costs(page)
        draw_cold_start(page, self.block, PUBLISHED, self.programs)
        self._geometries(page)
        self._warps(page)

    def _rates(self, page: Page) -> None:
        points = [program.at(self.base) for program in self.programs]
        telling = [point for point in points if len(set(point.misses.values())) > 1]
        charted = [
            {**_named(point.program), "policy": words, "_misses": PER * point.rate(policy)}
            for point in telling or points
            for policy, words in (CHARTED if telling else {PUBLISHED: "every policy"}).items()
        ]  # fmt: skip
        beyond = parted = ""
        if telling:
            times = {
                policy: mean(point.misses[policy] / point.misses[OPTIMUM] for point in telling)
                for policy in CHARTED if policy != OPTIMUM
            }  # fmt: skip
            multiples = ", ".join(f"{CHARTED[policy]} {value:.2f}" for policy, value in times.items())
            beyond = f"On the others a policy has this multiple of the optimum's misses: {multiples}."
            names = ", ".join(f"“{point.program.program}”" for point in telling)
            page.key(
                "beyond", times["lru"], times=times, programs=f"mean of {names}" if telling[1:] else names
            )
            ours = "" if {point.program.program for point in telling} & {*NINE} else "our "
            parted = f" In {ours}{names}, LRU misses {times['lru']:.2f} times as often as the optimum."
        page.let(parted=parted)
        rows = [{**_named(point.program), "looked_up": point.looked_up, **_rates(point)} for point in points]
        page.draw(
            "rates", rows, charted=charted,
            anchor=f"{self.block}-rates",
            columns={**COLUMNS, "looked_up": f"{self.what} | count"}, same=len(points) - len(telling),
            those="programs on which policies differ" if telling else "each program",
            programs=len(points), looked_up=sum(point.looked_up for point in points), beyond=beyond,
        )  # fmt: skip

    def _costs(self, page: Page) -> None:
        shown, rows, apart = largest(self.programs), list[dict[str, Any]](), 0.0
        for program in self.programs:
            lost = {policy: self.by_instruction(program, policy) for policy in program.runs}
            apart = max(apart, max(lost.values()) - min(lost.values()))
            rows += [
                {**_named(program), "policy": policy, "writes": run.get("writes"), "ideal": program.ideal,
                 "lost": lost[policy], "_largest": program in shown}
                for policy, run in program.runs.items()
            ]  # fmt: skip
        writes = any(row["writes"] for row in rows)
        worst = max((row for row in rows if row["policy"] == PUBLISHED), key=lambda row: float(row["lost"]))
        page.draw("costs", rows, anchor=f"{self.block}-costs", runs=len(rows), worst=worst,
                  apart=f"The policies of the RTL differ by at most {apart:.3f}" if apart >= 0.0005
                  else "All policies lose the same", total=worst["lost"] + worst["ideal"],
                  clean=" The clean at the end is not included." if writes else "",
                  columns={"writes": f"lines written | count | | {'' if writes else 'hidden'}"})  # fmt: skip

    def by_instruction(self, program: Measured, policy: str) -> float:
        """Cycles per instruction that the RTL lost to misses under a policy."""
        return self.lost(program.runs[policy]) / float(program.about["instructions"])

    @cached_property
    def _around(self) -> Geometry:
        return self.programs[0].around

    @cached_property
    def _nine(self) -> list[Measured]:
        return [program for program in largest(self.programs) if program.program in NINE]

    def _geometries_by(self, by: str, *kept: str) -> list[Geometry]:
        """Geometries with the ``kept`` sizes of the one that others are around, by another."""
        same = attrgetter(*kept)
        geometries = {point.geometry for point in self.programs[0].points}
        return sorted(
            (shape for shape in geometries if same(shape) == same(self._around)), key=attrgetter(by)
        )

    def _misses(self, where: Geometry, policy: str) -> float:
        """Misses by PER look-ups, the mean of the source's programs."""
        return PER * mean(program.at(where).rate(policy) for program in self._nine)

    def _goes(self, policy: str, first: Geometry, last: Geometry) -> str:
        """A change of misses in words."""
        before, after = (f"{self._misses(where, policy.lower()):.2f}" for where in (first, last))
        moved = f"stays at {before}" if before == after else f"goes from {before} to {after}"
        return f"{policy} {moved} misses per 1,000 {self.what}"

    def _geometries(self, page: Page) -> None:
        around, named = self._around, f"{self.block}-"

        def charted(varied: Sequence[Geometry], at: Callable[[Geometry], Any]) -> list[dict[str, Any]]:
            return [
                {"_at": at(where), "policy": words, "_misses": self._misses(where, policy)}
                for policy, words in CHARTED.items() for where in varied
            ]  # fmt: skip

        varied = self._geometries_by("capacity_bytes", "ways", "line_bytes")
        rows = [
            {**_named(program), "bytes": point.geometry.capacity_bytes, **point.geometry._asdict(),
                **_rates(point)}
            for program in self.programs for point in program.points
        ]  # fmt: skip
        page.draw("sizes", rows, charted=charted(varied, attrgetter("capacity_bytes")),
                  anchor=f"{named}sizes",
                  where=f"{around.ways} ways, lines of {around.line_bytes} bytes",
                  fitting=self._fitting(varied), small=varied[0].capacity_bytes,
                  large=varied[-1].capacity_bytes, lru=self._goes("LRU", varied[0], varied[-1]),
                  smaller="" if around == self.base
                  else f" They fit in {size(self.base.capacity_bytes)}, so the caches here are smaller.",
                  columns=COLUMNS)  # fmt: skip
        varied = self._geometries_by("ways", "line_bytes", "capacity_bytes")
        bars = charted(varied, lambda shape: f"{shape.ways} ways")
        learn = (
            f"{self._goes('LRU', varied[0], varied[-1])}; the {self._goes(OPTIMUM, varied[0], varied[-1])}"
        )
        if one := len({f"{bar['_misses']:.2f}" for bar in bars}) == 1:
            learn = f"every policy has {bars[0]['_misses']:.2f} misses per 1,000 {self.what}"
        page.draw("ways", charted=() if one else bars, anchor=f"{named}ways",
                  learn=f"From {varied[0].ways} to {varied[-1].ways} ways {learn}.")  # fmt: skip
        varied = self._geometries_by("line_bytes", "ways", "capacity_bytes")
        rows = [
            {"line_bytes": shape.line_bytes, "misses": misses, "read": misses * shape.line_bytes / PER}
            for shape in varied for misses in [self._misses(shape, "lru")]
        ]  # fmt: skip
        page.draw("lines", rows, charted=charted(varied, attrgetter("line_bytes")), anchor=f"{named}lines",
                  best=min(rows, key=itemgetter("misses")), least=min(rows, key=itemgetter("read")),
                  unit=self.what.removesuffix("s").removesuffix("e"))  # fmt: skip

    def _fitting(self, varied: Sequence[Geometry]) -> str:
        """A sentence on the size from which the policies agree, if they do."""
        parted = [
            index for index, where in enumerate(varied)
            if len({round(self._misses(where, policy), 9) for policy in COMPARED}) > 1
        ]  # fmt: skip
        if not parted or parted[-1] == len(varied) - 1:
            return ""
        return f"From {size(varied[parted[-1] + 1].capacity_bytes)} on all policies have the same misses."

    def _warps(self, page: Page) -> None:
        programs = largest(self.programs)
        rows = [
            {**_named(program), "warps": some.warps, "looked_up": some.looked_up, **_rates(some),
                "_largest": program in programs}
            for program in self.programs for some in program.by_warps
        ]  # fmt: skip
        low = min(row["lru"] for row in rows if row["_largest"])
        gains = sorted(
            ((program.program, 100 * (program.by_warps[0].rate("lru") - program.by_warps[-1].rate("lru")))
             for program in programs), key=itemgetter(1),
        )  # fmt: skip
        change = "rise" if gains[0][1] >= 0 else "fall" if gains[-1][1] <= 0 else "change"
        if change == "fall":
            gains = [(name, -fall) for name, fall in reversed(gains)]
        page.draw(
            "warps", rows, anchor=f"{self.block}-warps", low=max(0.0, low - (1 - low) * 0.1),
            programs=len(programs),
            late=[program.program for program in programs[8:]],  # colours come again
            most=gains[-1], least=gains[0], change=change,
            columns={**COLUMNS, "looked_up": f"{self.what} | count"},
        )  # fmt: skip


def _named(program: Measured) -> dict[str, Any]:
    return {"program": program.program, "n": program.n}


def _rates(point: Compared) -> dict[str, Any]:
    """Hit rates and lines replaced."""
    return {policy: 1 - point.rate(policy) for policy in COMPARED} | {
        f"{policy}_evictions": count for policy, count in point.evictions.items()
    }


def _words(shape: Geometry) -> str:
    return f"{size(shape.capacity_bytes)} in {shape.ways} ways of lines of {shape.line_bytes} bytes"
