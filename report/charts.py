# SPDX-License-Identifier: Apache-2.0
"""The charts of the report as inline SVG: lines, bars, histograms, heat maps, spans.

Each function returns markup (legend included) and needs an ``alt`` text that says in words what is drawn.
Marks carry ``data-tip``: the page's script shows it beside the pointer.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from report.svg import Format, Frame, Scale, ceiling, legend, svg, tag, text
from report.tables import plain

WIDE, LOW = Frame(), Frame(height=260)
FRAMES = {"wide": WIDE, "low": LOW, "half": Frame(width=410, height=260, left=64)}
BESIDE = (1, 2, 3, 4, 5, 6, 7, 8)  # styles of series
STACKED = (1, 2, 3, 4, 6, 7, 8, 5)  # of stacked bars: on the dark page s5 is too like s1
#: five anchors of the colour map cividis (readable with every kind of colour vision, and in grey)
CIVIDIS = ((0, 34, 78), (65, 77, 107), (124, 123, 120), (188, 175, 111), (254, 232, 56))


@dataclass(frozen=True)
class Series:
    """One line or one set of bars: ``y[i]`` stands at ``x[i]`` (lines) or at category ``i`` (bars)."""

    name: str
    y: Sequence[float]
    x: Sequence[float] = ()
    style: str = ""  # class of the colour; empty: by position
    dashed: bool = False


@dataclass(frozen=True)
class Mark:
    """A horizontal (``y``) or vertical (``x``) reference line with a word beside it.

    ``left``: that of a horizontal one stands at its left end; ``below``: under the line.
    """

    name: str
    y: float | None = None
    x: float | None = None
    left: bool = False
    below: bool = False


def _marker(kind: int, x: float, y: float, **attributes: object) -> str:
    """A circle, square, diamond or triangle."""
    if kind == 0:
        return tag("circle", cx=x, cy=y, r=3.6, **attributes)
    if kind == 1:
        return tag("rect", x=x - 3.2, y=y - 3.2, width=6.4, height=6.4, **attributes)
    if kind == 2:
        return tag("path", d=f"M{x:.1f} {y - 4.6:.1f}l4.6 4.6l-4.6 4.6l-4.6-4.6z", **attributes)
    return tag("path", d=f"M{x:.1f} {y - 4.4:.1f}l4.4 8l-8.8 0z", **attributes)


def _styles(series: Sequence[Series], order: Sequence[int] = BESIDE) -> list[str]:
    return [entry.style or f"s{order[index % len(order)]}" for index, entry in enumerate(series)]


def _group(content: str, style: str) -> str:
    return tag("g", content, class_=f"{style} series")


def _finished(
    frame: Frame, parts: Sequence[str], alt: str, series: Sequence[Series], styles: Sequence[str]
) -> str:
    picture = svg(frame.width, frame.height, "".join(parts), alt)
    return picture + (legend([entry.name for entry in series], styles) if len(series) > 1 else "")


def _reference(frame: Frame, mark: Mark, x: Scale | None, y: Scale) -> str:
    if mark.y is not None:
        level = y(mark.y)
        line = tag("line", x1=frame.x0, x2=frame.x1, y1=level, y2=level, class_="mark")
        place, anchor = (frame.x0 + 4, "start") if mark.left else (frame.x1 - 4, "end")
        return line + text(place, level + (13 if mark.below else -5), mark.name, "note", anchor)
    assert x is not None and mark.x is not None, "a vertical mark needs a scale and a value"
    place = x(mark.x)
    line = tag("line", x1=place, x2=place, y1=frame.y0, y2=frame.y1, class_="mark")
    near_right = place > (frame.x0 + frame.x1) * 0.62
    shift, anchor = (-6, "end") if near_right else (6, "start")
    return line + text(place + shift, frame.y1 + 10, mark.name, "note", anchor)


def line_chart(
    series: Sequence[Series], *, alt: str, x_label: str, y_label: str, x_format: Format, y_format: Format,
    y_tick: Format | None = None, log: int = 0, y_range: tuple[float, float] | None = None,
    marks: Sequence[Mark] = (), ticks: Sequence[float] | None = None, frame: Frame = WIDE,
) -> str:  # fmt: skip
    """Lines with markers over a linear or (``log`` = 2 or 10) logarithmic x axis.

    ``ticks``: the x values to label; without it they are chosen. Every mark tells its series, x and y.
    """
    xs = [value for curve in series for value in curve.x]
    ys = [value for curve in series for value in curve.y] + [mark.y for mark in marks if mark.y is not None]
    low, high = y_range or (0.0, ceiling(ys))
    x = Scale(min(xs), max(xs), frame.x0 + 10, frame.x1 - 10, log)
    y = Scale(low, high, frame.y0, frame.y1)
    labels = x.ticks(8) if ticks is None else ticks
    parts = [
        frame.y_axis(y, y_label, y_tick or y_format),
        frame.x_axis([(x(v), x_format(v)) for v in labels], x_label, log),
        *(_reference(frame, mark, x, y) for mark in marks),
    ]
    styles = _styles(series)
    for index, (curve, style) in enumerate(zip(series, styles, strict=True)):
        points = [(x(a), y(b)) for a, b in zip(curve.x, curve.y, strict=True)]
        path = "M" + "L".join(f"{a:.1f} {b:.1f}" for a, b in points)
        drawn = tag("path", d=path, class_="line", stroke_dasharray="2 3" if curve.dashed else None)
        for (a, b), given, value in zip(points, curve.x, curve.y, strict=True):
            tip = f"{curve.name}\n{x_format(given)}: {y_format(value)}"
            drawn += _marker(index % 4, a, b, class_="dot", data_tip=tip)
        parts.append(_group(drawn, style))
    return _finished(frame, parts, alt, series, styles)


def bar_chart(
    categories: Sequence[str], series: Sequence[Series], *, alt: str, y_label: str, y_format: Format,
    y_tick: Format | None = None, stacked: bool = False, x_label: str = "", marks: Sequence[Mark] = (),
    values: bool = False, y_range: tuple[float, float] | None = None, frame: Frame = WIDE,
) -> str:  # fmt: skip
    """Vertical bars per category, beside each other or ``stacked``; ``values`` writes the number on top.

    A line break in a category makes a second row of the label. Bars start at zero.
    """
    if any("\n" in name for name in categories):
        frame = replace(frame, height=frame.height + 14, bottom=frame.bottom + 14)
    totals = [sum(bars.y[i] for bars in series) for i in range(len(categories))]
    tops = totals if stacked else [value for bars in series for value in bars.y]
    low, high = y_range or (0.0, ceiling([*tops, *(mark.y for mark in marks if mark.y is not None)]))
    y = Scale(low, high, frame.y0, frame.y1)
    pitch = (frame.x1 - frame.x0) / max(len(categories), 1)
    count = 1 if stacked else len(series)
    width = min(pitch * 0.78 / count, 46.0)
    places = [(frame.x0 + pitch * (i + 0.5), name) for i, name in enumerate(categories)]
    parts = [frame.y_axis(y, y_label, y_tick or y_format), frame.x_axis(places, x_label)]
    base, numbers = [0.0] * len(categories), []
    styles = _styles(series, STACKED if stacked else BESIDE)
    for index, (bars, style) in enumerate(zip(series, styles, strict=True)):
        drawn = ""
        for i, value in enumerate(bars.y):
            left = places[i][0] - width * count / 2 + (0 if stacked else index * width)
            head, foot = y(base[i] + value), y(base[i])
            drawn += tag(
                "rect", x=left, y=head, width=width - (1 if count > 1 else 0), height=max(foot - head, 0.0),
                class_="bar", data_tip=f"{categories[i].replace(chr(10), ' ')}\n{bars.name}: "
                                       f"{y_format(value)}",
            )  # fmt: skip
            if stacked:
                base[i] += value
            elif values:
                numbers.append(text(left + width / 2, head - 4, y_format(value), "value", "middle"))
        parts.append(_group(drawn, style))
    if stacked and values:
        numbers = [
            text(place, y(total) - 5, y_format(total), "value", "middle")
            for (place, _), total in zip(places, totals, strict=True)
        ]
    parts += [_reference(frame, mark, None, y) for mark in marks]
    return _finished(frame, [*parts, *numbers], alt, series, styles)


def histogram(
    series: Sequence[Series], *, alt: str, x_label: str, y_label: str, y_format: Format,
    y_tick: Format | None = None, marks: Sequence[Mark] = (), log_floor: float = 0.0, frame: Frame = LOW,
) -> str:  # fmt: skip
    """Step outlines with a filled area: ``y[i]`` is the share at the whole number ``x[i]``.

    ``log_floor`` above zero makes the y axis logarithmic from there up, so that rare cases stay visible.
    """
    xs = [value for curve in series for value in curve.x]
    top = 1.0 if log_floor else ceiling([value for curve in series for value in curve.y])
    x = Scale(min(xs) - 0.5, max(xs) + 0.5, frame.x0, frame.x1)
    y = Scale(log_floor, top, frame.y0, frame.y1, 10 if log_floor else 0)
    parts = [
        frame.y_axis(y, y_label, y_tick or y_format),
        frame.x_axis([(x(v), plain(v)) for v in x.ticks(10) if v >= min(xs)], x_label),
    ]
    styles = _styles(series)
    for curve, style in zip(series, styles, strict=True):
        path, drawn = f"M{x(curve.x[0] - 0.5):.1f} {frame.y0:.1f}", ""
        for place, value in zip(curve.x, curve.y, strict=True):
            level = y(value) if value > (log_floor or 0) else frame.y0
            left, right = x(place - 0.5), x(place + 0.5)
            path += f"L{left:.1f} {level:.1f}L{right:.1f} {level:.1f}"
            drawn += tag(
                "rect", x=left, y=frame.y1, width=right - left, height=frame.y0 - frame.y1, class_="target",
                data_tip=f"{curve.name}\n{place:g}: {y_format(value)}",
            )  # fmt: skip
        path += f"L{x(curve.x[-1] + 0.5):.1f} {frame.y0:.1f}Z"
        parts.append(_group(tag("path", d=path, class_="area") + drawn, style))
    parts += [_reference(frame, mark, x, y) for mark in marks]
    return _finished(frame, parts, alt, series, styles)


def span_chart(
    spans: Sequence[tuple[int, int, int, str]], kinds: Sequence[str], *, alt: str, x_label: str
) -> str:
    """A row for each span, the first one on top: first and last cycle, index into ``kinds``, its tip."""
    pitch, thick = 7, 5.0
    frame = Frame(height=16 + pitch * len(spans) + 46, left=16)
    x = Scale(min(first for first, *_ in spans), max(last for _, last, *_ in spans) + 1, frame.x0, frame.x1)
    parts = [frame.x_axis([(x(value), plain(value)) for value in x.ticks(10)], x_label)]
    parts += [tag("line", x1=x(at), x2=x(at), y1=frame.y0, y2=frame.y1, class_="grid") for at in x.ticks(10)]
    for row, (first, last, kind, tip) in enumerate(spans):
        bar = tag(
            "rect", x=x(first), y=frame.y1 + pitch * row, width=max(x(last + 1) - x(first), 1.0),
            height=thick,
            class_="bar", data_tip=tip,
        )  # fmt: skip
        parts.append(_group(bar, f"s{kind + 1}"))
    return svg(frame.width, frame.height, "".join(parts), alt) + legend(kinds)


def colour(share: float) -> str:
    """A colour of cividis for 0 (dark blue) .. 1 (yellow), as ``#rrggbb``."""
    place = min(max(share, 0.0), 1.0) * (len(CIVIDIS) - 1)
    index = min(int(place), len(CIVIDIS) - 2)
    pairs = zip(CIVIDIS[index], CIVIDIS[index + 1], strict=True)
    return "#" + "".join(f"{round(a + (b - a) * (place - index)):02x}" for a, b in pairs)


def contrast(one: str, other: str) -> float:
    """Ratio of the luminances of two colours ``#rrggbb``, 1 to 21, as WCAG 2 defines it."""

    def luminance(shade: str) -> float:
        channels = [int(shade[at : at + 2], 16) / 255 for at in (1, 3, 5)]
        linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2] + 0.05

    dark, light = sorted((luminance(one), luminance(other)))
    return light / dark


def heat_map(
    rows: Sequence[str], columns: Sequence[str], values: Sequence[Sequence[float | None]], *, alt: str,
    form: Format, label: str = "", row_label: str = "", column_label: str = "", high: float | None = None,
    cell: tuple[float, float] = (34, 26), numbers: bool = False, left: float = 70,
) -> str:  # fmt: skip
    """A matrix of cells coloured by value from zero (None: empty), with a scale called ``label`` beside it.

    ``numbers`` writes each value into its cell; otherwise it is in the tip only.
    """
    filled = [value for row in values for value in row if value is not None]
    top = high if high is not None else max(filled, default=1.0) or 1.0
    (wide, tall), edge = cell, 24
    width, height = left + wide * len(columns) + 92, edge + tall * len(rows) + 40
    parts = []
    for r, (name, row) in enumerate(zip(rows, values, strict=True)):
        middle = edge + tall * (r + 0.5) + 4
        parts.append(text(left - 8, middle, name, "tick", "end"))
        for c, value in enumerate(row):
            if value is None:
                continue
            share = value / top if top > 0 else 0.0
            tip = f"{row_label} {name}, {column_label} {columns[c]}\n{form(value)}".strip(", ")
            box = {"x": left + wide * c, "y": edge + tall * r, "width": wide - 1, "height": tall - 1}
            parts.append(tag("rect", **box, fill=colour(share), data_tip=tip))
            if numbers:
                style = "cell dark" if contrast(colour(share), "#000000") > 4.5 else "cell"
                parts.append(text(left + wide * (c + 0.5), middle, form(value), style, "middle"))
    below = edge + tall * len(rows) + 15
    parts += [text(left + wide * (c + 0.5), below, name, "tick", "middle") for c, name in enumerate(columns)]
    parts.append(text(left + wide * len(columns) / 2, height - 4, column_label, "label", "middle"))
    parts.append(text(left - 8, 14, row_label, "label", "end"))
    parts.append(text(width - 4, 14, label, "label", "end"))
    parts.append(_colour_bar(left + wide * len(columns) + 16, edge, max(tall * len(rows) - 1, 60), top, form))
    return svg(width, max(height, 110), "".join(parts), alt)


def _colour_bar(x: float, y: float, height: float, high: float, form: Format) -> str:
    steps = 24
    boxes = [
        tag("rect", x=x, y=y + height * (1 - (i + 1) / steps), width=12.0, height=height / steps + 0.6,
            fill=colour((i + 0.5) / steps))
        for i in range(steps)
    ]  # fmt: skip
    ends = ((high, y + 9), (high / 2, y + height / 2 + 4), (0.0, y + height))
    return "".join([*boxes, *(text(x + 17, place, form(value), "tick") for value, place in ends)])
