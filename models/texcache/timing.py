# SPDX-License-Identifier: Apache-2.0
"""Cycle counts of the texture cache that its design fixes, and ranges where memory traffic decides.

All counts run from the acceptance of a request by an idle cache to its four texels, result not held back.
"""

from typing import Any

import numpy as np

from configs import MemoryTiming
from configs.texcache.schema import Config
from models.kernels import kernel


@kernel
def beat_of(beat: int, busy: int, bank: int) -> tuple[int, int]:
    """The beat, 1 to 4, of a footprint's next look-up, in ``bank``, and the banks busy by then, a bit each.

    A beat takes the next look-ups in slot order while their banks differ. ``beat`` and ``busy`` are what the
    look-up before left; a footprint begins with 1 and 0.
    """
    here = 1 << bank
    if busy & here:
        return beat + 1, here
    return beat, busy | here


FIFO_CYCLES = 4
"""Cycles by which the way through the FIFOs is longer than a hit's: tag FIFO, head, fill and read stage."""


def compare_cycles(cfg: Config) -> int:
    """Cycles from a request to the one in which its first beat leaves the tag compare circuit.

    With banks by parity a register follows the comparison.
    """
    return 2 if cfg.parity else 1


def hit_latency(cfg: Config, number: int) -> int:
    """Cycles of a footprint of ``number`` beats that hits entirely and finds the FIFO empty."""
    return compare_cycles(cfg) + number


def fifo_latency(cfg: Config, number: int) -> int:
    """Cycles of ``number`` beats through the FIFO when the line is already in the data FIFO."""
    return hit_latency(cfg, number) + FIFO_CYCLES


def fill_cycles(cfg: Config, timing: MemoryTiming | None = None) -> int:
    """Cycles from a fill's address handshake to its last data handshake, memory idle: 29 in the paper.

    ``timing``: the memory's, if not that of ``cfg``.
    """
    timing = timing or cfg.memory
    return timing.latency + (cfg.beats_per_line - 1) * (1 + timing.gap)


def idle_latency(cfg: Config, result: Any) -> tuple[int, int]:
    """Least and most cycles of one footprint with this RESULT on an idle cache with an always ready memory.

    Equal, hence fixed, up to one miss. Of several misses each further line occupies the data channel for its
    beats: the least is all of that hidden behind one address per cycle, the most adds the cycles by which
    beats and addresses can follow each other late.
    """
    number = int(result["beats"])
    missing = int(np.sum(result["valid"])) - int(np.sum(result["hit"]))
    if missing == 0:
        return hit_latency(cfg, number), hit_latency(cfg, number)
    fill = fill_cycles(cfg)
    transfer = cfg.beats_per_line * (1 + cfg.memory.gap)
    least = max(fifo_latency(cfg, 1) + (missing - 1) * transfer, fifo_latency(cfg, number)) + fill
    most = fifo_latency(cfg, number) + (missing - 1) * (transfer + 1) + fill
    return least, most
