# SPDX-License-Identifier: Apache-2.0
"""When things happen in ``raster``, by the table in ``docs/raster.md``: cycles from those of its neighbours.

The streams of a run, from reset on: when the words of ``vtx`` were there to be taken, and in which cycles
the consumer of ``tile`` was ready. Set-up holds one primitive or passed word, the walk another, the pixels
what the walk came to, the register at the output a word.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from models.kernels import allocating

NEVER = -1


class Cycles(NamedTuple):
    """Cycles of what happens to n words of ``vtx`` and m words of ``tile``.

    ``taken`` [n]: handshakes of ``vtx``. ``handed`` [n]: when set-up hands it on to the walk, NEVER if
    nothing went to set-up; ``vtx_ready`` is low from the cycle after ``taken`` to ``handed``. ``offered``,
    ``left`` [m]: the first cycle of a word of ``tile`` and its handshake.
    """

    taken: NDArray[np.int64]
    handed: NDArray[np.int64]
    offered: NDArray[np.int64]
    left: NDArray[np.int64]

    @property
    def counters(self) -> dict[str, int]:
        """The counters that hang on who waits, when all has left."""
        return {"tile_wait_cycles": int((self.left - self.offered).sum())}


def cycles(
    work: NDArray[Any], steps: NDArray[np.int32], valid: NDArray[np.int64], ready: NDArray[np.bool_]
) -> Cycles:
    """The cycles of a run that begins at cycle 0 with nothing under way.

    ``work`` WORK [n] and ``steps`` [m] of TILE from the model; ``valid`` [n]: the first cycle in which each
    word is there if those before it are taken (0 for all: back to back); ``ready`` [c]: ``tile_ready`` in
    cycles 0 to c - 1, high afterwards.
    """
    out = Cycles(*(np.full(size, NEVER, np.int64) for size in (len(work), len(work), len(steps), len(steps))))
    _run(work, steps, valid, _next_ready(ready), out)
    return out


@allocating
def _next_ready(ready: NDArray[np.bool_]) -> NDArray[np.int64]:
    """For each cycle the first one from it on in which ``ready`` is high: [c + 1]."""
    following = np.empty(len(ready) + 1, np.int64)
    following[len(ready)] = len(ready)
    for cycle in range(len(ready) - 1, -1, -1):
        following[cycle] = cycle if ready[cycle] else following[cycle + 1]
    return following


@allocating
def _run(
    work: NDArray[Any],
    steps: NDArray[np.int32],
    valid: NDArray[np.int64],
    ready: NDArray[np.int64],
    out: Cycles,
) -> None:
    free = 0  # the first cycle in which set-up is empty
    ends = NEVER  # the walk's last cycle so far
    found = np.full(len(steps), NEVER, np.int64)  # when a word is first found
    word = 0
    for i in range(len(work)):
        out.taken[i] = max(free, valid[i])
        free = out.taken[i] + 1
        if not work[i].setup:
            continue
        out.handed[i] = max(out.taken[i] + work[i].setup, ends)
        free = out.handed[i] + 1
        ends = out.handed[i]
        last = word + work[i].words
        for step in range(max(1, work[i].walk)):
            ends = _going(found, out.offered, word, ends + 1)
            if word == last or steps[word] != step:
                continue
            found[word] = _going(found, out.offered, word, ends + 1) + 1
            moves = max(found[word], out.left[word - 1]) if word else found[word]
            out.offered[word] = moves + 1
            out.left[word] = ready[moves + 1] if moves + 1 < len(ready) else moves + 1
            word += 1


@allocating
def _going(found: NDArray[np.int64], offered: NDArray[np.int64], count: int, cycle: int) -> int:
    """The first cycle from ``cycle`` on in which walk and pixels do not stand still for the first ``count``
    words, of which two at most are not at the pixels yet.
    """
    for word in range(max(0, count - 3), count):
        if found[word] <= cycle < offered[word] - 1:
            cycle = offered[word] - 1
    return cycle
