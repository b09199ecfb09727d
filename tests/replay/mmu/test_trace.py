# SPDX-License-Identifier: Apache-2.0
"""Traces through model and RTL of ``mmu``: both ports, their order, other tools' files, mistakes."""

import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import cacheforge
from configs import UserError
from models.memory import Memory
from models.mmu.traffic import OPS, load_trace, sides
from tb.common.replay import trace_cli
from tb.common.replay.requests import Model, WrittenMemory
from tb.common.running.builds import ROOT
from tb.mmu.prediction import Predicted, predict
from tb.mmu.replay import check
from tests.replay.mmu.accesses import SEED, config, mixed, through
from tests.replay.traces import planted

LACKEY = """==7== Lackey
I  0000011e,4
 L 00000200,4
 S 00000204,4
I  00000122,2
 M 00000204,4
"""
ORDERED = """op,pc,addr0,data0
fetch,0x120,0,0
store,0,0x120,7
clean,0,0,0
icache_invalidate,0,0,0
fetch,0x120,0,0
"""


def written(path: Path, text: str) -> Path:
    path.write_text(text)
    return path


def run(path: Path, out: Path, *options: str) -> int:
    return trace_cli.main(["mmu", "--config", "tiny", "--trace", str(path), "--out", str(out), *options])


def results(out: Path) -> dict[str, Any]:
    with np.load(out / "results.npz") as arrays:
        return dict(arrays)


def test_a_fetch_behind_a_clean_sees_the_store(tmp_path: Path) -> None:
    assert run(written(tmp_path / "a.csv", ORDERED), tmp_path / "out") == 0
    rows = results(tmp_path / "out")
    assert rows["icache_inst"][4] == 7 != rows["icache_inst"][0]
    assert rows["part"].tolist() == [0, 0, 1, 1, 2]
    assert rows["icache_hit"].tolist() == [0] * 5
    assert (np.diff(rows["t_request"][[0, 2, 4]]) > 64).all(), "the parts do not wait for each other"


def test_lackey_goes_to_both_ports(tmp_path: Path) -> None:
    """A fetch of two words, one of one, a load; M is a load and a store, of the number of the request."""
    assert run(written(tmp_path / "out.log", LACKEY), tmp_path / "out") == 0
    rows = results(tmp_path / "out")
    named = [OPS[op] for op in rows["op"]]
    assert named == ["fetch", "fetch", "load", "store", "fetch", "load", "store"]
    assert rows["pc"].tolist() == [0x11C, 0x120, 0, 0, 0x120, 0, 0]
    assert rows["addr0"].tolist() == [0, 0, 0x200, 0x204, 0, 0x204, 0x204]
    assert rows["data0"].tolist() == [0, 0, 0, 1, 0, 0, 3]
    memory = Memory(1)
    assert [rows["icache_inst"][row] for row in (0, 1, 4)] == memory.read_many([0x47, 0x48, 0x48]).tolist()
    assert rows["dcache_data0"].tolist() == [0, 0, memory.read(0x80), 0, 0, 1, 0]
    figures = json.loads((tmp_path / "out" / "summary.json").read_text())["figures"]
    assert (figures["references"], figures["icache_fetches"], figures["dcache_stores"]) == (6, 3, 2)


def test_the_library_reads_the_same_files(tmp_path: Path) -> None:
    path, cfg = written(tmp_path / "out.log", LACKEY), config("tiny")
    alone, model = (
        cacheforge.run(cfg, cacheforge.trace(cfg, path)),
        predict(cfg, sides(cfg, load_trace(path, cfg).columns), Memory(1)).model,
    )
    assert alone.counters == model.counters and alone.counters["icache_fetches"] == 3


def test_an_archive_of_no_columns_is_refused(tmp_path: Path) -> None:
    np.savez(tmp_path / "x.npz", name="empty")
    with pytest.raises(UserError, match=r"x\.npz: no array of a column"):
        run(tmp_path / "x.npz", tmp_path / "out")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("op,pc\nfetch,0\njump,0\n", r"x.csv:3: op='jump': not an integer or one of fetch, base, "),
        ("op\n12\n", r"x.csv:2: op=12: must be 0\.\.11 in tiny"),
        ("op,pc\nfetch,0x10000\n", r"x.csv:2: pc=65536: must be 0\.\.65535 in tiny"),
        ("op,warp\nload,2\n", r"x.csv:2: warp=2: must be 0\.\.1 in tiny"),
        ("op,addr8\nload,2\n", "x.csv:1: unknown column 'addr8'"),
        ("op\n", "x.csv:1: no accesses"),
        ("I  10,4\n L 10\n", "x.csv:2: 'L 10' is no lackey reference"),
        ("2 10\n3 20\n", "x.csv:2: label 3: must be 0"),
    ],
)
def test_mistakes_name_line_and_rule(text: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(UserError, match=message):
        run(written(tmp_path / "x.csv", text), tmp_path / "out")


def test_beats_for_the_other_cache_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = written(tmp_path / "port.csv", "op,pc,addr0\nload,0,0x8000\nfetch,0x24,0\n")
    bug = planted(config("tiny"), "mmu-reply", "mmu.v", "reply = m_axi_rid[0];", "reply = !m_axi_rid[0];")
    assert run(path, tmp_path / "out", "--rtl-dir", str(bug)) == 1
    said = capsys.readouterr().out
    assert (
        "port icache_req, access 1 (fetch, warp 0, block 0, pc 0x24) was accepted, but has no result" in said
    )


def differently(**changes: Callable[[Model], Any]) -> Callable[[Predicted], Predicted]:
    return lambda said: replace(
        said, model=replace(said.model, **{name: change(said.model) for name, change in changes.items()})
    )


@pytest.mark.parametrize(
    ("doctored", "message"),
    [
        (
            differently(
                results=lambda model: model.results | {"dcache_err": model.results["dcache_err"] + 1}
            ),
            r"access 0 \(.*\): dcache_err is 0, expected 1",
        ),
        (
            differently(events=lambda model: model.events | {"icache_way": model.events["icache_way"] ^ 1}),
            r"event of access \d+ \(.*\): icache_way is",
        ),
        (
            differently(counters=lambda model: model.counters | {"conflicts": 1000}),
            r"counter conflicts is \d+, expected 1000",
        ),
        (
            differently(reads=lambda model: {"m_axi": model.reads["m_axi"][1:]}),
            "address of m_axi's reads",
        ),
        (lambda said: replace(said, writes=said.writes + 1), r"counter bursts written is \d+, expected"),
        (
            differently(memory=lambda model: WrittenMemory(lambda line: np.full(16, 1, np.uint8), [3])),
            "memory at byte address 0x",
        ),
    ],
)
def test_whatever_differs_is_found(doctored: Callable[[Predicted], Predicted], message: str) -> None:

    cfg = config("tiny")
    trace = mixed(cfg, 100, 1)
    predicted = predict(cfg, sides(cfg, trace.columns), Memory(SEED))
    mismatches = check(cfg, trace.columns, doctored(predicted), through(cfg, trace.columns, predicted))
    assert any(re.match(message, item.text) for item in mismatches), mismatches


def test_the_page_names_all_operations() -> None:
    text = (ROOT / "docs" / "mmu.md").read_text().split("## Trace files")[1]
    assert re.findall(r"(\d+)\s`(\w+)`[,.]", text) == [(str(n), op) for n, op in enumerate(OPS)]
