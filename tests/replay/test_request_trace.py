# SPDX-License-Identifier: Apache-2.0
"""A block whose requests say it all gets trace files, replay and report from its description."""

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from configs import Field, Stream, UserError
from models.memory import Memory
from tb.common.components.packing import pack_lanes
from tb.common.replay.library import Port, Roles
from tb.common.replay.machine import Replay, ReplayError
from tb.common.replay.request_trace import RequestTrace
from tb.common.replay.requests import Columns, Model, Requester, Rows, WrittenMemory
from tb.common.replay.trace_report import Report, write_files
from tb.common.replay.traffic import Traffic
from tb.common.replay.work import Work
from tests.replay.three_clocks import CFG, LINE, RTL, STORE, Config
from tests.replay.three_clocks import Model as Stores
from workloads.traces import npz_table
from workloads.traces.requests import counting, load_requests

COUNT = 200
TEXT = """#trace version=1
pair,strobe,value
# the second is refused
3,15,4294967295
5,1,7
3,0,9
"""


def predict(cfg: Config, columns: Columns, memory: Memory) -> Model:
    memory.poison([5])
    stores = Stores(memory)
    for row in zip(*(columns[name].tolist() for name in ("pair", "value", "strobe")), strict=True):
        stores.store(*row)
    results = {"err": (columns["pair"] == 5).astype(np.uint32), "id": columns["id"]}
    written = WrittenMemory(stores.line, stores.lines)
    counters = {"stores": len(columns["pair"])}
    return Model(results, counters, writes={"m_axi": columns["pair"] * LINE}, memory=written)


class Poisoned(Requester):
    """The memory of the RTL refuses what that of the model does."""

    def replay(self, cfg: Any, columns: Columns, memory: Memory, *rest: Any, **options: Any) -> Any:
        memory.poison([5])
        return super().replay(cfg, columns, memory, *rest, **options)


def trace(model: Callable[[Any, Columns, Memory], Model] = predict) -> RequestTrace:
    return RequestTrace(lambda cfg: Poisoned(LINE, STORE), model, lambda cfg: {"id": counting(4)})


def run(path: Path, model: Callable[[Any, Columns, Memory], Model] = predict) -> Report:
    return trace(model).run(CFG, path, 1, RTL, lambda what, done, total: None)


@pytest.fixture
def text(tmp_path: Path) -> Path:
    path = tmp_path / "mine.csv"
    path.write_text(TEXT)
    return path


def test_model_and_rtl_agree(text: Path, tmp_path: Path) -> None:
    report = run(text)
    assert report.equal, report.mismatches
    assert (report.name, report.accesses) == ("mine", 3)
    assert report.columns["pair"].tolist() == [3, 5, 3]
    assert report.columns["err"].tolist() == [0, 1, 0]
    assert report.columns["id"].tolist() == report.columns["res_id"].tolist() == [0, 1, 2]
    assert (report.columns["cycles"] > CFG.memory.latency).all()
    assert report.figures["stores"] == report.figures["writes of m_axi"] == 3
    assert write_files(report, tmp_path / "out", None, {}) == ["results.npz", "results.csv", "summary.json"]


def test_arrays_mean_the_same_as_text(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    columns = {
        name: rng.integers(0, high, COUNT)
        for name, high in (("pair", 64), ("value", 1 << 32), ("strobe", 16))
    }
    arrays, text = tmp_path / "a.npz", tmp_path / "a.csv"
    np.savez(arrays, **columns, image=np.arange(16), base=64, name="mine")
    rows = zip(*(column.tolist() for column in columns.values()), strict=True)
    text.write_text(",".join(columns) + "\n" + "".join(",".join(map(str, row)) + "\n" for row in rows))
    from_arrays, from_text = (
        load_requests(path, CFG.streams["store"], "here", {"id": 3}) for path in (arrays, text)
    )
    assert {name: column.tolist() for name, column in from_arrays.columns.items()} == {
        name: column.tolist() for name, column in from_text.columns.items()
    }
    assert from_arrays.columns["id"].tolist() == [3] * COUNT
    assert (from_arrays.name, from_text.name, from_arrays.base) == ("mine", "a", 64)
    report = run(arrays)
    assert report.equal, report.mismatches


def differently(**changes: Callable[[Model], Any]) -> Callable[[Any, Columns, Memory], Model]:
    def changed(cfg: Config, columns: Columns, memory: Memory) -> Model:
        model = predict(cfg, columns, memory)
        return replace(model, **{name: change(model) for name, change in changes.items()})

    return changed


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (
            differently(results=lambda model: model.results | {"err": model.results["err"] * 0}),
            r"store 1 \(pair 5, value 7, strobe 1, id 1\): err is 1, expected 0",
        ),
        (differently(counters=lambda model: {"stores": 4}), "counter stores is 3, expected 4"),
        (
            differently(writes=lambda model: {"m_axi": model.writes["m_axi"] + np.array([0, 8, 0])}),
            "address of m_axi's writes, number 1 is 0x28, expected 0x30",
        ),
        (
            differently(memory=lambda model: WrittenMemory(lambda line: model.memory.line(line) | 1, [3])),
            "memory at byte address 0x",
        ),
    ],
)
def test_whatever_differs_is_found(text: Path, model: Any, message: str) -> None:
    report = run(text, model)
    assert any(re.match(message, item.text) for item in report.mismatches), report.mismatches


def test_results_are_matched_by_key(tmp_path: Path) -> None:
    port, memory = Port("load", "loaded", None, None), Memory(1)
    columns = {"pair": np.arange(300), "id": np.random.default_rng(1).integers(0, 16, 300)}
    requester = Requester(LINE, port, key="id")
    rtl = requester.replay(CFG, columns, memory, rtl_dir=RTL, traffic=Traffic.random(1, "id"))
    read = memory.read_many(np.arange(600).reshape(-1, 2))
    model = Model({"first": read[:, 0], "second": read[:, 1]})
    assert not requester.check(CFG, columns, model, rtl)
    assert (np.diff(rtl.t_result) < 0).any(), "nothing was overtaken"
    [first, *_] = requester.check(CFG, columns, replace(model, results={"first": read[::-1, 0]}), rtl)
    assert first.text.startswith("load 0 (pair 0, id ")


@pytest.mark.slow
def test_a_result_of_a_key_that_was_not_asked_is_a_failure() -> None:
    port = Port("load", "loaded", None, None)
    machine = Replay(CFG, Memory(1), LINE, rtl_dir=RTL, roles=Roles((port,)))
    requests = {"pair": np.arange(3), "id": np.array([1, 2, 2])}
    rows = Rows(len(CFG.axi_ports))
    for chunk in machine.run(Work(pack_lanes(CFG.streams["load"], requests, 3))):
        rows.add(chunk)
    with pytest.raises(ReplayError, match="loaded, by id: key 2: 2 results for 1 requests"):
        Requester(LINE, port, key="id").folded(CFG, requests | {"id": np.array([1, 2, 3])}, rows, machine)


WIDE = Stream(
    "req", "in", (Field("op", 2, names=("load", "store", "flush")), Field("data", 64), Field("low", 5, True))
)


@pytest.mark.parametrize("fast", [True, False])
def test_words_signs_and_64_bits(tmp_path: Path, fast: bool) -> None:
    path = tmp_path / "wide.csv"
    data = [0, 1 << 62] if fast else [0, (1 << 64) - 1]
    path.write_text(f"op,data,low\n{0 if fast else 'load'},{data[0]},-16\n2,{data[1]},15\n")
    columns = load_requests(path, WIDE, "here").columns
    assert columns["op"].tolist() == [0, 2]
    assert columns["data"].tolist() == data and columns["data"].dtype == np.uint64
    assert columns["low"].tolist() == [-16, 15]


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("3,0,0", r"bad.csv:2: op=3: must be 0\.\.2 in here"),
        ("flash,0,0", "bad.csv:2: op='flash': not an integer or one of load, store, flush"),
        (f"0,{1 << 64},0", f"data={1 << 64}: must be 0..{(1 << 64) - 1} in here"),
        ("0,-1,0", "data=-1: must be 0"),
        ("0,0,16", r"low=16: must be -16\.\.15"),
    ],
)
def test_values_that_a_field_does_not_have(tmp_path: Path, row: str, message: str) -> None:
    path = tmp_path / "bad.csv"
    path.write_text(f"op,data,low\n{row}\n")
    with pytest.raises(UserError, match=message):
        load_requests(path, WIDE, "here")


def test_bad_archives(tmp_path: Path) -> None:
    path = tmp_path / "bad.npz"
    for arrays, message in (
        ({"op": [0], "data": [0]}, "bad.npz: column low is missing: a trace needs op, data, low"),
        ({"op": [0, 0], "data": [0], "low": [0]}, "array data has 1 values, op has 2"),
        ({"op": [3], "data": [0], "low": [0]}, r"array op: value 3 at 0: must be 0\.\.2"),
        ({"op": [0], "data": [0], "low": [0], "high": [0]}, "unknown array 'high'"),
        ({"op": [0], "data": [0], "low": [0], "version": 2}, "version=2: this program reads version 1"),
    ):
        np.savez(path, **arrays)
        with pytest.raises(UserError, match=message):
            load_requests(path, WIDE, "here")


def test_hostile_archives(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is unpacked beyond the limit."""
    path = tmp_path / "bad.npz"
    np.savez_compressed(path, op=np.zeros(1 << 20, np.int64), data=[0], low=[0])
    with monkeypatch.context() as limited:
        limited.setattr(npz_table, "MOST_ROWS", 1000)
        with pytest.raises(UserError, match="array op has 1,048,576 values: a trace has at most 1,000"):
            load_requests(path, WIDE, "here")
    monkeypatch.setattr(npz_table, "MOST_BYTES", 1 << 20)
    monkeypatch.setattr(np.lib.format, "read_array", None)
    with pytest.raises(UserError, match=r"bad.npz: unpacks to 8,389,\d+ bytes; a trace file may have"):
        load_requests(path, WIDE, "here")


def test_a_single_value_is_that_of_all(tmp_path: Path) -> None:
    np.savez(tmp_path / "a.npz", op=1, data=[3, 4, 5], low=-2)
    columns = load_requests(tmp_path / "a.npz", WIDE, "here").columns
    assert {name: column.tolist() for name, column in columns.items()} == {
        "op": [1, 1, 1], "data": [3, 4, 5], "low": [-2, -2, -2],
    }  # fmt: skip
