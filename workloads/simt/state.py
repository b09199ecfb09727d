# SPDX-License-Identifier: Apache-2.0
"""The state of a run, and the records of what warps ask of their caches.

A warp's number counts through all blocks: block * 8 + warp.
"""

from typing import NamedTuple

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
#: ``op``; fences have an empty mask: ``fence.i`` writes the data cache back and invalidates both
LOADS, STORES, FENCE, FENCE_I = range(4)
OPS = ("load", "store", "fence", "fence.i")

#: what a warp does: nothing, waits for its turn to fetch, for an instruction, for data, at a barrier
IDLE, READY, FETCHING, WAITING, BARRIER = range(5)

#: The outcome of an instruction, below 0 an error
DONE, NEEDS_DATA = 0, 1
#: The data RAM, 16 KB: an address window beside the data cache
SHARED_BASE, SHARED_BYTES = 0xF0000000, 16 << 10

ERRORS = {
    -1: "no instruction of this machine",
    -2: "an address that is not a multiple of the access",
    -3: "an address outside memory",
    -4: "active lanes disagree about the branch (use split and join, or pred)",
    -5: "active lanes jump to different addresses",
    -6: f"more than {STACK} open splits",
    -7: "join without an open split",
    -8: f"a barrier's number must be below {BARRIERS}, and it must wait for 1 to {WARPS} warps",
    -9: "pred or wspawn leaves no lane active",
    -10: "rounding modes other than to nearest even are for conversions to integers only",
    -11: "there is no code",
    -12: "some lanes address the data RAM, others memory",
}
(
    ILLEGAL_WORD, MISALIGNED, OUTSIDE, DIVERGENT, SCATTERED, STACK_FULL, STACK_EMPTY, BAD_BARRIER, EMPTY_MASK,
    BAD_ROUNDING, NO_CODE, MIXED,
) = range(-1, -13, -1)  # fmt: skip


class State(NamedTuple):
    """Everything but memory. [warps] unless said otherwise; ``stack``: [warps, STACK, (mask, others, pc)].

    ``launch``: configured blocks, warps, threads; ``arrived``: [blocks, BARRIERS], a bit for each warp that
    waits; ``since``: the number of the last fetch; ``fetched``: [1], fetches so far.
    """

    launch: NDArray[np.int64]
    base: NDArray[np.int64]
    pc: NDArray[np.int64]
    sign: NDArray[np.uint8]
    mask: NDArray[np.int64]
    status: NDArray[np.uint8]
    word: NDArray[np.int64]
    since: NDArray[np.int64]
    fetched: NDArray[np.int64]
    x: NDArray[np.uint32]  # [warps, 32, LANES]
    f: NDArray[np.uint32]
    depth: NDArray[np.int64]
    stack: NDArray[np.int64]
    crossed: NDArray[np.uint8]  # [warps, STACK]: the other path is being executed
    arrived: NDArray[np.int64]


def new_state(blocks: int, warps: int, threads: int) -> State:
    """All registers zero, no warp started."""
    n = ALL_WARPS
    return State(
        launch=np.array([blocks, warps, threads]), base=np.zeros(BLOCKS, np.int64), pc=np.zeros(n, np.int64),
        sign=np.zeros(n, np.uint8), mask=np.zeros(n, np.int64), status=np.zeros(n, np.uint8),
        word=np.zeros(n, np.int64), since=np.full(n, -1), fetched=np.zeros(1, np.int64),
        x=np.zeros((n, 32, LANES), np.uint32), f=np.zeros((n, 32, LANES), np.uint32),
        depth=np.zeros(n, np.int64), stack=np.zeros((n, STACK, 3), np.int64),
        crossed=np.zeros((n, STACK), np.uint8), arrived=np.zeros((BLOCKS, BARRIERS), np.int64),
    )  # fmt: skip


def lanes(mask: int) -> list[int]:
    """The lanes in ``mask``."""
    return [lane for lane in range(LANES) if mask >> lane & 1]
