# SPDX-License-Identifier: Apache-2.0
"""Names that the section writes for filters, orders and layouts."""

from report.depth import when_tested
from report.svg import Frame
from report.texcache.summary import Book

FILTERS = {"bilinear": "bilinear", "trilinear": "trilinear"}
ORDERS = {"scan": "scan-line", "tile8": "8 × 8 tiles", "tile16": "16 × 16 tiles", "tile32": "32 × 32 tiles"}
LAYOUTS = {"row-major": "row-major", "tile4x4": "4 × 4 tiles", "morton": "Morton order"}
MODEL_ONLY = "model only, the footprints of the measured runs"


def layout_roles(book: Book) -> dict[str, str]:
    """Role by layout: the base has one of them, the others were measured beside it."""
    return {layout: "base" if layout == book.base.layout else layout for layout in LAYOUTS}


def scene_traffic(book: Book, filter: str = "bilinear", order: str = "scan") -> str:
    """What the scene runs consisted of."""
    first = book.scene(book.scenes[0], filter, order).meta
    return (
        f"{book.traffic}, {first['width']} × {first['height']} pixels, {FILTERS[filter]}, "
        f"{ORDERS[order]}, {when_tested(book.depth)}, from a cold cache"
    )


HALF = Frame(width=410, height=260, left=64)
