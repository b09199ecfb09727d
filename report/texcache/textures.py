# SPDX-License-Identifier: Apache-2.0
"""The twenty textures, one by one."""

from html import escape

import numpy as np

from report.images import data_uri, shrink
from report.page import Figure, Section
from report.tables import Column, Table, Value, number, size, whole
from report.texcache.summary import Book
from report.words import pct
from workloads.textures import Texture, texture

SHOWN_RANGES = (4096, 8192, 16384)


def section(book: Book) -> Section:
    """The chapter."""
    names = sorted(book.values("generator", "texture"), key=lambda name: (texture(name).side, name))
    intro = (
        f"<p>{len(names)} textures stand in for the paper’s twenty images. What is in a picture does not "
        "matter to the cache; its side does, for it decides how far apart two rows lie in memory, and so do "
        "the walks: a quad turned by a random angle, seen near (a texel covers 4 × 4 pixels), at 1.3 texels "
        "per pixel, at a flat angle, and with trilinear filtering.</p>"
    )
    return Section("textures", "The twenty textures", intro, [_gallery(book, names)])


def _gallery(book: Book, names: list[str]) -> Figure:
    ranges = [reach for reach in book.values("generator", "bytes") if reach in SHOWN_RANGES]
    patterns = [name for name in book.values("walk", "pattern") if not name.startswith("tile")]
    rows, items = [], []
    for name in names:
        one = texture(name)
        row: dict[str, Value] = {"texture": name, "side": one.side}
        for reach in ranges:
            row[f"random_{reach // 1024}"] = _rate(book, "generator", texture=name, bytes=reach)
        for pattern in patterns:
            row[pattern] = _rate(book, "walk", texture=name, pattern=pattern)
            row[f"{pattern}_speed"] = book(
                book.results.of_kind("walk", texture=name, pattern=pattern)[0]
            ).speed.pixels_per_clock
        rows.append(row)
        walked = row["minified"]
        assert isinstance(walked, float), "every texture was walked"
        items.append(
            f'<li><img src="{data_uri(_thumbnail(one))}" alt="texture {escape(name)}" width="120" '
            f'height="120" loading="lazy"><b>{escape(name)}</b><span>{one.side}², {pct(walked)}</span></li>'
        )
    columns = (
        Column("texture", "texture"), Column("side", "side", "plain"),
        *(Column(f"random_{reach // 1024}", f"random in {size(reach)}", "percent") for reach in ranges),
        *(column for pattern in patterns for column in (
            Column(pattern, pattern, "percent", "hit rate per look-up"),
            Column(f"{pattern}_speed", "pixel/clock", "f3", f"{pattern}: pixels per clock", on_page=False),
        )),
    )  # fmt: skip
    walks = {pattern: [number(row[pattern]) for row in rows] for pattern in patterns}
    told = ", ".join(f"{pattern} {pct(float(np.mean(rates)))}" for pattern, rates in walks.items())
    first = book(book.results.of_kind("walk")[0]).counters["footprints"]
    return Figure(
        "gallery",
        "Hit rates of each texture",
        f'<ul class="gallery">{"".join(items)}</ul>',
        shows="Under each picture its side and its hit rate per look-up when walked at 1.3 texels per "
        "pixel; the table has all traffic.",
        learn=f"Means over the textures: {told}. Seen near, a line serves many pixels; at 1.3 texels per "
        "pixel it is used up after a few.",
        traffic=f"{whole(first)} footprints per texture and pattern, from a cold cache",
        table=Table("texcache_textures", "Hit rates of each texture, per look-up", columns, rows),
        open_table=True,
    )


def _rate(book: Book, kind: str, **meta: object) -> float:
    return book(book.results.of_kind(kind, **meta)[0]).rates.lookup


def _thumbnail(one: Texture) -> np.ndarray:
    """The texture over a grey ground where it is transparent."""
    level = next(level for level in one.levels if len(level) <= 256).astype(float)
    alpha = level[..., 3:] / 255
    return shrink(np.rint(level[..., :3] * alpha + 128 * (1 - alpha)).astype(np.uint8), 144)
