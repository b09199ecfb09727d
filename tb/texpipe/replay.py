# SPDX-License-Identifier: Apache-2.0
"""Quads through the Verilated units, without Python in the cycle loop, compared with the model."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from configs import MemoryTiming, UserError
from configs.texpipe.schema import BANKS, Config
from models.memory import Memory
from models.texpipe import BEAT, COUNTS, RESULT, TexpipeModel
from tb.common.components.packing import unpack_lanes
from tb.common.replay.compare import Mismatch, compare_counters, compare_records
from tb.common.replay.library import Port, Roles
from tb.common.replay.machine import Replay
from tb.common.replay.traffic import Traffic
from tb.common.replay.work import PortChunk
from tb.texunit.replay import work
from workloads.texunit.quads import QuadStream

PINS = ["texel", "valid", "err"]  # what of a RESULT leaves the unit
EVENT = ["valid", "hit", "way", "evict", "victim", "line"]  # what of a BEAT shows, each by bank


def roles(cfg: Config) -> Roles:
    """Each unit is a port: primitives are its state."""
    ports = (Port(f"quad{n}", f"res{n}", f"evt{n}", f"perf{n}", f"prim{n}") for n in range(cfg.units))
    return Roles(tuple(ports), resetting="tex_resetting")


@dataclass(frozen=True)
class Unit:
    """What one unit did with n quads.

    ``result``: RESULT [n] as far as it shows on pins. ``beats``: BEAT [m] as far as it shows. ``t_request``,
    ``t_result`` [n]: cycles of ``gpu_clk`` in which the quad was taken and answered, from the first request.
    """

    result: NDArray[Any]
    beats: NDArray[Any]
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


class Records:
    """Folds a unit's chunks of packed words into records."""

    def __init__(self, cfg: Config, unit: int, quads: int) -> None:
        self._unit = unit
        self._res, self._evt = cfg.streams[f"res{unit}"], cfg.streams[f"evt{unit}"]
        self._result = np.zeros(quads, RESULT)
        self.t_request, self.t_result = np.zeros((2, quads), np.int64)
        self._beats: list[NDArray[Any]] = []
        self.asked = self.answered = 0

    def add(self, chunk: PortChunk) -> None:
        """Take the next chunk."""
        self.t_request[self.asked :][: len(chunk.request_cycle)] = chunk.request_cycle
        self.asked += len(chunk.request_cycle)
        here = slice(self.answered, self.answered + len(chunk.results))
        for pixel in range(4):
            self._result["texel"][here, pixel] = unpack_lanes(self._res, chunk.results, f"texel{pixel}")
        for name in ("valid", "err"):
            self._result[name][here] = unpack_lanes(self._res, chunk.results, name)
        self.t_result[here] = chunk.result_cycle
        self.answered += len(chunk.results)
        beats = np.zeros(len(chunk.events), BEAT)
        for name in EVENT:
            for bank in range(BANKS):
                beats[name][:, bank] = unpack_lanes(self._evt, chunk.events, f"{name}{bank}")
        self._beats.append(beats)

    def finish(self, machine: Replay, first: int) -> Unit:
        """All that was recorded; times count from cycle ``first``."""
        beats = np.concatenate([np.zeros(0, BEAT), *self._beats])
        return Unit(
            self._result, beats, self.t_request - first, self.t_result - first, machine.counters(self._unit)
        )


@dataclass(frozen=True)
class Model:
    """What the golden model says of a unit: RESULT [n], BEAT [m], counters."""

    result: NDArray[Any]
    beats: NDArray[Any]
    counters: dict[str, int]


def predict(cfg: Config, stream: QuadStream, memory: Memory) -> Model:
    """The golden model's view of one unit's work."""
    model = TexpipeModel(cfg, memory)
    result, beats = model.replay(*stream)
    return Model(result, beats, model.counts)


def check(cfg: Config, streams: Sequence[QuadStream], rtl: Rtl, models: Sequence[Model]) -> list[Mismatch]:
    """All that must agree, unit by unit: results, what became of each line of each pixel, counters."""
    found = []
    for number, (stream, unit, model) in enumerate(zip(streams, rtl.units, models, strict=True)):
        name = f"unit {number}, " if cfg.units > 1 else ""

        def quad(index: int, name: str = name, stream: QuadStream = stream) -> str:
            prim = stream.prims[stream.prim_of_quad[index]]
            fields = ", ".join(f"{field} {prim[field]}" for field in prim.dtype.names)
            return f"{name}quad {index} (uv {stream.quads[index]['uv'].tolist()}, {fields})"

        found += compare_records(shown(model.result, PINS), shown(unit.result, PINS), quad)
        least = min(len(model.beats), len(unit.beats))  # the counters say so if one side has more
        wanted, seen = (shown(beats[:least], EVENT) for beats in (model.beats, unit.beats))
        found += compare_records(wanted, seen, (name + "pixel {}").format)
        counts = {field: unit.counters[field] for field in COUNTS}
        found += compare_counters(
            {f"{name}{field}": n for field, n in {**model.counters, "events": len(model.beats)}.items()},
            {f"{name}{field}": n for field, n in {**counts, "events": len(unit.beats)}.items()},
        )
    return found


def shown(records: NDArray[Any], names: Sequence[str]) -> NDArray[Any]:
    """The fields ``names`` of records [n] alone."""
    packed = np.zeros(len(records), [(name, records.dtype[name]) for name in names])
    for name in names:
        packed[name] = records[name]
    return packed


def verified(
    cfg: Config, streams: Sequence[QuadStream], memory: Memory, seed: int = 1, **options: Any
) -> tuple[Rtl, list[Model], list[Mismatch]]:
    """:func:`replay`, :func:`predict` for each unit, and :func:`check`."""
    rtl = replay(cfg, streams, memory, seed, **options)
    models = [predict(cfg, stream, memory) for stream in streams]
    return rtl, models, check(cfg, streams, rtl, models)
