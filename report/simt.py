# SPDX-License-Identifier: Apache-2.0
"""The chapters on programs of the SIMT machine, of either of its caches: policies, geometries, warps."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from html import escape
from operator import attrgetter
from typing import Any

from models.comparison import COMPARED, OPTIMUM, Geometry
from report.pages import Page
from report.simt_results import Compared, Measured, draw_cold_start, largest
from report.tables import size
from report.words import mean
from workloads.simt.programs import NINE

PUBLISHED = "pseudo-lru"  # policy after reset
PER = 1000  # misses are counted by so many look-ups
COLUMNS = {
    "n": "N",
    **{policy: f"{policy} | percent" for policy in COMPARED},
    **{f"{policy}_evictions": f"lines replaced, {policy} | count" for policy in COMPARED},
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
            "built": escape(_words(self.base)), "rest": escape(_words(around)), "top": self.base.ways - 1,
            "mean_of": f"{len(self._nine)} of the source's programs, each on its largest problem",
        }  # fmt: skip
        self._rates(page)
        self._costs(page)
        draw_cold_start(page, self.block, PUBLISHED, self.programs)
        self._geometries(page)
        self._warps(page)

    def _rates(self, page: Page) -> None:
        found = [one.at(self.base) for one in self.programs]
        telling = [one for one in found if len(set(one.misses.values())) > 1]
        charted = [
            {**_named(one.program), "policy": policy, "_misses": PER * one.rate(policy)}
            for one in telling for policy in COMPARED
        ]  # fmt: skip
        beyond = ""
        if telling:
            times = {
                policy: mean(one.misses[policy] / one.misses[OPTIMUM] for one in telling)
                for policy in COMPARED
            }
            told = ", ".join(f"{policy} {value:.2f}" for policy, value in times.items() if policy != OPTIMUM)
            beyond = f"In the others, misses as a multiple of the optimum's, mean: {told}."
        rows = [{**_named(one.program), "looked_up": one.looked_up, **_rates(one)} for one in found]
        page.draw(
            "rates", rows, charted=charted,
            body="" if telling else "<p>In none do policies differ.</p>", anchor=f"{self.block}-rates",
            columns={**COLUMNS, "looked_up": f"{self.what} | count"}, same=len(found) - len(telling),
            programs=len(found), looked_up=sum(one.looked_up for one in found), beyond=beyond,
        )  # fmt: skip

    def _costs(self, page: Page) -> None:
        shown = largest(self.programs)
        rows = [
            {**_named(one), "policy": policy, "writes": run.get("writes"), "ideal": one.ideal,
             "lost": self.lost(run) / one.about["instructions"], "_largest": one in shown}
            for one in self.programs for policy, run in one.runs.items()
        ]  # fmt: skip
        hidden = "" if any(row["writes"] for row in rows) else "hidden"
        page.draw("costs", rows, anchor=f"{self.block}-costs", runs=len(rows),
                  columns={"writes": f"lines written | count | | {hidden}"})  # fmt: skip

    @cached_property
    def _around(self) -> Geometry:
        return self.programs[0].around

    @cached_property
    def _nine(self) -> list[Measured]:
        return [one for one in largest(self.programs) if one.program in NINE]

    def _geometries_by(self, by: str, *kept: str) -> list[Geometry]:
        """Geometries with the ``kept`` sizes of the one that others are around, by another."""
        same = attrgetter(*kept)
        geometries = {point.geometry for point in self.programs[0].points}
        return sorted((one for one in geometries if same(one) == same(self._around)), key=attrgetter(by))

    def _misses(self, where: Geometry, policy: str) -> float:
        """Misses by PER look-ups, the mean of the source's programs."""
        return PER * mean(one.at(where).rate(policy) for one in self._nine)

    def _geometries(self, page: Page) -> None:
        around, named = self._around, f"{self.block}-"

        def charted(varied: Sequence[Geometry], at: Callable[[Geometry], Any]) -> list[dict[str, Any]]:
            return [
                {"_at": at(where), "policy": policy, "_misses": self._misses(where, policy)}
                for policy in COMPARED for where in varied
            ]  # fmt: skip

        varied = self._geometries_by("capacity_bytes", "ways", "line_bytes")
        rows = [
            {**_named(one), "bytes": point.geometry.capacity_bytes, **point.geometry._asdict(),
                **_rates(point)}
            for one in self.programs for point in one.points
        ]  # fmt: skip
        page.draw("sizes", rows, charted=charted(varied, attrgetter("capacity_bytes")),
                  anchor=f"{named}sizes",
                  where=f"{around.ways} ways, lines of {around.line_bytes} bytes",
                  fitting=self._fitting(varied),
                  columns=COLUMNS)  # fmt: skip
        varied = self._geometries_by("ways", "line_bytes", "capacity_bytes")
        lru, best = (
            [self._misses(where, policy) for where in (varied[0], varied[-1])] for policy in ("lru", OPTIMUM)
        )
        page.draw(
            "ways", charted=charted(varied, lambda one: f"{one.ways} ways"), anchor=f"{named}ways",
            learn=f"From {varied[0].ways} to {varied[-1].ways} ways LRU goes from {lru[0]:.2f} to "
                  f"{lru[1]:.2f}; "
            f"the optimum has {best[0]:.2f} and {best[1]:.2f}.",
        )  # fmt: skip
        varied = self._geometries_by("line_bytes", "ways", "capacity_bytes")
        rows = [
            {"line_bytes": one.line_bytes, "misses": misses, "read": misses * one.line_bytes / PER}
            for one in varied for misses in [self._misses(one, "lru")]
        ]  # fmt: skip
        page.draw("lines", rows, charted=charted(varied, attrgetter("line_bytes")), anchor=f"{named}lines",
                  unit=self.what.removesuffix("s").removesuffix("e"))  # fmt: skip

    def _fitting(self, varied: Sequence[Geometry]) -> str:
        """A sentence on the size from which the policies agree, if they do."""
        parted = [
            index for index, where in enumerate(varied)
            if len({round(self._misses(where, policy), 9) for policy in COMPARED}) > 1
        ]  # fmt: skip
        if not parted or parted[-1] == len(varied) - 1:
            return ""
        return f"From {size(varied[parted[-1] + 1].capacity_bytes)} on all policies have the same misses. "

    def _warps(self, page: Page) -> None:
        programs = largest(self.programs)
        rows = [
            {**_named(one), "warps": some.warps, "looked_up": some.looked_up, **_rates(some),
                "_largest": one in programs}
            for one in self.programs for some in one.by_warps
        ]  # fmt: skip
        low = min(row["lru"] for row in rows if row["_largest"])
        gains = {one.program: one.by_warps[0].rate("lru") - one.by_warps[-1].rate("lru") for one in programs}
        page.draw(
            "warps", rows, anchor=f"{self.block}-warps", low=max(0.0, low - (1 - low) * 0.1),
            programs=len(programs),
            late=[one.program for one in programs[8:]],  # colours come again
            best=max(gains.items(), key=lambda one: one[1]), worst=min(gains.items(), key=lambda one: one[1]),
            columns={**COLUMNS, "looked_up": f"{self.what} | count"},
        )  # fmt: skip


def _named(one: Measured) -> dict[str, Any]:
    return {"program": one.program, "n": one.n}


def _rates(point: Compared) -> dict[str, Any]:
    """Hit rates and lines replaced."""
    return {policy: 1 - point.rate(policy) for policy in COMPARED} | {
        f"{policy}_evictions": count for policy, count in point.evictions.items()
    }


def _words(one: Geometry) -> str:
    return f"{size(one.capacity_bytes)} in {one.ways} ways of lines of {one.line_bytes} bytes"
