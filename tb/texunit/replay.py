# SPDX-License-Identifier: Apache-2.0
"""Quads through the Verilated texture units, without Python in the cycle loop, compared with the model."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from configs import Stream
from configs.texunit.schema import Config
from models.memory import Memory
from models.texunit import QUERY, TexunitModel, count, table_errors
from tb.common.components.packing import Lanes, unpack_lanes
from tb.common.replay.compare import Mismatch
from tb.common.replay.library import Port, Roles
from tb.common.replay.machine import Replay
from tb.texunit import units
from tb.texunit.units import Rtl, Seen, differences
from workloads.texunit.quads import QuadStream

EVENT = [name for name in QUERY.names or () if name != "pixel"]  # what of a QUERY shows


def roles(cfg: Config) -> Roles:
    """Each unit is a port: primitives are its state, and queries are marked when the cache takes them."""
    ports = (
        Port(f"quad{n}", f"res{n}", f"evt{n}", f"perf{n}", f"prim{n}", (f"probe{n}", "query_in"))
        for n in range(cfg.units)
    )
    return Roles(tuple(ports), resetting="tex_resetting")


def unpack(evt: Stream, words: Lanes) -> NDArray[Any]:
    """QUERY [n] of packed words, as far as it shows."""
    queries = np.zeros(len(words), QUERY)
    for name in EVENT:
        queries[name] = unpack_lanes(evt, words, name)
    return queries


def machine(cfg: Config, memory: Memory, **options: Any) -> Replay:
    """The RTL of ``cfg`` behind its reset, with its caches swept; ``options`` as of :class:`Replay`."""
    ready = Replay(cfg, memory, cfg.cache.line_bytes, roles=roles(cfg), **options)
    ready.check_counters()
    ready.idle(4 * cfg.cache.sets)
    return ready


#: one stream per unit through the RTL: see :func:`units.run`
replay = partial(units.run, machine, unpack)


def predict(cfg: Config, stream: QuadStream, memory: Memory, phases: NDArray[np.int64] | None = None) -> Seen:
    """The golden model's RESULT [n], QUERY [m] and counters of one unit's work.

    ``phases`` of the RTL's queries, to know its victims.
    """
    result, queries = TexunitModel(cfg, memory).replay(*stream, phases)
    counters = count(result, queries)
    started = stream.prims[: int(stream.prim_of_quad[-1]) + 1] if len(stream.quads) else stream.prims[:0]
    counters["errors"] += sum(table_errors(cfg, memory, prim) for prim in started) if memory.poisoned else 0
    return Seen(result, queries, counters)


def check(cfg: Config, streams: Sequence[QuadStream], rtl: Rtl, models: Sequence[Seen]) -> list[Mismatch]:
    """All that must agree, unit by unit: results, each cache query, counters."""
    return list(differences(cfg, streams, models, rtl.units, EVENT, "query"))


#: :data:`replay`, :func:`predict` for each unit, and :func:`check`
verified = partial(units.verified, replay, predict, check)
