# SPDX-License-Identifier: Apache-2.0
"""The twenty textures, one by one."""

from html import escape

import numpy as np

from report.images import data_uri, shrink
from report.pages import Page
from report.tables import size
from report.texcache.paper import CLAIMED_RANGES
from report.texcache.summary import Book, Summary
from report.words import mean, pct
from workloads.textures import Texture, texture


def draw(page: Page, book: Book) -> None:
    """The chapter."""
    names = sorted(book.values("generator", "texture"), key=lambda name: (texture(name).side, name))
    ranges = [reach for reach in book.values("generator", "bytes") if reach in CLAIMED_RANGES]
    patterns = [name for name in book.values("walk", "pattern") if not name.startswith("tile")]
    rows, items = [], []

    def run(kind: str, **meta: object) -> Summary:
        return book(book.results.of_kind(kind, **meta)[0])

    for name in names:
        image = texture(name)
        walks = {pattern: run("walk", texture=name, pattern=pattern) for pattern in patterns}
        rows.append({
            "texture": name, "side": image.side,
            **{f"random_{reach // 1024}": run("generator", texture=name,
                bytes=reach).rates.lookup for reach in ranges},
            **{key: value for pattern, walk in walks.items() for key, value in (
                (pattern, walk.rates.lookup), (f"{pattern}_speed", walk.speed.pixels_per_clock))},
        })  # fmt: skip
        items.append(
            f'<li><img src="{data_uri(_thumbnail(image))}" alt="texture {escape(name)}" width="120" '
            f'height="120" loading="lazy"><b>{escape(name)}</b>'
            f"<span>{image.side}², {pct(walks['minified'].rates.lookup)}</span></li>"
        )
    columns = {f"random_{reach // 1024}": f"random in {size(reach)} | percent" for reach in ranges}
    for pattern in patterns:
        columns[pattern] = f"{pattern} | percent | hit rate per look-up"
        columns[f"{pattern}_speed"] = f"pixel/clock | f3 | {pattern}: pixels per clock | hidden"
    means = ", ".join(f"{pattern} {pct(mean(row[pattern] for row in rows))}" for pattern in patterns)
    page.draw("gallery", rows, body=f'<ul class="gallery">{"".join(items)}</ul>', means=means,
              columns=columns,
              count=book(book.results.of_kind("walk")[0]).counters["footprints"])  # fmt: skip


def _thumbnail(image: Texture) -> np.ndarray:
    """The texture over a grey ground where it is transparent."""
    level = next(level for level in image.levels if len(level) <= 256).astype(float)
    alpha = level[..., 3:] / 255
    return shrink(np.rint(level[..., :3] * alpha + 128 * (1 - alpha)).astype(np.uint8), 144)
