# SPDX-License-Identifier: Apache-2.0
"""Traces through model and RTL of ``mmu``: both ports, their order, other tools' files, mistakes."""

import json
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import cacheforge
import configs
from configs import UserError
from configs.mmu.schema import Config
from models.memory import Memory
from models.mmu import MmuModel
from tb.common.replay import trace_cli
from tb.common.replay.requests import Columns, Model, WrittenMemory
from tb.common.replay.structures import TAIL
from tb.common.running.builds import ROOT
from tb.mmu.prediction import Predicted, asked_of, parts, predict
from tb.mmu.replay import Replayed, check, replay
from tests.replay.traces import planted
from workloads.mmu.trace import OPS, defaults, load_trace, sides, stream
from workloads.traces.requests import Requests, requests_from_arrays

SEED = 3
PRESETS = ("tiny", "fast-tiny")
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


def mixed(cfg: Config, count: int, seed: int, reach: int = 2048) -> Requests:
    """All operations at random, words that are fetched and stored in the same few lines, some shared RAM."""
    rng = np.random.default_rng(seed)
    often = {"fetch": 40, "load": 25, "store": 25}
    share = np.array([often.get(op, 0.6) for op in OPS])
    drawn = {"op": rng.choice(len(OPS), count, p=share / share.sum())}
    drawn |= {name: rng.integers(0, 2, count) for name in ("block", "warp")}
    drawn["pc"] = np.where(drawn["op"] == 0, rng.integers(0, reach, count), rng.integers(0, 4, count))
    drawn["mask"] = rng.integers(0, 256, count) & rng.integers(0, 256, count)
    for lane in range(8):
        shared = rng.random(count) < 0.1
        address = np.where(shared, cfg.data_ram.base, 0) + rng.integers(0, 256, count)
        drawn[f"addr{lane}"] = np.where(shared, address, rng.integers(0, reach, count))
        drawn[f"data{lane}"] = rng.integers(0, 1 << 32, count)
        drawn[f"strobe{lane}"] = rng.integers(0, 16, count)
    drawn["addr0"] = np.where(drawn["op"] == OPS.index("dcache_policy"), drawn["warp"], drawn["addr0"])
    return requests_from_arrays(drawn, stream(cfg), defaults(cfg))


def through(cfg: Config, columns: Columns, predicted: Predicted) -> Replayed:
    return replay(cfg, columns, sides(cfg, columns), predicted, Memory(SEED), SEED)


def config(preset: str, *changes: str) -> Config:
    cfg: Config = configs.load("mmu", preset, changes)
    return cfg


@pytest.mark.parametrize("preset", PRESETS)
def test_the_order_of_the_file_is_kept_where_it_can_be_seen(preset: str) -> None:
    """The RTL fetches what the library's model does, access by access; and not if the ports do not wait."""
    cfg, free = config(preset), 0
    for seed in range(6):
        trace = mixed(cfg, 400, seed, 512 if seed % 2 else 2048)
        predicted = predict(cfg, sides(cfg, trace.columns), Memory(SEED))
        alone, model = cacheforge.run(cfg, trace, seed=SEED), predicted.model.results
        assert (alone.results["data"][:, 0] == model["icache_inst"] | model["dcache_data0"]).all()
        assert alone.counters == predicted.model.counters
        assert 3 < len(predicted.starts) < 60
        assert not check(cfg, trace.columns, predicted, through(cfg, trace.columns, predicted))
        whole = replace(predicted, starts=np.zeros(1, np.int64))
        found = check(cfg, trace.columns, predicted, through(cfg, trace.columns, whole))
        assert all(item.field == "icache_inst" for item in found), found
        free += len(found)
    assert free, "the order did not matter"


@pytest.mark.parametrize(
    "changes",
    [
        ("tiny", "icache.restart=word"),
        ("tiny", "dcache.write_policy=write-through"),
        ("fast-tiny", "dcache.coalescing=false"),
        ("through", "icache.cache.line_bytes=16"),
    ],
)
def test_the_model_in_parts_is_the_model_access_by_access(changes: tuple[str, ...]) -> None:
    """Whichever cache comes first in a part. Few lines, so that an access may be where several others end."""
    cfg = config(*changes)
    for seed in range(25):
        trace = mixed(cfg, 400, seed, 512)
        both = sides(cfg, trace.columns)
        predicted = predict(cfg, both, Memory(SEED))
        alone, said = cacheforge.run(cfg, trace, seed=SEED), predicted.model.results
        assert (alone.results["data"][:, 0] == said["icache_inst"] | said["dcache_data0"]).all(), seed
        assert alone.counters == predicted.model.counters
        model, [asked, accesses] = MmuModel(cfg, Memory(SEED)), asked_of(both)
        for fetches, of_data in parts(both, predicted.starts):
            model.access(accesses[of_data])
            inst = model.fetch(asked[fetches])["inst"]
            assert (inst == said["icache_inst"][both[0].rows[fetches]]).all(), seed


def test_what_a_line_ahead_replaces_is_written_before_the_next_part(monkeypatch: pytest.MonkeyPatch) -> None:
    """It waits for the one line that may be under way, longer than the quiet that ends other replays."""
    cfg = config("fast-tiny", "memory.latency=200", "dcache.mshrs=1", "dcache.targets=1")
    late = 0
    for seed in range(60, 75):
        rng, count = np.random.default_rng(seed), 300
        drawn: dict[str, Any] = {"op": rng.choice([0, 5, 6], count, p=[0.3, 0.45, 0.25])}
        drawn["warp"] = rng.integers(0, 4, count)
        drawn["pc"], near = 16 * rng.integers(0, 20, (2, count))
        walk = 16 * (np.cumsum(rng.integers(0, 2, count)) % 20)
        drawn["addr0"] = np.where(rng.random(count) < 0.5, walk, near)
        trace = requests_from_arrays(drawn, stream(cfg), defaults(cfg))
        predicted = predict(cfg, sides(cfg, trace.columns), Memory(SEED))
        assert not check(cfg, trace.columns, predicted, through(cfg, trace.columns, predicted))
        with monkeypatch.context() as patched:
            patched.setattr("tb.mmu.replay.quiet", lambda timing: TAIL)
            found = check(cfg, trace.columns, predicted, through(cfg, trace.columns, predicted))
        late += any(item.field == "icache_inst" for item in found)
    assert late, "no line was late"


@pytest.mark.parametrize(
    ("rows", "starts"),
    [
        ("fetch 0,store 200,fetch 100", [0]),
        ("fetch 0,store 0,fetch 0", [0]),  # the line is there, and the store not written back
        ("fetch 0,store 0,clean 0,fetch 100", [0, 2]),
        ("store 0,clean 0,fetch 0", [0, 2]),
        ("store 0,clean 0,fetch 100,fetch 0", [0, 3]),
        ("store 8000,clean 0,fetch 8000", [0]),  # the shared RAM is no memory
        ("store f000,fetch f000", [0, 1]),  # goes past the cache
    ],
)
def test_ports_wait_no_more_than_they_must(rows: str, starts: list[int]) -> None:
    cfg, pairs = config("tiny"), [row.split() for row in rows.split(",")]
    where = np.array([int(address, 16) for _, address in pairs])
    drawn = {"op": np.array([OPS.index(op) for op, _ in pairs]), "pc": where, "addr0": where}
    trace = requests_from_arrays(drawn, stream(cfg), defaults(cfg))
    assert predict(cfg, sides(cfg, trace.columns), Memory(SEED)).starts.tolist() == starts


def test_a_fetch_behind_a_clean_sees_the_store(tmp_path: Path) -> None:
    assert run(written(tmp_path / "a.csv", ORDERED), tmp_path / "out") == 0
    found = results(tmp_path / "out")
    assert found["icache_inst"][4] == 7 != found["icache_inst"][0]
    assert found["part"].tolist() == [0, 0, 1, 1, 2]
    assert found["icache_hit"].tolist() == [0] * 5
    assert (np.diff(found["t_request"][[0, 2, 4]]) > 64).all(), "the parts do not wait for each other"


def test_lackey_goes_to_both_ports(tmp_path: Path) -> None:
    """A fetch of two words, one of one, a load; M is a load and a store, of the number of the request."""
    assert run(written(tmp_path / "out.log", LACKEY), tmp_path / "out") == 0
    found = results(tmp_path / "out")
    named = [OPS[op] for op in found["op"]]
    assert named == ["fetch", "fetch", "load", "store", "fetch", "load", "store"]
    assert found["pc"].tolist() == [0x11C, 0x120, 0, 0, 0x120, 0, 0]
    assert found["addr0"].tolist() == [0, 0, 0x200, 0x204, 0, 0x204, 0x204]
    assert found["data0"].tolist() == [0, 0, 0, 1, 0, 0, 3]
    memory = Memory(1)
    assert [found["icache_inst"][row] for row in (0, 1, 4)] == memory.read_many([0x47, 0x48, 0x48]).tolist()
    assert found["dcache_data0"].tolist() == [0, 0, memory.read(0x80), 0, 0, 1, 0]
    told = json.loads((tmp_path / "out" / "summary.json").read_text())["figures"]
    assert (told["references"], told["icache_fetches"], told["dcache_stores"]) == (6, 3, 2)


def test_the_library_reads_the_same_files(tmp_path: Path) -> None:
    path, cfg = written(tmp_path / "out.log", LACKEY), config("tiny")
    alone, model = (
        cacheforge.run(cfg, cacheforge.trace(cfg, path)),
        predict(cfg, sides(cfg, load_trace(path, cfg).columns), Memory(1)).model,
    )
    assert alone.counters == model.counters and alone.counters["icache_fetches"] == 3


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


@pytest.mark.parametrize(("name", "message"), [("x.log", "no references"), ("x.npz", "no array of a column")])
def test_empty_files_are_one_line_and_exit_code_2(name: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / name
    np.savez(path, name="empty") if name.endswith("npz") else path.write_text("# nothing\n")
    command = [sys.executable, "-m", "tb.common.replay.trace_cli", "mmu", "--config", "tiny"]
    command += ["--trace", str(path), "--out", str(tmp_path / "out")]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 2, done.stderr
    assert done.stderr.startswith(f"error: {path}: {message}") and done.stderr.count("\n") == 1


def test_a_wrong_lane_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Of lanes that store to one word of the shared RAM the lowest wins."""
    rows = (
        "op,mask,addr0,addr1,data0,data1\nstore,3,0x8010,0x8010,1,2\nfetch,0,0,0,0,0\nload,1,0x8010,0,0,0\n"
    )
    path = written(tmp_path / "lanes.csv", rows)
    before = "if (bank_served[b*8 + i] & lane_strobes[i*4 + j]) begin"
    bug = planted(
        config("tiny"), "mmu-lanes", "mmu_data_ram.v", before, before.replace("] &", "] & !strobe[j] &", 1)
    )
    assert run(path, tmp_path / "out", "--rtl-dir", str(bug)) == 1
    said = capsys.readouterr().out
    assert "access 2 (load, warp 0, lanes 0, addresses 0x8010): dcache_data0 is 1, expected 2" in said
    assert f"repro: make trace BLOCK=mmu CONFIG=tiny TRACE={path} SEED=1 RTL_DIR={bug}" in said
    assert results(tmp_path / "out")["equal"].tolist() == [1, 1, 0]


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
    found = check(cfg, trace.columns, doctored(predicted), through(cfg, trace.columns, predicted))
    assert any(re.match(message, item.text) for item in found), found


def test_the_page_names_all_operations() -> None:
    text = (ROOT / "docs" / "mmu.md").read_text().split("## Trace files")[1]
    assert re.findall(r"(\d+)\s`(\w+)`[,.]", text) == [(str(n), op) for n, op in enumerate(OPS)]
