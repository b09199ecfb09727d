# SPDX-License-Identifier: Apache-2.0
"""The paper's numbers beside ours, and the settings in which they come out."""

from collections.abc import Iterator
from typing import Any

from models.zcache.figures import UNITS, hit_rate
from report.claims import Claim, draw_claims
from report.pages import Page
from report.words import cut, mean, pct, points, spread
from report.zcache.results import AHEAD, GAINS, GAINS_OFF, OFF, SERIAL, SERIAL_OFF, Results, gain, reduction
from report.zcache.scenes import used
from report.zcache.surface import PLACE
from report.zcache.surface import rows as surface_rows

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


def _claims(found: Results) -> Iterator[Claim]:
    """Hit rates and latencies: ours, of the paper's own setting and of those with few reads under way; what
    the paper's own cannot be; what is read and used; the size.
    """
    for ahead, off in PAIRS:
        for unit in UNITS if ahead == AHEAD else ("row",):
            gains = [gain(found.run(s, ahead), found.run(s, off), unit) for s in found.deep]
            yield Claim(
                f"hit rate added, by {unit}", f"{points(MEAN)} ({points(LEAST)} to {points(MOST)})",
                f"{points(mean(gains))} ({points(min(gains))} to {points(max(gains))})", mean(gains),
                f"{len(gains)} scenes, {ahead}", "mean, least, most; points",
            )  # fmt: skip
    for ahead, off in PAIRS:
        cuts = [reduction(found.run(s, ahead), found.run(s, off)) for s in found.deep]
        yield Claim(
            "latency of the depth test", f"{cut(CUT_MEAN)} ({cut(CUT_LEAST)} to {cut(CUT_MOST)})",
            f"{cut(mean(cuts))} ({cut(min(cuts))} to {cut(max(cuts))})", mean(cuts),
            f"{len(cuts)} scenes, {ahead}", "mean, least, most",
        )  # fmt: skip
    yield Claim(
        "its mean latency", cut(CUT_MEAN), f"{cut(BOUNDS[0])} to {cut(BOUNDS[1])}", CUT_MEAN, "arithmetic",
        f"a contradiction: beyond the most of its four scenes, {cut(CUT_MOST)}; with its ends the mean of "
        "four lies between these",
    )  # fmt: skip
    shares = [used(found.run(scene, AHEAD)) for scene in found.deep]
    rates = [hit_rate(found.run(s, OFF), "row") for s in found.deep]
    miss = mean(latency_of_miss(found, scene) for scene in found.deep)
    low, high = base_at_most(2, miss)
    cache = found.base.cache
    held = cache.capacity_bytes // 4
    yield Claim("data read that is used", f"over {pct(DATA, 0)}",
                f"{spread(shares)}, mean {pct(mean(shares))}",
                mean(shares), f"{len(shares)} scenes, prefetch",
                "pixels that a test looked at, of 16 a line")  # fmt: skip
    yield Claim("hit rate without prefetch", "not given", f"by row {spread(rates)}, mean {pct(mean(rates))}",
                mean(rates), f"{len(rates)} scenes, off",
                f"its two means fit with {pct(low, 0)} to {pct(high, 0)} at most, if a miss takes {miss:.0f} "
                "cycles")  # fmt: skip
    yield Claim("pixels that the cache holds", "8192 in 32 KB, 4 ways", f"{held} in {cache.ways} ways",
                float(held), found.index["base_name"], "", same=held == 8192 and cache.ways == 4)  # fmt: skip


def latency_of_miss(found: Results, scene: str) -> float:
    """Mean cycles of a tile that misses, without prefetch; one that hits takes 2."""
    run = found.run(scene, OFF)
    return float((run["latency"] * run["tiles"] - 2 * run["hits"]) / run["misses"])


def distance(row: dict[str, Any]) -> float:
    """How far a point of the surface is from the paper's means, in points."""
    apart = row["gain_row"] - CENTRE[0], row["reduction"] - CENTRE[1]
    return float((apart[0] ** 2 + apart[1] ** 2) ** 0.5)


def fits(row: dict[str, Any]) -> bool:
    """Whether both means lie within what the paper gives for its scenes."""
    gained, less = row["gain_row"], row["reduction"]
    return LEAST <= gained <= MOST and CUT_LEAST <= less <= CUT_MOST


def _nearest(row: dict[str, Any], good: int) -> str:
    what = "wait" if row["waits"] == "True" else "are dropped"
    return (
        f"{good} points lie within the paper’s ranges. The nearest: reads under way {row['fills']}, tiles in "
        f"flight {row['tiles']}, memory {row['latency']} and shading {row['delay']} cycles, a tile each "
        f"{row['pace']}, and requests that {what} when all reads are under way: "
        f"{points(row['gain_row'])} points, {cut(row['reduction'])}. "
        "Gain and reduction hang together: where late lines are few, both are the share of the misses that "
        "become hits. The published ones say a third of them, so that something was scarce; which, the "
        "points do not tell."
    )


def draw(page: Page, found: Results) -> None:
    """The chapter."""
    rates = [hit_rate(found.run(scene, OFF), "row") for scene in found.deep]
    low, high = base_at_most(2, mean(latency_of_miss(found, scene) for scene in found.deep))
    draw_claims(page, "paper", list(_claims(found)), low=low, high=high, rate=mean(rates))
    every = surface_rows(found)
    ordered = sorted((row for row in every if row["ott"] == "True"), key=distance)
    places = {tuple(row[name] for name in PLACE[1:]): row for row in ordered}
    shown = [
        {**row, "fits": "yes" if fits(row) else "no", "apart": distance(row)}
        for row in sorted(places.values(), key=distance)[:8]
    ]
    learn = _nearest(ordered[0], sum(map(fits, every))) if ordered else ""
    page.draw("settings", shown, learn=learn, mean=MEAN, centre=CENTRE[1])
