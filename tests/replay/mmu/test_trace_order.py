# SPDX-License-Identifier: Apache-2.0
"""The order of a trace of ``mmu``, kept between its ports where it can be seen, and only there."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import cacheforge
from models.memory import Memory
from models.mmu import MmuModel
from models.mmu.traffic import OPS, defaults, sides, stream
from tb.common.replay.structures import TAIL
from tb.mmu.prediction import asked_of, parts, predict
from tb.mmu.replay import check
from tests.replay.mmu.accesses import SEED, config, mixed, through
from workloads.traces.requests import requests_from_arrays


@pytest.mark.slow
@pytest.mark.parametrize("preset", ("tiny", "fast-tiny"))
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
        mismatches = check(cfg, trace.columns, predicted, through(cfg, trace.columns, whole))
        assert all(item.field == "icache_inst" for item in mismatches), mismatches
        free += len(mismatches)
    assert free, "the order did not matter"


@pytest.mark.parametrize(
    "changes", [("tiny",), ("fast-tiny",), ("tiny", "icache.restart=word"), ("through",)]
)
def test_the_model_in_one_loop_is_the_model_one_by_one(changes: tuple[str, ...]) -> None:
    """Results, counters and memory of requests of both caches in one order."""
    cfg = config(*changes)
    trace = mixed(cfg, 400, 7, 512)
    both = sides(cfg, trace.columns)
    fetches, accesses = asked_of(both)
    of_dcache = np.isin(np.arange(len(trace)), both[1].rows)
    model, alone = MmuModel(cfg, Memory(SEED)), MmuModel(cfg, Memory(SEED))
    fetched, accessed = model.replay(of_dcache, fetches, accesses)
    f = a = 0
    for data in of_dcache:
        if data:
            assert alone.access(accesses[a : a + 1]) == accessed[a]
            a += 1
        else:
            assert alone.fetch(fetches[f : f + 1]) == fetched[f]
            f += 1
    assert (f, a) == (len(fetches), len(accesses)) and f > 100 < a
    for name in ("icache", "dcache"):
        assert getattr(model, name).counters == getattr(alone, name).counters
    assert model.counters == alone.counters and model.tries == alone.tries
    lines = model.dcache.memory.lines
    assert lines.tolist() == alone.dcache.memory.lines.tolist() and len(lines)
    for line in lines.tolist():
        assert (model.dcache.memory.line(line) == alone.dcache.memory.line(line)).all()


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
        model, [fetch_requests, accesses] = MmuModel(cfg, Memory(SEED)), asked_of(both)
        for fetches, of_data in parts(both, predicted.starts):
            model.access(accesses[of_data])
            inst = model.fetch(fetch_requests[fetches])["inst"]
            assert (inst == said["icache_inst"][both[0].rows[fetches]]).all(), seed


@pytest.mark.slow
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
            mismatches = check(cfg, trace.columns, predicted, through(cfg, trace.columns, predicted))
        late += any(item.field == "icache_inst" for item in mismatches)
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
