# SPDX-License-Identifier: Apache-2.0
"""The charts of the report: lines, bars and histograms as inline SVG.

Each function returns markup (legend included) and needs an ``alt`` text that says in words what is drawn.
Marks carry ``data-tip``: the page's script shows it beside the pointer.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from report.svg import Format, Frame, Scale, ceiling, legend, svg, tag, text

DASHES = (None, "7 3", "2 3", "9 3 2 3", "4 2", "1 2", "12 4", "6 2 1 2")
WIDE, LOW = Frame(), Frame(height=260)
FRAMES = {"wide": WIDE, "low": LOW, "half": Frame(width=410, height=260, left=64)}
BESIDE = (1, 2, 3, 4, 5, 6, 7, 8)  # styles of series
STACKED = (1, 2, 3, 4, 6, 7, 8, 5)  # of stacked bars: on the dark page s5 is too like s1
MARKERS = ("circle", "square", "diamond", "triangle")


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


def _marker(kind: str, x: float, y: float, **attributes: object) -> str:
    if kind == "circle":
        return tag("circle", cx=x, cy=y, r=3.6, **attributes)
    if kind == "square":
        return tag("rect", x=x - 3.2, y=y - 3.2, width=6.4, height=6.4, **attributes)
    if kind == "diamond":
        return tag("path", d=f"M{x:.1f} {y - 4.6:.1f}l4.6 4.6l-4.6 4.6l-4.6-4.6z", **attributes)
    return tag("path", d=f"M{x:.1f} {y - 4.4:.1f}l4.4 8l-8.8 0z", **attributes)


def _styles(series: Sequence[Series], order: Sequence[int] = BESIDE) -> list[str]:
    return [one.style or f"s{order[index % len(order)]}" for index, one in enumerate(series)]


def _reference(frame: Frame, mark: Mark, x: Scale | None, y: Scale) -> str:
    if mark.y is not None:
        level = y(mark.y)
        line = tag("line", x1=frame.x0, x2=frame.x1, y1=level, y2=level, class_="mark")
        place, anchor = (frame.x0 + 4, "start") if mark.left else (frame.x1 - 4, "end")
        return line + text(
            place, level + (13 if mark.below else -5), mark.name, class_="note", text_anchor=anchor
        )
    assert x is not None and mark.x is not None, "a vertical mark needs a scale and a value"
    place = x(mark.x)
    line = tag("line", x1=place, x2=place, y1=frame.y0, y2=frame.y1, class_="mark")
    near_right = place > (frame.x0 + frame.x1) * 0.62
    return line + text(
        place + (-6 if near_right else 6),
        frame.y1 + 10,
        mark.name,
        class_="note",
        text_anchor="end" if near_right else "start",
    )


def line_chart(
    series: Sequence[Series],
    *,
    alt: str,
    x_label: str,
    y_label: str,
    x_format: Format,
    y_format: Format,
    y_tick: Format | None = None,
    log: int = 0,
    y_range: tuple[float, float] | None = None,
    marks: Sequence[Mark] = (),
    ticks: Sequence[float] | None = None,
    frame: Frame = WIDE,
) -> str:
    """Lines with markers over a linear or (``log`` = 2 or 10) logarithmic x axis.

    ``ticks``: the x values to label; without it they are chosen. Every mark tells its series, x and y.
    """
    xs = [value for one in series for value in one.x]
    ys = [value for one in series for value in one.y] + [mark.y for mark in marks if mark.y is not None]
    low, high = y_range or (0.0, ceiling(ys))
    x = Scale(min(xs), max(xs), frame.x0 + 10, frame.x1 - 10, log)
    y = Scale(low, high, frame.y0, frame.y1)
    labels = x.ticks(8) if ticks is None else ticks
    parts = [
        frame.y_axis(y, y_label, y_tick or y_format),
        frame.x_axis([(x(v), x_format(v)) for v in labels], x_label),
    ]
    parts += [_reference(frame, mark, x, y) for mark in marks]
    for index, (one, style) in enumerate(zip(series, _styles(series), strict=True)):
        points = [(x(a), y(b)) for a, b in zip(one.x, one.y, strict=True)]
        path = "M" + "L".join(f"{a:.1f} {b:.1f}" for a, b in points)
        drawn = tag("path", d=path, class_="line", stroke_dasharray=DASHES[2] if one.dashed else None)
        for (a, b), given, value in zip(points, one.x, one.y, strict=True):
            tip = f"{one.name}\n{x_format(given)}: {y_format(value)}"
            drawn += _marker(MARKERS[index % len(MARKERS)], a, b, class_="dot", data_tip=tip)
        parts.append(tag("g", drawn, class_=f"{style} series"))
    picture = svg(frame.width, frame.height, "".join(parts), alt)
    return picture + (legend([one.name for one in series], _styles(series)) if len(series) > 1 else "")


def bar_chart(
    categories: Sequence[str],
    series: Sequence[Series],
    *,
    alt: str,
    y_label: str,
    y_format: Format,
    y_tick: Format | None = None,
    stacked: bool = False,
    x_label: str = "",
    marks: Sequence[Mark] = (),
    values: bool = False,
    y_range: tuple[float, float] | None = None,
    frame: Frame = WIDE,
) -> str:
    """Vertical bars per category, beside each other or ``stacked``; ``values`` writes the number on top.

    A line break in a category makes a second row of the label. Bars start at zero.
    """
    if any("\n" in name for name in categories):
        frame = replace(frame, height=frame.height + 14, bottom=frame.bottom + 14)
    totals = [sum(one.y[i] for one in series) for i in range(len(categories))]
    tops = totals if stacked else [value for one in series for value in one.y]
    low, high = y_range or (0.0, ceiling([*tops, *(mark.y for mark in marks if mark.y is not None)]))
    y = Scale(low, high, frame.y0, frame.y1)
    pitch = (frame.x1 - frame.x0) / max(len(categories), 1)
    count = 1 if stacked else len(series)
    width = min(pitch * 0.78 / count, 46.0)
    places = [(frame.x0 + pitch * (i + 0.5), name) for i, name in enumerate(categories)]
    parts = [frame.y_axis(y, y_label, y_tick or y_format), frame.x_axis(places, x_label)]
    base, numbers = [0.0] * len(categories), []
    styles = _styles(series, STACKED if stacked else BESIDE)
    for index, (one, style) in enumerate(zip(series, styles, strict=True)):
        drawn = ""
        for i, value in enumerate(one.y):
            left = places[i][0] - width * count / 2 + (0 if stacked else index * width)
            bottom = base[i] if stacked else 0.0
            head, foot = y(bottom + value), y(bottom)
            tip = f"{categories[i].replace(chr(10), ' ')}\n{one.name}: {y_format(value)}"
            drawn += tag(
                "rect",
                x=left,
                y=head,
                width=width - (1 if count > 1 else 0),
                height=max(foot - head, 0.0),
                class_="bar",
                data_tip=tip,
            )
            if values and not stacked:
                numbers.append(
                    text(left + width / 2, head - 4, y_format(value), class_="value", text_anchor="middle")
                )
            base[i] += value if stacked else 0.0
        parts.append(tag("g", drawn, class_=f"{style} series"))
    if stacked and values:
        numbers = [
            text(places[i][0], y(total) - 5, y_format(total), class_="value", text_anchor="middle")
            for i, total in enumerate(totals)
        ]
    parts += [_reference(frame, mark, None, y) for mark in marks]
    picture = svg(frame.width, frame.height, "".join([*parts, *numbers]), alt)
    return picture + (legend([one.name for one in series], styles) if len(series) > 1 else "")


def histogram(
    series: Sequence[Series],
    *,
    alt: str,
    x_label: str,
    y_label: str,
    y_format: Format,
    y_tick: Format | None = None,
    marks: Sequence[Mark] = (),
    log_floor: float = 0.0,
    frame: Frame = LOW,
) -> str:
    """Step outlines with a filled area: ``y[i]`` is the share at the whole number ``x[i]``.

    ``log_floor`` above zero makes the y axis logarithmic from there up, so that rare cases stay visible.
    """
    xs = [value for one in series for value in one.x]
    ys = [value for one in series for value in one.y]
    x = Scale(min(xs) - 0.5, max(xs) + 0.5, frame.x0, frame.x1)
    y = (
        Scale(log_floor, 1.0, frame.y0, frame.y1, 10)
        if log_floor
        else Scale(0, ceiling(ys), frame.y0, frame.y1)
    )
    parts = [
        frame.y_axis(y, y_label, y_tick or y_format),
        frame.x_axis([(x(v), f"{v:g}") for v in x.ticks(10) if v >= min(xs)], x_label),
    ]
    for one, style in zip(series, _styles(series), strict=True):
        path = f"M{x(one.x[0] - 0.5):.1f} {frame.y0:.1f}"
        drawn = ""
        for place, value in zip(one.x, one.y, strict=True):
            level = y(value) if value > (log_floor or 0) else frame.y0
            path += f"L{x(place - 0.5):.1f} {level:.1f}L{x(place + 0.5):.1f} {level:.1f}"
            drawn += tag(
                "rect",
                x=x(place - 0.5),
                y=frame.y1,
                width=x(place + 0.5) - x(place - 0.5),
                height=frame.y0 - frame.y1,
                class_="target",
                data_tip=f"{one.name}\n{place:g}: {y_format(value)}",
            )
        path += f"L{x(one.x[-1] + 0.5):.1f} {frame.y0:.1f}Z"
        parts.append(tag("g", tag("path", d=path, class_="area") + drawn, class_=f"{style} series"))
    parts += [_reference(frame, mark, x, y) for mark in marks]
    picture = svg(frame.width, frame.height, "".join(parts), alt)
    return picture + (legend([one.name for one in series], _styles(series)) if len(series) > 1 else "")


def span_chart(
    spans: Sequence[tuple[int, int, int, str]], kinds: Sequence[str], *, alt: str, x_label: str
) -> str:
    """A row for each span, the first one on top: first and last cycle, index into ``kinds``, its tip."""
    pitch, thick = 7, 5.0
    frame = Frame(height=16 + pitch * len(spans) + 46, left=16)
    x = Scale(min(first for first, *_ in spans), max(last for _, last, *_ in spans) + 1, frame.x0, frame.x1)
    parts = [frame.x_axis([(x(value), f"{value:g}") for value in x.ticks(10)], x_label)]
    for value in x.ticks(10):
        parts.append(tag("line", x1=x(value), x2=x(value), y1=frame.y0, y2=frame.y1, class_="grid"))
    for row, (first, last, kind, tip) in enumerate(spans):
        bar = tag(
            "rect", x=x(first), y=frame.y1 + pitch * row, width=max(x(last + 1) - x(first), 1.0), height=thick,
            class_="bar", data_tip=tip,
        )  # fmt: skip
        parts.append(tag("g", bar, class_=f"s{kind + 1} series"))
    return svg(frame.width, frame.height, "".join(parts), alt) + legend(kinds)
