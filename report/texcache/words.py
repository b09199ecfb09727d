# SPDX-License-Identifier: Apache-2.0
"""Names that the section writes for filters, orders and layouts, and small helpers for its sentences."""

from collections.abc import Iterable, Sequence

import numpy as np

from report.svg import Frame
from report.tables import NBSP, percent
from report.texcache.summary import Book

FILTERS = {"bilinear": "bilinear", "trilinear": "trilinear"}
ORDERS = {"scan": "scan-line", "tile8": "8 × 8 tiles", "tile16": "16 × 16 tiles", "tile32": "32 × 32 tiles"}
LAYOUTS = {"row-major": "row-major", "tile4x4": "4 × 4 tiles", "morton": "Morton order"}
COMMAND = "make report"
MODEL_ONLY = "model only, the footprints of the measured runs"


def layout_roles(book: Book) -> dict[str, str]:
    """Role by layout: the base has one of them, the others were measured beside it."""
    return {layout: "base" if layout == book.base.layout else layout for layout in LAYOUTS}


def mean(values: Iterable[float]) -> float:
    """Arithmetic mean."""
    return float(np.mean(list(values)))


def spread(values: Sequence[float], digits: int = 1) -> str:
    """``low to high`` as percentages."""
    low, high = f"{100 * min(values):.{digits}f}", f"{100 * max(values):.{digits}f}"
    return f"{low}{NBSP}%" if low == high else f"{low} to {high}{NBSP}%"


def scene_traffic(book: Book, filter: str = "bilinear", order: str = "scan") -> str:
    """What the scene runs consisted of."""
    first = book.scene(book.scenes[0], filter, order).meta
    return (
        f"{len(book.scenes)} scenes, {first['width']} × {first['height']} pixels, {FILTERS[filter]}, "
        f"{ORDERS[order]}, from a cold cache"
    )


def pct(value: float, digits: int = 1) -> str:
    """A percentage inside a sentence."""
    return percent(value) if digits == 2 else f"{100 * value:.{digits}f}{NBSP}%"


HALF = Frame(width=410, height=260, left=64)
