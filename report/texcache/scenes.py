# SPDX-License-Identifier: Apache-2.0
"""The scenes: pictures made of the texels that the RTL delivered, and their headline numbers."""

from html import escape

import numpy as np
from numpy.typing import NDArray

from report.depth import when_tested
from report.images import Picture, paint
from report.page import Figure, Section
from report.tables import Column, Table, percent
from report.texcache.metrics import HITS, LOOKUPS, codes
from report.texcache.results import Run
from report.texcache.summary import Book
from report.texcache.words import scene_traffic
from report.views import View, facts, tabbed
from report.words import mean, pct

SLOW = 40  # cycles at which the latency picture is brightest


def per_pixel(run: Run, values: NDArray[np.floating]) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Mean of a value [n] of the footprints drawn at each pixel of the screen, and where there are any."""
    columns, meta = run.workload.columns, run.workload.meta
    shape = meta["height"], meta["width"]
    place = columns["y"].astype(np.int64) * shape[1] + columns["x"]
    count = np.bincount(place, minlength=shape[0] * shape[1])
    total = np.bincount(place, values, minlength=shape[0] * shape[1])
    return (total / np.maximum(count, 1)).reshape(shape), (count > 0).reshape(shape)


def views(book: Book, scene: str) -> list[View]:
    """The picture, and pictures of misses, latency and level."""
    run = book.results.run(book.scene(scene, "trilinear", "scan"))
    level, drawn = per_pixel(run, run.footprints["level"].astype(float))
    found = [
        View("picture", "picture", run.picture, "Filtered from the texels that the RTL returned, trilinear."),
        View("levels", "mip level", paint(1 - level / (run.cfg.levels - 1), drawn),
             "Mip level: yellow is the largest level, 1024 × 1024, blue the smallest.", 70),
    ]  # fmt: skip
    for order, words in (("scan", "scan-line order"), ("tile32", "32 × 32 tiles"), ("tile8", "8 × 8 tiles")):
        if book.results.each("scene", scene=scene, filter="bilinear", order=order):
            found += _of_order(book, scene, order, words)
    return found


def _of_order(book: Book, scene: str, order: str, words: str) -> list[View]:
    run = book.results.run(book.scene(scene, "bilinear", order))
    missed, drawn = per_pixel(run, (LOOKUPS - HITS)[codes(run.result)].astype(float))
    found = [View(
        f"misses-{order}", f"misses, {words}", paint(np.clip(missed, 0, 1) ** 0.5, drawn),
        f"Bilinear, {words}: where lines were read from memory. Yellow: a line or more per footprint; dark "
        "blue: none.",
        70,
    )]  # fmt: skip
    if order == "scan":
        slow, drawn = per_pixel(run, np.minimum(run.latency, SLOW).astype(float))
        found.append(View(
            "latency", "latency", paint(slow / SLOW, drawn),
            f"Bilinear, {words}: cycles from request to texels. Dark blue: 2; yellow: {SLOW} or more.", 70,
        ))  # fmt: skip
    return found


def hero(book: Book) -> list[tuple[Picture, str]]:
    """A picture of each scene for the page's head."""
    return [(book.results.run(book.scene(scene, "bilinear", "scan")).picture, scene) for scene in book.scenes]


def section(book: Book) -> Section:
    """The chapter."""
    figures = [_table(book)]
    for scene in book.scenes:
        book.progress(f"texcache: pictures, {scene}")
        figures.append(_figure(book, scene))
    intro = (
        "<p>Each scene is rendered by our own rasterizer into bilinear footprints, with correct "
        "perspective, one level of detail per quad, overdraw and alpha. Each footprint went through the "
        "Verilated RTL; the pictures are filtered from the texels that came back, so a wrong texel would be "
        "seen.</p>"
    )
    return Section("scenes", "The scenes", intro, figures)


COLUMNS = (
    Column("scene", "scene", value=lambda run: run.workload.meta["scene"]),
    Column("filter", "filter", value=lambda run: run.workload.meta["filter"]),
    Column("pixels", "pixels", "count", "textured pixels, overdraw included",
           value=lambda run: run.speed.pixels),
    Column("footprints", "footprints", "count", value=lambda run: run.counters["footprints"]),
    Column("texel", "hits per texel", "percent", "texels whose line was present",
           value=lambda run: run.rates.texel),
    Column("lookup", "per look-up", "percent",
           "tag look-ups that hit: a row of a footprint, or its part in a line",
           value=lambda run: run.rates.lookup),
    Column("footprint", "per footprint", "percent", "footprints all of whose look-ups hit",
           value=lambda run: run.rates.footprint),
    Column("bytes_per_pixel", "bytes/pixel", "f2", "read from memory",
           value=lambda run: run.bytes_per_pixel),
    Column("bytes_without_cache", "without cache", "f1", "bytes per pixel if each texel were read by itself",
           value=lambda run: run.bytes_without_cache),
    Column("cycles", "cycles", "count", value=lambda run: run.speed.cycles),
    Column("pixels_per_clock", "pixel/clock", "f3", value=lambda run: run.speed.pixels_per_clock),
)  # fmt: skip


def _table(book: Book) -> Figure:
    runs = [
        book(book.scene(scene, filter, "scan"))
        for filter in ("bilinear", "trilinear")
        for scene in book.scenes
    ]
    rate = mean(run.rates.lookup for run in runs if run.workload.meta["filter"] == "bilinear")
    saved = mean(1 - run.bytes_per_pixel / run.bytes_without_cache for run in runs)
    return Figure(
        "scene-table",
        "All scenes",
        "",
        shows="The same hits in three units: a footprint hits only if all its look-ups do.",
        learn=f"Mean hit rate per look-up, bilinear: {percent(rate)}. The cache keeps {pct(saved)} of the "
        "texel traffic from memory.",
        traffic=scene_traffic(book) + ", and trilinear",
        table=Table.of("texcache_scenes", "Hit rates, traffic and speed of the scenes", COLUMNS, runs),
        open_table=True,
    )


def _figure(book: Book, scene: str) -> Figure:
    body = tabbed(scene, views(book, scene), _facts(book, scene))
    meta = book.scene(scene, "bilinear", "scan").meta
    return Figure(
        f"scene-{scene}",
        scene,
        body,
        shows=escape(meta["about"]),
        traffic=f"{meta['width']} × {meta['height']} pixels, {when_tested(book.depth)}, from a cold cache",
    )


def _facts(book: Book, scene: str) -> str:
    items = []
    for filter in ("bilinear", "trilinear"):
        workload = book.scene(scene, filter, "scan")
        one, kinds = book(workload), book.kinds(workload)
        overdraw = one.speed.pixels / (workload.meta["width"] * workload.meta["height"])
        pairs = [
            ("look-up hit rate", percent(one.rates.lookup)),
            ("footprint hit rate", percent(one.rates.footprint)),
            ("above Belady’s optimum", f"+{pct(kinds.excess)}"),
            ("bytes per pixel", f"{one.bytes_per_pixel:.2f}"),
            ("pixels per clock", f"{one.speed.pixels_per_clock:.3f}"),
        ]
        if filter == "bilinear":
            pairs.insert(0, ("textured pixels per screen pixel", f"{overdraw:.2f}"))
        items.append(facts(filter, pairs))
    return f"<div>{''.join(items)}</div>"
