# SPDX-License-Identifier: Apache-2.0
"""The cycles of ``icache`` with restart at the word: docs/icache.md, timing.

They follow from those in which requests and results were taken and beats came, whatever memory's timing is.
"""

from collections import deque
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from configs import MemoryTiming
from configs.icache.schema import FETCH, INVALIDATE, POLICY, Config
from tb.common.components.requests import Prediction
from tb.common.components.simt import Held, moving
from tb.icache.fills import Fill, FillWatch


class Coming(NamedTuple):
    """The line that was missed last, its first beat, and what was seen of it."""

    line: int
    first: int
    fill: Fill


class Passage(NamedTuple):
    """The cycles at whose ends a request goes to the second stage and to the third, and those it waits for
    memory; ``awaited``: the last in which the second stage waited for its beat.
    """

    second: int
    third: int
    waits: int = 0
    awaited: int = 0


class EarlyTiming:
    """Cycles that requests take. ``fail`` is called with what is wrong about the bursts of a line."""

    def __init__(self, cfg: Config, watch: FillWatch, fail: Callable[[str], None]) -> None:
        self._cfg, self._watch, self._fail = cfg, watch, fail
        self._results: deque[Held] = deque(maxlen=4)
        self.reset()

    def reset(self) -> None:
        """No request before."""
        self._results.clear()
        self._before = Passage(0, 0)
        self._coming: Coming | None = None
        self._filled = 0  # lines that were missed

    def cycles(
        self, prediction: Prediction, timing: MemoryTiming
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """See :meth:`RequestScoreboard.cycles`; ``timing`` does not matter."""
        cycles, waits = (np.zeros(len(prediction.requests), np.int64) for _ in range(2))
        rows = zip(prediction.requests, prediction.results, prediction.taken, strict=False)
        for row, (request, result, taken) in enumerate(rows):
            answered = prediction.answered[row]
            passed = self._pass(request, result, taken.cycle)
            cycles[row], waits[row] = passed.third + 1 - taken.cycle, passed.waits
            offered = answered.cycle - answered.waited
            self._results.append(Held(offered, answered.cycle))
            self._before = passed._replace(third=offered - 1)
        return cycles, waits

    def _pass(self, request: Any, result: Any, taken: int) -> Passage:
        """What becomes of a request taken in cycle ``taken``."""
        end = self._coming.fill.end if self._coming else 0
        second = self._moving(max(taken + 1, self._before.third))
        if request["op"] in (INVALIDATE, POLICY):
            if taken <= end:
                second = self._moving(max(second, end + 1))
            return Passage(second, self._moving(second + self._cfg.cache.sets))
        if request["op"] != FETCH:
            return Passage(second, self._moving(second + 1))
        if result["fill"]:
            return self._miss(result, taken, second, end)
        if self._coming and taken < end and result["line"] == self._coming.line:
            place = (int(result["beat"]) - self._coming.first) % self._cfg.beats
            return self._awaiting(second, self._coming.fill.come(place))
        if not result["repeat"] and taken <= end < second:  # it is read again
            second = self._moving(max(second, end + 2))
        return Passage(second, self._moving(second + 1))

    def _miss(self, result: Any, taken: int, second: int, end: int) -> Passage:
        held = 0
        if taken <= end:
            held = max(0, end + 1 - max(taken + 1, self._before.awaited + 1))
            second = self._moving(max(second, end + 2))
        if self._filled == len(self._watch.fills):
            self._fail(f"a fetch misses line {int(result['line']):#x}, and none is read")
        fill = self._watch.fills[self._filled]
        self._coming = Coming(int(result["line"]), int(result["beat"]), fill)
        self._filled += 1
        self._check(fill, second + 1)
        passed = self._awaiting(second, fill.come(0))
        return passed._replace(waits=held + passed.waits)

    def _awaiting(self, second: int, come: int) -> Passage:
        """In the second stage until a beat has come, in cycle ``come``."""
        waits = max(0, come - second)
        return Passage(second, self._moving(max(second + 1, come)), waits, come if waits else 0)

    def check_complete(self) -> None:
        """At the end: no line was read but those that were missed."""
        if self._filled != len(self._watch.fills):
            self._fail(f"lines read since reset: expected {self._filled}, got {len(self._watch.fills)}")

    def _check(self, fill: Fill, offered: int) -> None:
        """The first burst of the line that was missed last is asked for in cycle ``offered``."""
        assert self._coming is not None
        event, cfg = fill.bursts[0], self._cfg
        address = self._coming.line * cfg.cache.line_bytes + self._coming.first * cfg.axi.strobe_bits
        if event.burst.address != address:
            self._fail(f"a fetch misses {address:#x}, and {event.burst.address:#x} is read first")
        if self._watch.alone and event.cycle - event.waited != offered:
            got = event.cycle - event.waited
            self._fail(f"read of {address:#x} offered in cycle {got}, expected in {offered}")

    def _moving(self, cycle: int) -> int:
        return moving(self._results, cycle)
