# SPDX-License-Identifier: Apache-2.0
"""Pages from their files: sentences with values, columns that follow from rows, figures left out."""

import json
import re
from pathlib import Path

import pytest

from report import pages
from report.__main__ import write
from report.browser import open_page
from report.pages import Page
from tests.report.small import BLOCKS, reported

#: figures that a small measurement does not have, by block
LEFT_OUT = {
    "texcache": {"fifo-depth", "fast_depth"}, "texpipe": {"texpipe-ahead"}, "trilinear": {"trilinear-depth"},
}  # fmt: skip


@pytest.mark.parametrize("block", BLOCKS)
def test_every_figure_of_the_file_is_drawn(block: str) -> None:
    page = Page(block)
    names = [
        name for name, spec in page.spec.items()
        if isinstance(spec, dict) and name not in pages.TABLES and "title" in page.of(name)
    ]  # fmt: skip
    titles = [re.escape(page.of(name)["title"]) for name in names]
    patterns = [re.sub(r"\\\{.*?\\\}", ".*", title) for title in titles]
    drawn = [figure.title for section in reported(block).sections for figure in section.figures]
    missing = {
        name
        for name, pattern in zip(names, patterns, strict=True)
        if not any(map(re.compile(pattern).fullmatch, drawn))
    }
    assert missing <= LEFT_OUT.get(block, set())
    text = " ".join(
        f"{figure.shows} {figure.learn} {figure.traffic}"
        for part in reported(block).sections
        for figure in part.figures
    )
    assert not re.search(r"\{\w+", text), "each value has its place"


def test_sentences_columns_and_what_is_left_out() -> None:
    program = {"pattern": "loop", "read": 4.0, "written": 2.0}
    page = Page("simple", programs=1, cache={"sets": 4, "line_bytes": 16}, widest=(program, program))
    assert page.sections() == [], "a section without a figure is none"
    row = {"pattern": "loop", "policy": "through", "hit_rate": 0.25, "more": 3, "rate": 0.5, "_only": 1}
    page.draw("programs", [row], most=7)
    [section] = page.sections()
    [figure] = section.figures
    assert figure.traffic == "programs from a cold cache, 7 requests at most" and figure.table
    assert [(column.key, column.title, column.form) for column in figure.table.columns] == [
        ("pattern", "program", "text"), ("policy", "policy", "text"), ("hit_rate", "hit rate", "percent"),
        ("more", "more", "count"), ("rate", "rate", "f3"),
    ]  # fmt: skip
    assert "loop&#10;through: 25.00" in figure.body
    assert page.text(
        "{a:pct} of {b:count}, {c:spread}, {d[0]:.1f}", {"a": 0.5, "b": 1234, "c": [0, 1], "d": [2]}
    ) == ("50.0\u00a0% of 1,234, 0.0 to 100.0\u00a0%, 2.0")
    with pytest.raises(KeyError, match="most"):
        page.draw("programs", [row])


def test_a_quick_page_says_so_and_a_link_opens_what_is_folded(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    honest = pages.load
    own = {
        "title": "T", "lead": "L", "summary": ["one", "two", "three"], "part": {"section": "S", "fold": True},
        "figure": {"title": "F", "learn": "A finding.", "shows": "Inside.", "fold": True},
        "away": {"section": "S", "fold": True}, "other": {"title": "G"},
    }  # fmt: skip
    monkeypatch.setattr(pages, "load", lambda path: own if path.name == "page.toml" else honest(path))
    page = Page("simple")
    page.draw("figure")
    page.draw("other")
    index = {"base_name": "b", "hash": "h", "command": "c", "seed": 1, "versions": {}, "runs": [],
             "workloads": [], "quick": True}  # fmt: skip
    written = write(page.report(index), tmp_path)[0]
    assert json.loads(written.with_suffix(".json").read_text())["quick"] is True
    markup = written.read_text()
    assert "<title>T, quick measurement" in markup and '<p class="quick">' in markup
    assert markup.index("A finding.") < markup.index("Figure and numbers") < markup.index("Inside.")
    assert '<details class="fold" open' not in open_page(written)[0]
    click = "<script>document.querySelector('a[href=\"#figure\"]').click()</script></body>"
    written.write_text(markup.replace("</body>", click))
    document, messages = open_page(written)
    assert document.count('<details class="fold" open') == 2 and not messages, "of three"


def test_a_key_that_nothing_reads_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = pages.load
    monkeypatch.setattr(pages, "load", lambda path: {**honest(path), "odd": {"title": "", "lern": ""}})
    with pytest.raises(ValueError, match="simple, odd: nothing is called lern"):
        Page("simple")
