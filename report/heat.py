# SPDX-License-Identifier: Apache-2.0
"""Heat maps as inline SVG, and the colour map of all pictures of values."""

from collections.abc import Sequence

from report.svg import Format, svg, tag, text

#: five anchors of the colour map cividis (readable with every kind of colour vision, and in grey)
CIVIDIS = ((0, 34, 78), (65, 77, 107), (124, 123, 120), (188, 175, 111), (254, 232, 56))


def colour(share: float) -> str:
    """A colour of cividis for 0 (dark blue) .. 1 (yellow), as ``#rrggbb``."""
    place = min(max(share, 0.0), 1.0) * (len(CIVIDIS) - 1)
    index = min(int(place), len(CIVIDIS) - 2)
    mixed = (
        round(a + (b - a) * (place - index)) for a, b in zip(CIVIDIS[index], CIVIDIS[index + 1], strict=True)
    )
    return "#" + "".join(f"{part:02x}" for part in mixed)


def heat_map(
    rows: Sequence[str],
    columns: Sequence[str],
    values: Sequence[Sequence[float | None]],
    *,
    alt: str,
    form: Format,
    row_label: str = "",
    column_label: str = "",
    high: float | None = None,
    low: float = 0.0,
    cell: tuple[float, float] = (34, 26),
    numbers: bool = False,
    left: float = 70,
) -> str:
    """A matrix of cells coloured by value (None: empty), with a scale beside it.

    ``numbers`` writes each value into its cell; otherwise it is in the tip only.
    """
    known = [value for row in values for value in row if value is not None]
    top = high if high is not None else max(known, default=1.0) or 1.0
    wide, tall = cell
    width, height = left + wide * len(columns) + 92, 24 + tall * len(rows) + 40
    parts = []
    for r, (name, row) in enumerate(zip(rows, values, strict=True)):
        parts.append(text(left - 8, 24 + tall * (r + 0.5) + 4, name, class_="tick", text_anchor="end"))
        for c, value in enumerate(row):
            if value is None:
                continue
            share = (value - low) / (top - low) if top > low else 0.0
            tip = f"{row_label} {name}, {column_label} {columns[c]}\n{form(value)}".strip(", ")
            box = {"x": left + wide * c, "y": 24 + tall * r, "width": wide - 1, "height": tall - 1}
            parts.append(tag("rect", **box, fill=colour(share), data_tip=tip))
            if numbers:
                parts.append(
                    text(
                        left + wide * (c + 0.5),
                        24 + tall * (r + 0.5) + 4,
                        form(value),
                        text_anchor="middle",
                        class_="cell dark" if share > 0.55 else "cell",
                    )
                )
    for c, name in enumerate(columns):
        parts.append(
            text(
                left + wide * (c + 0.5), 24 + tall * len(rows) + 15, name, class_="tick", text_anchor="middle"
            )
        )
    parts.append(
        text(left + wide * len(columns) / 2, height - 4, column_label, class_="label", text_anchor="middle")
    )
    parts.append(text(left - 8, 14, row_label, class_="label", text_anchor="end"))
    parts.append(
        _colour_bar(left + wide * len(columns) + 16, 24, max(tall * len(rows) - 1, 60), low, top, form)
    )
    return svg(width, max(height, 110), "".join(parts), alt)


def _colour_bar(x: float, y: float, height: float, low: float, high: float, form: Format) -> str:
    steps = 24
    boxes = [
        tag(
            "rect",
            x=x,
            y=y + height * (1 - (i + 1) / steps),
            width=12.0,
            height=height / steps + 0.6,
            fill=colour((i + 0.5) / steps),
        )
        for i in range(steps)
    ]
    ends = ((high, y + 9), ((low + high) / 2, y + height / 2 + 4), (low, y + height))
    return "".join(boxes) + "".join(text(x + 17, place, form(value), class_="tick") for value, place in ends)
