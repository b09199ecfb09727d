# SPDX-License-Identifier: Apache-2.0
"""Functional and code coverage: counting, merging, waiving, judging."""

import importlib
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import configs
from configs import UserError
from configs.parts import AxiPort
from tb.common.coverage import code as code_coverage
from tb.common.coverage import data as coverage_data
from tb.common.coverage.bins import (
    POINT,
    AddressBits,
    Counters,
    Point,
    address_bits,
    bucket,
    bucket_names,
    cross,
)
from tb.common.coverage.code import Location
from tb.common.coverage.coincidences import waivers as coincidence_waivers
from tb.common.running.builds import ROOT

PLAN = [Point("size", "why", ("small", "large")), Point("mode", "why", ("a", "b", "c"))]
counts = st.dictionaries(
    st.sampled_from(["size", "mode"]), st.dictionaries(st.sampled_from("abc"), st.integers(1, 9), max_size=3)
)
databases = st.dictionaries(st.sampled_from(["run1", "run2", "run3"]), counts)


def normal(database: coverage_data.Database) -> coverage_data.Database:
    """Without points that hold no bins, which say nothing."""
    return {run: {point: bins for point, bins in points.items() if bins} for run, points in database.items()}


@given(databases, databases, databases)
def test_merging_is_associative_commutative_and_idempotent(
    a: coverage_data.Database, b: coverage_data.Database, c: coverage_data.Database
) -> None:
    merge = coverage_data.merge
    assert normal(merge(a, merge(b, c))) == normal(merge(merge(a, b), c))
    assert normal(merge(a, b)) == normal(merge(b, a))
    assert normal(merge(a, a)) == normal(a)


def test_counting_and_judging() -> None:
    counters = Counters(PLAN)
    counters.hit("size", "small", 3)
    counters.hit_many("mode", np.array([0, 0, 2]))
    assert counters.counts() == {"size": {"small": 3}, "mode": {"a": 2, "c": 1}}
    verdict = coverage_data.judge(PLAN, counters.counts())
    assert (verdict.covered, verdict.holes) == (3, ["size: large", "mode: b"])
    assert verdict.percent == 60
    waived = [coverage_data.Waiver("mode", "*", "a reason")]
    verdict = coverage_data.judge(PLAN, counters.counts(), waived)
    assert (verdict.covered, verdict.holes, verdict.waived) == (1, ["size: large"], ["mode: b"])
    assert verdict.stale == ["mode: a", "mode: c"]


def test_bins_that_are_not_in_the_plan_are_an_error() -> None:
    counters = Counters(PLAN)
    with pytest.raises(ValueError, match="coverpoint size: huge is not a bin"):
        counters.hit("size", "huge")
    with pytest.raises(ValueError, match="coverpoint mode: index 3 is not a bin"):
        counters.hit_many("mode", np.array([3]))
    with pytest.raises(ValueError, match="bins must be there"):
        Point("twice", "why", ("a", "a"))


def test_bits_of_addresses_are_counted_by_channel() -> None:
    port = AxiPort(address_bits=14)
    point = address_bits(port, ar=11, aw=13)
    assert point.bins == (
        "m_axi_ar/11/0", "m_axi_ar/11/1", "m_axi_ar/12/0", "m_axi_ar/12/1", "m_axi_ar/13/0", "m_axi_ar/13/1",
        "m_axi_aw/13/0", "m_axi_aw/13/1",
    )  # fmt: skip
    assert all(name.startswith("m_axi_ar/") for name in address_bits(port, ar=11).bins)
    counters = Counters([point])
    sampled = AddressBits(counters)
    sampled.sample("m_axi_ar", 0x0800)
    sampled.sample("m_axi_ar", 0x1800)
    sampled.sample("m_axi_aw", 0x1FFF)
    assert counters.counts()[POINT] == {
        "m_axi_ar/11/1": 2, "m_axi_ar/12/0": 1, "m_axi_ar/12/1": 1, "m_axi_ar/13/0": 2, "m_axi_aw/13/0": 1,
    }  # fmt: skip
    none = Counters(PLAN)
    AddressBits(none).sample("m_axi_ar", 0x1000)
    assert not any(none.counts().values())


@pytest.mark.parametrize(
    "block", [block for block in configs.blocks() if (ROOT / "tb" / block / "plan.py").is_file()]
)
def test_every_port_to_memory_has_the_bits_of_its_addresses(block: str) -> None:
    """From the lowest on that can be 1 up to the top one, in every preset."""
    plan_of = importlib.import_module(f"tb.{block}.plan").plan
    for preset in configs.presets(block):
        cfg = configs.load(block, preset)
        points = [candidate for candidate in plan_of(cfg) if candidate.name == POINT]
        assert len(points) == bool(cfg.axi_ports)
        for port, point in product(cfg.axi_ports.values(), points):
            for name in ("ar", "aw"):
                bits = [key.split("/")[1] for key in point.bins if key.startswith(f"{port.prefix}_{name}/")]
                assert bool(bits) == (name in port.channels)
                assert not bits or bits[-1] == str(port.address_bits - 1)


def test_names_of_crosses_and_buckets() -> None:
    assert cross("ab", (0, 1)) == ("a/0", "a/1", "b/0", "b/1")
    assert bucket_names((0, 1, 4)) == ("0", "1", "2-4", "5+")
    assert bucket(np.array([0, 1, 2, 4, 5, 99]), (0, 1, 4)).tolist() == [0, 1, 2, 2, 3, 3]


def test_waivers_need_a_reason(tmp_path: Path) -> None:
    path = tmp_path / "waivers.toml"
    path.write_text('[[functional]]\npoint = "x"\nbins = "*"\nreason = " "\n')
    with pytest.raises(UserError, match="needs point, bins and a reason"):
        coverage_data.waivers(path)
    path.write_text('[[code]]\nkind = "line"\nfile = "*"\nreason = "so"\n')
    with pytest.raises(UserError, match="item or source"):
        code_coverage.waivers(path)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[[functional]", "not valid TOML: "),
        ("[[funktional]]\npoint = 'x'", "unknown table 'funktional': known are .*functional"),
        ("[functional]\npoint = 'x'", "functional: write it as .*functional"),
        ("[[functional]]\npoint = 1", "functional 1: point: needs a text"),
        ("[[functional]]\npoint = ['x']\nbins = '*'\nreason = 'r'", "needs point, bins and a reason"),
        ("[[code]]\nkind = 'x'\nfile = '*'\nreason = 'so'", "needs kind "),
        ("[[coincidence]]\nnever = 'ab'\nreason = 'so'", "needs never or rare, patterns"),
        ("[[coincidence]]\nnever = ['(']\nreason = 'so'", "'\\(' is no regular expression: "),
        ("[[coincidence]]\nnever = ['a']\nreason = 'so'\nonly = ['x']", "needs never or rare, patterns"),
    ],
)
def test_waivers_that_are_broken_are_one_line(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "waivers.toml"
    path.write_text(text)
    with pytest.raises(UserError, match=message) as error:
        for read in (coverage_data.waivers, code_coverage.waivers, coincidence_waivers):
            read(path)
    assert str(error.value).startswith(f"{path}: ") and "\n" not in str(error.value)


def point(kind: str, line: int, item: str, count: int, instance: str) -> str:
    parts = {"f": "a.v", "l": str(line), "n": "3", "page": f"v_{kind}/a", "o": item, "h": instance}
    key = "".join(f"\x01{name}\x02{value}" for name, value in parts.items())
    return f"C '{key}' {count}\n"


HEAD = "# SystemC::Coverage-3\n"


def test_code_coverage_is_read_merged_and_judged() -> None:
    first = HEAD + point("line", 1, "block", 4, "top.x") + point("toggle", 2, "q[1]:0->1", 0, "top.x")
    second = HEAD + point("line", 1, "block", 0, "top.y") + point("branch", 5, "if", 0, "top.y")
    merged = code_coverage.merge(code_coverage.parse(first), code_coverage.parse(second))
    assert merged[Location("a.v", 1, 3, "line", "block")] == 4
    parts = code_coverage.judge(merged)
    assert parts["line"].percent == 100
    assert parts["branch"].percent == parts["toggle"].percent == 0
    waived = code_coverage.judge(merged, [code_coverage.Waiver("toggle", "a.v", "constant", item="q[1]:*")])
    assert (waived["toggle"].percent, waived["toggle"].waived) == (100, 1)
    assert [where.line for where in waived["branch"].holes] == [5]


def test_waivers_of_code_that_are_about_nothing_are_found() -> None:
    """Brackets are those of a vector's bits, not a choice of letters; covered or not makes no difference."""
    parsed = code_coverage.parse(
        HEAD + point("toggle", 2, "arlen[1]:0->1", 0, "top") + point("toggle", 3, "q:0->1", 5, "top")
    )
    bit, hit, choice, other = (
        code_coverage.Waiver("toggle", file, "constant", item=item)
        for file, item in (("a.v", "arlen[1]:*"), ("*", "q:*"), ("a.v", "ar[bl]en*"), ("b.v", "arlen*"))
    )
    assert code_coverage.useless(parsed, [bit, hit]) == []
    assert code_coverage.useless(parsed, [bit, choice, hit, other]) == [choice, other]


def test_the_same_point_of_two_instances_is_one() -> None:
    text = HEAD + point("toggle", 2, "q:0->1", 0, "top.x") + point("toggle", 2, "q:0->1", 1, "top.y")
    assert list(code_coverage.parse(text).values()) == [1]


def test_other_files_are_no_coverage_data() -> None:
    with pytest.raises(UserError, match="not Verilator's coverage data"):
        code_coverage.parse("TN:\nSF:a.v\n", "a.info")
    with pytest.raises(UserError, match="cannot read 'nonsense"):
        code_coverage.parse(HEAD + "nonsense\n")


def test_lcov() -> None:
    text = code_coverage.lcov(code_coverage.parse(HEAD + point("line", 7, "block", 2, "t")))
    assert text == "SF:a.v\nDA:7,2\nend_of_record\n"
