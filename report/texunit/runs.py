# SPDX-License-Identifier: Apache-2.0
"""Caches, depth tested in both places, samples per clock, cycles by cause."""

from models.depth import EARLY, LATE, WHEN
from report.depth import BYTES, CYCLES, MISSES, Pair, draw_pairs, when_tested
from report.pages import Page
from report.results import Figures
from report.tables import Rows
from report.texunit.results import TexunitResults, parts
from report.words import counted, mean

ROLES = {
    "one": "bilinear", "nearest": "nearest", "rgb": "bilinear, 3 bytes a texel",
    "table": "bilinear, colour tables", "apart": "bilinear, a flush per triangle",
}  # fmt: skip


def draw(page: Page, results: TexunitResults) -> None:
    """All chapters."""
    _hits(page, results)
    _geometry(page, results)
    _depth(page, results)
    _rates(page, results)
    _latency(page, results)


def _hits(page: Page, results: TexunitResults) -> None:
    rows = [
        {
            "scene": scene, "kind": name, "primitives": run["primitives"], "queries": run["queries"],
            "queries_per_pixel": run["queries_per_pixel"], "repeats": run["repeat_rate"],
            "hit_rate": run["hit_rate"], "without": run["hit_rate_without_repeats"],
            "bytes_per_pixel": run["bytes_per_pixel"], "evictions": run["counters"]["evictions"],
            "pixels_per_clock": run["pixels_per_clock"], "_hits": run["hit_rate"] - run["repeat_rate"],
            "_misses": 1 - run["hit_rate"],
        }
        for role, name in ROLES.items() for scene in results.scenes for run in [results.run(scene, role)]
    ]  # fmt: skip
    kinds = {role: [row for row in rows if row["kind"] == name] for role, name in ROLES.items()}
    page.draw(
        "hits", rows, tabled=mean(row["repeats"] for row in kinds["table"]),
        lost=[1 - apart["pixels_per_clock"] / single["pixels_per_clock"]
              for single, apart in zip(kinds["one"], kinds["apart"], strict=True)],
    )  # fmt: skip


def _geometry(page: Page, results: TexunitResults) -> None:
    rows = [
        {**{name: row[name] for name in ("scene", "ways", "sets", "bytes", "queries", "misses")},
         "hit_rate": 1 - row["misses"] / row["queries"]}
        for row in results.sweep
    ]  # fmt: skip
    charted = [{**row, "_ways": f"{row['ways']:g} ways", "_missed": 1 - row["hit_rate"]}
               for row in sorted(rows, key=lambda row: (row["ways"], row["bytes"]))]  # fmt: skip
    cache = results.base.cache
    at = [row["hit_rate"] for row in rows if (row["ways"], row["sets"]) == (cache.ways, cache.sets)]
    measured = mean(results.run(scene, "one")["hit_rate"] for scene in results.scenes)
    small = min((row["bytes"], row["ways"], row["sets"]) for row in rows)
    there = mean(row["hit_rate"] for row in rows if (row["bytes"], row["ways"], row["sets"]) == small)
    page.draw("geometry", rows, charted=charted, measured=measured, model=mean(at) if at else measured,
              smallest=small[0], ways=small[1], there=there)  # fmt: skip


def _depth(page: Page, results: TexunitResults) -> None:
    """Depth tested before or after texturing: quads, misses and bytes of both."""
    differ = sum(_differing(results, scene) for scene in results.scenes)
    draw_pairs(
        page, [pair(results, scene) for scene in results.scenes],
        results.traffic().replace(when_tested(results.depth), "depth tested in both places"),
        f"Differing: {counted(differ, 'pixel')}. Hidden ones, valid in a late test, change a quad’s level."
        if differ
        else "The pictures are equal, bit by bit.",
    )  # fmt: skip


def pair(results: TexunitResults, scene: str) -> Pair:
    """A scene with both tests."""
    counts = {
        run["depth"]: {
            "quads": run["quads"], "pixels": run["pixels"], "queries": run["queries"],
            MISSES: run["counters"]["misses"], BYTES: run["lines"] * results.base.cache.line_bytes,
            CYCLES: run["cycles"],
        }
        for run in _runs(results, scene)
    }  # fmt: skip
    return Pair(scene, counts[EARLY], counts[LATE])


def _runs(results: TexunitResults, scene: str) -> tuple[Figures, Figures]:
    [other] = set(WHEN) - {results.depth}
    return results.run(scene, "one"), results.run(scene, other)


def _differing(results: TexunitResults, scene: str) -> int:
    """Pixels of the picture that are not the same with both tests."""
    first, second = (results.arrays(run)["rtl"] for run in _runs(results, scene))
    return int((first != second).any(axis=-1).sum())


def _roles(results: TexunitResults) -> dict[str, str]:
    return {"one": "one unit"} | ({"all": f"{results.units} units"} if results.units > 1 else {})


def _rates(page: Page, results: TexunitResults) -> None:
    rows: Rows = []
    for role, name in _roles(results).items():
        for scene in results.scenes:
            run = results.run(scene, role)
            rows.append({
                "scene": scene, "units": name, "pixels": run["pixels"], "cycles": run["cycles"],
                "rate": run["pixels_per_clock"],
                "speedup": run["pixels_per_clock"] / results.run(scene, "one")["pixels_per_clock"],
                "hit_rate": run["hit_rate"], "lines": run["lines"], "wait": run["memory_wait_share"],
            })  # fmt: skip
    gain = ""
    if results.units > 1:
        times = mean(row["speedup"] for row in rows if row["units"] != "one unit")
        gain = (
            f"{results.units} units are {times:.2f} times as fast as one: screen tiles are unequal work, and "
            "each cache reads its own lines."
        )
    page.draw(
        "rate", rows, gain=gain, traffic_each=results.traffic("units share the screen by tiles of 32 × 32")
    )
    spent: Rows = [{"scene": scene, **parts(results.run(scene, "one"))} for scene in results.scenes]
    page.draw("time", spent, memory=max(spent, key=lambda row: float(row["memory"])))


def _latency(page: Page, results: TexunitResults) -> None:
    rows = [
        {"scene": scene, "units": name, "latency": latency, "rate": run["pixels_per_clock"],
         "wait": run["memory_wait_share"]}
        for role, name in _roles(results).items() for latency in results.latencies(role)
        for scene in results.scenes
        for run in [results.at(scene, role, latency)]
    ]  # fmt: skip
    first = results.latencies("one")[0]
    kept = mean(
        results.at(scene, "one", first)["cycles"] / results.run(scene, "one")["cycles"]
        for scene in results.scenes
    )
    page.draw("latency", rows, first=first, own=results.run(results.scenes[0], "one")["latency"], kept=kept,
              traffic_all=results.traffic("one unit and all"))  # fmt: skip
