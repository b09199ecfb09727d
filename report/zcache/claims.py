# SPDX-License-Identifier: Apache-2.0
"""The paper's numbers beside ours, and the settings in which they come out."""

from typing import Any

from models.zcache.figures import UNITS, hit_rate
from report.pages import Page
from report.words import counted, mean, pct
from report.zcache.results import (
    AHEAD,
    GAINS,
    GAINS_OFF,
    OFF,
    SERIAL,
    SERIAL_OFF,
    ZcacheResults,
    gain,
    reduction,
)
from report.zcache.scenes import used
from report.zcache.surface import PLACE
from report.zcache.surface import rows as surface_rows

MOST, LEAST, MEAN = 0.1174, 0.0782, 0.0951  # added to the hit rate
CUT_LEAST, CUT_MOST, CUT_MEAN = 0.3083, 0.3987, 0.4043  # taken off the latency
SCENES = 4
PAIRS = (AHEAD, OFF), (GAINS, GAINS_OFF), (SERIAL, SERIAL_OFF)
DATA = 0.95  # of what is read is used
BOUNDS = tuple(  # of a mean of four with these ends
    ((SCENES - 1) * end + opposite) / SCENES
    for end, opposite in ((CUT_LEAST, CUT_MOST), (CUT_MOST, CUT_LEAST))
)
CENTRE = MEAN, mean(BOUNDS)


def base_at_most(hit: float, miss: float) -> tuple[float, float]:
    """The highest hit rates without prefetch that fit the two means, least and most.

    Each hit that is won saves ``miss`` - ``hit`` cycles of ``hit`` + misses x (``miss`` - ``hit``).
    """
    rates = [1 - (MEAN / bound - hit / (miss - hit)) for bound in BOUNDS]
    return min(rates), max(rates)


def _claims(page: Page, results: ZcacheResults) -> None:
    """Hit rates and latencies: ours, of the paper's own setting and of those with few reads under way; what
    the paper's own cannot be; what is read and used; the size.
    """
    pairs = {
        (ahead, off): [(results.run(s, ahead), results.run(s, off)) for s in results.deep]
        for ahead, off in PAIRS
    }
    for (ahead, _), runs in pairs.items():
        for unit in UNITS if ahead == AHEAD else ("row",):
            gains = [gain(*pair, unit) for pair in runs]
            page.claim("gain", mean(gains), unit=unit, least=min(gains), most=max(gains), setting=ahead,
                       theirs=(MEAN, LEAST, MOST))  # fmt: skip
    for (ahead, _), runs in pairs.items():
        cuts = [reduction(*pair) for pair in runs]
        page.claim("latency", mean(cuts), least=min(cuts), most=max(cuts), setting=ahead,
                   theirs=(CUT_MEAN, CUT_LEAST, CUT_MOST))  # fmt: skip
    page.claim("mean_latency", CUT_MEAN, bounds=BOUNDS, most=CUT_MOST)
    shares = [used(results.run(scene, AHEAD)) for scene in results.deep]
    page.claim("used", mean(shares), data=DATA, shares=shares)
    rates = [hit_rate(results.run(s, OFF), "row") for s in results.deep]
    miss = mean(latency_of_miss(results, scene) for scene in results.deep)
    low, high = base_at_most(2, miss)
    page.claim("base", mean(rates), rates=rates, low=low, high=high, miss=miss)
    cache = results.base.cache
    held = cache.capacity_bytes // 4
    page.claim(
        "held", float(held), same=held == 8192 and cache.ways == 4, held=held, name=results.index["base_name"]
    )
    gained = mean(gain(*pair, "row") for pair in pairs[AHEAD, OFF])
    page.draw_claims("paper", low=low, high=high, rate=mean(rates), gain=gained, times=gained / MEAN)


def latency_of_miss(results: ZcacheResults, scene: str) -> float:
    """Mean cycles of a tile that misses, without prefetch; one that hits takes 2."""
    run = results.run(scene, OFF)
    return float((run["latency"] * run["tiles"] - 2 * run["hits"]) / run["misses"])


def distance(row: dict[str, Any]) -> float:
    """How far a point of the surface is from the paper's means, in points."""
    apart = row["gain_row"] - CENTRE[0], row["reduction"] - CENTRE[1]
    return float((apart[0] ** 2 + apart[1] ** 2) ** 0.5)


def fits(row: dict[str, Any]) -> bool:
    """True if both means lie within the paper's ranges of its scenes."""
    gained, less = row["gain_row"], row["reduction"]
    return LEAST <= gained <= MOST and CUT_LEAST <= less <= CUT_MOST


def _nearest(row: dict[str, Any], good: int, every: int) -> str:
    what = "wait" if row["waits"] == "yes" else "are dropped"
    return (
        f"{good} of {every} points lie within the paper’s ranges. The nearest gains "
        f"{100 * row['gain_row']:.2f} points and saves {pct(row['reduction'], 2)} of the latency: "
        f"{counted(row['fills'], 'read')} under way, {row['tiles']} tiles in flight, memory {row['latency']} "
        f"and shading {row['delay']} cycles, a tile "
        f"each {row['pace']}. Its requests {what} when all reads are under way, and "
        f"{pct(row['gain_row'] / (1 - row['off_row']))} of the misses become hits."
    )


def draw(page: Page, results: ZcacheResults) -> None:
    """The chapter."""
    _claims(page, results)
    every = surface_rows(results)
    ordered = sorted((row for row in every if row["ott"] == "yes"), key=distance)
    places = {tuple(row[name] for name in PLACE[1:]): row for row in ordered}
    shown = [
        {**row, "fits": "yes" if fits(row) else "no", "apart": distance(row)}
        for row in sorted(places.values(), key=distance)[:8]
    ]
    learn = _nearest(ordered[0], sum(map(fits, every)), len(every)) if ordered else ""
    page.draw("settings", shown, learn=learn, centre=CENTRE[1])
