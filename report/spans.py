# SPDX-License-Identifier: Apache-2.0
"""A picture of what takes how long: one row each, cycles from left to right."""

from collections.abc import Sequence
from dataclasses import dataclass

from report.svg import Frame, Scale, legend, svg, tag

PITCH, THICK = 7, 5  # of the rows, and of what is drawn in them


@dataclass(frozen=True)
class Span:
    """From one cycle to another, both included; ``kind``: index into the names of the legend."""

    first: int
    last: int
    kind: int
    tip: str


def span_chart(spans: Sequence[Span], kinds: Sequence[str], *, alt: str, x_label: str) -> str:
    """A bar for each, the first one on top."""
    frame = Frame(height=16 + PITCH * len(spans) + 46, left=16)
    end = max(one.last for one in spans) + 1
    x = Scale(min(one.first for one in spans), end, frame.x0, frame.x1)
    parts = [frame.x_axis([(x(value), f"{value:g}") for value in x.ticks(10)], x_label)]
    for value in x.ticks(10):
        parts.append(tag("line", x1=x(value), x2=x(value), y1=frame.y0, y2=frame.y1, class_="grid"))
    for row, one in enumerate(spans):
        bar = tag(
            "rect", x=x(one.first), y=frame.y1 + PITCH * row, width=max(x(one.last + 1) - x(one.first), 1.0),
            height=float(THICK), class_="bar", data_tip=one.tip,
        )  # fmt: skip
        parts.append(tag("g", bar, class_=f"s{one.kind + 1} series"))
    return svg(frame.width, frame.height, "".join(parts), alt) + legend(kinds)
