# SPDX-License-Identifier: Apache-2.0
"""Requests one by one: what is asked next depends on what was answered."""

from typing import Any

import numpy as np
import pytest

import configs
from configs import MemoryTiming
from configs.dcache.schema import LOAD, STORE, Config
from models.memory import Memory
from tb.common.components.packing import Columns, pack_lanes, unpack_lanes
from tb.common.replay.library import Roles
from tb.common.replay.machine import DeadlockError, Replay, ReplayError
from tb.common.replay.traffic import Traffic
from tb.common.replay.work import Work
from tb.lpas.dialogue import PLACES, Dialogue

LINKS = 3 * PLACES  # of a chain through memory


def config() -> Config:
    cfg: Config = configs.load("dcache", "tiny")
    return cfg


def machine(**options: Any) -> Replay:
    """A cache before a memory whose words are a chain: each holds the address of the next."""
    order = np.random.default_rng(1).permutation(LINKS)
    words = np.zeros(LINKS, np.uint32)
    words[order] = 4 * np.roll(order, -1)
    cfg = config()
    return Replay(cfg, Memory(image=words), cfg.cache.line_bytes, roles=Roles(), **options)


def request(op: int, address: int, data: int = 0) -> np.ndarray:
    """One word of lane 0."""
    stream = config().streams["req"]
    columns: Columns = {field.name: np.zeros(1, np.int64) for field in stream.fields}
    columns["op"][0], columns["mask"][0] = op, 1
    columns["addr0"][0], columns["data0"][0], columns["strobe0"][0] = address, data, 15
    return pack_lanes(stream, columns, 1)[0]


def value(words: np.ndarray) -> int:
    return int(unpack_lanes(config().streams["res"], words, "data0")[0])


def answer(dialogue: Dialogue) -> np.ndarray:
    while True:
        chunk = dialogue.go(50)
        if len(chunk.ports[0].results):
            return chunk.ports[0].results.copy()


@pytest.mark.slow
def test_a_chain_is_followed() -> None:
    replay = machine()
    dialogue, address, addresses = Dialogue(replay), 0, []
    for _ in range(LINKS):
        dialogue.ask(0, request(LOAD, address))
        assert dialogue.open
        address = value(answer(dialogue))
        addresses.append(address)
        assert not dialogue.open
    assert address == 0 and len(set(addresses)) == LINKS


def test_what_was_stored_is_loaded_and_nothing_else_comes() -> None:
    replay = machine()
    dialogue = Dialogue(replay)
    dialogue.ask(0, request(STORE, 8, 77))
    dialogue.ask(0, request(LOAD, 8))
    results = [answer(dialogue), answer(dialogue)]
    assert value(results[1]) == 77
    before = replay.cycle
    assert not len(dialogue.go(100).ports[0].results)
    assert replay.cycle == before + 100


def test_requests_that_are_there_take_the_cycles_of_a_run() -> None:
    words = np.array([request(LOAD, 4 * (n * 7 % LINKS)) for n in range(60)])
    replay = machine()
    cycles = np.concatenate([chunk.ports[0].result_cycle.copy() for chunk in replay.run(Work(words))])
    replay = machine()
    dialogue, result_cycles = Dialogue(replay), []
    for word in words:
        dialogue.ask(0, word)
    while dialogue.open:
        result_cycles += dialogue.go(1000).ports[0].result_cycle.tolist()
    assert result_cycles == cycles.tolist()


def test_a_design_that_stops_is_named_with_its_request() -> None:
    replay = machine(traffic=Traffic(data=np.arange(5000) == 4999), patience=500)
    dialogue = Dialogue(replay)
    dialogue.ask(0, request(LOAD, 0))
    with pytest.raises(DeadlockError, match="request 0 was accepted, but has no result; nothing moves"):
        answer(dialogue)


def test_too_many_requests_at_a_time() -> None:
    replay = machine(timing=MemoryTiming(latency=100))
    dialogue = Dialogue(replay)
    for _ in range(PLACES):
        dialogue.ask(0, request(LOAD, 0))
    with pytest.raises(AssertionError, match=f"req: {PLACES} requests without a result"):
        dialogue.ask(0, request(LOAD, 0))
    assert issubclass(DeadlockError, ReplayError)
