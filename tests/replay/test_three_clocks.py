# SPDX-License-Identifier: Apache-2.0
"""A design of three clocks, three request ports and two AXI masters, one of which writes, in the harness.

``three_clocks/three_clocks.v`` stores on one clock and loads on another; a mask on the third is XORed into
what is loaded. Nothing of it is particular to a block: descriptions are all that the harness is given.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from configs import MemoryTiming, UserError
from models.memory import Memory
from tb.common.components.packing import Lanes, pack_lanes, unpack_lanes
from tb.common.replay.compare import match_by_key
from tb.common.replay.library import Port, Roles
from tb.common.replay.machine import DeadlockError, Replay, ReplayError
from tb.common.replay.traffic import CHANNELS, Traffic
from tb.common.replay.work import Work
from tests.replay.three_clocks import CFG, LINE, RTL, STORE, Model

BUSY = dict.fromkeys(CHANNELS, 0.4)
ROLES = Roles((STORE, Port("load", "loaded", None, None)))


def machine(memory: Memory, roles: Roles = ROLES, **options: Any) -> Replay:
    return Replay(CFG, memory, LINE, rtl_dir=RTL, roles=roles, **options)


def words(stream: str, **columns: Any) -> Lanes:
    count = max(np.size(column) for column in columns.values())
    whole = {name: np.broadcast_to(column, count) for name, column in columns.items()}
    return pack_lanes(CFG.streams[stream], whole, count)


NOTHING = {"store": Work(np.zeros((0, 2), np.uint32)), "load": Work(np.zeros((0, 1), np.uint32))}


@dataclass
class Outcome:
    """Fields of the results of each stream, and byte addresses of the bursts."""

    fields: dict[str, dict[str, NDArray[Any]]]
    cycles: dict[str, NDArray[np.uint64]]
    reads: NDArray[np.uint64]
    writes: NDArray[np.uint64]


def run(replay: Replay, **work: Lanes) -> Outcome:
    """Give the ports ``store`` and ``load`` their work, and collect what comes."""
    port_work = [Work(work[name]) if name in work else NOTHING[name] for name in ("store", "load")]
    results: dict[str, list[Any]] = {"stored": [], "loaded": []}
    cycles: dict[str, list[Any]] = {"stored": [], "loaded": []}
    reads, writes = [], []
    for chunk in replay.run(*port_work):
        for name, port in zip(results, chunk.ports, strict=True):
            results[name].append(port.results.copy())
            cycles[name].append(port.result_cycle.copy())
        assert not len(chunk.axi[0].reads) and not len(chunk.axi[1].writes)
        writes.append(chunk.axi[0].writes.copy())
        reads.append(chunk.axi[1].reads.copy())
    whole = {name: np.concatenate(parts) for name, parts in results.items()}
    fields = {
        name: {field.name: unpack_lanes(stream, whole[name], field.name) for field in stream.fields}
        for name, stream in CFG.streams.items()
        if name in whole
    }
    stamps = {name: np.concatenate(parts) for name, parts in cycles.items()}
    return Outcome(fields, stamps, np.concatenate(reads), np.concatenate(writes))


def random_stores(count: int, pairs: int, seed: int) -> dict[str, NDArray[Any]]:
    rng = np.random.default_rng(seed)
    limits = {"pair": pairs, "value": 1 << 32, "strobe": 16}
    return {name: rng.integers(0, limit, count) for name, limit in limits.items()} | {
        "id": np.arange(count) % 16
    }


def stored(model: Model, stores: dict[str, NDArray[Any]]) -> Model:
    for pair, value, strobe, _ in zip(*(column.tolist() for column in stores.values()), strict=True):
        model.store(pair, value, strobe)
    return model


@pytest.mark.parametrize("traffic", [Traffic(), Traffic.random(3, **BUSY)])
def test_stores_and_loads_on_clocks_of_their_own(traffic: Traffic) -> None:
    """Stores reach memory with their strobes, poisoned lines are refused; loads read elsewhere."""
    image = np.arange(1 << 10, dtype=np.uint32) * 3
    memory = Memory(9, 1 << 9, image, poisoned=[5, 17, 1 << 15 | 3])
    stores = random_stores(3000, 400, 1)
    pairs = np.random.default_rng(2).integers(1 << 15, 1 << 15 | 64, 2000)
    replay = machine(memory, traffic=traffic, timing=MemoryTiming(latency=20, gap=1))
    outcome = run(
        replay, store=words("store", **stores), load=words("load", pair=pairs, id=np.arange(2000) % 16)
    )
    assert not stored(Model(memory), stores).differences(replay)
    assert (outcome.writes == stores["pair"] * LINE).all()
    assert (outcome.fields["stored"]["err"] == np.isin(stores["pair"], [5, 17])).all()
    assert (outcome.fields["stored"]["id"] == stores["id"]).all()
    assert replay.counters() == {"stores": 3000}
    assert (outcome.reads == pairs * LINE).all()
    read = memory.read_many(pairs[:, None] * 2 + np.arange(2))
    loaded = outcome.fields["loaded"]
    assert (np.stack([loaded["first"], loaded["second"]], 1) == read).all()
    assert (loaded["err"] == (pairs == (1 << 15 | 3))).all()
    again = run(replay, load=words("load", pair=stores["pair"][:50], id=0))
    model = stored(Model(memory), stores)
    lines = np.stack([model.line(pair).view("<u4") for pair in stores["pair"][:50].tolist()])
    assert (np.stack([again.fields["loaded"]["first"], again.fields["loaded"]["second"]], 1) == lines).all()


def test_the_clocks_keep_their_ratio() -> None:
    """Loads come every cycle of their clock once they flow, and each clock counts its own cycles."""
    replay = machine(Memory(1))
    before = replay.cycle
    outcome = run(replay, load=words("load", pair=np.arange(4000), id=0))
    loading = int(outcome.cycles["loaded"][-1])
    assert 2 * 4000 <= loading <= 2 * 4000 + 100
    assert replay.cycle - before == pytest.approx(loading * 7_002 / 10_000, rel=0.02)


def test_a_stream_of_a_third_clock_is_fed() -> None:
    replay = machine(Memory(1))
    replay.feed("mask", words("mask", mask=[1, 0xFFFF0000]))
    outcome = run(replay, load=words("load", pair=7, id=0))
    assert outcome.fields["loaded"]["first"].tolist() == [Memory(1).read(14) ^ 0xFFFF0000]


@pytest.mark.slow
def test_a_word_that_is_fed_is_fed_once() -> None:
    replay = machine(Memory(1), Roles((Port("load", "loaded", None, "perf"),)))
    replay.feed("store", words("store", **random_stores(3, 4, 1)))
    replay.idle(200)
    assert replay.counters() == {"stores": 3}


@pytest.mark.slow
def test_requests_without_results() -> None:
    roles = Roles((Port("mask", None, None, None), STORE))
    replay = machine(Memory(1), roles)
    work = words("mask", mask=np.arange(100)), words("store", **random_stores(10, 4, 1))
    chunks = list(replay.run(*map(Work, work)))
    assert sum(len(chunk.ports[0].request_cycle) for chunk in chunks) == 100
    assert sum(len(chunk.ports[1].results) for chunk in chunks) == 10


@pytest.mark.parametrize("order", ["id", "beat"])
def test_ids_overtake_each_other_and_are_matched_by_key(order: Any) -> None:
    memory = Memory(4)
    rng = np.random.default_rng(5)
    pairs, ids = np.arange(3000), rng.integers(0, 16, 3000)
    replay = machine(memory, timing=MemoryTiming(latency=30), traffic=Traffic.random(1, order, data=0.2))
    loaded = run(replay, load=words("load", pair=pairs, id=ids)).fields["loaded"]
    assert (loaded["id"] != ids).any(), "nothing was overtaken"
    place = match_by_key(ids, loaded["id"])
    assert (loaded["first"][place] == memory.read_many(pairs * 2)).all()
    assert (loaded["second"][place] == memory.read_many(pairs * 2 + 1)).all()
    with pytest.raises(ValueError, match="key 3: "):
        match_by_key(ids, np.where(loaded["id"] == 3, 4, loaded["id"]))


def test_responses_to_stores_may_be_reordered_too() -> None:
    stores = random_stores(500, 1 << 12, 6) | {"pair": np.arange(500)}
    memory = Memory(1)
    replay = machine(memory, timing=MemoryTiming(latency=40), traffic=Traffic.random(1, "id", response=0.5))
    ids = run(replay, store=words("store", **stores)).fields["stored"]["id"]
    assert (ids != stores["id"]).any()
    assert (np.sort(ids) == np.sort(stores["id"])).all()
    assert not stored(Model(memory), stores).differences(replay)


def test_a_store_is_not_seen_before_its_response() -> None:
    """A load that does not wait reads what was there: memory is as slow as AXI4 lets it be."""
    memory = Memory(1)
    slow = Traffic(data=(np.arange(40) == 0).astype(np.uint8))  # most beats come after the store's response
    replay = machine(memory, timing=MemoryTiming(latency=100), traffic=slow)
    store = words("store", pair=3, value=0xABCD, strobe=15, id=0)
    early = run(replay, store=store, load=words("load", pair=np.full(10, 3), id=0))
    assert set(early.fields["loaded"]["first"].tolist()) == {memory.read(6)}
    late = run(replay, load=words("load", pair=3, id=0))
    assert late.fields["loaded"]["first"].tolist() == [0xABCD]


def test_memory_keeps_what_was_written_through_a_reset() -> None:
    memory = Memory(2)
    stores = random_stores(20, 100, 3)
    replay = machine(memory)
    run(replay, store=words("store", **stores))
    replay.reset()
    assert replay.counters() == {"stores": 0}
    assert not stored(Model(memory), stores).differences(replay)


def test_differences_of_memory_are_found_on_either_side() -> None:
    memory = Memory(2)
    stores = random_stores(100, 1000, 3)
    replay = machine(memory)
    run(replay, store=words("store", **stores))
    assert replay.written().tolist() == [0, 4096]
    model = stored(Model(memory), stores)
    pair = int(stores["pair"][-1])
    model.lines[pair] = model.line(pair) ^ np.array([0] * 6 + [1, 0], np.uint8)
    [text] = model.differences(replay)
    assert text.startswith(f"memory at byte address {pair * LINE + 6:#x} is 0x")
    assert Model(memory).differences(replay), "what the RTL alone wrote is not seen"
    far = Model(memory)
    far.store(1 << 17, 0, 15)  # what the RTL never wrote
    assert f"{(1 << 17) * LINE:#x}" in far.differences(machine(memory))[0]


FAULTS = {
    1: "write burst at byte address 4092 crosses a boundary of 4 KB",
    2: "write burst at byte address 1 is not aligned",
    3: "is not of the bus's width",
    4: "is not INCR",
    5: "has other attributes than normal memory",
    6: "has other attributes than normal memory",
    7: "write burst has WLAST with beat 1 of 2",
    8: "read burst at byte address 0 has other attributes than normal memory",
}


@pytest.mark.parametrize("fault", FAULTS)
def test_bursts_that_break_a_rule_are_found(fault: int) -> None:
    replay = machine(Memory(1), plusarg=f"+fault={fault}")
    with pytest.raises(ReplayError, match=FAULTS[fault]):
        run(replay, store=words("store", pair=0, value=0, strobe=0, id=0), load=words("load", pair=0, id=0))


@pytest.mark.slow
def test_responses_that_nobody_takes_are_a_deadlock() -> None:
    roles = Roles((Port("store", None, None, "perf"),))
    replay = machine(Memory(1), roles, plusarg="+fault=20", patience=300)
    with pytest.raises(DeadlockError, match="writes to memory do not end in 300 cycles"):
        list(replay.run(Work(words("store", pair=0, value=0, strobe=0, id=0))))


def test_a_configuration_without_a_stream_that_is_needed_is_refused() -> None:
    with pytest.raises(UserError, match="configuration three clocks has no port evt, which a replay needs"):
        machine(Memory(1), Roles((Port("store", "stored"),)))
