# SPDX-License-Identifier: Apache-2.0
"""A block's page from data: ``report/<block>/page.toml`` declares its figures, Python yields rows and values.

The file holds ``title`` and ``lead``, ``summary`` (three sentences below them: measured, result, reason;
values from :meth:`Page.let`), ``[keys]`` (key figures), ``[stated]`` (claims of the source),
``[columns]``, ``[say]`` (phrases), ``[names]`` (words for values of columns in charts), ``shared`` (figures
that come first and have nothing but ``like``, by name), and in the order of the page a table for each section
(``section``, ``intro``, ``fold``) and for each figure:

=========================  =========================================================================
``title`` ``shows``        sentences; ``{name:form}`` is a value, ``form`` one of FORMS or a Python format
``learn`` ``traffic``      ``traffic`` of the page, if a figure has none of its own
``command``
``table`` ``note``         ``name: title`` of the table of the rows; ``open``: on the page, not folded
``columns``                columns that differ here; see :func:`report.tables.column`
``fold``                   true: only heading and ``learn`` are open; of a section, only its heading
``chart`` ``charts``       drawings of the rows, see :mod:`report.drawing`; ``two``: side by side
``like``                   a table of ``report/shared.toml`` that has what is not here
=========================  =========================================================================
"""

import string
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from report.drawing import draw
from report.images import Picture
from report.page import BlockReport, Figure, KeyFigure, Section
from report.results import provenance
from report.tables import FORMATS, Column, Row, Table, column
from report.words import FORMS

HERE = Path(__file__).parent
Spec = dict[str, Any]
SECTION = {"section", "intro", "fold", "like"}
TABLES = {"keys", "columns", "say", "names", "stated"}
FIGURE = {
    "title", "shows", "learn", "traffic", "command", "table", "note", "open", "columns", "chart", "charts",
    "two", "fold", "like", "machines",
}  # fmt: skip


class _Sentence(string.Formatter):
    def format_field(self, value: Any, spec: str) -> str:
        form: Callable[[Any], str] | None = FORMS.get(spec) or FORMATS.get(spec)
        if form:
            return form(value)
        groups = isinstance(value, int | float) and not isinstance(value, bool) and spec in ("", ".0f")
        return str(format(value, f",{spec}" if groups else spec))


SENTENCE = _Sentence()


def load(path: Path) -> Spec:
    """The contents of a TOML file."""
    return tomllib.loads(path.read_text())


class Page:
    """Collects the figures of a block's page. ``values`` are known to all of its sentences."""

    def __init__(self, block: str, /, **values: Any) -> None:
        self.block, self.values = block, {"block": block, **values}
        own, shared = load(HERE / block / "page.toml"), load(HERE / "shared.toml")
        self.spec: Spec = {name: {"like": like} for name, like in own.pop("shared", {}).items()} | own
        self._shared, self._names = shared, self.spec.get("names", {})
        self._columns: dict[str, str] = {**shared["columns"], **self.spec.get("columns", {})}
        for name, spec in self.spec.items():
            if isinstance(spec, dict) and name not in TABLES and (unknown := spec.keys() - SECTION - FIGURE):
                raise ValueError(f"{block}, {name}: nothing is called {', '.join(sorted(unknown))}")
        self._figures: dict[str, list[Figure]] = {}
        self._intros: dict[str, str] = {}
        self._keys: list[KeyFigure] = []
        self.stated: list[dict[str, Any]] = []
        self._same: list[bool] = []

    def of(self, name: str) -> Spec:
        """Keys of a section or figure of the file, those of its ``like`` included."""
        own: Spec = self.spec[name]
        if "columns" in own and "columns" in self._shared.get(own.get("like", ""), {}):
            own = {**own, "columns": {**self._shared[own["like"]]["columns"], **own["columns"]}}
        return {**self._shared[own["like"]], **own} if "like" in own else own

    def text(self, words: Any, values: Mapping[str, Any]) -> Any:
        """``words`` with the values in their places; of a list or table of words, each."""
        if isinstance(words, str):
            return SENTENCE.vformat(words, (), {**self.values, **values}) if "{" in words else words
        if isinstance(words, list):
            return [self.text(part, values) for part in words]
        if isinstance(words, dict):
            return {key: self.text(value, values) for key, value in words.items()}
        return words

    def say(self, phrase: str, /, **values: Any) -> str:
        """A phrase of ``[say]``."""
        return str(self.text(self.spec["say"][phrase], values))

    def let(self, **values: Any) -> None:
        """Make values known to all sentences of the page from here on, and to ``summary``."""
        self.values |= values

    def key(self, name: str, value: float, /, **values: Any) -> None:
        """Add a number of the strip at the top: ``name = [title, shown, note]``; ``{value}`` is its own."""
        title, shown, note = self.text(self.spec["keys"][name], {"value": value, **values})
        self._keys.append(KeyFigure(name, title, value, shown, note))

    def claim(self, name: str, value: float | None, /, *, same: bool = False, **values: Any) -> None:
        """A statement of the source beside what was measured: ``value`` for files, None if it was not.

        ``[stated]`` has ``name = [what, source, ours, traffic, remark]``; ``same``: to the last digit.
        """
        words = {**self._shared["stated"], **self.spec.get("stated", {})}[name]
        what, source, ours, traffic, remark = self.text(words, {"value": value, **values})
        self.stated.append({"what": what, "source": source, "ours": ours, "value": value, "traffic": traffic,
                            "remark": remark})  # fmt: skip
        self._same.append(same)

    def draw_claims(self, source: str, lacks: Sequence[str] = (), **values: Any) -> None:
        """All claims in figure ``<source>-table``; ``source`` is what the source is called, and its column.
        ``lacks``: words that mean that the source has no number.
        """
        rows = [{source if key == "source" else key: row[key] for key in row} for row in self.stated]
        silent = sum(any(word in row["source"] for word in lacks) for row in self.stated)
        counts = {"exact": sum(self._same), "silent": silent, "differ": len(rows) - sum(self._same) - silent}
        self.draw(f"{source}-table", rows, claims=len(rows), **{**counts, **values})

    def column(self, key: str, spec: Spec, example: Any = "") -> Column:
        """The column of a key in a figure: its own, else the block's, else the shared one."""
        return column(key, spec.get("columns", {}).get(key, self._columns.get(key, "")), example)

    def intro(self, section: str, /, **values: Any) -> None:
        """Values that only the introduction of a section needs."""
        self._intros[section] = self.text(self.of(section)["intro"], values)

    def draw(
        self, name: str, rows: Sequence[Row] = (), /, *, anchor: str = "", body: str = "",
        charted: Sequence[Row] | None = None, columns: Mapping[str, str] | None = None, **values: Any,
    ) -> None:  # fmt: skip
        """Add a figure of the file; ``body``: markup before its charts; ``charted``: rows of the charts, if
        not those of the table; ``columns``: beside those of the file. Keys of rows that begin with ``_`` are
        for the charts alone.
        """
        spec: Spec = self.text({"traffic": self.spec.get("traffic", ""), **self.of(name)}, values)
        charted = rows if charted is None else charted
        examples = {key: value for listed in (charted, rows) if listed for key, value in listed[0].items()}
        spec["columns"] = {**spec.get("columns", {}), **(columns or {})}
        by_key = {key: self.column(key, spec, value) for key, value in examples.items()}
        charts = [*spec.get("charts", ()), *([spec["chart"]] if "chart" in spec else ())] if charted else []
        markup = [draw(chart, charted, by_key, {**self.values, **values}, self._names) for chart in charts]
        if spec.get("two"):
            markup = ['<div class="two">', *(f"<div>{drawing}</div>" for drawing in markup), "</div>"]
        table = None
        if spec.get("table"):
            file, title = spec["table"].split(": ", 1)
            shown = [by_key[key] for key in (rows[0] if rows else ()) if not key.startswith("_")]
            listed = [{column.key: row[column.key] for column in shown} for row in rows]
            table = Table(file, title, shown, listed, spec.get("note", ""))
        words = {key: spec.get(key, "") for key in ("title", "shows", "learn", "traffic", "command")}
        folds = {"open_table": spec.get("open", False), "fold": spec.get("fold", False)}
        figure = Figure(anchor or name, body=body + "".join(markup), table=table, **folds, **words)
        self._figures.setdefault(name, []).append(figure)

    def sections(self) -> list[Section]:
        """Sections in the order of the file, without figures that were not drawn and what is then empty."""
        made: list[Section] = []
        for name in self.spec:
            spec = self.of(name) if isinstance(self.spec[name], dict) else {}
            if "section" in spec:
                title = self.text(spec["section"], {})
                made.append(Section(name, title, spec.get("intro", ""), [], spec.get("fold", False)))
            elif made:
                made[-1] = replace(made[-1], figures=[*made[-1].figures, *self._figures.get(name, ())])
        return [
            replace(section, intro=self._intros.get(section.anchor) or self.text(section.intro, {}))
            for section in made if section.figures
        ]  # fmt: skip

    def report(
        self, index: Mapping[str, Any], hero: Sequence[tuple[Picture, str]] = (), **source: str
    ) -> BlockReport:
        """The page; ``source``: what its foot says beside :func:`report.results.provenance`."""
        made = BlockReport(
            block=self.block, title=self.spec["title"], lead=self.text(self.spec["lead"], {}),
            summary=self.text(self.spec.get("summary", []), {}), hero=hero,
            key_figures=self._keys, sections=self.sections(), provenance={**provenance(index), **source},
            command=index["command"], quick=index["quick"],
        )  # fmt: skip
        return made.of_scene(index["own"]) if index.get("own") else made
