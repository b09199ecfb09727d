# SPDX-License-Identifier: Apache-2.0
"""Quads through the Verilated units, without Python in the cycle loop, compared with the model."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from configs import Stream
from configs.texpipe.schema import BANKS, Config
from models.memory import Memory
from models.texpipe import BEAT, TexpipeModel
from tb.common.components.packing import Lanes, unpack_lanes
from tb.common.replay.compare import Mismatch
from tb.common.replay.library import Port, Roles
from tb.common.replay.machine import Replay
from tb.texunit import units
from tb.texunit.units import Rtl, Seen, differences
from workloads.texunit.quads import QuadStream

EVENT = ["valid", "hit", "way", "evict", "victim", "line"]  # what of a BEAT shows, each by bank


def roles(cfg: Config) -> Roles:
    """Each unit is a port: primitives are its state."""
    ports = (Port(f"quad{n}", f"res{n}", f"evt{n}", f"perf{n}", f"prim{n}") for n in range(cfg.units))
    return Roles(tuple(ports), resetting="tex_resetting")


def unpack(evt: Stream, words: Lanes) -> NDArray[Any]:
    """BEAT [n] of packed words, as far as it shows."""
    beats = np.zeros(len(words), BEAT)
    for name in EVENT:
        for bank in range(BANKS):
            beats[name][:, bank] = unpack_lanes(evt, words, f"{name}{bank}")
    return beats


def machine(cfg: Config, memory: Memory, **options: Any) -> Replay:
    """The RTL of ``cfg`` behind its reset; ``options`` as of :class:`Replay`."""
    ready = Replay(cfg, memory, cfg.cache.line_bytes, roles=roles(cfg), **options)
    ready.check_counters()
    return ready


#: one stream per unit through the RTL: see :func:`units.run`
replay = partial(units.run, machine, unpack)


def predict(cfg: Config, stream: QuadStream, memory: Memory, _: Any = None) -> Seen:
    """The golden model's RESULT [n], BEAT [m] and counters of one unit's work."""
    model = TexpipeModel(cfg, memory)
    result, beats = model.replay(*stream)
    return Seen(result, beats, model.counts)


def check(cfg: Config, streams: Sequence[QuadStream], rtl: Rtl, models: Sequence[Seen]) -> list[Mismatch]:
    """All that must agree, unit by unit: results, each line of each pixel, counters."""
    return list(differences(cfg, streams, models, rtl.units, EVENT, "pixel"))


#: :data:`replay`, :func:`predict` for each unit, and :func:`check`
verified = partial(units.verified, replay, predict, check)
