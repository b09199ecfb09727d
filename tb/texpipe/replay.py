# SPDX-License-Identifier: Apache-2.0
"""Quads through the Verilated units, without Python in the cycle loop, compared with the model."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from configs.texpipe.schema import BANKS, Config
from models.memory import Memory
from models.texpipe import BEAT, TexpipeModel
from tb.common.components.packing import unpack_lanes
from tb.common.replay.compare import Mismatch
from tb.common.replay.library import Port, Roles
from tb.common.replay.machine import Replay
from tb.common.replay.work import PortChunk
from tb.texunit import units
from tb.texunit.units import Seen, differences
from workloads.texunit.quads import QuadStream

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


class Records(units.Records[Unit]):
    """Folds a unit's chunks of packed words into records."""

    def __init__(self, cfg: Config, unit: int, quads: int) -> None:
        super().__init__(cfg, unit, quads)
        self._beats: list[NDArray[Any]] = []

    def add_events(self, chunk: PortChunk) -> None:
        """Take the chunk's beats."""
        beats = np.zeros(len(chunk.events), BEAT)
        for name in EVENT:
            for bank in range(BANKS):
                beats[name][:, bank] = unpack_lanes(self.evt, chunk.events, f"{name}{bank}")
        self._beats.append(beats)

    def finish(self, machine: Replay, first: int) -> Unit:
        """All that was recorded; times count from cycle ``first``."""
        beats = np.concatenate([np.zeros(0, BEAT), *self._beats])
        times = self.t_request - first, self.t_result - first
        return Unit(self.result, beats, *times, machine.counters(self.unit))


Rtl = units.Rtl[Unit]


def machine(cfg: Config, memory: Memory, **options: Any) -> Replay:
    """The RTL of ``cfg`` behind its reset; ``options`` as of :class:`Replay`."""
    ready = Replay(cfg, memory, cfg.cache.line_bytes, roles=roles(cfg), **options)
    ready.check_counters()
    return ready


#: one stream per unit through the RTL: see :func:`units.run`
replay = partial(units.run, machine, Records)


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
    mine, its = ([Seen(one.result, one.beats, one.counters) for one in side] for side in (models, rtl.units))
    return list(differences(cfg, streams, mine, its, EVENT, "pixel"))


def verified(
    cfg: Config, streams: Sequence[QuadStream], memory: Memory, seed: int = 1, **options: Any
) -> tuple[Rtl, list[Model], list[Mismatch]]:
    """:func:`replay`, :func:`predict` for each unit, and :func:`check`."""
    rtl = replay(cfg, streams, memory, seed, **options)
    models = [predict(cfg, stream, memory) for stream in streams]
    return rtl, models, check(cfg, streams, rtl, models)
