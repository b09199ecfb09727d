# SPDX-License-Identifier: Apache-2.0
"""Tables, scales and charts: the generic parts of the page."""

import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

from report import charts
from report.charts import Mark, Series, bar_chart, colour, heat_map, histogram, line_chart
from report.drawing import draw
from report.images import data_uri, paint
from report.svg import Scale, ceiling, nice, tag, text
from report.tables import Column, Table, column, number, percent, size, whole


def drawn(markup: str) -> ElementTree.Element:
    """The drawing of a chart, which must be well-formed XML."""
    picture = re.search(r"<svg.*?</svg>", markup, re.S)
    assert picture
    return ElementTree.fromstring(picture[0])


def test_scales_and_ticks() -> None:
    assert Scale(0, 10, 100, 200)(2.5) == 125
    assert Scale(1, 16, 0, 4, log=2)(4) == pytest.approx(2)
    assert Scale(0, 1, 0, 1).ticks() == [0, 0.2, 0.4, 0.6, 0.8, 1.0]
    assert Scale(1024, 65536, 0, 1, log=2).ticks(8) == [1024 * 2**i for i in range(7)]
    assert [nice(x) for x in (0.11, 0.2, 1.1, 3, 9)] == [0.2, 0.2, 2, 5, 10]
    assert ceiling([0.083]) == pytest.approx(0.1)
    assert ceiling([]) == ceiling([0.0]) == 1.0


def test_markup_is_escaped() -> None:
    assert tag("g", a_b='"<&', none=None) == '<g a-b="&quot;&lt;&amp;"/>'
    assert "<script>" not in text(0, 0, "<script>", "tick")
    table = Table("t", "a < b", [Column("k", "<k>")], [{"k": "<v>"}])
    assert "<v>" not in table.html() and "&lt;v&gt;" in table.html() and "a &lt; b" in table.html()


def test_bars_are_as_high_as_their_values() -> None:
    series = [Series("a", [1.0, 2.0]), Series("b", [3.0, 1.0])]
    chart = drawn(
        bar_chart(["x", "y"], series, alt="bars", y_label="n", y_format=str, stacked=True, values=True)
    )
    assert chart.attrib["aria-label"] == "bars"
    bars = [rect for rect in chart.iter("rect") if rect.get("class") == "bar"]
    heights = [float(bar.attrib["height"]) for bar in bars]
    assert np.allclose(np.array(heights) / heights[0], [1, 2, 3, 1], rtol=0.01)
    tops = [float(bar.attrib["y"]) for bar in bars]
    assert tops[2] + heights[2] == pytest.approx(tops[0], abs=0.02), "the second stands on the first"
    assert bars[2].attrib["data-tip"] == "x\nb: 3.0"


def declared(rows: list[dict[str, Any]], **spec: Any) -> str:
    columns = {key: column(key, "", value) for key, value in rows[0].items()}
    return draw(spec, rows, columns, {"many": ["a", "b"]}, {"x": "the x"})


def test_shares_stand_on_one_another_in_colours_told_apart() -> None:
    rows = [
        {"at": "x", **dict.fromkeys("abcdefg", 1 / 7)},
        {"at": "y", **dict.fromkeys("abcdef", 0.0), "g": 1.0},
    ]
    chart = drawn(declared(rows, kind="stack", x="at", y=list("abcdefg"), range=[0, 1], y_form="percent"))
    styles = [
        str(group.get("class")).split()[0]
        for group in chart.iter("g")
        if "series" in (group.get("class") or "")
    ]
    assert styles == ["s1", "s2", "s3", "s4", "s6", "s7", "s8"], "s5 is like s1 on the dark page"
    bars = [float(rect.attrib["height"]) for rect in chart.iter("rect") if rect.get("class") == "bar"]
    assert sum(bars[::2]) == pytest.approx(bars[-1], abs=0.1) and bars[1] == 0.0


def test_rows_become_series() -> None:
    """Means over what is neither x nor series; parts of a column; columns as series; chosen rows."""
    rows = [
        {"x": x, "by": by, "scene": scene, "a": (1 + scene) * x, "b": 8.0}
        for by in ("one", "two") for scene in (0, 2) for x in (1, 2)
    ]  # fmt: skip
    tips = r'data-tip="(.*?)"'
    lines = declared(rows, kind="lines", x="x", y="a", by="by", where={"by": ["two"]}, y_form="f1")
    assert re.findall(tips, lines) == ["two&#10;1: 2.0", "two&#10;2: 4.0"], "the mean of both scenes"
    bars = declared(rows, kind="bars", x=["by", "x"], y="many", per="b", where={"scene": 0}, y_form="f3")
    assert re.findall(tips, bars)[:2] == ["one 1&#10;a: 0.125", "one 2&#10;a: 0.250"]
    assert declared(rows, kind="bars", x="x", y="a", where={"by": "three"}) == ""
    assert declared(rows, kind="bars", x="x", y="a", each="by").count("<h4>") == 2
    with pytest.raises(KeyError, match="2"):
        declared(rows[:1] + rows[5:6], kind="bars", x="x", y="a", by="by")
    with pytest.raises(ValueError, match="colour"):
        declared(rows, kind="bars", x="x", y="a", colour="red")


def test_lines_and_histograms() -> None:
    line = drawn(line_chart(
        [Series("a", [0.5, 0.1], [1, 4])], alt="line", x_label="x", y_label="y", x_format=str,
        y_format=percent, log=2, marks=[Mark("here", x=2.0), Mark("limit", y=0.3)],
    ))  # fmt: skip
    dots = list(line.iter("circle"))
    assert [dot.attrib["data-tip"] for dot in dots] == ["a\n1: 50.00\u00a0%", "a\n4: 10.00\u00a0%"]
    assert float(dots[0].attrib["cy"]) < float(dots[1].attrib["cy"])
    words = [label.text for label in line.iter("text")]
    assert "here" in words and "limit" in words
    area = drawn(histogram([Series("a", [0.9, 0.0, 0.1], [2, 3, 4])], alt="h", x_label="x", y_label="y",
                           y_format=percent, log_floor=1e-3))  # fmt: skip
    assert len([rect for rect in area.iter("rect") if rect.get("class") == "target"]) == 3


def test_heat_maps_leave_out_what_is_not_there() -> None:
    cells: list[list[float | None]] = [[0.0, 0.5], [None, 1.0]]
    chart = drawn(heat_map(["a", "b"], ["1", "2"], cells, alt="heat", form=percent, numbers=True))
    boxes = [rect for rect in chart.iter("rect") if "data-tip" in rect.attrib]
    assert [box.attrib["fill"] for box in boxes] == [colour(0.0), colour(0.5), colour(1.0)]
    brightness = [
        sum(int(colour(i / 20)[at : at + 2], 16) * w for at, w in ((1, 2), (3, 7), (5, 1))) for i in range(21)
    ]
    assert brightness == sorted(brightness), "readable in grey"


def test_letters_stand_out() -> None:
    """At least 4.5:1, on the light and on the dark page, for each colour that a rule gives to text."""
    style = (Path(charts.__file__).parent / "templates" / "style.css").read_text()
    light, dark = (
        dict(re.findall(r"--(\w+): (#\w{6})", block)) for block in re.findall(r":root \{(.*?)\}", style, re.S)
    )
    rules = re.findall(r"([^{}]+)\{([^{}]*)\}", re.sub(r"/\*.*?\*/", "", style))
    inks = {name for _, body in rules for name in re.findall(r"(?<![-\w])color: var\(--(\w+)\)", body)}
    inks |= {name for where, body in rules if ".tick" in where or ".label" in where or ".note" in where
             for name in re.findall(r"fill: var\(--(\w+)\)", body)}  # fmt: skip
    assert inks >= {"ink", "soft", "faint", "accent", "gold"}
    for page in (light, {**light, **dark}):
        pairs = [(page[ink], page[under]) for ink in inks - {"paper"} for under in ("paper", "card", "wash")]
        pairs += [(page["paper"], page["accent"])]  # the chosen tab
        pairs += [(ink, page["head"]) for ink in ("#ffffff", "#f4d35e", "#dfe8ee", "#9fdcff")]
        assert not [(*pair, ratio) for pair in pairs if (ratio := charts.contrast(*pair)) < 4.5]
    for share in range(101):
        ratios = [charts.contrast(colour(share / 100), ink) for ink in ("#000000", "#ffffff")]
        assert max(ratios) >= 4.5


def test_bars_that_show_one_number_become_a_sentence() -> None:
    rows = [{"scene": scene, "policy": policy, "rate": 0.9341 if scene == "a" else at / 10}
            for at, policy in enumerate(("lru", "lfu", "fifo")) for scene in ("a", "b")]  # fmt: skip
    spec = {"kind": "bars", "x": "scene", "y": "rate", "by": "policy", "y_form": "percent_short"}
    chart = declared(rows, **spec)
    assert "Rate for lru, lfu, fifo: a 93.4\u00a0%." in chart and "a&#10;" not in chart
    assert declared(rows, **spec, where={"scene": "a"}) == (
        "<p class='alike'>Rate for lru, lfu, fifo: 93.4\u00a0%.</p>"
    )
    assert "class='alike'" not in declared(rows, **spec, where={"scene": "a", "policy": "lru"})


def test_axes_have_names() -> None:
    rows = [{"x": x, "scene": "a", "y": 8.0 * x} for x in (1, 2)]
    assert ">scene</text>" in declared(rows, kind="bars", x="scene", y="y")
    line = declared(rows, kind="lines", x="x", y="y", log=2)
    assert ">x (logarithmic)</text>" in line and ">y</text>" in line


def test_pictures() -> None:
    values = np.array([[0.0, 1.0]])
    picture = paint(values, np.array([[True, False]]))
    assert picture[0, 0].tolist() == [0, 34, 78] and picture[0, 1].tolist() == [28, 30, 34]
    assert data_uri(picture).startswith("data:image/webp;base64,")


def test_tables_have_three_forms() -> None:
    columns = [
        Column("name", "name"),
        Column("rate", "rate", "percent", bar=1.0),
        Column("n", "n", "count", on_page=False),
    ]
    table = Table("t", "Title", columns, [{"name": "a,b", "rate": 0.123456, "n": None}])
    assert table.csv() == 'name,rate,n\n"a,b",0.123456,\n'
    assert table.json()["rows"] == [{"name": "a,b", "rate": 0.123456, "n": None}]
    html = table.html()
    assert "12.35\u00a0%" in html and "--share:0.1235" in html and ">n</th>" not in html
    assert html.count("<th") - html.count("<thead") == 3  # two headings and the row's own


def test_tables_refuse_nonsense() -> None:
    columns = [Column("a", "a", "f2")]
    with pytest.raises(ValueError, match="not a number in a"):
        Table("t", "t", columns, [{"a": float("nan")}])
    with pytest.raises(ValueError, match="row has"):
        Table("t", "t", columns, [{"b": 1.0}])
    with pytest.raises(TypeError):
        number(None)


def test_numbers_read_well() -> None:
    assert percent(0.95123) == "95.12\u00a0%"
    assert percent(0.99999) == "99.999\u00a0%" and percent(1.0) == "100.00\u00a0%"
    assert percent(0.00001) == "0.001\u00a0%" and percent(0.0) == "0.00\u00a0%"
    assert size(8192) == "8\u00a0KB" and size(1 << 20) == "1\u00a0MB" and size(32) == "32\u00a0B"
    assert whole(1234567) == "1,234,567"
