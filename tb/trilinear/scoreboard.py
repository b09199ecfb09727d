# SPDX-License-Identifier: Apache-2.0
"""Compares results, look-ups and lines of both halves with the model, and the cycles of each request."""

from collections import deque
from typing import Any

import numpy as np
from numpy.typing import NDArray

from configs.trilinear.schema import HALVES, INVALIDATE, Config
from models.texcache.timing import FIFO_CYCLES, fifo_latency, fill_cycles, hit_latency
from tb.common.components.axi.handshake import BurstEvent
from tb.common.components.counters import Bounds
from tb.common.components.requests import Prediction, RequestScoreboard
from tb.common.components.transactions import AnalysisImp, Observation
from tb.trilinear.reference import CHANNELS, FILLS

NEVER = -1


class TrilinearScoreboard(RequestScoreboard):
    """Channels: ``res`` results, and of each half ``evt`` look-ups and ``fill`` addresses; each in order.

    ``addresses`` and ``lines``: bursts, at their address and at their last beat; ids say whose they are.
    """

    channels = CHANNELS

    def build_phase(self) -> None:
        super().build_phase()
        self.addresses = AnalysisImp("addresses", self, self._address)
        self.lines = AnalysisImp("lines", self, self._line)
        self.cfg: Config = self.bench.cfg
        self._forget()

    def _forget(self) -> None:
        self._arrived: list[deque[int]] = [deque() for _ in HALVES]  # cycles of lines that nobody has used
        self._answered = NEVER  # the cycle in which the last result was taken

    def _half(self, event: BurstEvent) -> int:
        return event.burst.id & 1

    def _address(self, event: BurstEvent) -> None:
        self.observe(FILLS[self._half(event)], Observation(event.cycle, event.word, event.waited))

    def _line(self, event: BurstEvent) -> None:
        self._arrived[self._half(event)].append(event.cycle)

    def cycles(self, prediction: Prediction) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """See :meth:`RequestScoreboard.cycles`: the least, and 0 for those that are exact.

        Fixed are an invalidation, a change of the table, and a sample that meets nothing and misses nothing.
        A result comes after its lines have, and from the last of them, or from the result before, in as many
        cycles as the way through the FIFOs takes, and one for each line of its half.
        """
        count = len(prediction.requests)
        least, waits = np.zeros(count, np.int64), np.ones(count, np.int64)
        fill = fill_cycles(self.cfg.half, self.timing) if self.steady else 0
        for row, result in enumerate(prediction.results):
            taken, answered = prediction.taken[row].cycle, prediction.answered[row]
            offered, before = answered.cycle - answered.waited, max(self._answered, taken)
            idle, self._answered = self._answered < taken, answered.cycle
            if not result["needs"]:
                clears = prediction.requests[row]["op"] == INVALIDATE
                least[row], waits[row] = before - taken + 1 + clears, 0
                continue
            least[row], most, missed = hit_latency(self.cfg.half, 1), before, 0
            for half in range(len(HALVES)):
                if result["needs"] >> half & 1:
                    lines = self._missing(result, half)
                    arrived = self._last_line(half, lines, prediction, row)
                    most = max(most, max(before, arrived) + 1 + lines + FIFO_CYCLES)
                    behind = fifo_latency(self.cfg.half, 1) + fill if lines else 0
                    least[row] = max(least[row], arrived + 1 - taken, behind)
                    missed += lines
            waits[row] = not idle or missed > 0
            if offered > most:
                self.fail(
                    f"{self._describe(prediction, row)} took {offered - taken} cycles, at most {most - taken}"
                )
        return least, waits

    @staticmethod
    def _missing(result: Any, half: int) -> int:
        looked_up = result[HALVES[half]]
        return int(looked_up["valid"].sum()) - int(looked_up["hit"].sum())

    def _last_line(self, half: int, count: int, prediction: Prediction, row: int) -> int:
        arrived = self._arrived[half]
        if len(arrived) < count:
            self.fail(
                f"{self._describe(prediction, row)} was answered before {count - len(arrived)} of its lines"
            )
        return [arrived.popleft() for _ in range(count)][-1] if count else NEVER

    def explain(self, channel: str, index: int, expected: int, transfer: Observation) -> str:
        """See :meth:`RequestScoreboard.explain`; a half looks up and reads before there is a result."""
        if channel == "res":
            return super().explain(channel, index, expected, transfer)
        lines = [f"{channel} in cycle {transfer.cycle}, of request {index}"]
        if channel in FILLS:
            return "\n".join([*lines, f"  line at {expected:#x} expected, got {transfer.word:#x}"])
        return "\n".join([*lines, *self.differences(channel, expected, transfer.word)])

    def exact(self, waits: int) -> bool:
        return not waits

    def counters(self) -> dict[str, int | Bounds]:
        """Cycles that results waited, since reset."""
        return {"result_wait_cycles": super().counters()["result_wait_cycles"]}

    def reset(self) -> None:
        super().reset()
        self._forget()
