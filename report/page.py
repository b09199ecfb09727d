# SPDX-License-Identifier: Apache-2.0
"""The page frame: what a block's report is made of, and how it becomes a self-contained HTML page.

A block's module ``report/<block>.py`` (or package) offers ``build(results: Path, progress) -> BlockReport``.
Pages hold no reference that a browser would load: style, script and pictures are inside.
"""

import html
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from mako.lookup import TemplateLookup

from report.images import Picture, data_uri, shrink
from report.tables import Table

HERE = Path(__file__).parent
THUMBNAIL = 200  # pixels


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
    run, ``command`` what to type to get it again, if that is not the report's own. ``table`` goes to a CSV
    file, and onto the page when ``open_table`` says so (folded away otherwise). ``fold`` leaves ``title`` and
    ``learn`` open.
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
    fold: bool = False


@dataclass(frozen=True)
class Section:
    """A chapter of a block's report, with its place in the table of contents; ``fold`` leaves it closed."""

    anchor: str
    title: str
    intro: str
    figures: Sequence[Figure]
    fold: bool = False

    @property
    def result(self) -> str:
        """What its first figure shows, for a section that is closed."""
        return next((figure.learn for figure in self.figures if figure.learn), "")


@dataclass(frozen=True)
class BlockReport:
    """All that the report says about one block; ``title``, ``lead`` and ``summary`` are plain text."""

    block: str
    title: str
    lead: str
    summary: Sequence[str]  # what was measured; the result against the source; why
    hero: Sequence[tuple[Picture, str]]  # pictures for the page's head, with their names
    key_figures: Sequence[KeyFigure]
    sections: Sequence[Section]
    provenance: dict[str, Any] = field(default_factory=dict)
    command: str = ""  # that measures it all again
    quick: bool = False  # less of everything was measured

    def of_scene(self, own: Mapping[str, Any]) -> "BlockReport":
        """The report of a user's scene, named after its file ``source``, with the ``notes`` on it."""
        notes = "".join(f" Note: {note}." for note in own["notes"])
        return replace(self, title=f"{self.title}: {own['source']}", lead=self.lead + notes)

    @property
    def thumbnails(self) -> list[tuple[str, str]]:
        """The head's pictures, small, as (data URI, name)."""
        return [(data_uri(shrink(picture, THUMBNAIL), 80), name) for picture, name in self.hero]

    @property
    def panes(self) -> list[tuple[str, str]]:
        """The head's pictures as (data URI, name)."""
        return [(data_uri(picture, 80), name) for picture, name in self.hero]

    @property
    def tables(self) -> list[Table]:
        """Every table, in the order of the page."""
        return [figure.table for section in self.sections for figure in section.figures if figure.table]


def data(report: BlockReport, provenance: dict[str, Any]) -> dict[str, Any]:
    """The contents of ``<block>.json``: every number of the page, key figures and tables."""
    return {
        "block": report.block,
        "title": report.title,
        "lead": report.lead,
        "summary": list(report.summary),
        "quick": report.quick,
        "thumbnails": [list(thumbnail) for thumbnail in report.thumbnails],
        "key_figures": {
            key.name: {"title": key.title, "value": key.value, "shown": key.shown, "note": key.note}
            for key in report.key_figures
        },
        "tables": {table.name: table.json() for table in report.tables},
        "provenance": {**report.provenance, **provenance},
    }


def render(report: BlockReport, provenance: dict[str, Any]) -> str:
    """A block's page. A name that a template does not know is an error, not an empty place."""
    return fill("block.html.mako", report=report, provenance={**report.provenance, **provenance})


def render_index(blocks: Sequence[dict[str, Any]]) -> str:
    """The page that leads to the blocks' pages, from what :func:`data` says of each."""
    return fill("index.html.mako", blocks=blocks)


def fill(template: str, *folders: Path, **values: Any) -> str:
    """A page from a template here or in ``folders``, with style and script of all pages."""
    lookup = TemplateLookup(
        [str(folder) for folder in (*folders, HERE / "templates")],
        strict_undefined=True, default_filters=["h"], input_encoding="utf-8",
    )  # fmt: skip
    style, script = ((HERE / "templates" / name).read_text() for name in ("style.css", "script.js"))
    page: str = lookup.get_template(template).render(style=style, script=script, **values)
    return page


def paragraph(words: str) -> str:
    """Plain text as a paragraph of markup."""
    return f"<p>{html.escape(words)}</p>"
