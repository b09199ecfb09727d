# SPDX-License-Identifier: Apache-2.0
"""Drawings that are declared: columns of rows become lines, bars, steps or a heat map.

A chart has ``kind`` (``lines``, ``bars``, ``stack``, ``steps`` or ``heat``), ``x`` (a column, or several for
labels of several rows), ``y`` (a column, or several: a series each; or the name of a value that lists them)
and ``by`` (the column that names the series). Rows with the same ``x`` and series are averaged. Labels and
forms are those of the columns unless it has ``x_label``, ``y_label``, ``x_form`` or ``y_form``. The rest:
``where`` (values of columns), ``per`` (a column or number to divide by), ``each`` (a column: a chart for each
of its values), ``heading``, ``names`` (words for series), ``pick`` (series, in order), ``ticks`` (``all``,
``round``, numbers or the name of a value), ``range``, ``log``, ``values``, ``marks``, ``frame``, ``dashed``,
``styles``, ``missing`` (a bar of no row), ``sorted``. Axes with ``log`` say so. A sentence takes the place of
bars that all show one number.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from html import escape
from typing import Any

from report.charts import FRAMES, Mark, Series, bar_chart, heat_map, histogram, line_chart
from report.svg import Format
from report.tables import FORMATS, Column, Row, number, percent_tick, plain
from report.words import mean

Spec = Mapping[str, Any]
KEYS = {
    "kind", "x", "y", "by", "x_label", "y_label", "by_label", "x_form", "y_form", "y_tick", "where", "per",
    "each", "two", "heading", "headings", "names", "pick", "ticks", "range", "log", "log_floor", "values",
    "marks", "frame", "dashed", "styles", "missing", "sorted", "high", "cell", "left",
}  # fmt: skip


def draw(
    spec: Spec, rows: Sequence[Row], columns: Mapping[str, Column], values: Mapping[str, Any],
    words: Mapping[str, str],
) -> str:  # fmt: skip
    """Markup of a chart, with its heading; one for each value of the column ``each``; nothing of no rows.

    ``values``: those that a chart may name for ``marks`` and ``ticks``; ``words``: for values of columns.
    """
    if unknown := spec.keys() - KEYS:
        raise ValueError(f"a chart has no {', '.join(sorted(unknown))}")
    spec = {**spec, "names": {**words, **spec.get("names", {})}}
    for key in ("y", "pick", "dashed"):
        if isinstance(spec.get(key), str) and spec[key] not in columns:
            spec[key] = values[spec[key]]
    chosen = [
        row for row in rows if all(row[key] in _list(value) for key, value in spec.get("where", {}).items())
    ]
    if not chosen:
        return ""
    if "each" not in spec:
        heading = f"<h4>{escape(spec['heading'])}</h4>" if "heading" in spec else ""
        return heading + _draw(spec, chosen, columns, values)
    drawn = []
    for value in dict.fromkeys(row[spec["each"]] for row in chosen):
        part = [row for row in chosen if row[spec["each"]] == value]
        words = spec.get("headings", {}).get(value, value)
        drawn.append(f"<h4>{escape(str(words))}</h4>" + _draw(spec, part, columns, values))
    if spec.get("two"):
        return '<div class="two">' + "".join(f"<div>{markup}</div>" for markup in drawn) + "</div>"
    return "".join(drawn)


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _title(keys: Any, columns: Mapping[str, Column]) -> str:
    """Titles of columns; a column for charts alone has none unless it is declared."""
    titles = [columns[key].title for key in _list(keys)]
    return ", ".join(title for title in titles if not title.startswith(" "))


def _at(row: Row, keys: Any, names: Mapping[str, str]) -> str:
    return "\n".join(names.get(str(row[key]), str(row[key])) for key in _list(keys))


def _series(spec: Spec, rows: Sequence[Row], columns: Mapping[str, Column]) -> dict[str, dict[Any, float]]:
    """Means by series and x."""
    wide = _list(spec["y"])
    lines = spec["kind"] in ("lines", "steps")
    names = spec.get("names", {})
    lists: dict[str, dict[Any, list[float]]] = {}
    for row in rows:
        x = number(row[spec["x"]]) if lines else _at(row, spec["x"], names)
        for key in wide:
            raw = _at(row, spec["by"], {}).replace("\n", ", ") if "by" in spec else key
            default = columns[key].title if "by" not in spec else raw
            name = names.get(raw, default)
            if "pick" in spec and raw not in spec["pick"]:
                continue
            per = spec.get("per", 1)
            value = number(row[key]) / (number(row[per]) if isinstance(per, str) else per)
            lists.setdefault(name, {}).setdefault(x, []).append(value)
    if "pick" in spec:
        lists = {name: lists[name] for name in (names.get(raw, raw) for raw in spec["pick"]) if name in lists}
    means = {name: {x: mean(some) for x, some in points.items()} for name, points in lists.items()}
    if not lines:
        return means
    alike: dict[Any, list[str]] = {}  # lines that would hide each other are one
    step = max(abs(y) for points in means.values() for y in points.values()) / 300 or 1
    for name, points in means.items():
        alike.setdefault(tuple((x, round(y / step)) for x, y in points.items()), []).append(name)
    return {" ≈ ".join(names): means[names[0]] for names in alike.values()}


def _marks(spec: Spec, values: Mapping[str, Any]) -> list[Mark]:
    """Reference lines of the chart, or of the value that it names."""
    if isinstance(spec.get("marks"), str):
        return list(values[spec["marks"]])
    listed: list[dict[str, Any]] = spec.get("marks", [])
    return [Mark(**(mark | {key: float(mark[key]) for key in ("x", "y") if key in mark})) for mark in listed]


def _draw(spec: Spec, rows: Sequence[Row], columns: Mapping[str, Column], values: Mapping[str, Any]) -> str:
    y, kind = _list(spec["y"]), spec["kind"]
    form = spec.get("y_form", columns[y[0]].form)
    label = spec.get("y_label", columns[y[0]].title)
    tick = (
        FORMATS[spec["y_tick"]] if "y_tick" in spec else percent_tick if form.startswith("percent") else plain
    )
    x_label = spec.get("x_label", _title(spec["x"], columns))
    by = _title(spec["by"], columns) if "by" in spec else ""
    alt = " and ".join(filter(None, (f"{label} by {x_label}", by)))
    if kind == "heat":
        return _heat(spec, rows, columns, form, alt)
    means = _series(spec, rows, columns)
    styles, dashed = spec.get("styles", []), spec.get("dashed", [])
    series = [
        Series(
            name, list(points.values()), list(points) if kind in ("lines", "steps") else (),
            styles[index] if styles else "", name in dashed,
        )
        for index, (name, points) in enumerate(means.items())
    ]  # fmt: skip
    shared: dict[str, Any] = {
        "alt": alt, "y_label": label, "y_format": FORMATS[form], "y_tick": tick, "marks": _marks(spec,
            values),
        "x_label": x_label,
    }  # fmt: skip
    span = (float(spec["range"][0]), float(spec["range"][1])) if "range" in spec else None
    if "frame" in spec:
        shared["frame"] = FRAMES[spec["frame"]]
    if kind == "steps":
        return histogram(series, log_floor=spec.get("log_floor", 0.0), **shared)
    if kind == "lines":
        ticks = spec.get("ticks", "all")
        if isinstance(ticks, str):
            xs = sorted({x for curve in series for x in curve.x})
            ticks = xs if ticks == "all" else None if ticks == "round" else values[ticks]
        x_format = FORMATS[spec.get("x_form", "plain")]
        return line_chart(
            series, x_format=x_format, log=spec.get("log", 0), ticks=ticks, y_range=span, **shared
        )
    categories = list(dict.fromkeys(x for points in means.values() for x in points))
    if spec.get("sorted"):
        categories.sort(key=lambda name: int(name.split("\n")[0]))
    full = [replace(bars, y=[_bar(means[bars.name], x, spec) for x in categories]) for bars in series]
    said = ""
    if kind == "bars":
        said, alike = _alike(label, categories, full, FORMATS[form])
        if len(alike) == len(categories):
            return said
        categories = [name for index, name in enumerate(categories) if index not in alike]
        full = [replace(bars, y=[y for i, y in enumerate(bars.y) if i not in alike]) for bars in full]
    return said + bar_chart(
        categories, full, stacked=kind == "stack", values=spec.get("values", False), y_range=span, **shared
    )


def _alike(
    label: str, categories: Sequence[str], series: Sequence[Series], form: Format
) -> tuple[str, set[int]]:
    """A sentence on bars that show one number, and the categories it speaks for: all, if all bars do, else
    those in which three series or more do.
    """
    shown = [{form(bars.y[index]) for bars in series} for index in range(len(categories))]
    every = len(set.union(*shown)) == 1 and len(shown) * len(series) > 1
    alike = {index for index, own in enumerate(shown) if every or (len(series) > 2 and len(own) == 1)}
    if not alike:
        return "", alike
    groups = [[bars.name for bars in series], *([categories] if every else [])]
    words = [", ".join(names) for names in groups if len(names) > 1]
    listed = [categories[index] + " " + min(shown[index]) for index in sorted(alike)]
    numbers = min(shown[0]) if every else ", ".join(listed)
    sentence = f"{label} for {' and '.join(words)}: {numbers}.".replace("\n", " ")
    return f"<p class='alike'>{escape(sentence[0].upper() + sentence[1:])}</p>", alike


def _bar(points: Mapping[str, float], category: str, spec: Spec) -> float:
    return points.get(category, float(spec["missing"])) if "missing" in spec else points[category]


def _heat(spec: Spec, rows: Sequence[Row], columns: Mapping[str, Column], form: str, alt: str) -> str:
    """Rows by column ``by`` down and ``x`` across; cells of no row are empty."""
    names = {key: FORMATS[spec.get(f"{key}_form", "text")] for key in ("x", "by")}
    wide, tall = spec.get("cell", (34, 26))
    down = list(dict.fromkeys(row[spec["by"]] for row in rows))
    across = list(dict.fromkeys(row[spec["x"]] for row in rows))
    cells: dict[Any, list[float]] = {}
    for row in rows:
        if row[spec["y"]] is not None:
            cells.setdefault((row[spec["by"]], row[spec["x"]]), []).append(number(row[spec["y"]]))
    grid = [
        [mean(cells[by_value, x]) if (by_value, x) in cells else None for x in across] for by_value in down
    ]
    return heat_map(
        [names["by"](by_value) for by_value in down], [names["x"](x) for x in across], grid, alt=alt,
        label=spec.get("y_label", columns[spec["y"]].title),
        form=FORMATS[form],
        row_label=spec.get("by_label", columns[spec["by"]].title),
        column_label=spec.get("x_label", columns[spec["x"]].title),
        high=float(spec["high"]) if "high" in spec else None,
        cell=(float(wide), float(tall)), numbers=spec.get("values", False),
        left=spec.get("left", 70),
    )  # fmt: skip
