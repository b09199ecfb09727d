# SPDX-License-Identifier: Apache-2.0
"""Quads through the Verilated texture units, without Python in the cycle loop, compared with the model."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from configs import MemoryTiming, UserError
from configs.texunit.schema import Config, Units
from models.memory import Memory
from models.texunit import DECISION, PRIM, QUERY, RESULT, TexunitModel, count, table_errors
from tb.common.components.packing import Lanes, pack_lanes, unpack_lanes
from tb.common.replay.compare import Mismatch, compare_counters, compare_records
from tb.common.replay.library import Port, Roles
from tb.common.replay.machine import Replay
from tb.common.replay.traffic import Traffic
from tb.common.replay.work import PortChunk, Work
from workloads.texunit.quads import QuadStream

PINS = ["texel", "valid", "err"]  # what of a RESULT leaves the unit
EVENT = [name for name in QUERY.names or () if name != "pixel"]  # what of a QUERY shows


def roles(cfg: Config) -> Roles:
    """Each unit is a port: primitives are its state, and queries are marked when the cache takes them."""
    ports = (
        Port(f"quad{n}", f"res{n}", f"evt{n}", f"perf{n}", f"prim{n}", (f"probe{n}", "query_in"))
        for n in range(cfg.units)
    )
    return Roles(tuple(ports), resetting="tex_resetting")


@dataclass(frozen=True)
class Unit:
    """What one unit did with n quads.

    ``result``: RESULT [n] as far as it shows on pins. ``queries``: QUERY [m] as far as it shows, with
    ``phases`` [m], see :class:`models.texunit.TexunitModel`. ``t_request``,
    ``t_result`` [n]: cycles of ``gpu_clk`` in which the quad was taken and answered, from the first request.
    """

    result: NDArray[Any]
    queries: NDArray[Any]
    phases: NDArray[np.int64]
    t_request: NDArray[np.int64]
    t_result: NDArray[np.int64]
    counters: dict[str, int]


@dataclass(frozen=True)
class Rtl:
    """What all units did. ``cycles``: of ``tex_clk``, from the first request to the last result."""

    units: list[Unit]
    cycles: float
    lines: int


def replay(
    cfg: Config,
    streams: Sequence[QuadStream],
    memory: Memory,
    seed: int = 1,
    rtl_dir: Path | None = None,
    progress: Callable[[int], None] | None = None,
    *,
    timing: MemoryTiming | None = None,
    traffic: Traffic | None = None,
    patience: int | None = None,
    plusarg: str | None = None,
) -> Rtl:
    """Run one stream per unit through the RTL of ``cfg``, or in ``rtl_dir``, from reset.

    ``seed`` gives the power-up state; ``progress`` is told the number of answered quads. Raises
    :class:`UserError` for work that does not fit, and :class:`tb.common.replay.machine.ReplayError` when the
    RTL stops or answers what was not asked.
    """
    if len(streams) != cfg.units:
        raise UserError(f"configuration {cfg.name} has {cfg.units} units, the work is for {len(streams)}")
    machine = Replay(
        cfg, memory, cfg.cache.line_bytes, seed=seed, rtl_dir=rtl_dir, roles=roles(cfg), timing=timing,
        traffic=traffic, patience=patience, plusarg=plusarg,
    )  # fmt: skip
    machine.check_counters()
    machine.idle(4 * cfg.cache.sets)  # until the caches have swept their sets
    records = [Records(cfg, unit, len(stream.quads)) for unit, stream in enumerate(streams)]
    lines = 0
    for chunk in machine.run(*(work(cfg, unit, stream) for unit, stream in enumerate(streams))):
        lines += sum(len(bursts.reads) for bursts in chunk.axi)
        for record, port in zip(records, chunk.ports, strict=True):
            record.add(port)
        if progress:
            progress(sum(record.answered for record in records))
    first = min((int(record.t_request[0]) for record in records if len(record.t_request)), default=0)
    units = [record.finish(machine, first) for record in records]
    last = max((int(unit.t_result[-1]) + 1 for unit in units if len(unit.t_result)), default=0)
    return Rtl(units, last * cfg.clocks["gpu_clk"] / cfg.clocks["tex_clk"], lines)


def work(cfg: Units, unit: int, stream: QuadStream) -> Work:
    """A unit's work in packed words."""
    before = np.searchsorted(stream.prim_of_quad, np.arange(len(stream.prims))).astype(np.uint64)
    used = before < len(stream.quads)  # what comes after the last quad changes nothing

    def describe(index: int) -> str:
        quad = stream.quads[index]
        return f"quad {index} (valid {quad['valid']:04b}, uv {quad['uv'].tolist()})"

    prims = prim_lanes(cfg, unit, stream.prims[used])
    return Work(quad_lanes(cfg, unit, stream.quads), prims, before[used], describe)


def prim_lanes(cfg: Units, unit: int, prims: NDArray[Any]) -> Lanes:
    """PRIM array [n] packed for the unit's stream ``prim``."""
    columns = {name: prims[name] for name in PRIM.names or ()}
    return pack_lanes(cfg.streams[f"prim{unit}"], columns, len(prims))


def quad_lanes(cfg: Units, unit: int, quads: NDArray[Any]) -> Lanes:
    """QUAD array [n] packed for the unit's stream ``quad``."""
    columns = {f"{'uv'[axis]}{pixel}": quads["uv"][:, pixel, axis] for pixel in range(4) for axis in range(2)}
    return pack_lanes(cfg.streams[f"quad{unit}"], {"valid": quads["valid"], **columns}, len(quads))


class Records:
    """Folds a unit's chunks of packed words into records."""

    def __init__(self, cfg: Config, unit: int, quads: int) -> None:
        self._cfg, self._unit = cfg, unit
        self._result = np.zeros(quads, RESULT)
        self.t_request, self.t_result = np.zeros((2, quads), np.int64)
        self._queries: list[NDArray[Any]] = []
        self._marks: list[NDArray[np.uint64]] = []
        self.asked = self.answered = 0

    def add(self, chunk: PortChunk) -> None:
        """Take the next chunk."""
        self.t_request[self.asked :][: len(chunk.request_cycle)] = chunk.request_cycle
        self.asked += len(chunk.request_cycle)
        res, here = (
            self._cfg.streams[f"res{self._unit}"],
            slice(self.answered, self.answered + len(chunk.results)),
        )
        for pixel in range(4):
            self._result["texel"][here, pixel] = unpack_lanes(res, chunk.results, f"texel{pixel}")
        for name in ("valid", "err"):
            self._result[name][here] = unpack_lanes(res, chunk.results, name)
        self.t_result[here] = chunk.result_cycle
        self.answered += len(chunk.results)
        evt, queries = self._cfg.streams[f"evt{self._unit}"], np.zeros(len(chunk.events), QUERY)
        for name in EVENT:
            queries[name] = unpack_lanes(evt, chunk.events, name)
        self._queries.append(queries)
        self._marks.append(chunk.marks.copy())

    def finish(self, machine: Replay, first: int) -> Unit:
        """All that was recorded; times count from cycle ``first``."""
        queries = np.concatenate([np.zeros(0, QUERY), *self._queries])
        marks = np.concatenate([np.zeros(0, np.uint64), *self._marks]).astype(np.int64)
        phases = marks + DECISION - machine.origin
        times = self.t_request - first, self.t_result - first
        return Unit(self._result, queries, phases, *times, machine.counters(self._unit))


@dataclass(frozen=True)
class Model:
    """What the golden model says of a unit: RESULT [n], QUERY [m], counters."""

    result: NDArray[Any]
    queries: NDArray[Any]
    counters: dict[str, int]


def predict(
    cfg: Config, stream: QuadStream, memory: Memory, phases: NDArray[np.int64] | None = None
) -> Model:
    """The golden model's view of one unit's work; ``phases`` of the RTL's queries, to know its victims."""
    result, queries = TexunitModel(cfg, memory).replay(*stream, phases)
    counters = count(result, queries)
    started = stream.prims[: int(stream.prim_of_quad[-1]) + 1] if len(stream.quads) else stream.prims[:0]
    counters["errors"] += sum(table_errors(cfg, memory, prim) for prim in started) if memory.poisoned else 0
    return Model(result, queries, counters)


def check(cfg: Config, streams: Sequence[QuadStream], rtl: Rtl, models: Sequence[Model]) -> list[Mismatch]:
    """All that must agree, unit by unit: results, each cache query, counters."""
    found = []
    for number, (stream, unit, model) in enumerate(zip(streams, rtl.units, models, strict=True)):
        name = f"unit {number}, " if cfg.units > 1 else ""

        def quad(index: int, name: str = name, stream: QuadStream = stream) -> str:
            prim = stream.prims[stream.prim_of_quad[index]]
            fields = ", ".join(f"{field} {prim[field]}" for field in prim.dtype.names)
            return f"{name}quad {index} (uv {stream.quads[index]['uv'].tolist()}, {fields})"

        found += compare_records(_pins(model.result), _pins(unit.result), quad)
        least = min(len(model.queries), len(unit.queries))  # the counters say so if one side has more
        shown = model.queries[:least][EVENT]
        found += compare_records(shown, unit.queries[:least], (name + "query {}").format)
        seen = {field: unit.counters[field] for field in model.counters}
        found += compare_counters(
            {
                f"{name}{field}": value
                for field, value in {**model.counters, "events": len(model.queries)}.items()
            },
            {f"{name}{field}": value for field, value in {**seen, "events": len(unit.queries)}.items()},
        )
    return found


def _pins(result: NDArray[Any]) -> NDArray[Any]:
    packed = np.zeros(len(result), [(name, RESULT[name]) for name in PINS])
    for name in PINS:
        packed[name] = result[name]
    return packed


def verified(
    cfg: Config, streams: Sequence[QuadStream], memory: Memory, seed: int = 1, **options: Any
) -> tuple[Rtl, list[Model], list[Mismatch]]:
    """:func:`replay`, :func:`predict` for each unit, and :func:`check`."""
    rtl = replay(cfg, streams, memory, seed, **options)
    models = [
        predict(cfg, stream, memory, unit.phases) for stream, unit in zip(streams, rtl.units, strict=True)
    ]
    return rtl, models, check(cfg, streams, rtl, models)
