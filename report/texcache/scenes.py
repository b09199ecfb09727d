# SPDX-License-Identifier: Apache-2.0
"""The scenes: pictures made of the texels that the RTL delivered, and their headline numbers."""

from html import escape
from typing import Any

import numpy as np
from numpy.typing import NDArray

from report.depth import when_tested
from report.images import Picture, View, facts, paint, tabbed
from report.pages import Page
from report.tables import percent
from report.texcache.metrics import HITS, LOOKUPS, codes
from report.texcache.results import StoredRun
from report.texcache.summary import FILTERS, Book, Summary
from report.words import mean, pct

SLOW = 40  # cycles at which the latency picture is brightest


def per_pixel(run: StoredRun, values: NDArray[np.floating]) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
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
    pictures = [
        View("picture", "picture", run.picture, "Filtered from the texels that the RTL returned, trilinear."),
        View("levels", "mip level", paint(1 - level / (run.cfg.levels - 1), drawn),
             "Mip level: yellow is the largest level, 1024 × 1024, blue the smallest.", 70),
    ]  # fmt: skip
    for order, words in (("scan", "scan-line order"), ("tile32", "32 × 32 tiles"), ("tile8", "8 × 8 tiles")):
        if book.results.each("scene", scene=scene, filter="bilinear", order=order):
            pictures += _of_order(book, scene, order, words)
    return pictures


def _of_order(book: Book, scene: str, order: str, words: str) -> list[View]:
    run = book.results.run(book.scene(scene, "bilinear", order))
    missed, drawn = per_pixel(run, (LOOKUPS - HITS)[codes(run.result)].astype(float))
    pictures = [View(
        f"misses-{order}", f"misses, {words}", paint(np.clip(missed, 0, 1) ** 0.5, drawn),
        f"Bilinear, {words}: lines read from memory. Yellow: one or more per footprint; dark "
        "blue: none.",
        70,
    )]  # fmt: skip
    if order == "scan":
        slow, drawn = per_pixel(run, np.minimum(run.latency, SLOW).astype(float))
        pictures.append(View(
            "latency", "latency", paint(slow / SLOW, drawn),
            f"Bilinear, {words}: cycles from request to texels. Dark blue: 2; yellow: {SLOW} or more.", 70,
        ))  # fmt: skip
    return pictures


def hero(book: Book) -> list[tuple[Picture, str]]:
    """A picture of each scene for the page's head."""
    return [(book.results.run(book.scene(scene, "bilinear", "scan")).picture, scene) for scene in book.scenes]


def draw(page: Page, book: Book) -> None:
    """The chapter."""
    rows = [_row(run) for filter in FILTERS for run in book.drawn(filter=filter)]
    drawn = {filter: [row for row in rows if row["filter"] == filter] for filter in FILTERS}
    speed, moved = (
        {filter: mean(row[value] for row in own) for filter, own in drawn.items()}
        for value in ("pixels_per_clock", "bytes_per_pixel")
    )
    page.draw(
        "scene-table", rows, rate=mean(row["lookup"] for row in drawn["bilinear"]),
        saved=mean(1 - row["bytes_per_pixel"] / row["bytes_without_cache"] for row in drawn["bilinear"]),
        speed=speed, more=moved["trilinear"] / moved["bilinear"],
    )  # fmt: skip
    for scene in book.scenes:
        book.progress(f"texcache: pictures, {scene}")
        meta = book.scene(scene, "bilinear", "scan").meta
        page.draw(
            "scene", anchor=f"scene-{scene}", body=tabbed(scene, views(book, scene), _facts(book, scene)),
            scene=scene, run=book(book.scene(scene, "bilinear", "scan")),
            about=escape(meta["about"]), width=meta["width"], height=meta["height"],
            when=when_tested(book.depth),
        )  # fmt: skip


def _row(run: Summary) -> dict[str, Any]:
    meta, speed = run.workload.meta, run.speed
    return {
        "scene": meta["scene"], "filter": meta["filter"], "pixels": speed.pixels,
        "footprints": run.counters["footprints"], "texel": run.rates.texel, "lookup": run.rates.lookup,
        "footprint": run.rates.footprint, "bytes_per_pixel": run.bytes_per_pixel,
        "bytes_without_cache": run.bytes_without_cache, "cycles": speed.cycles,
        "pixels_per_clock": speed.pixels_per_clock,
    }  # fmt: skip


def _facts(book: Book, scene: str) -> str:
    items = []
    for filter in FILTERS:
        workload = book.scene(scene, filter, "scan")
        run, kinds = book(workload), book.kinds(workload)
        overdraw = run.speed.pixels / (workload.meta["width"] * workload.meta["height"])
        pairs = [
            ("look-up hit rate", percent(run.rates.lookup)),
            ("footprint hit rate", percent(run.rates.footprint)),
            ("above Belady’s optimum", f"+{pct(kinds.excess)}"),
            ("bytes per pixel", f"{run.bytes_per_pixel:.2f}"),
            ("pixels per clock", f"{run.speed.pixels_per_clock:.3f}"),
        ]
        if filter == "bilinear":
            pairs.insert(0, ("textured pixels per screen pixel", f"{overdraw:.2f}"))
        items.append(facts(filter, pairs))
    return f"<div>{''.join(items)}</div>"
