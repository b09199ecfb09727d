# SPDX-License-Identifier: Apache-2.0
"""The chapters on programs of the SIMT machine, of either of its caches: policies, geometries, warps."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Any

from configs.simt import POLICIES
from models.comparison import COMPARED, OPTIMUM, Geometry
from report.charts import Series, bar_chart, line_chart
from report.cold_start import cold_start
from report.page import Figure, Section, paragraph
from report.simt_results import Compared, Measured, largest
from report.tables import Column, Table, fixed, percent, percent_tick, plain, size
from report.words import mean
from workloads.simt.programs import NINE

RATES = tuple(Column(policy, policy, "percent") for policy in COMPARED)
REPLACED = tuple(Column(f"{policy}_evictions", f"lines replaced, {policy}", "count") for policy in COMPARED)
PROGRAM = (Column("program", "program"), Column("n", "N", "count"))
SWEEP = (
    *PROGRAM, Column("bytes", "size", "size"), Column("sets", "sets", "count"),
    Column("ways", "ways", "count"), Column("line_bytes", "line", "size"),
)  # fmt: skip
PUBLISHED = "pseudo-lru"  # policy after reset
PER = 1000  # misses are counted by so many look-ups


@dataclass(frozen=True)
class Chapter:
    """Programs on a cache. ``what``: its look-ups; ``lost``: cycles that a run of the RTL lost to misses."""

    block: str
    what: str
    base: Geometry
    programs: Sequence[Measured]
    lost: Callable[[Mapping[str, Any]], int]

    def section(self) -> Section:
        """All figures."""
        intro = paragraph(
            "Programs of the SIMT machine (make run LIST=1), one block of 8 warps of 8 threads; each begins "
            "with a cold cache. Under the four policies the RTL ran, and agreed with the model; true LFU, "
            "which counts uses, the optimum (Belady's) and all other geometries are by the models alone."
        )
        begins = cold_start(self.block, PUBLISHED, self.programs)
        figures = [self._rates(), self._costs(), begins, self._sizes(), self._ways(), self._lines()]
        figures.append(self._warps())
        return Section(f"{self.block}-programs", "Programs", intro + self._lfu(), figures)

    def _lfu(self) -> str:
        """Why the source's LFU is LRU, and what a true one is."""
        top = self.base.ways - 1
        return paragraph(
            "What the source calls LFU is LRU with the ranks turned round, and counts no uses. Let its way w "
            f"stand for way {top} - w of LRU, and its rank r for rank {top} - r. After a reset it is so. A "
            f"use gives the way rank {top} and takes one off the ranks above its old one: turned round, it "
            "gives rank 0 and adds one to the ranks below, which is what LRU does. So it stays so, victims "
            f"(of rank 0 there, {top} here) stand for each other, and both hit alike: in each run and each "
            "geometry below they have the same misses, or there were no page."
        ) + paragraph(
            "True LFU hits otherwise. In a set of 4 ways a line A is used twice, B, C, D and E once each, "
            "then A again. For E, LRU and “LFU” replace A, whose last use is longest ago, and miss in the "
            "end; true LFU replaces B, which was used less, and hits."
        )

    def _rates(self) -> Figure:
        found = [one.at(self.base) for one in self.programs]
        telling = [one for one in found if len(set(one.misses.values())) > 1]
        rows = [
            {**_named(one.program), "looked_up": one.looked_up, **_hit_rates(one), **_replaced(one)}
            for one in found
        ]
        columns = (*PROGRAM, Column("looked_up", self.what, "count"), *RATES, *REPLACED)
        return Figure(
            f"{self.block}-rates", "Hit rates of programs", self._bars(telling),
            shows=f"Misses by {PER:,} {self.what} of the programs in which policies differ, in "
            f"{_words(self.base)}; hit rates of all in the table, and beside them lines replaced.",
            learn=f"{len(found) - len(telling)} of {len(found)} have the same misses under every policy, the "
            f"optimum too: they fit, or use no line again. {self._beyond(telling)}",
            traffic=f"{len(found)} programs, {sum(one.looked_up for one in found)} {self.what}",
            table=Table(
                f"{self.block}_hit_rates", "Hit rates and lines replaced, by policy", columns, rows
            ),
            open_table=True,
        )  # fmt: skip

    def _beyond(self, telling: Sequence[Compared]) -> str:
        """How far the policies are from the optimum."""
        if not telling:
            return ""
        beyond = {
            policy: mean(one.misses[policy] / one.misses[OPTIMUM] for one in telling)
            for policy in COMPARED
            if policy != OPTIMUM
        }
        said = ", ".join(f"{policy} {times:.2f}" for policy, times in beyond.items())
        return f"In the others, misses as a multiple of the optimum's, mean: {said}."

    def _bars(self, found: Sequence[Compared]) -> str:
        if not found:
            return paragraph("In none do policies differ.")
        series = [Series(policy, [PER * one.rate(policy) for one in found]) for policy in COMPARED]
        return bar_chart(
            [one.program.name for one in found], series, y_label=f"misses / {PER:,}", y_format=fixed(2),
            y_tick=plain, alt=f"misses by {PER:,} {self.what} of programs, by policy",
        )  # fmt: skip

    def _costs(self) -> Figure:
        rows: list[dict[str, Any]] = []
        for one in self.programs:
            count = one.about["instructions"]
            rows += [
                {
                    **_named(one), "policy": policy, "writes": run.get("writes"), "ideal": one.ideal,
                    "lost": self.lost(run) / count,
                }
                for policy, run in one.runs.items()
            ]  # fmt: skip
        columns = (
            *PROGRAM, Column("policy", "policy"),
            Column("writes", "lines written", "count", on_page=any(row["writes"] for row in rows)),
            Column("ideal", "CPI, nothing misses", "f3"), Column("lost", "CPI lost to misses", "f3"),
        )  # fmt: skip
        shown = largest(self.programs)
        lost = [
            Series(policy, [self.lost(one.runs[policy]) / one.about["instructions"] for one in shown])
            for policy in POLICIES
        ]
        chart = bar_chart(
            [one.name for one in shown], lost, y_label="cycles / instruction", y_format=fixed(3),
            y_tick=plain, alt="cycles by instruction lost to misses, by program and policy",
        )  # fmt: skip
        return Figure(
            f"{self.block}-costs", "Cycles lost to misses", chart,
            shows="Cycles by instruction in which everything waits for a line of this cache, with the memory "
            "of the configuration; counted in the RTL, a clean at the end of a program not included.",
            learn="One miss stops all warps, so each costs its whole latency.",
            traffic=f"{len(rows)} runs of the RTL",
            table=Table(f"{self.block}_costs", "Cycles lost", columns, rows),
        )  # fmt: skip

    @property
    def _around(self) -> Geometry:
        return self.programs[0].around

    def _varied(self, fixed_fields: Iterable[str]) -> list[Geometry]:
        """Geometries that have these in common with the one that others are around, the smallest first."""
        points = [point.geometry for point in self.programs[0].points]
        return sorted(
            one
            for one in points
            if all(getattr(one, name) == getattr(self._around, name) for name in fixed_fields)
        )

    def _geometries_by(self, by: str, kept: str) -> list[Geometry]:
        """Geometries of the same size and ``kept`` as the one that others are around, by ``by``."""
        same = attrgetter(kept, "capacity_bytes")
        geometries = {point.geometry for point in self.programs[0].points}
        return sorted((one for one in geometries if same(one) == same(self._around)), key=attrgetter(by))

    def _means(self, geometries: Sequence[Geometry]) -> dict[str, list[float]]:
        """Misses by PER look-ups in each, the mean of the source's programs, by policy."""
        return {
            policy: [PER * mean(one.at(where).rate(policy) for one in self._nine) for where in geometries]
            for policy in COMPARED
        }

    def _sizes(self) -> Figure:
        varied = self._varied(("ways", "line_bytes"))
        sizes = [float(one.capacity_bytes) for one in varied]
        series = [Series(name, ys, sizes) for name, ys in self._means(varied).items()]
        chart = line_chart(
            series, x_label="size of the cache", y_label=f"misses / {PER:,}", x_format=size,
            y_format=fixed(2), y_tick=plain, log=2, ticks=sizes,
            alt=f"misses by {PER:,} {self.what} over the size of the cache, by policy",
        )  # fmt: skip
        rows = [
            {**_named(one), "bytes": point.geometry.capacity_bytes, **point.geometry._asdict()}
            | _hit_rates(point)
            | _replaced(point)
            for one in self.programs
            for point in one.points
        ]
        where = f"{self._around.ways} ways, lines of {self._around.line_bytes} bytes"
        return Figure(
            f"{self.block}-sizes", "Size", chart,
            shows=f"Misses by {PER:,} {self.what} in {where}: the mean of {self._mean_of}.",
            learn=f"{self._fitting}The numbers are those of each program in each geometry of this and the "
            "next two figures.",
            traffic=self._models,
            table=Table(
                f"{self.block}_geometries", "Hit rates and lines replaced, by geometry",
                (*SWEEP, *RATES, *REPLACED), rows,
            ),
        )  # fmt: skip

    @property
    def _fitting(self) -> str:
        """From which size on the policies agree, if they do."""
        varied = self._varied(("ways", "line_bytes"))
        means = self._means(varied)
        parted = [i for i in range(len(varied)) if len({round(ys[i], 9) for ys in means.values()}) > 1]
        if not parted or parted[-1] == len(varied) - 1:
            return ""
        return f"From {size(varied[parted[-1] + 1].capacity_bytes)} on all policies have the same misses. "

    @property
    def _nine(self) -> list[Measured]:
        return [one for one in largest(self.programs) if one.program in NINE]

    @property
    def _mean_of(self) -> str:
        return f"{len(self._nine)} of the source's programs, each on its largest problem"

    @property
    def _models(self) -> str:
        return f"{self._mean_of}; models only"

    def _ways(self) -> Figure:
        around = self._around
        varied = self._geometries_by("ways", "line_bytes")
        series = [Series(name, ys) for name, ys in self._means(varied).items()]
        chart = bar_chart(
            [f"{one.ways} ways" for one in varied], series, y_label=f"misses / {PER:,}", y_format=fixed(2),
            y_tick=plain, values=True, alt=f"misses by {PER:,} {self.what} in 4, 8 and 16 ways, by policy",
        )  # fmt: skip
        return Figure(
            f"{self.block}-ways", "Ways", chart,
            shows=f"Misses by {PER:,} {self.what}, the same {size(around.capacity_bytes)} in sets of 4, 8 "
            f"and 16 lines of {around.line_bytes} bytes.",
            learn=self._worth(varied), traffic=self._models,
        )  # fmt: skip

    def _worth(self, varied: Sequence[Geometry]) -> str:
        """What other ways, and another policy, are worth."""
        lru, best = self._means(varied)["lru"], self._means(varied)[OPTIMUM]
        return (
            f"From {varied[0].ways} to {varied[-1].ways} ways LRU goes from {lru[0]:.2f} to {lru[-1]:.2f}; "
            f"the optimum has {best[0]:.2f} and {best[-1]:.2f}."
        )

    def _lines(self) -> Figure:
        around = self._around
        varied = self._geometries_by("line_bytes", "ways")
        lines = [float(one.line_bytes) for one in varied]
        means = self._means(varied)
        series = [Series(name, ys, lines) for name, ys in means.items()]
        chart = line_chart(
            series, x_label="bytes of a line", y_label=f"misses / {PER:,}", x_format=plain, y_format=fixed(2),
            y_tick=plain, log=2, ticks=lines,
            alt=f"misses by {PER:,} {self.what} over bytes of a line, by policy",
        )  # fmt: skip
        rows = [
            {"line_bytes": one.line_bytes, "misses": misses, "read": misses * one.line_bytes / PER}
            for one, misses in zip(varied, means["lru"], strict=True)
        ]
        columns = (
            Column("line_bytes", "bytes of a line", "count"),
            Column("misses", f"misses / {PER:,}, LRU", "f2"),
            Column("read", f"bytes read / {self.what.removesuffix('s').removesuffix('e')}", "f2"),
        )
        return Figure(
            f"{self.block}-lines", "Bytes of a line", chart,
            shows=f"Misses by {PER:,} {self.what}, the same {size(around.capacity_bytes)} in {around.ways} "
            "ways.",
            learn="A longer line brings more of what comes next, and what does not; fewer of them fit.",
            traffic=self._models,
            table=Table(f"{self.block}_lines", "Lines under LRU: misses, and what they read", columns, rows),
        )  # fmt: skip

    def _warps(self) -> Figure:
        programs = largest(self.programs)
        series = [
            Series(
                one.program,
                [1 - some.rate("lru") for some in one.by_warps],
                [float(some.warps) for some in one.by_warps],
                dashed=number >= 8,  # colours come again
            )
            for number, one in enumerate(programs)
        ]
        low = min(value for one in series for value in one.y)
        chart = line_chart(
            series, x_label="warps", y_label="hit rate", x_format=plain, y_format=percent,
            y_tick=percent_tick, y_range=(max(0.0, low - (1 - low) * 0.1), 1.0),
            ticks=series[0].x, alt="hit rate over the number of warps, by program",
        )  # fmt: skip
        rows = [
            {**_named(one), "warps": some.warps, "looked_up": some.looked_up}
            | _hit_rates(some)
            | _replaced(some)
            for one in self.programs
            for some in one.by_warps
        ]
        columns = (
            *PROGRAM, Column("warps", "warps", "count"), Column("looked_up", self.what, "count"), *RATES,
            *REPLACED,
        )  # fmt: skip
        return Figure(
            f"{self.block}-warps", "Warps", chart,
            shows=f"Hit rates under LRU in {_words(self._around)}, the work of a program shared by 1 to 8 "
            "warps.",
            learn=self._spread(programs),
            traffic=f"{len(programs)} programs, each on its largest problem; models only",
            table=Table(f"{self.block}_warps", "Hit rates and lines replaced, by warps", columns, rows),
        )  # fmt: skip

    def _spread(self, programs: Sequence[Measured]) -> str:
        """Which programs gain and lose most from 1 to 8 warps."""
        gains = {one.program: one.by_warps[0].rate("lru") - one.by_warps[-1].rate("lru") for one in programs}
        best, worst = max(gains, key=gains.__getitem__), min(gains, key=gains.__getitem__)
        return (
            f"From 1 to 8 warps the hit rate of {best} changes by {100 * gains[best]:+.2f} points, that of "
            f"{worst} by {100 * gains[worst]:+.2f}: warps share lines, or drive out each other's."
        )


def _named(one: Measured) -> dict[str, Any]:
    return {"program": one.program, "n": one.n}


def _hit_rates(point: Compared) -> dict[str, float]:
    return {policy: 1 - point.rate(policy) for policy in COMPARED}


def _replaced(point: Compared) -> dict[str, int]:
    return {f"{policy}_evictions": count for policy, count in point.evictions.items()}


def _words(one: Geometry) -> str:
    return f"{size(one.capacity_bytes)} in {one.ways} ways of lines of {one.line_bytes} bytes"
