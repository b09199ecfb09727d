# SPDX-License-Identifier: Apache-2.0
"""Compares results, look-ups and fills with the model, and publishes what has been compared."""

from collections import deque
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pyuvm import uvm_analysis_port

from configs.texcache.schema import Config
from tb.common.components.scoreboard import Channel, Scoreboard
from tb.common.components.transactions import AnalysisImp, Observation
from tb.texcache.prediction import CHANNELS, Prediction, describe, places


@dataclass(frozen=True)
class Completed:
    """Footprints whose results have been compared, arrays [n]; cycles are those of the testbench.

    ``offered``: first cycle with the result valid; ``held``: cycles it then waited; ``latency``: from request
    to ``offered``; ``idle``: whether nothing was in the pipeline when the request was taken;
    ``line_due`` [n, 4]: arrival of the line of each slot that missed, -1 elsewhere; ``drained``: cycle in
    which the last line came that was asked for before a reset.
    """

    prediction: Prediction
    requested: NDArray[np.int64]
    offered: NDArray[np.int64]
    held: NDArray[np.int64]
    latency: NDArray[np.int64]
    idle: NDArray[np.bool_]
    line_due: NDArray[np.int64]
    drained: int = -1

    @property
    def missing(self) -> NDArray[np.bool_]:
        """Slots [n, 4] that missed."""
        results: NDArray[Any] = self.prediction.results
        missing: NDArray[np.bool_] = (results["valid"] == 1) & (results["hit"] == 0)
        return missing


class TexcacheScoreboard(Scoreboard):
    """Channels: ``res`` results, ``evt`` look-ups by beat, ``fill`` lines asked from memory; all in order.

    Its further inputs are the model's view of footprints (``predicted``), the ends of lines (``lines``) and
    of those from before a reset (``dropped``); ``completed`` publishes :class:`Completed`.
    """

    channels = CHANNELS

    def build_phase(self) -> None:
        super().build_phase()
        self.predicted = AnalysisImp("predicted", self, self._predicted)
        self.lines = AnalysisImp("lines", self, self._line_arrived)
        self.dropped = AnalysisImp("dropped", self, self._line_dropped)
        self._drained = -1
        self.completed = uvm_analysis_port("completed", self)
        self.cfg: Config = self.bench.cfg
        self._forget()

    def _forget(self) -> None:
        self._open: deque[Prediction] = deque()
        self._recent: deque[Prediction] = deque(maxlen=2)  # completed last
        self._done = 0  # results of completed predictions, since reset
        self._arrived: list[int] = []  # cycle of the last beat of each line, since reset
        self._filled = 0  # lines of completed predictions, since reset

    def reset(self) -> None:
        """See :meth:`Scoreboard.reset`. Completes what was predicted, as far as it was answered."""
        if self._open:
            self._complete(len(self.by_name["res"].matched) - self._done)
        super().reset()
        self._forget()

    def _predicted(self, prediction: Prediction) -> None:
        self._open.append(prediction)

    def _line_arrived(self, transfer: Observation) -> None:
        self._arrived.append(transfer.cycle)

    def _line_dropped(self, transfer: Observation) -> None:
        self._drained = transfer.cycle

    def compared(self, channel: Channel) -> None:
        """Complete the oldest prediction when all its results have been compared."""
        while channel.name == "res" and self._open:
            count = len(self._open[0].footprints)
            if len(channel.matched) < self._done + count:
                return
            self._complete(count)

    def _complete(self, count: int) -> None:
        whole = self._open.popleft()
        self._recent.append(whole)
        accepted = whole.accepted[:count]
        prediction = whole._replace(
            footprints=whole.footprints[:count], ids=whole.ids[:count], results=whole.results[:count],
            accepted=accepted,
        )  # fmt: skip
        answers = self.by_name["res"].matched[self._done : self._done + count]
        requested = np.array([transfer.cycle for transfer in accepted], np.int64)
        offered = np.array([transfer.cycle - transfer.waited for transfer in answers], np.int64)
        held = np.array([transfer.waited for transfer in answers], np.int64)
        idle = np.array([not transfer.flag for transfer in accepted], np.bool_)
        due = self._lines_of(prediction)
        self._done += count
        latency = offered - requested
        done = Completed(prediction, requested, offered, held, latency, idle, due, self._drained)
        self.completed.write(done)

    def _lines_of(self, prediction: Prediction) -> NDArray[np.int64]:
        """See :attr:`Completed.line_due`."""
        results = prediction.results
        missing = (results["valid"] == 1) & (results["hit"] == 0)
        count = int(missing.sum())
        arrived = np.array(self._arrived[self._filled : self._filled + count], np.int64)
        self._filled += count
        if len(arrived) < count:
            self.fail(
                f"results of footprints {prediction.first}.. came before "
                f"{count - len(arrived)} of their lines"
            )
        due = np.full(missing.shape, -1, np.int64)
        due[missing] = arrived
        return due

    def explain(self, channel: str, index: int, expected: int, transfer: Observation) -> str:
        """What differs, with bank, set, way, id and footprint."""
        prediction = next(p for p in [*reversed(self._open), *reversed(self._recent)] if p.first <= index)
        row = index - prediction.first
        lines = [f"{channel} in cycle {transfer.cycle}, {describe(prediction, row)}:"]
        if channel == "fill":
            lines.append(f"  line address: expected {expected:#x}, got {transfer.word:#x}")
        else:
            lines += self.differences(channel, expected, transfer.word)
        return "\n".join([*lines, *places(prediction.results[row])])
