# SPDX-License-Identifier: Apache-2.0
"""The state of a run, and the records of what warps ask of their caches.

A warp's number counts through all blocks: block * 8 + warp.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from workloads.simt.isa import BARRIERS, BLOCKS, LANES, STACK, WARPS

ALL_WARPS = BLOCKS * WARPS

#: An instruction asked for: ``pc`` in bytes, without the base of its block; ``sign``: how the warp came there
#: (:data:`workloads.simt.isa.SIGNS`); ``mask``: lanes that execute it, for profiles (a cache is not told).
FETCH = np.dtype([("block", "u1"), ("warp", "u1"), ("pc", "u4"), ("sign", "u1"), ("mask", "u1")])

#: A load or a store of up to eight lanes. ``fetch``: the number of its instruction among the fetches; bit i
#: of ``mask``: lane i takes part. By lane: ``addr``, the byte address of its aligned word; ``strobe``, the
#: bytes that it means, bit 0 the lowest; ``data``, the word (of a store in the bytes of ``strobe``, of a load
#: all of it). ``shared``: to the window of the data RAM, not to the data cache.
ACCESS = np.dtype(
    [
        *(("fetch", "i8"), ("block", "u1"), ("warp", "u1"), ("op", "u1"), ("shared", "u1"), ("mask", "u1")),
        *(("addr", "u4", LANES), ("strobe", "u1", LANES), ("data", "u4", LANES)),
    ]
)
#: ``op``; fences have an empty mask: ``fence.i`` writes the data cache back and invalidates the instruction
#: cache
LOADS, STORES, FENCE, FENCE_I = range(4)
OPS = ("load", "store", "fence", "fence.i")

#: what a warp does: nothing, waits for its turn to fetch, for an instruction, for data, at a barrier
IDLE, READY, FETCHING, WAITING, BARRIER = range(5)

#: The outcome of an instruction, below 0 an error
DONE, NEEDS_DATA = 0, 1
#: The data RAM, 16 KB: an address window beside the data cache
SHARED_BASE, SHARED_BYTES = 0xF0000000, 16 << 10

(
    ILLEGAL_WORD, MISALIGNED, OUTSIDE, DIVERGENT, SCATTERED, STACK_FULL, STACK_EMPTY, BAD_BARRIER, EMPTY_MASK,
    BAD_ROUNDING, NO_CODE, MIXED, OVERFLOW, MISALIGNED_PC,
) = range(-1, -15, -1)  # fmt: skip


#: A warp. ``pc`` and ``sign`` as of its next fetch; ``since``: the number of the last; ``mask``: its active
#: lanes; ``word``: the instruction that it executes; of each open split, of which there are ``depth``, the
#: ``stack`` has (mask, others, pc), and ``crossed`` whether the other path is being executed. ``x``, ``f``:
#: registers. A kernel gets one as a pointer, and knows the shapes.
WARP = np.dtype(
    [
        *((name, "i8") for name in ("pc", "mask", "word", "since", "depth")),
        *(("stack", "i8", (STACK, 3)), ("x", "u4", (32, LANES)), ("f", "u4", (32, LANES))),
        *(("crossed", "u1", STACK), ("status", "u1"), ("sign", "u1")),
    ],
    align=True,
)


#: A run, but for its memory. ``warps``, running through all blocks; ``launch``: configured blocks, warps,
#: threads; ``base`` of each block; ``arrived``: a bit for each warp that waits at a barrier; ``fetched``:
#: fetches so far. ``stack``: bytes of each thread's, the first one's ends at ``top``; 0: not checked. One
#: record, for kernels count references to each array that they hand on.
RUN = np.dtype(
    [
        *(("warps", WARP, ALL_WARPS), ("launch", "i8", 3), ("base", "i8", BLOCKS)),
        *(("arrived", "i8", (BLOCKS, BARRIERS)), ("fetched", "i8")),
        *(("stack", "i8"), ("top", "i8")),
    ],
    align=True,
)


class MachineState:
    """Everything but memory, of ``blocks`` of ``warps`` of ``threads``: all registers zero, no warp started.

    ``record``: a RUN, for kernels. All else shows parts of it: ``warps``, WARP [warps]; ``base`` [blocks]; of
    all warps their ``pc``, ``status`` and ``depth``, and their registers ``x``, ``f`` [warps, 32, LANES].
    """

    def __init__(self, blocks: int, warps: int, threads: int) -> None:
        self.record: Any = np.zeros(1, RUN)[0]
        self.record["launch"] = blocks, warps, threads
        self.warps: NDArray[Any] = self.record["warps"]
        self.warps["since"] = -1
        self.base: NDArray[np.int64] = self.record["base"]
        self.pc: NDArray[np.int64] = self.warps["pc"]
        self.status: NDArray[np.uint8] = self.warps["status"]
        self.depth: NDArray[np.int64] = self.warps["depth"]
        self.x: NDArray[np.uint32] = self.warps["x"]
        self.f: NDArray[np.uint32] = self.warps["f"]

    @property
    def fetched(self) -> int:
        """Fetches so far."""
        return int(self.record["fetched"])


def lanes(mask: int) -> list[int]:
    """The lanes in ``mask``."""
    return [lane for lane in range(LANES) if mask >> lane & 1]
