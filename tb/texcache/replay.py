# SPDX-License-Identifier: Apache-2.0
"""Trace replay of ``texcache``: a trace through the Verilated RTL, results as the golden model's records."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from configs import MemoryTiming
from configs.texcache.schema import Config
from models.kernels import kernel
from models.memory import Memory
from models.texcache import RESULT, TexcacheModel
from models.texcache.lookups import check_lut
from tb.common.components.packing import Lanes, pack_lanes, unpack_lanes
from tb.common.replay.compare import Mismatch, compare_counters, compare_records, compare_sequences
from tb.common.replay.machine import DeadlockError, Replay
from tb.common.replay.traffic import Traffic
from tb.common.replay.work import Chunk, PortChunk, Work
from workloads.texcache.trace import Trace

LOOKUP_FIELDS = ("hit", "bank", "set", "way", "evict", "victim")
Progress = Callable[[int], None]


@dataclass(frozen=True)
class Rtl:
    """What the RTL did with n footprints.

    ``result``: RESULT [n] as of the golden model. ``t_request``, ``t_result`` [n]: cycles of the handshakes,
    the first request's being 0. ``cycles``: from the first request to the last result, both included.
    ``ar``: line addresses asked for, in order. ``ids`` [n]: as they came back. ``events``: footprints that
    were looked up.
    """

    result: NDArray[Any]
    t_request: NDArray[np.uint64]
    t_result: NDArray[np.uint64]
    cycles: int
    counters: dict[str, int]
    ar: NDArray[np.uint64]
    ids: NDArray[np.uint32]
    events: int

    @property
    def latency(self) -> NDArray[np.int64]:
        """Cycles from each request's handshake to its result's, [n]."""
        return (self.t_result - self.t_request).astype(np.int64)


@dataclass(frozen=True)
class Model:
    """What the golden model says: RESULT [n] and counters."""

    result: NDArray[Any]
    counters: dict[str, int]


def memory_of(trace: Trace, seed: int = 1, poisoned: Iterable[int] = ()) -> Memory:
    """The memory behind a trace: its image, hashed contents elsewhere; ``poisoned`` line addresses fail."""
    return Memory(seed, trace.base, trace.image, poisoned)


def predict(cfg: Config, trace: Trace, seed: int = 1, *, poisoned: Iterable[int] = ()) -> Model:
    """The golden model's view of what :func:`replay` does with the same arguments."""
    trace.check(cfg)
    model = TexcacheModel(cfg, memory_of(trace, seed, poisoned), trace.lut)
    return Model(model.replay(trace.footprints), model.counters)


def replay(
    cfg: Config,
    trace: Trace,
    seed: int = 1,
    timing: MemoryTiming | None = None,
    rtl_dir: Path | None = None,
    progress: Progress | None = None,
    *,
    traffic: Traffic | None = None,
    poisoned: Iterable[int] = (),
    patience: int | None = None,
    plusarg: str | None = None,
) -> Rtl:
    """Run ``trace`` through the RTL of ``cfg`` (or in ``rtl_dir``), from reset; by default back to back.

    ``seed`` gives memory contents outside the trace's image and the RTL's power-up state. ``timing`` replaces
    that of ``cfg``; ``progress`` is told now and then how many results have come. Raises
    :class:`configs.UserError` for what does not fit ``cfg`` or cannot be built, and
    :class:`tb.common.replay.machine.ReplayError` when the RTL stops or answers what was not asked.
    """
    trace.check(cfg)
    machine = Replay(
        cfg, memory_of(trace, seed, poisoned), cfg.cache.line_bytes, seed=seed, timing=timing,
        traffic=traffic, patience=patience, rtl_dir=rtl_dir, plusarg=plusarg,
    )  # fmt: skip
    machine.check_counters()
    machine.feed("lut", lut_words(cfg, trace.lut))
    records = Records(cfg, len(trace.footprints))
    try:
        for chunk in machine.run(Work(request_words(cfg, trace.footprints), describe=namer(trace))):
            records.add(chunk)
            if progress:
                progress(records.answered)
    except DeadlockError as error:
        raise DeadlockError(f"{error}{records.stray()}") from None
    return records.finish(machine.counters())


def lut_words(cfg: Config, lut: NDArray[np.uint32]) -> Lanes:
    """Writes of the whole look-up table [textures, levels], packed for stream ``lut``."""
    table = check_lut(cfg, lut)
    tex, level = np.indices(table.shape).reshape(2, -1)
    return pack_lanes(cfg.streams["lut"], {"tex": tex, "level": level, "base": table.reshape(-1)}, table.size)


def request_words(cfg: Config, footprints: NDArray[Any]) -> Lanes:
    """FOOTPRINT [n] packed for stream ``req``; ids count up and wrap around."""
    columns = {name: footprints[name] for name in footprints.dtype.names or ()}
    return pack_lanes(cfg.streams["req"], {**columns, "id": ids(cfg, len(footprints))}, len(footprints))


def ids(cfg: Config, count: int) -> NDArray[np.uint32]:
    """The ids that requests carry."""
    return (np.arange(count) & (1 << cfg.id_bits) - 1).astype(np.uint32)


def namer(trace: Trace) -> Callable[[int], str]:
    """Names a footprint of the trace by its number and fields."""

    def name(index: int) -> str:
        footprint = trace.footprints[index]
        return f"access {index} (" + ", ".join(f"{n} {footprint[n]}" for n in footprint.dtype.names) + ")"

    return name


class Records:
    """Folds chunks of packed words into RESULT records."""

    def __init__(self, cfg: Config, count: int) -> None:
        self._cfg = cfg
        self._result = np.zeros(count, RESULT)
        self._t_request, self._t_result = np.zeros((2, count), np.uint64)
        self._ids = np.zeros(count, np.uint32)
        self._reads: list[NDArray[np.uint64]] = []
        self._asked = self._looked_up = 0
        self.answered = 0

    def add(self, chunk: Chunk) -> None:
        """Take the next chunk."""
        [port] = chunk.ports
        self._t_request[self._asked :][: len(port.request_cycle)] = port.request_cycle
        self._asked += len(port.request_cycle)
        [axi] = chunk.axi
        self._reads.append(axi.reads.copy())
        self._add_results(port)
        self._add_events(port.events)

    def _add_results(self, chunk: PortChunk) -> None:
        res, here = self._cfg.streams["res"], slice(self.answered, self.answered + len(chunk.results))
        for texel in range(4):
            self._result["texel"][here, texel] = unpack_lanes(res, chunk.results, f"texel{texel}")
        self._result["err"][here] = unpack_lanes(res, chunk.results, "err")
        self._ids[here] = unpack_lanes(res, chunk.results, "id")
        self._t_result[here] = chunk.result_cycle
        self.answered += len(chunk.results)

    def _add_events(self, events: Lanes) -> None:
        """A footprint's beats end with one that has ``last`` set; what surplus footprints do is dropped."""
        evt = self._cfg.streams["evt"]
        last = unpack_lanes(evt, events, "last").astype(np.int64)
        owner = self._looked_up + np.cumsum(last) - last
        self._looked_up += int(last.sum())
        kept = int(np.searchsorted(owner, len(self._result)))
        events, owner = events[:kept], owner[:kept]
        np.add.at(self._result["beats"], owner, np.uint8(1))
        for slot in range(self._cfg.slots):
            valid = np.flatnonzero(unpack_lanes(evt, events, f"valid{slot}"))
            rows, words = owner[valid], events[valid]
            self._result["valid"][rows, slot] = 1
            for name in LOOKUP_FIELDS:
                self._result[name][rows, slot] = unpack_lanes(evt, words, f"{name}{slot}")

    def stray(self) -> str:
        """Where results began to be out of order or missing, if they did: perhaps why none is left."""
        rows = np.flatnonzero(self._ids[: self.answered] != ids(self._cfg, self.answered))
        return f"; before that, result {rows[0]} carried id {self._ids[rows[0]]}" if len(rows) else ""

    def finish(self, counters: dict[str, int]) -> Rtl:
        """All that was recorded."""
        count, cfg = len(self._result), self._cfg
        ar = np.concatenate([np.zeros(0, np.uint64), *self._reads]) // np.uint64(cfg.cache.line_bytes)
        table = np.zeros(
            (1 << max(1, cfg.bank_bits), cfg.cache.sets, 1 << max(1, cfg.cache.way_bits)), np.uint32
        )
        _trace_lines(self._result, ar.astype(np.uint32), table)
        first = self._t_request[0] if count else np.uint64(0)
        cycles = int(self._t_result[-1] - first) + 1 if count else 0
        stamps = self._t_request - first, self._t_result - first
        return Rtl(self._result, *stamps, cycles, counters, ar, self._ids, self._looked_up)


@kernel
def _trace_lines(result: NDArray[Any], reads: NDArray[np.uint32], table: NDArray[np.uint32]) -> None:
    """Fills in ``line``: a miss takes the next line that was read, a hit what was last read for its way."""
    taken = 0
    for i in range(len(result)):
        for slot in range(4):
            if result[i].valid[slot]:
                place = (result[i].bank[slot], result[i].set[slot], result[i].way[slot])
                if not result[i].hit[slot] and taken < len(reads):
                    table[place] = reads[taken]
                    taken += 1
                result[i].line[slot] = table[place]


def compare(
    model: NDArray[Any], rtl: NDArray[Any], describe: Callable[[int], str] = "access {}".format
) -> list[Mismatch]:
    """What differs between the model's and the RTL's RESULT [n], the earliest first."""
    return compare_records(model, rtl, describe)


def check(cfg: Config, trace: Trace, model: Model, rtl: Rtl) -> list[Mismatch]:
    """All that must agree: records, order of results, events, lines read from memory and counters."""
    missed = (model.result["valid"] == 1) & (model.result["hit"] == 0)
    count = len(trace.footprints)
    return [
        *compare(model.result, rtl.result, namer(trace)),
        *compare_sequences("id of result", ids(cfg, count), rtl.ids),
        *compare_sequences("line read from memory", model.result["line"][missed], rtl.ar),
        *compare_counters({"events": count, **model.counters}, {"events": rtl.events, **rtl.counters}),
    ]
