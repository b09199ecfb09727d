# SPDX-License-Identifier: Apache-2.0
"""Traces of other programs, din and lackey: what each line asks of the caches, what is said of mistakes."""

import re
from pathlib import Path

import numpy as np
import pytest

from configs import UserError, load
from configs.dcache.schema import LOAD, STORE
from models.dcache import REQUEST, DcacheModel
from models.memory import Memory
from tb.common.replay import trace_cli
from tb.common.running.builds import ROOT
from workloads.dcache.trace import accessed, defaults
from workloads.icache.trace import fetched
from workloads.simt import requests
from workloads.simt.programs import PROGRAMS, prepare
from workloads.traces.references import FETCH, READ, WRITE, holds_references, read_references
from workloads.traces.requests import load_references, records

SAMPLES = ROOT / "workloads" / "dcache"
LACKEY = """==7== Lackey
==7==
I  00001000,3
 L 0000100e,4
 S 1ffefff8a1,1
 M 00002000,40
--7-- done
"""


def written(path: Path, text: str) -> Path:
    path.write_text(text)
    return path


def test_lackey_line_by_line(tmp_path: Path) -> None:
    path = written(tmp_path / "out.log", LACKEY)
    found = read_references(path)
    assert holds_references(path)
    assert found.label.tolist() == [FETCH, READ, WRITE, READ, WRITE]
    assert found.address.tolist() == [0x1000, 0x100E, 0x1FFEFFF8A1, 0x2000, 0x2000]
    assert found.size.tolist() == [3, 4, 1, 40, 40]


def test_words_take_lanes_and_bytes_strobes(tmp_path: Path) -> None:
    """Across a word: two lanes; a byte far up: the lowest 32 bits; 40 bytes: eight lanes and two."""
    cfg = load("dcache")
    asked = accessed(cfg, read_references(written(tmp_path / "out.log", LACKEY)))
    assert asked["op"].tolist() == [LOAD, STORE, LOAD, LOAD, STORE, STORE]
    assert asked["mask"].tolist() == [3, 1, 255, 3, 255, 3]
    assert [asked[f"addr{i}"][0] for i in range(3)] == [0x100C, 0x1010, 0]
    assert [asked[f"strobe{i}"][0] for i in range(2)] == [0b1100, 0b0011]
    assert (asked["addr0"][1], asked["strobe0"][1]) == (0xFEFFF8A0, 0b0010)
    assert [asked[f"addr{i}"][2] for i in range(8)] == [0x2000 + 4 * i for i in range(8)]
    assert (asked["addr0"][3], asked["addr1"][3]) == (0x2020, 0x2024)
    assert asked["data0"].tolist() == [0, 1, 0, 0, 4, 5]


def test_fetches_touch_words(tmp_path: Path) -> None:
    path = written(tmp_path / "t.din", "2 1002 anything\n0 44\n2 ffffffff\n")
    assert fetched(load("icache"), read_references(path))["pc"].tolist() == [0x1000, 0xFFFFFFFC]
    path = written(tmp_path / "t.lackey", "I  00001002,5\nI  fffffffe,4\n")
    pcs = [0x1000, 0x1004, 0xFFFFFFFC, 0]
    assert fetched(load("icache"), read_references(path))["pc"].tolist() == pcs


def test_the_din_sample_is_a_program_and_misses_as_it_does() -> None:
    """Fetches, loads and stores of the SIMT machine, each lane on a line of its own."""
    trace, cfg = prepare(PROGRAMS["product"]).run(), load("dcache")
    found = read_references(SAMPLES / "sample.din")
    assert (found.of(FETCH).address == trace.addresses).all()
    assert (found.of(READ, WRITE).address == requests.words(trace)).all()
    model = DcacheModel(cfg, Memory())
    model.replay(requests.accesses(trace))
    loaded = load_references(SAMPLES / "sample.din", lambda one: accessed(cfg, one), 32, defaults(cfg))
    alone = DcacheModel(cfg, Memory())
    alone.replay(records(REQUEST, loaded.columns))
    assert alone.counters["misses"] == model.counters["misses"] > 0
    assert alone.counters["hits"] == model.counters["hits"]


@pytest.mark.parametrize("block", ["icache", "dcache", "mmu"])
@pytest.mark.parametrize("name", ["sample.din", "sample.lackey"])
def test_samples_run(block: str, name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert trace_cli.main([block, "--trace", str(SAMPLES / name), "--out", str(tmp_path)]) == 0
    said = capsys.readouterr().out
    assert "model and RTL agree on all " in said
    cut = int((read_references(SAMPLES / name).address >> 32 > 0).sum())
    assert cut == (2 if "lackey" in name else 0)
    assert re.search(rf"addresses cut to 32 bits *│ *{cut} ", said)


def test_csv_files_are_told_apart_by_what_they_hold(tmp_path: Path) -> None:
    assert not holds_references(SAMPLES / "sample.csv")
    assert holds_references(written(tmp_path / "a.csv", "# comment\n\n0 1f00\n"))
    assert not holds_references(written(tmp_path / "b.csv", "addr0\n16\n"))
    assert not holds_references(tmp_path / "nothing.din")


@pytest.mark.parametrize(
    ("block", "text", "message"),
    [
        ("dcache", "0 10\n7 20\n", r"x:2: label 7: must be 0 \(read\), 1 \(write\) or 2 \(fetch\)"),
        ("dcache", "0 10\n0 xyz\n", r"x:2: '0 xyz' is no din reference: write 'label hexaddress'"),
        ("dcache", " L 10,4\n L 10\n", r"x:2: 'L 10' is no lackey reference: write 'I  hexaddress,size'"),
        ("icache", "I  10,0\n", r"x:1: size 0: must be 1 to 4096 bytes"),
        ("dcache", "\nhello\n", r"x:2: 'hello' is no reference of din .* end in .csv or .npz"),
        ("dcache", "2 10\n", r"x: no loads or stores .* go to BLOCK=icache"),
        ("icache", "", r"x: no fetches .* go to BLOCK=dcache"),
        ("simple", "0 10\n", r"x: a trace file's name ends in .csv or .npz"),
    ],
)
def test_mistakes_name_line_and_remedy(block: str, text: str, message: str, tmp_path: Path) -> None:
    path = written(tmp_path / "x", text)
    with pytest.raises(UserError, match=message):
        trace_cli.main([block, "--trace", str(path), "--out", str(tmp_path / "out")])
    assert not list((tmp_path / "out").glob("*"))


def test_long_traces_keep_their_order() -> None:
    """Requests of many references: each has its own words, in order."""
    rng = np.random.default_rng(1)
    label, size = rng.integers(2, size=500), rng.integers(1, 80, size=500)
    address = rng.integers(1 << 20, size=500)
    references = type(read_references(SAMPLES / "sample.din"))(label, address, size)
    asked = accessed(load("dcache"), references)
    bytes_asked = [
        (int(asked["op"][i]), int(asked[f"addr{lane}"][i]) + byte)
        for i in range(len(asked["op"]))
        for lane in range(8)
        if asked["mask"][i] >> lane & 1
        for byte in range(4)
        if asked[f"strobe{lane}"][i] >> byte & 1
    ]
    wanted = [(int(a), int(b) + n) for a, b, c in zip(label, address, size, strict=True) for n in range(c)]
    assert bytes_asked == wanted
