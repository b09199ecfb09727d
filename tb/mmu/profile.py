# SPDX-License-Identifier: Apache-2.0
"""Where the cycles of a program on the RTL went: counts by instruction, columns of its listing."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tb.mmu.outcome import Predicted, ProgramOutcome
from workloads.simt.profile import Column

CYCLES = "on-rtl"  # the column of cycles
#: what look-ups of the data cache wait for, by the counter of such cycles
CAUSES = {
    "group_wait_cycles": "for room at a line under way",
    "victim_wait_cycles": "for a victim under way",
    "entry_wait_cycles": "for an MSHR",
    "write_wait_cycles": "for room in the write buffer",
    "stage_wait_cycles": "for stage 2",
    "warp_wait_cycles": "for their warp's result",
}


def stalls(counters: Mapping[str, int]) -> dict[str, int]:
    """Cycles by cause, in the order of the causes, of the data cache's counters; none if it has no such."""
    return {why: counters[name] for name, why in CAUSES.items() if name in counters}


def taken(outcome: ProgramOutcome) -> Column:
    """Cycles [n] of each instruction: from the end of the one that ended before it to its own.

    An instruction ends with its word, or with its data: every cycle belongs to what was waited for.
    """
    cycles, order = np.zeros(len(outcome.ended), np.int64), np.argsort(outcome.ended, kind="stable")
    cycles[order] = np.diff(outcome.ended[order], prepend=outcome.first - 1)
    return cycles


def columns(outcome: ProgramOutcome, predicted: Predicted, code_bytes: int) -> dict[str, Column]:
    """Misses of both caches and cycles, [code_bytes / 4] by instruction of the program, over all blocks.

    Misses are those of the golden models, whose totals are the RTL's.
    """
    words, trace = code_bytes // 4, outcome.trace
    pc = trace.fetches["pc"] // 4

    def by_pc(places: NDArray[Any], counts: NDArray[Any]) -> Column:
        return np.bincount(places, counts, words)[:words].astype(np.int64)

    missed = np.bitwise_count(predicted.asked & ~predicted.accessed["hit"] & ~predicted.accessed["shared"])
    return {
        "i-misses": by_pc(pc, predicted.fetched["hit"] == 0),
        "d-misses": by_pc(pc[trace.accesses["fetch"] - trace.first], missed),
        CYCLES: by_pc(pc, taken(outcome)),
    }
