# SPDX-License-Identifier: Apache-2.0
"""Trace replay of ``texcache``: footprints through the Verilated RTL, results in the model's own records."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from configs import MemoryTiming
from configs.texcache.schema import Config
from models.memory import Memory
from models.texcache import RESULT
from tb.common.replay import Outcome, Pauses, Replay, pack_lanes, unpack_lanes

SLOTS = 4
SLOT_FIELDS = ("valid", "hit", "bank", "set", "way", "evict", "victim")


@dataclass(frozen=True)
class Rtl:
    """What the RTL did with n footprints.

    ``result``: RESULT [n], as the golden model gives it, but with ``line`` only where a look-up missed (the RTL
    shows the addresses it asks memory for, no others). Cycles count from the first request handshake.
    """

    result: NDArray[Any]
    t_request: NDArray[np.uint64]
    t_result: NDArray[np.uint64]
    cycles: int
    counters: dict[str, int]
    addresses: NDArray[np.uint64]  # byte addresses of all fills, in order

    @property
    def latency(self) -> NDArray[np.int64]:
        """Cycles from request to result handshake, int64 [n]."""
        return (self.t_result - self.t_request).astype(np.int64)


def lut_words(cfg: Config, lut: NDArray[np.uint32]) -> NDArray[np.uint32]:
    """Writes of the whole look-up table [textures, levels], packed for stream ``lut``."""
    tex, level = np.indices(lut.shape).reshape(2, -1)
    return pack_lanes(cfg.streams["lut"], {"tex": tex, "level": level, "base": lut.reshape(-1)})


def request_words(cfg: Config, footprints: NDArray[Any]) -> NDArray[np.uint32]:
    """FOOTPRINT [n] packed for stream ``req``; ids count up and wrap around."""
    columns = {name: footprints[name] for name in ("u", "v", "mode_u", "mode_v", "level", "tex")}
    return pack_lanes(cfg.streams["req"], {**columns, "id": np.arange(len(footprints)) & (1 << cfg.id_bits) - 1})


def replay(
    cfg: Config,
    footprints: NDArray[Any],
    lut: NDArray[np.uint32],
    memory: Memory,
    *,
    timing: MemoryTiming | None = None,
    pauses: Pauses | None = None,
    rtl_dir: Path | str | None = None,
    random_reset: int = 0,
    progress: Callable[[int], None] | None = None,
    patience: int = 100_000,
) -> Rtl:
    """Run FOOTPRINT [n] back to back through the RTL of ``cfg``, fresh from reset.

    Raises :class:`configs.UserError` if it cannot be built, ``DeadlockError`` if it stops answering, and
    AssertionError if results come out of order or events do not add up.
    """
    machine = Replay(cfg, rtl_dir, random_reset)
    poisoned = np.array(sorted(memory.poisoned), np.uint64) * np.uint64(cfg.line_bytes)
    machine.memory(timing or cfg.memory, memory.seed, base=memory.base, image=memory.image, poisoned=poisoned)
    machine.feed("lut", lut_words(cfg, lut))
    if pauses:
        machine.pauses(pauses)
    outcome = machine.run(request_words(cfg, footprints), SLOTS, SLOTS, progress, patience=patience)
    return _records(cfg, outcome, machine.counters())


def _records(cfg: Config, outcome: Outcome, counters: dict[str, int]) -> Rtl:
    count = len(outcome.results)
    result = np.zeros(count, RESULT)
    res, evt = cfg.streams["res"], cfg.streams["evt"]
    for texel in range(4):
        result["texel"][:, texel] = unpack_lanes(res, outcome.results, f"texel{texel}")
    result["err"] = unpack_lanes(res, outcome.results, "err")
    ids = unpack_lanes(res, outcome.results, "id")
    strays = np.flatnonzero(ids != np.arange(count) & (1 << cfg.id_bits) - 1)
    assert not len(strays), f"result {strays[0]} carries id {ids[strays[0]]}: results out of order"

    last = unpack_lanes(evt, outcome.events, "last")
    owner = np.cumsum(last) - last  # the footprint that each event belongs to
    assert last.sum() == count, f"{last.sum()} footprints were looked up, {count} results came"
    result["beats"] = np.bincount(owner, minlength=count)
    for slot in range(SLOTS):
        seen = np.flatnonzero(unpack_lanes(evt, outcome.events, f"valid{slot}"))
        for name in SLOT_FIELDS:
            result[name][owner[seen], slot] = unpack_lanes(evt, outcome.events, f"{name}{slot}")[seen]
    missed = (result["valid"] == 1) & (result["hit"] == 0)
    assert missed.sum() == len(outcome.addresses), f"{missed.sum()} misses, {len(outcome.addresses)} bursts"
    result["line"][missed] = outcome.addresses // cfg.line_bytes
    start = outcome.request_cycle[0] if count else np.uint64(0)
    end = outcome.result_cycle[-1] + 1 if count else start
    return Rtl(
        result, outcome.request_cycle - start, outcome.result_cycle - start, int(end - start), counters,
        outcome.addresses,
    )  # fmt: skip


def differences(model: NDArray[Any], rtl: NDArray[Any], limit: int = 5) -> list[str]:
    """What differs between the model's and the RTL's RESULT [n], in words: the first ``limit`` and a count."""
    missed = (model["valid"] == 1) & (model["hit"] == 0)
    expected = model.copy()
    expected["line"] *= missed
    texts, total = [], 0
    for name in RESULT.names or ():
        unequal = expected[name] != rtl[name]
        rows = np.flatnonzero(unequal.any(axis=1) if unequal.ndim > 1 else unequal)
        total += len(rows)
        for row in rows[:limit]:
            texts.append((row, f"footprint {row}: {name} is {rtl[name][row]}, expected {expected[name][row]}"))
    texts.sort(key=lambda item: item[0])
    found = [text for _, text in texts[:limit]]
    return found + ([f"{total} differences in all"] if total > len(found) else [])
