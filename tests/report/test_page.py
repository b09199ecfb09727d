# SPDX-License-Identifier: Apache-2.0
"""The page of a small measurement: opens without complaint, needs nothing else, and its numbers agree."""

import csv
import json
import re
from functools import cache
from html.parser import HTMLParser
from os.path import relpath
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from configs import UserError
from report import __main__ as command
from report.browser import open_page, screenshot
from report.tables import show
from tests.report.small import BLOCKS, measured, page, reported

LOADS = {"src", "srcset", "poster", "data", "background"}


class Elements(HTMLParser):
    """All elements with their attributes, and the text outside of scripts and styles."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str]]] = []
        self.words: list[str] = []
        self._open = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, {name: value or "" for name, value in attrs}))
        self._open = tag

    def handle_data(self, data: str) -> None:
        if self._open not in ("script", "style"):
            self.words.append(data)

    def all(self, tag: str) -> list[dict[str, str]]:
        return [attributes for name, attributes in self.found if name == tag]


@cache
def elements(block: str) -> Elements:
    return Elements(page(block).read_text())


def data(block: str) -> dict[str, Any]:
    content: dict[str, Any] = json.loads(page(block).with_suffix(".json").read_text())
    return content


EVERY = pytest.mark.parametrize("block", [*BLOCKS, "index"])
# at least, of the blocks that have some
PICTURES = {"texcache": 3 + 2 * 5, "texunit": 2 * 5, "lpas": 2, "zcache": 3}
CHARTS = {"texcache": 16, "texunit": 5, "lpas": 16}
EACH = pytest.mark.parametrize("block", BLOCKS)


@EVERY
def test_opens_in_chromium_without_complaints(block: str) -> None:
    document, messages = open_page(page(block))
    assert messages == []
    assert ('role="tab"' in document) == (block in PICTURES) and "</html>" in document


def test_the_browser_would_complain(tmp_path: Path) -> None:
    """The test above is alive: errors and blocked requests do reach the list of messages."""
    broken = tmp_path / "broken.html"
    script = 'null.x; console.log("said")'
    text = (
        page()
        .read_text()
        .replace("</body>", f'<img src="http://localhost/x.png"><script>{script}</script></body>')
    )
    broken.write_text(text)
    messages = "\n".join(open_page(broken)[1])
    assert "TypeError" in messages and "Content Security Policy" in messages


@EVERY
def test_is_self_contained(block: str) -> None:
    """No element loads anything; links go to the page, to files that were written beside it, or to docs."""
    for tag, attributes in elements(block).found:
        for name in LOADS & set(attributes):
            assert attributes[name].startswith("data:"), f"<{tag} {name}={attributes[name][:60]}>"
        if tag == "link":
            assert attributes["href"].startswith("data:")
        if tag == "a" and not attributes["href"].startswith("#"):
            href = attributes["href"]
            docs = href.startswith("../../docs/")  # seen from build/report
            target = command.ROOT / href.removeprefix("../../") if docs else page(block).parent / href
            # the index comes last, from all blocks
            assert target.is_file() or target.name == "index.html", attributes["href"]
    style = (Path(command.__file__).parent / "templates" / "style.css").read_text()
    assert "url(" not in style and "@import" not in style
    policy = next(
        meta for meta in elements(block).all("meta") if meta.get("http-equiv") == "Content-Security-Policy"
    )
    assert policy["content"].startswith("default-src 'none'")
    assert page(block).stat().st_size < 12_000_000


@EACH
def test_structure_is_sound(block: str) -> None:
    """Ids are unique, links within the page and tabs lead somewhere, pictures have words."""
    identities = [attributes["id"] for _, attributes in elements(block).found if "id" in attributes]
    assert len(identities) == len(set(identities))
    for attributes in elements(block).all("a"):
        if attributes["href"].startswith("#"):
            assert attributes["href"][1:] in identities, attributes["href"]
    for attributes in elements(block).all("button"):
        assert attributes["aria-controls"] in identities
    charts = [chart for chart in elements(block).all("svg") if chart.get("role") == "img"]
    assert len(charts) >= CHARTS.get(block, 0) and all(chart["aria-label"] for chart in charts)
    pictures = [picture for picture in elements(block).all("img") if "alt" in picture]
    assert len(pictures) == len(elements(block).all("img"))
    assert sum(bool(picture["alt"]) for picture in pictures) >= PICTURES.get(block, 0)  # not the decoration


@EACH
def test_csv_and_json_hold_the_same_numbers(block: str) -> None:
    tables = data(block)["tables"]
    written = {path.stem for path in page(block).parent.glob(f"{block}_*.csv")}
    assert written == set(tables)
    for name, table in tables.items():
        with (page(block).parent / f"{name}.csv").open() as file:
            header, *rows = list(csv.reader(file))
        assert header == [column["key"] for column in table["columns"]], name
        assert len(rows) == len(table["rows"]) > 0, name
        for cells, row in zip(rows, table["rows"], strict=True):
            for key, cell in zip(header, cells, strict=True):
                value = row[key]
                assert cell == ("" if value is None else str(value)), f"{name}: {key} of {row}"
                if isinstance(value, float):
                    assert float(cell) == value


@EACH
def test_the_page_shows_the_numbers_of_the_files(block: str) -> None:
    """Each table cell and each key figure of the page is what the JSON says, formatted."""
    summary, words = data(block), "\n".join(elements(block).words)
    for name, table in summary["tables"].items():
        hidden = {
            c.key
            for drawn_table in reported(block).tables
            if drawn_table.name == name
            for c in drawn_table.columns
            if not c.on_page
        }
        for row in table["rows"][:: max(1, len(table["rows"]) // 40)]:
            for column in table["columns"]:
                if column["key"] not in hidden:
                    shown = show(row[column["key"]], column["unit"])
                    assert shown in words, f"{name}: {column['key']} of {row}: {shown}"
    for key in summary["key_figures"].values():
        assert key["shown"] in words
        digits = re.sub(r"[^\d.]", "", key["shown"].split(" of ")[0])
        value = key["value"] * (100 if "%" in key["shown"] else 1)
        assert abs(float(digits) - value) <= 0.5 * 10 ** -len(digits.partition(".")[2]) + 1e-9, key


def test_published_cycle_counts() -> None:
    """The headline of the block: all six, from the RTL."""
    rows = data("texcache")["tables"]["texcache_paper"]["rows"]
    cycles = [(row["paper"], row["ours"]) for row in rows if row["paper"].endswith("cycles")]
    assert cycles == [(f"{n} cycles", f"{n} cycles") for n in (2, 3, 6, 7, 35, 36)]


def test_published_stage_times_and_llvmpipe() -> None:
    """The texture unit's: all four, from the RTL; and the same bits as llvmpipe at equal levels."""
    rows = data("texunit")["tables"]["texunit_source"]["rows"]
    cycles = [(row["source"], row["ours"]) for row in rows if re.fullmatch(r"\d+ cycles?", row["source"])]
    assert cycles == [(time, time) for time in ("11 cycles", "1 cycle", "8 cycles", "8 cycles")]
    assert [row["ours"] for row in rows if row["what"].endswith("equal levels")] == ["none"]
    assert all(row["other"] == 0 for row in data("texunit")["tables"]["texunit_llvmpipe"]["rows"])


def test_the_index_leads_to_all_blocks() -> None:
    links = {anchor["href"] for anchor in elements("index").all("a") if not anchor["href"].startswith("#")}
    assert links == {f"{block}.html" for block in BLOCKS}
    words = "\n".join(elements("index").words)
    for block in BLOCKS:
        assert data(block)["title"] in words
        assert all(key["shown"] in words for key in data(block)["key_figures"].values())
        assert data(block)["quick"] and all(sentence in words for sentence in data(block)["summary"])


def test_screenshot(tmp_path: Path) -> None:
    picture = tmp_path / "report.png"
    assert command.main(["texcache", "--out", str(page().parent), "--screenshot", str(picture)]) == 0
    with Image.open(picture) as image:
        assert image.size == (1360, 1180)
        assert len(image.convert("RGB").resize((80, 80)).getcolors(80 * 80) or []) > 200  # not an empty page
    dark = tmp_path / "dark.png"
    screenshot(page(), dark, 800, 900, dark=True)
    with Image.open(dark) as image:
        assert sum(image.convert("L").getpixel((x, 890)) for x in (20, 780)) < 200  # type: ignore[misc]


def test_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """``python -m report`` writes the page and says where; the block's name is optional."""
    out = tmp_path / "out"
    assert command.main(["texunit", "--results", str(measured("texunit").parent), "--out", str(out)]) == 0
    assert (out / "index.html").is_file() and relpath(out / "texunit.html") in capsys.readouterr().out
    assert (out / "texunit_rate.csv").read_text() == (page("texunit").parent / "texunit_rate.csv").read_text()
    assert not (out / "texcache.html").exists()


def test_bad_arguments(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no report for 'nope': choose among dcache, icache, lpas, mmu, "):
        command.main(["nope"])
    with pytest.raises(UserError, match="no measured results there; run make report"):
        command.main(["--results", str(tmp_path), "--out", str(tmp_path)])
    with pytest.raises(UserError, match="no such page; run make report first"):
        command.main(["--out", str(tmp_path), "--screenshot", str(tmp_path / "x.png")])


def test_a_missing_browser_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    made = page()
    monkeypatch.setenv("PATH", "")
    with pytest.raises(UserError, match="no Chromium found: install it"):
        open_page(made)
