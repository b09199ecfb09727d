# SPDX-License-Identifier: Apache-2.0
"""Quads through the Verilated texture units, without Python in the cycle loop, compared with the model."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from configs.texunit.schema import Config
from models.memory import Memory
from models.texunit import DECISION, QUERY, TexunitModel, count, table_errors
from tb.common.components.packing import unpack_lanes
from tb.common.replay.compare import Mismatch
from tb.common.replay.library import Port, Roles
from tb.common.replay.machine import Replay
from tb.common.replay.work import PortChunk
from tb.texunit import units
from tb.texunit.units import Seen, differences
from workloads.texunit.quads import QuadStream

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


class Records(units.Records[Unit]):
    """Folds a unit's chunks of packed words into records."""

    def __init__(self, cfg: Config, unit: int, quads: int) -> None:
        super().__init__(cfg, unit, quads)
        self._queries: list[NDArray[Any]] = []
        self._marks: list[NDArray[np.uint64]] = []

    def add_events(self, chunk: PortChunk) -> None:
        """Take the chunk's queries."""
        queries = np.zeros(len(chunk.events), QUERY)
        for name in EVENT:
            queries[name] = unpack_lanes(self.evt, chunk.events, name)
        self._queries.append(queries)
        self._marks.append(chunk.marks.copy())

    def finish(self, machine: Replay, first: int) -> Unit:
        """All that was recorded; times count from cycle ``first``."""
        queries = np.concatenate([np.zeros(0, QUERY), *self._queries])
        marks = np.concatenate([np.zeros(0, np.uint64), *self._marks]).astype(np.int64)
        phases = marks + DECISION - machine.origin
        times = self.t_request - first, self.t_result - first
        return Unit(self.result, queries, phases, *times, machine.counters(self.unit))


Rtl = units.Rtl[Unit]


def machine(cfg: Config, memory: Memory, **options: Any) -> Replay:
    """The RTL of ``cfg`` behind its reset, with its caches swept; ``options`` as of :class:`Replay`."""
    ready = Replay(cfg, memory, cfg.cache.line_bytes, roles=roles(cfg), **options)
    ready.check_counters()
    ready.idle(4 * cfg.cache.sets)
    return ready


#: one stream per unit through the RTL: see :func:`units.run`
replay = partial(units.run, machine, Records)


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
    mine, its = (
        [Seen(one.result, one.queries, one.counters) for one in side] for side in (models, rtl.units)
    )
    return list(differences(cfg, streams, mine, its, EVENT, "query"))


def verified(
    cfg: Config, streams: Sequence[QuadStream], memory: Memory, seed: int = 1, **options: Any
) -> tuple[Rtl, list[Model], list[Mismatch]]:
    """:func:`replay`, :func:`predict` for each unit, and :func:`check`."""
    rtl = replay(cfg, streams, memory, seed, **options)
    models = [
        predict(cfg, stream, memory, unit.phases) for stream, unit in zip(streams, rtl.units, strict=True)
    ]
    return rtl, models, check(cfg, streams, rtl, models)
