# SPDX-License-Identifier: Apache-2.0
"""Compares results and events of ``icache`` with the model, and the cycles that each request took."""

from collections import deque
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from configs import MemoryTiming
from configs.icache.schema import FETCH, INVALIDATE, POLICY, Config
from models.icache.cycles import memory_cycles
from tb.common.components.requests import Prediction, RequestScoreboard
from tb.common.components.simt import Held, moving
from tb.icache.early import EarlyTiming
from tb.icache.fills import FillWatch


class IcacheTiming:
    """The cycles of docs/icache.md, timing: three stages, which all stand still while a result waits."""

    def __init__(self, cfg: Config) -> None:
        self._cfg = cfg
        self._before: deque[Held] = deque(maxlen=4)

    def check_complete(self) -> None:
        """At the end nothing is left to look at."""

    def reset(self) -> None:
        """No request before."""
        self._before.clear()

    def cycles(
        self, prediction: Prediction, timing: MemoryTiming
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """See :meth:`RequestScoreboard.cycles`; the memory has this timing."""
        count = len(prediction.requests)
        cycles, waits = np.zeros(count, np.int64), np.zeros(count, np.int64)
        wait = memory_cycles(self._cfg, timing)
        rows = zip(prediction.requests, prediction.results, prediction.taken, strict=False)
        for row, (request, result, taken) in enumerate(rows):
            missed, answered = bool(result["fill"]), prediction.answered[row]
            waits[row] = wait if missed else 0
            cycles[row] = self._offered(request, result, taken.cycle, wait) - taken.cycle
            self._before.append(Held(answered.cycle - answered.waited, answered.cycle, missed=missed))
        return cycles, waits

    def _offered(self, request: Any, result: Any, taken: int, wait: int) -> int:
        """The cycle in which the result of a request taken in cycle ``taken`` is offered."""
        second = moving(self._before, taken + 1)  # the cycle at whose end it goes to the second stage
        if self._before and self._before[-1].missed and taken < self._before[-1].taken:
            before = self._before[-1]
            second = before.offered - 1  # together with the one before, unless it is read again
            if request["op"] == FETCH and not result["repeat"]:
                second = before.taken + 1
        if result["fill"]:
            third = moving(self._before, second + wait)
        elif request["op"] in (INVALIDATE, POLICY):
            third = moving(self._before, second + self._cfg.cache.sets)
        else:
            third = moving(self._before, second + 1)
        return third + 1


def timing_of(
    cfg: Config, fills: FillWatch | None, fail: Callable[[str], None]
) -> IcacheTiming | EarlyTiming:
    """The cycles of a configuration; see :class:`EarlyTiming`."""
    return IcacheTiming(cfg) if fills is None else EarlyTiming(cfg, fills, fail)


class IcacheScoreboard(RequestScoreboard):
    """Channels: ``res`` results, ``evt`` what became of requests, and without restart at the word ``fill``
    addresses of reads; all in order.
    """

    fills: FillWatch | None = None  # with restart at the word

    def start_of_simulation_phase(self) -> None:
        self._timing = timing_of(self.bench.cfg, self.fills, self.fail)

    def reset(self) -> None:
        super().reset()
        self._timing.reset()

    def exact(self, waits: int) -> bool:
        """See :meth:`RequestScoreboard.exact`; where beats are watched, cycles follow from these."""
        return self.fills is not None or super().exact(waits)

    def check_phase(self) -> None:
        super().check_phase()
        self._timing.check_complete()

    def cycles(self, prediction: Prediction) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        return self._timing.cycles(prediction, self.timing)
