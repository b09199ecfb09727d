# SPDX-License-Identifier: Apache-2.0
"""The page frame: what a block's report is made of, and how blocks become one self-contained HTML page.

A block's module ``report/<block>.py`` (or package) offers ``build(results: Path, progress) -> BlockReport``.
The page holds no reference that a browser would load: style, script and pictures are inside.
"""

import html
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mako.lookup import TemplateLookup

from report.tables import Table

HERE = Path(__file__).parent


@dataclass(frozen=True)
class KeyFigure:
    """One number of the strip at the top: ``value`` is for the files, ``shown`` for the page."""

    name: str
    title: str
    value: float
    shown: str
    note: str = ""


@dataclass(frozen=True)
class Figure:
    """A drawing (or a table) with the words that make it readable.

    ``body`` is markup; ``shows`` and ``learn`` are plain text or markup of our own; ``traffic`` says what was
    run, ``command`` what to type to get it again. ``table`` goes to a CSV file, and onto the page when
    ``open_table`` says so (folded away otherwise).
    """

    anchor: str
    title: str
    body: str
    shows: str = ""
    learn: str = ""
    traffic: str = ""
    command: str = ""
    table: Table | None = None
    open_table: bool = False


@dataclass(frozen=True)
class Section:
    """A chapter of a block's report, with its place in the table of contents."""

    anchor: str
    title: str
    intro: str
    figures: Sequence[Figure]


@dataclass(frozen=True)
class BlockReport:
    """All that the report says about one block."""

    block: str
    title: str
    lead: str
    hero: Sequence[tuple[str, str]]  # (data URI, alt text) of pictures for the page's head
    key_figures: Sequence[KeyFigure]
    sections: Sequence[Section]
    provenance: dict[str, Any] = field(default_factory=dict)

    @property
    def tables(self) -> list[Table]:
        """Every table, in the order of the page."""
        return [figure.table for section in self.sections for figure in section.figures if figure.table]


def data(reports: Sequence[BlockReport], provenance: dict[str, Any]) -> dict[str, Any]:
    """The contents of report.json: every number of the page, by block, key figures and tables."""
    return {
        "provenance": provenance,
        "blocks": {
            one.block: {
                "key_figures": {
                    key.name: {"title": key.title, "value": key.value, "shown": key.shown}
                    for key in one.key_figures
                },
                "tables": {table.name: table.json() for table in one.tables},
                "provenance": one.provenance,
            }
            for one in reports
        },
    }


def render(reports: Sequence[BlockReport], provenance: dict[str, Any]) -> str:
    """The whole page. A name that a template does not know is an error, not an empty place."""
    lookup = TemplateLookup(
        [str(HERE / "templates")], strict_undefined=True, default_filters=["h"], input_encoding="utf-8"
    )
    page: str = lookup.get_template("page.html.mako").render(
        reports=reports,
        provenance=provenance,
        style=(HERE / "templates" / "style.css").read_text(),
        script=(HERE / "templates" / "script.js").read_text(),
    )
    return page


def paragraph(words: str) -> str:
    """Plain text as a paragraph of markup."""
    return f"<p>{html.escape(words)}</p>"
