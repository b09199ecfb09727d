# SPDX-License-Identifier: Apache-2.0
"""Compares results and events of ``dcache`` with the model, and the cycles that each request took."""

from collections import deque
from typing import Any

import numpy as np
from numpy.typing import NDArray

from configs import MemoryTiming
from configs.dcache.schema import LOAD, STORE, Config
from models.dcache.cycles import waits, walks
from tb.common.components.counters import Bounds
from tb.common.components.requests import FILL, Prediction, RequestScoreboard
from tb.common.components.simt import Held, moving
from tb.dcache.path import PathChecker


class DcacheTiming:
    """The cycles of docs/dcache.md, timing: three stages, lane behind lane, which all stand still while a
    result waits.
    """

    def __init__(self, cfg: Config) -> None:
        self._cfg = cfg
        self.reset()

    def reset(self) -> None:
        """No request before."""
        self._before: deque[Held] = deque(maxlen=4)
        self._slow = 0  # the last cycle of a lane that waited in the second stage; 0 if it did not

    def cycles(
        self, prediction: Prediction, timing: MemoryTiming, beside: NDArray[np.int64] | None = None
    ) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.bool_]]:
        """See :meth:`RequestScoreboard.cycles`; the memory has this timing.

        ``beside``: cycles [n] after which something else that a result waits for is ready, if there is any.
        Third: of which requests [n] the cycles are known, but for those of memory.
        """
        pair = prediction.requests, prediction.results
        waiting, walking = waits(self._cfg, *pair, timing), walks(self._cfg, *pair)
        cycles, sure = np.zeros(len(waiting), np.int64), np.ones(len(waiting), np.bool_)
        late = np.zeros(len(waiting), np.int64) if beside is None else beside
        for row, (taken, answered) in enumerate(zip(prediction.taken, prediction.answered, strict=True)):
            steps = self._steps(prediction.requests[row], waiting[row], int(walking[row]))
            sure[row] = all(before.certain for before in self._before if before.taken >= taken.cycle)
            own, other = self._offered(taken.cycle, steps), taken.cycle + int(late[row])
            cycles[row] = max(own, other) - taken.cycle
            offered, certain = answered.cycle - answered.waited, True
            if offered <= other:  # the cache's own may have been earlier: by its cycles, if they are known
                offered, certain = own, bool(sure[row]) and not waiting[row].any()
            self._before.append(Held(offered, answered.cycle, certain))
            self._slow = offered - 1 if steps[-1] else 0
        return cycles, waiting.sum(axis=1), sure

    def _steps(self, request: Any, waiting: NDArray[np.int64], walking: int) -> list[int]:
        """The cycles that each lane waits; one of 0 if there is none."""
        if request["op"] not in (LOAD, STORE):
            return [int(waiting[0]) + walking]
        return [int(wait) for lane, wait in enumerate(waiting) if request["mask"] >> lane & 1] or [0]

    def _offered(self, taken: int, steps: list[int]) -> int:
        """The cycle in which the result of a request taken in cycle ``taken`` is offered.

        A lane leaves the first stage in the cycle after it was issued, unless one before it waits in the
        second; the next is issued in that cycle. It leaves the second one cycle later, or when what it waits
        for ends.
        """
        issued, slow, left = taken, self._slow, 0
        for wait in steps:
            issued = moving(self._before, max(issued, slow) + 1)
            left = moving(self._before, issued + max(wait, 1))
            slow = left if wait else slow
        return left + 1


class DcacheScoreboard(RequestScoreboard):
    """Channels: ``fill`` addresses of reads, ``res`` results, ``evt`` what became of requests; in order."""

    channels = (FILL, "evt", "res")

    def build_phase(self) -> None:
        super().build_phase()
        self._timing = DcacheTiming(self.bench.cfg)

    def reset(self) -> None:
        super().reset()
        self._timing.reset()

    def cycles(self, prediction: Prediction) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        cycles, waiting, _ = self._timing.cycles(prediction, self.timing)
        return cycles, waiting


class OvertakingScoreboard(RequestScoreboard):
    """The same of a cache that serves hits under misses: cycles are those of ``path``."""

    path: PathChecker  # set by the environment

    def cycles(self, prediction: Prediction) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        pairs = zip(prediction.taken, prediction.answered, strict=True)
        took = [self.path.result(answered) - taken.cycle for taken, answered in pairs]
        return np.array(took, np.int64), np.zeros(len(took), np.int64)

    def counters(self) -> dict[str, int | Bounds]:
        self.path.advance(self.bench.clocking.cycle - 1)
        return super().counters() | self.path.stages.cycles
