# SPDX-License-Identifier: Apache-2.0
"""Quads through Verilated texture units, whatever these are made of: packed, run, recorded and compared."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from configs import Stream, UserError
from configs.texunit.schema import Units
from models.memory import Memory
from models.texunit import DECISION, PRIM, RESULT
from tb.common.components.packing import Lanes, lanes, pack_lanes, unpack_lanes
from tb.common.replay.compare import Mismatch, compare_counters, compare_records
from tb.common.replay.machine import Replay
from tb.common.replay.work import PortChunk, Work
from workloads.texunit.quads import QuadStream

PINS = ["texel", "valid", "err"]  # what of a RESULT leaves the unit

#: events [e] of packed words of a unit's stream ``evt``
Unpack = Callable[[Stream, Lanes], NDArray[Any]]


@dataclass(frozen=True)
class Seen:
    """A unit's work by model or RTL: RESULT [n], ``events`` [m], counters."""

    result: NDArray[Any]
    events: NDArray[Any]
    counters: dict[str, int]


@dataclass(frozen=True)
class Unit(Seen):
    """A unit's work by the RTL, as far as it shows on pins.

    ``phases`` [m]: see :class:`models.texunit.TexunitModel`, of units that mark their events, else empty.
    ``t_request``, ``t_result`` [n]: cycles of ``gpu_clk`` in which the quad was taken and answered, from the
    first request.
    """

    phases: NDArray[np.int64]
    t_request: NDArray[np.int64]
    t_result: NDArray[np.int64]


@dataclass(frozen=True)
class Rtl:
    """What all units did. ``cycles``: of ``tex_clk``, from the first request to the last result."""

    units: list[Unit]
    cycles: float
    lines: int


class Records:
    """Folds a unit's chunks of packed words into records of ``quads`` quads."""

    def __init__(self, cfg: Units, unit: int, quads: int, unpack: Unpack) -> None:
        self.unit, self._unpack = unit, unpack
        self._res, self._evt = cfg.streams[f"res{unit}"], cfg.streams[f"evt{unit}"]
        self.result = np.zeros(quads, RESULT)
        self.t_request, self.t_result = np.zeros((2, quads), np.int64)
        self.asked = self.answered = 0
        self._events = [unpack(self._evt, np.zeros((0, lanes(self._evt)), np.uint32))]
        self._marks = [np.zeros(0, np.uint64)]

    def add(self, chunk: PortChunk) -> None:
        """Take the next chunk."""
        self.t_request[self.asked :][: len(chunk.request_cycle)] = chunk.request_cycle
        self.asked += len(chunk.request_cycle)
        here = slice(self.answered, self.answered + len(chunk.results))
        for pixel in range(4):
            self.result["texel"][here, pixel] = unpack_lanes(self._res, chunk.results, f"texel{pixel}")
        for name in ("valid", "err"):
            self.result[name][here] = unpack_lanes(self._res, chunk.results, name)
        self.t_result[here] = chunk.result_cycle
        self.answered += len(chunk.results)
        self._events.append(self._unpack(self._evt, chunk.events))
        self._marks.append(chunk.marks.copy())

    def finish(self, machine: Replay, first: int) -> Unit:
        """All that was recorded; times count from cycle ``first``."""
        phases = np.concatenate(self._marks).astype(np.int64) + DECISION - machine.origin
        times = self.t_request - first, self.t_result - first
        events = np.concatenate(self._events)
        return Unit(self.result, events, machine.counters(self.unit), phases, *times)


def run(
    start: Callable[..., Replay],
    unpack: Unpack,
    cfg: Any,
    streams: Sequence[QuadStream],
    memory: Memory,
    seed: int = 1,
    *,
    progress: Callable[[int], None] | None = None,
    **options: Any,
) -> Rtl:
    """Run one stream per unit through the RTL, from reset.

    ``start(cfg, memory, seed=..., **options)`` gives the RTL behind its reset; ``seed``: its power-up state.
    ``progress`` is told the number of answered quads. Raises :class:`UserError` for work that does not fit,
    and :class:`tb.common.replay.machine.ReplayError` when the RTL stops or answers what was not asked.
    """
    if len(streams) != cfg.units:
        raise UserError(f"configuration {cfg.name} has {cfg.units} units, the work is for {len(streams)}")
    machine = start(cfg, memory, seed=seed, **options)
    records = [Records(cfg, unit, len(stream.quads), unpack) for unit, stream in enumerate(streams)]
    lines = 0
    for chunk in machine.run(*(work(cfg, unit, stream) for unit, stream in enumerate(streams))):
        lines += sum(len(bursts.reads) for bursts in chunk.axi)
        for record, port in zip(records, chunk.ports, strict=True):
            record.add(port)
        if progress:
            progress(sum(record.answered for record in records))
    busy = [record for record in records if record.asked]
    first = min((int(record.t_request[0]) for record in busy), default=0)
    end = max((int(record.t_result[-1]) + 1 for record in busy), default=first)
    clocks = machine.cfg.clocks
    cycles = (end - first) * clocks["gpu_clk"] / clocks["tex_clk"]
    return Rtl([record.finish(machine, first) for record in records], cycles, lines)


def verified(
    replay: Callable[..., Rtl],
    predict: Callable[..., Seen],
    check: Callable[..., list[Mismatch]],
    cfg: Any,
    streams: Sequence[QuadStream],
    memory: Memory,
    seed: int = 1,
    **options: Any,
) -> tuple[Rtl, list[Seen], list[Mismatch]]:
    """A block's ``replay``, ``predict`` for each unit, with the phases of the RTL, and ``check``."""
    rtl = replay(cfg, streams, memory, seed, **options)
    models = [
        predict(cfg, stream, memory, unit.phases) for stream, unit in zip(streams, rtl.units, strict=True)
    ]
    return rtl, models, check(cfg, streams, rtl, models)


def work(cfg: Units, unit: int, stream: QuadStream) -> Work:
    """A unit's work in packed words."""
    before = np.searchsorted(stream.prim_of_quad, np.arange(len(stream.prims))).astype(np.uint64)
    used = before < len(stream.quads)  # what comes after the last quad changes nothing

    def describe(index: int) -> str:
        quad = stream.quads[index]
        return f"quad {index} (valid {quad['valid']:04b}, uv {quad['uv'].tolist()})"

    prims = _prim_lanes(cfg, unit, stream.prims[used])
    return Work(_quad_lanes(cfg, unit, stream.quads), prims, before[used], describe)


def _prim_lanes(cfg: Units, unit: int, prims: NDArray[Any]) -> Lanes:
    """PRIM array [n] packed for the unit's stream ``prim``."""
    columns = {name: prims[name] for name in PRIM.names or ()}
    return pack_lanes(cfg.streams[f"prim{unit}"], columns, len(prims))


def _quad_lanes(cfg: Units, unit: int, quads: NDArray[Any]) -> Lanes:
    """QUAD array [n] packed for the unit's stream ``quad``."""
    columns = {f"{'uv'[axis]}{pixel}": quads["uv"][:, pixel, axis] for pixel in range(4) for axis in range(2)}
    return pack_lanes(cfg.streams[f"quad{unit}"], {"valid": quads["valid"], **columns}, len(quads))


def differences(
    cfg: Units,
    streams: Sequence[QuadStream],
    models: Sequence[Seen],
    rtl: Sequence[Seen],
    fields: Sequence[str],
    event: str,
) -> Iterator[Mismatch]:
    """All that must agree, unit by unit: results, ``fields`` of each event, the model's counters.

    ``event`` is what an event is called.
    """
    for number, (stream, model, unit) in enumerate(zip(streams, models, rtl, strict=True)):
        name = f"unit {number}, " if cfg.units > 1 else ""

        def quad(index: int, name: str = name, stream: QuadStream = stream) -> str:
            prim = stream.prims[stream.prim_of_quad[index]]
            values = ", ".join(f"{field} {prim[field]}" for field in prim.dtype.names)
            return f"{name}quad {index} (uv {stream.quads[index]['uv'].tolist()}, {values})"

        yield from compare_records(_only(model.result, PINS), _only(unit.result, PINS), quad)
        least = min(len(model.events), len(unit.events))  # the counters say so if one side has more
        wanted, observed = (_only(side.events[:least], fields) for side in (model, unit))
        yield from compare_records(wanted, observed, f"{name}{event} {{}}".format)
        yield from compare_counters(
            *(
                {f"{name}{field}": side.counters[field] for field in model.counters}
                | {f"{name}events": len(side.events)}
                for side in (model, unit)
            )
        )


def _only(records: NDArray[Any], names: Sequence[str]) -> NDArray[Any]:
    packed = np.zeros(len(records), [(name, records.dtype[name]) for name in names])
    for name in names:
        packed[name] = records[name]
    return packed
