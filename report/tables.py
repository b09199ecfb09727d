# SPDX-License-Identifier: Apache-2.0
"""Tables: one object, three forms. Page, CSV file and JSON file are written from the same rows."""

import csv
import io
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

Value = str | int | float | None
Row = Mapping[str, Any]  # values by column
Rows = list[dict[str, Any]]
NBSP = "\u00a0"


def minus(text: str) -> str:
    """A number whose sign, if it has one, is a minus and no hyphen."""
    return text.replace("-", "\u2212")


def percent(value: float) -> str:
    """A share as a percentage with two decimals, with more where these would read 0.00 or 100.00 wrongly."""
    share = 100 * value
    for digits in (2, 3, 4):
        shown = f"{share:.{digits}f}"
        if float(shown) not in (0.0, 100.0) or share in (0.0, 100.0):
            break
    return minus(f"{shown}{NBSP}%")


def percent_tick(value: float) -> str:
    """A round percentage on an axis."""
    return minus(f"{100 * value:.6g}{NBSP}%")


def whole(value: float) -> str:
    """A count, in groups of three digits."""
    return f"{value:,.0f}"


def fixed(digits: int) -> Any:
    """A formatter with that many digits after the point."""
    return lambda value: minus(f"{value:,.{digits}f}")


def plain(value: float) -> str:
    """A round number on an axis."""
    return f"{value:,.0f}" if float(value).is_integer() else f"{value:g}"


def percent_short(value: float) -> str:
    """A share as a percentage with one decimal, where there is little room."""
    return minus(f"{100 * value:.1f}{NBSP}%")


def size(value: float) -> str:
    """Bytes as B, KB or MB (powers of 1024)."""
    for unit, scale in (("MB", 1 << 20), ("KB", 1 << 10)):
        if value >= scale:
            return f"{plain(value / scale)}{NBSP}{unit}"
    return f"{plain(value)}{NBSP}B"


FORMATS: dict[str, Callable[[Any], str]] = {
    "percent": percent,
    "percent_short": percent_short,
    "count": whole,
    "size": size,
    **{f"f{digits}": fixed(digits) for digits in range(6)},
    "points": lambda value: minus(f"{100 * value:+.2f}"),
    "times": lambda value: f"{value:.2f}{NBSP}×",
    "plain": plain,
    "text": str,
}


@dataclass(frozen=True)
class Column:
    """A column: ``key`` in the rows and the CSV header, ``form`` one of FORMATS or ``text``.

    ``bar``: draw a bar as long as the value's share of this maximum. ``doc``: shown on its heading.
    ``on_page``: False for what only the files need.
    """

    key: str
    title: str
    form: str = "text"
    doc: str = ""
    bar: float = 0.0
    on_page: bool = True


def column(key: str, spec: str = "", example: Value = "") -> Column:
    """A column from ``title | form | doc | bar 1.0`` (or ``hidden``); what is missing follows from an
    example.
    """
    title, form, doc, more = (*(part.strip() for part in spec.split("|")), *[""] * 4)[:4]
    form = form or ("text" if isinstance(example, str) else "count" if isinstance(example, int) else "f3")
    bar = float(more.removeprefix("bar ")) if more.startswith("bar") else 0.0
    return Column(key, title or key.replace("_", " "), form, doc, bar, more != "hidden")


@dataclass(frozen=True)
class Table:
    """Rows of plain values; ``name`` is the CSV file's name without suffix."""

    name: str
    title: str
    columns: Sequence[Column]
    rows: Sequence[Mapping[str, Value]]
    note: str = ""

    def __post_init__(self) -> None:
        keys = {column.key for column in self.columns}
        for row in self.rows:
            if set(row) != keys:
                raise ValueError(f"table {self.name}: row has {sorted(row)}, columns are {sorted(keys)}")
            bad = [key for key, value in row.items() if isinstance(value, float) and not math.isfinite(value)]
            if bad:
                raise ValueError(f"table {self.name}: not a number in {bad[0]} of {dict(row)}")

    def csv(self) -> str:
        """Header and rows; numbers unrounded, percentages as shares of 1, missing values empty."""
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow([column.key for column in self.columns])
        writer.writerows(
            [["" if row[c.key] is None else row[c.key] for c in self.columns] for row in self.rows]
        )
        return out.getvalue()

    def json(self) -> dict[str, Any]:
        """Title, columns and rows for report.json."""
        return {
            "title": self.title,
            "columns": [{"key": c.key, "title": c.title, "unit": c.form, "doc": c.doc} for c in self.columns],
            "rows": [dict(row) for row in self.rows],
        }

    def html(self) -> str:
        """A ``<table>`` with caption, column headings and the first column as row headings."""
        shown = [column for column in self.columns if column.on_page]
        head = "".join(
            f'<th scope="col"{_numeric(c)}'
            + (f' title="{escape(c.doc)}"' if c.doc else "")
            + f">{escape(c.title)}</th>"
            for c in shown
        )
        body = "".join(f"<tr>{self._cells(row)}</tr>" for row in self.rows)
        return (
            f'<div class="scroll" tabindex="0" role="region" aria-label="{escape(self.title)}">'
            f'<table style="--columns:{len(shown)}">'
            f"<caption>{escape(self.title)}</caption><thead><tr>{head}</tr></thead>"
            f"<tbody>{body}</tbody></table></div>"
        )

    def _cells(self, row: Mapping[str, Value]) -> str:
        cells = []
        for index, column in enumerate(column for column in self.columns if column.on_page):
            value, kind = row[column.key], _numeric(column)
            shown = escape(show(value, column.form))
            if column.bar and isinstance(value, int | float):
                shown = share_bar(value / column.bar) + f"<span>{shown}</span>"
            cells.append(f'<th scope="row"{kind}>{shown}</th>' if index == 0 else f"<td{kind}>{shown}</td>")
        return "".join(cells)


def _numeric(column: Column) -> str:
    return "" if column.form == "text" else ' class="n"'


def number(value: Value) -> float:
    """A value that must be a number, as one. Raises TypeError."""
    if isinstance(value, str) or value is None:
        raise TypeError(f"{value!r} is not a number")
    return float(value)


def share_bar(share: float, style: str = "s1") -> str:
    """Markup of a small bar beside a cell's number."""
    return f'<span class="meter {escape(style)}" style="--share:{min(max(share, 0.0), 1.0):.4f}"></span>'


def show(value: Value, form: str) -> str:
    """A value as the page shows it; a dash where there is none."""
    if value is None:
        return "–"
    return str(value) if form == "text" or isinstance(value, str) else str(FORMATS[form](value))
