# SPDX-License-Identifier: Apache-2.0
"""The paper's numbers beside ours, and the settings in which they come out."""

from collections.abc import Sequence

from models.zcache.figures import UNITS, hit_rate
from report.claims import Claim, claims_figure, claims_table
from report.page import Figure, Section
from report.tables import Column, Table, Value, number
from report.words import mean, pct, spread
from report.zcache.results import AHEAD, GAINS, GAINS_OFF, OFF, SERIAL, SERIAL_OFF, Results, gain, reduction
from report.zcache.scenes import used
from report.zcache.surface import COLUMNS as SURFACE
from report.zcache.surface import PLACE
from report.zcache.surface import rows as surface_rows
from report.zcache.words import cut, points

MOST, LEAST, MEAN = 0.1174, 0.0782, 0.0951  # added to the hit rate
CUT_LEAST, CUT_MOST, CUT_MEAN = 0.3083, 0.3987, 0.4043  # taken off the latency
SCENES = 4
PAIRS = (AHEAD, OFF), (GAINS, GAINS_OFF), (SERIAL, SERIAL_OFF)
DATA = 0.95  # of what is read is used
BOUNDS = tuple(((SCENES - 1) * one + other) / SCENES for one, other in (  # of a mean of four with these ends
    (CUT_LEAST, CUT_MOST), (CUT_MOST, CUT_LEAST)))  # fmt: skip
CENTRE = MEAN, mean(BOUNDS)


def base_at_most(hit: float, miss: float) -> tuple[float, float]:
    """The highest hit rates without prefetch that fit the two means, least and most.

    Each hit that is won saves ``miss`` - ``hit`` cycles of ``hit`` + misses x (``miss`` - ``hit``).
    """
    found = [1 - (MEAN / one - hit / (miss - hit)) for one in BOUNDS]
    return min(found), max(found)


def rate_claims(found: Results) -> list[Claim]:
    """Hit rates: ours, of the paper's own setting and of those with few reads under way."""
    claims = []
    for ahead, off in PAIRS:
        for unit in UNITS if ahead == AHEAD else ("row",):
            gains = [gain(found.run(s, ahead), found.run(s, off), unit) for s in found.deep]
            claims.append(Claim(
                f"hit rate added, by {unit}", f"{points(MEAN)} ({points(LEAST)} to {points(MOST)})",
                f"{points(mean(gains))} ({points(min(gains))} to {points(max(gains))})", mean(gains),
                f"{len(gains)} scenes, {ahead}", "mean, least, most; points",
            ))  # fmt: skip
    return claims


def latency_claims(found: Results) -> list[Claim]:
    """Latencies, and what the paper's own cannot be."""
    claims = []
    for ahead, off in PAIRS:
        cuts = [reduction(found.run(s, ahead), found.run(s, off)) for s in found.deep]
        claims.append(Claim(
            "latency of the depth test", f"{cut(CUT_MEAN)} ({cut(CUT_LEAST)} to {cut(CUT_MOST)})",
            f"{cut(mean(cuts))} ({cut(min(cuts))} to {cut(max(cuts))})", mean(cuts),
            f"{len(cuts)} scenes, {ahead}", "mean, least, most",
        ))  # fmt: skip
    claims.append(Claim(
        "its mean latency", cut(CUT_MEAN), f"{cut(BOUNDS[0])} to {cut(BOUNDS[1])}", CUT_MEAN, "arithmetic",
        f"a contradiction: beyond the most of its four scenes, {cut(CUT_MOST)}; with its ends the mean of "
        "four lies between these",
    ))  # fmt: skip
    return claims


def other_claims(found: Results) -> list[Claim]:
    """What is read and used; what the two means say of the base; the size."""
    runs = [found.run(scene, AHEAD) for scene in found.deep]
    shares, rates = [used(run) for run in runs], [hit_rate(found.run(s, OFF), "row") for s in found.deep]
    misses = [latency_of_miss(found, scene) for scene in found.deep]
    low, high = base_at_most(2, mean(misses))
    cache = found.base.cache
    held = cache.capacity_bytes // 4
    return [
        Claim("data read that is used", f"over {pct(DATA, 0)}", f"{spread(shares)}, mean {pct(mean(shares))}",
              mean(shares), f"{len(runs)} scenes, prefetch", "pixels that a test looked at, of 16 a line"),
        Claim("hit rate without prefetch", "not given", f"by row {spread(rates)}, mean {pct(mean(rates))}",
              mean(rates), f"{len(runs)} scenes, off",
              f"its two means fit with {pct(low, 0)} to {pct(high, 0)} at most, if a miss takes "
              f"{mean(misses):.0f} cycles"),
        Claim("pixels that the cache holds", "8192 in 32 KB, 4 ways", f"{held} in {cache.ways} ways",
              float(held), found.index["base_name"], "", same=held == 8192 and cache.ways == 4),
    ]  # fmt: skip


def latency_of_miss(found: Results, scene: str) -> float:
    """Mean cycles of a tile that misses, without prefetch; one that hits takes 2."""
    run = found.run(scene, OFF)
    return float((run["latency"] * run["tiles"] - 2 * run["hits"]) / run["misses"])


def distance(row: dict[str, Value]) -> float:
    """How far a point of the surface is from the paper's means, in points."""
    apart = number(row["gain_row"]) - CENTRE[0], number(row["reduction"]) - CENTRE[1]
    return float((apart[0] ** 2 + apart[1] ** 2) ** 0.5)


def fits(row: dict[str, Value]) -> bool:
    """Whether both means lie within what the paper gives for its scenes."""
    gained, less = number(row["gain_row"]), number(row["reduction"])
    return LEAST <= gained <= MOST and CUT_LEAST <= less <= CUT_MOST


def _settings(found: Results) -> Figure:
    every = surface_rows(found)
    ordered = sorted((row for row in every if row["ott"] == "True"), key=distance)
    places = {tuple(row[name] for name in PLACE[1:]): row for row in ordered}
    unique = sorted(places.values(), key=distance)
    shown: list[dict[str, Value]] = [
        {**row, "fits": "yes" if fits(row) else "no", "apart": distance(row)} for row in unique[:8]
    ]
    good = [row for row in every if fits(row)]
    columns = (*SURFACE, Column("fits", "in the range"), Column("apart", "apart", "percent"))
    return Figure(
        "settings", "Settings in which the published gains come out", "",
        shows="The points of the surface, by row, that come nearest to the paper’s mean gain of "
        f"{points(MEAN)} points and to the middle of what its mean latency can be, {cut(CENTRE[1])}.",
        learn=_nearest(ordered[0], len(good)) if ordered else "",
        traffic=f"{len(found.deep)} scenes, the surface; model only", open_table=True,
        table=Table("zcache_settings", "Nearest to the published gains", columns, shown),
    )  # fmt: skip


def _nearest(row: dict[str, Value], good: int) -> str:
    what = "wait" if row["waits"] == "True" else "are dropped"
    return (
        f"{good} points lie within the paper’s ranges. The nearest: reads under way {row['fills']}, tiles in "
        f"flight {row['tiles']}, memory {row['latency']} and shading {row['delay']} cycles, a tile each "
        f"{row['pace']}, and requests that {what} when all reads are under way: "
        f"{points(number(row['gain_row']))} points, {cut(number(row['reduction']))}. "
        "Gain and reduction hang together: where late lines are few, both are the share of the misses that "
        "become hits. The published ones say a third of them, so that something was scarce; which, the "
        "points do not tell."
    )


def section(found: Results) -> Section:
    """The chapter."""
    claims: Sequence[Claim] = [*rate_claims(found), *latency_claims(found), *other_claims(found)]
    rates = [hit_rate(found.run(scene, OFF), "row") for scene in found.deep]
    low, high = base_at_most(2, mean(latency_of_miss(found, scene) for scene in found.deep))
    note = "Source: Tian et al., 2021; its figures are lost, their ends and means stand in the prose."
    figure = claims_figure(
        claims_table("zcache_paper", claims, note, "paper"), source="paper",
        shows="Each number of the paper, ours, and for which traffic. Its scenes are from a book’s programs; "
        "ours differ in the same ways: primitives, their number, depths and functions.",
        learn="A prefetch that has time and reads enough leaves hardly a miss, far more than the paper "
        f"gained. Its two means fit a base that hits {pct(low, 0)} to {pct(high, 0)} at most; ours hits "
        f"{pct(mean(rates))} by row. The settings below say what must be scarce for gains as published.",
    )  # fmt: skip
    intro = (
        "<p>The paper says neither what a hit is, nor the latency of its memory, nor how many tiles lie "
        "between rasterizer and test.</p>"
    )
    return Section("paper", "The paper’s numbers beside ours", intro, [figure, _settings(found)])
