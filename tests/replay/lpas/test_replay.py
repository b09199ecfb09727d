# SPDX-License-Identifier: Apache-2.0
"""Requests of all PEs through the Verilated ``lpas``: cycle for cycle what the model says, or named."""

import re
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import configs
from configs import MemoryTiming
from configs.lpas.schema import FLUSH, LDM, LOAD, STM, STORE, Config
from models.lpas import REQUEST
from models.memory import Memory
from tb.lpas.items import Distribution
from tb.lpas.replay import Named, predict, verified
from tests.replay.traces import planted

COUNT = 2_000
SEED = 5
KINDS = (
    "switch=lpas", "switch=fs", "switch=lr2ss-a", "bound=age age=3", "bound=weights areas=merged",
    "read_pipeline=true",
)  # fmt: skip
#: rows, columns, and the switch between them; one of 8 x 8, which compiles for three minutes
ARRAYS = [
    (8, 8, "areas=merged"), (4, 8, "areas=merged"), (4, 8, "switch=lr2ss-a"),
    (8, 2, "areas=cyclic"), (8, 2, "areas=merged bound=age age=5"), (4, 2, "switch=lr2ss-a"),
    (4, 2, "switch=lr2ss-b"), (8, 2, "switch=lr2ss-c"), (2, 8, "switch=lr2ss-b"), (2, 4, "switch=lr2ss-c"),
    (4, 4, "areas=cyclic"), (4, 4, "areas=merged bound=weights"),
]  # fmt: skip


def config(*changes: str) -> Config:
    cfg: Config = configs.load("lpas", "tiny", changes)
    return cfg


def drawn(cfg: Config, count: int = COUNT, **fields: Any) -> NDArray[Any]:
    """Requests of all kinds, some of which come later."""
    rng = np.random.default_rng(SEED)
    accesses = Distribution(**{"outside": 0.1, "flushes": 0.02, **fields}).draw(cfg, rng, count)
    accesses["at"] = np.where(rng.random(count) < 0.1, rng.integers(20 * count, size=count), 0)
    return accesses


def rows(*listed: tuple[int, ...]) -> NDArray[Any]:
    """Of pe, op, word, value, at; what is left out is 0."""
    return np.array([(*row, *(0,) * (5 - len(row))) for row in listed], REQUEST)


@pytest.mark.slow
@pytest.mark.parametrize("changes", KINDS)
def test_it_does_what_the_model_says(changes: str) -> None:
    """With errors, too; conflicts and misses are among it, else it would say little."""
    cfg = config(*changes.split())
    accesses = drawn(cfg)
    lines = np.unique(accesses["word"] >> cfg.slot_bits)
    rtl, model, wrong = verified(cfg, accesses, Memory(SEED, poisoned=lines[::9].tolist()))
    assert not wrong, wrong[0].text
    assert rtl.counters == model.counters and len(rtl.answers) == COUNT
    least = ("hits", "misses", "evictions", "write_backs", "outside", "errors", "conflict_cycles")
    assert all(rtl.counters[name] > 10 for name in least), rtl.counters


@pytest.mark.slow
@pytest.mark.parametrize(("rows", "columns", "changes"), ARRAYS)
def test_arrays_of_other_shapes(rows: int, columns: int, changes: str) -> None:
    array = [f"array.rows={rows}", f"array.columns={columns}", "axi.id_bits=7", "cache.address_bits=15"]
    cfg = config(*array, *changes.split())
    count = max(COUNT, 200 * cfg.pes)  # one PE alone reaches the outside
    rtl, model, wrong = verified(cfg, drawn(cfg, count), Memory(SEED))
    assert not wrong, wrong[0].text
    assert rtl.counters == model.counters and len(rtl.answers) == count
    assert min(rtl.counters[name] for name in ("hits", "misses", "outside", "conflict_cycles")) > 10


@pytest.mark.parametrize("timing", [MemoryTiming(latency=1), MemoryTiming(latency=90, gap=3)])
def test_memory_may_be_near_or_slow(timing: MemoryTiming) -> None:
    cfg = config()
    rtl, model, wrong = verified(cfg, drawn(cfg, 500), Memory(SEED), timing=timing)
    assert not wrong, wrong[0].text
    assert rtl.cycles == model.cycles != verified(cfg, drawn(cfg, 500), Memory(SEED))[0].cycles


def test_a_request_waits_for_its_cycle() -> None:
    """Longer than patience would be, were nothing to come; and the requests behind it with it."""
    cfg, late = config(), 200_000
    accesses = rows((0, STORE, 0, 7), (0, LOAD, 0, 0, late), (0, LOAD, 1), (1, LOAD, 0, 0, 90))
    rtl, _, wrong = verified(cfg, accesses, Memory(SEED))
    assert not wrong, wrong[0].text
    first = rtl.answers["first"]
    assert first[0] == 0 and first[1] == late and first[2] == late + 2 and first[3] == 90
    assert rtl.answers["value"][1] == rtl.answers["value"][3] == 7


def test_the_worked_example_of_the_page() -> None:
    """Store, load and store of PE 0, one of a PE of row 1 to the same cache: it waits for two of them."""
    cfg = config()
    accesses = rows(
        (0, STORE, 0), (0, STORE, 1, 5, 90), (0, LOAD, 1, 0, 91), (0, STORE, 2, 6, 93), (2, STORE, 3, 8, 90)
    )
    rtl, _, wrong = verified(cfg, accesses, Memory(SEED))
    assert not wrong, wrong[0].text
    took = rtl.answers["done"] - rtl.answers["first"] + 1
    assert took[1:].tolist() == [1, 2, 1, 3] and rtl.answers["value"][2] == 5


def test_the_last_pe_reaches_memory() -> None:
    cfg, last = config(), 3
    accesses = rows((last, STORE, 9, 77), (last, LDM, 9), (last, FLUSH, 0), (last, LDM, 9), (last, STM, 9, 5))
    accesses = np.concatenate([accesses, rows((last, LOAD, 9))])
    rtl, _, wrong = verified(cfg, accesses, Memory(SEED))
    assert not wrong, wrong[0].text
    before, after, loaded = rtl.answers["value"][[1, 3, 5]]
    assert before != after == 77 and loaded == 5


#: bug -> file, what stands there, what it becomes, what is said of it
BUGS = {
    "conflict": (
        "lpas_areas.v", "later <= (members & above) | (~members & later);", "later <= later;",
        r"access \d+ \(PE \d, (load|store), word 0x\w+, cache \d\): done is \d+, expected \d+",
    ),
    "event": (
        "lpas.v", "event_valid <= (|granted) & !reset;", "event_valid <= (|granted[3:1]) & !reset;",
        r"cycle with grants \d+: grant is \[",
    ),
    "memory": (
        "lpas_network.v", "{2'd0, 2'b11} << {write_word", "{2'd0, 2'b01} << {write_word",
        r"memory at byte address 0x\w+ is 0x\w+, expected",
    ),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("bug", BUGS)
def test_what_differs_is_named(bug: str) -> None:
    cfg = config()
    *plant, says = BUGS[bug]
    folder = planted(cfg, f"replay_{bug}", *plant)
    texts = [mismatch.text for mismatch in verified(cfg, drawn(cfg), Memory(SEED), rtl_dir=folder)[2]]
    assert any(re.search(says, text) for text in texts), texts


def test_a_request_is_named_by_its_place_in_the_trace() -> None:
    cfg = config()
    accesses = rows((3, FLUSH, 0), (1, STORE, 0x18, 5))
    assert Named(cfg, accesses)(1) == "access 1 (PE 1, store, word 0x18, cache 3)"
    assert predict(cfg, accesses, Memory(SEED)).answers["err"].tolist() == [0, 0]
