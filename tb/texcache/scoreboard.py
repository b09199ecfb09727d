# SPDX-License-Identifier: Apache-2.0
"""Compares results, look-ups and fills with the model; then latency, footprint by footprint."""

from collections import deque
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pyuvm import uvm_analysis_port

from configs import MemoryTiming
from configs.texcache.schema import Config
from models.texcache import fifo_latency, hit_latency, idle_latency
from models.textiming import fill_cycles
from tb.common.components.scoreboard import Channel, Scoreboard
from tb.common.components.transactions import Observation
from tb.texcache.prediction import Prediction

SLOTS = ("left of row 0", "left of row 1", "right of row 0", "right of row 1")


@dataclass(frozen=True)
class Completed:
    """Footprints whose results have been compared, arrays [n]; cycles are those of the testbench.

    ``offered``: first cycle with the result valid; ``held``: cycles it then waited; ``latency``: from request
    to ``offered``; ``idle``: whether nothing was in the pipeline when the request was taken;
    ``line_due`` [n, 4]: arrival of the line of each slot that missed, -1 elsewhere.
    """

    prediction: Prediction
    requested: NDArray[np.int64]
    offered: NDArray[np.int64]
    held: NDArray[np.int64]
    latency: NDArray[np.int64]
    idle: NDArray[np.bool_]
    line_due: NDArray[np.int64]


class TexcacheScoreboard(Scoreboard):
    """Channels: ``res`` results, ``evt`` look-ups by beat, ``fill`` lines asked from memory."""

    channels = ("res", "evt", "fill")

    def build_phase(self) -> None:
        """Nothing predicted yet. ``timing``: the memory's, None if it is not ours to know exactly."""
        super().build_phase()
        self.cfg: Config = self.bench.cfg
        self.completed = uvm_analysis_port("completed", self)
        self.timing: MemoryTiming | None = self.cfg.memory
        self.steady = True  # the memory adds nothing to its timing
        self.latency_checked = {"exact": 0, "bounds": 0}
        self._dropped = -1  # cycle in which the last line from before a reset came
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

    def predicted(self, prediction: Prediction) -> None:
        """The model's view of the next footprints; :meth:`expect` follows."""
        self._open.append(prediction)

    def line_arrived(self, seen: Observation) -> None:
        """The last beat of a line came."""
        self._arrived.append(seen.cycle)

    def line_dropped(self, seen: Observation) -> None:
        """The last beat of a line came that was asked for before a reset: until then memory was not idle."""
        self._dropped = seen.cycle

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
        prediction = Prediction(
            whole.first, whole.footprints[:count], whole.ids[:count], whole.results[:count], accepted
        )
        answers = self.by_name["res"].matched[self._done : self._done + count]
        requested = np.array([seen.cycle for seen in accepted], np.int64)
        offered = np.array([seen.cycle - seen.waited for seen in answers], np.int64)
        held = np.array([seen.waited for seen in answers], np.int64)
        idle = np.array([not seen.flag for seen in accepted], np.bool_)
        results = prediction.results
        missing = (results["valid"] == 1) & (results["hit"] == 0)
        arrived = np.array(self._arrived[self._filled : self._filled + int(missing.sum())], np.int64)
        self._done += count
        self._filled += int(missing.sum())
        due = np.full(missing.shape, -1, np.int64)
        if len(arrived) < missing.sum():
            self.fail(
                f"results of footprints {prediction.first}.. came before "
                f"{missing.sum() - len(arrived)} of their lines"
            )
        due[missing] = arrived
        done = Completed(prediction, requested, offered, held, offered - requested, idle, due)
        self._check_latency(done)
        self.completed.write(done)

    def _check_latency(self, done: Completed) -> None:
        results, beats = done.prediction.results, done.prediction.results["beats"].astype(np.int64)
        missed = ((results["valid"] == 1) & (results["hit"] == 0)).any(axis=1)
        shortest = np.where(missed, fifo_latency(0), hit_latency(0)) + beats
        if self.timing is not None:
            shortest += np.where(missed, fill_cycles(self.cfg), 0)
        self._refuse(done, done.latency < shortest, shortest, "at least")
        early = done.line_due.max(axis=1) >= done.offered
        self._refuse(
            done, early, done.line_due.max(axis=1) + 1 - done.requested, "its line being there, at least"
        )
        self.latency_checked["bounds"] += len(beats)
        exact = done.idle & ~missed
        self._refuse(
            done,
            exact & (done.latency != hit_latency(0) + beats),
            hit_latency(0) + beats,
            "idle, all hit: exactly",
        )
        self.latency_checked["exact"] += int(exact.sum())
        if self.timing is not None and self.steady:
            alone = done.idle & missed & (done.requested > self._dropped)
            self._check_idle_misses(done, np.nonzero(alone)[0])

    def _check_idle_misses(self, done: Completed, rows: NDArray[Any]) -> None:
        for row in rows:
            low, high = idle_latency(self.cfg, done.prediction.results[row])
            self.latency_checked["exact" if low == high else "bounds"] += 1
            if not low <= done.latency[row] <= high:
                self._late(done, int(row), f"idle cache, missing: {low} to {high}")

    def _refuse(self, done: Completed, wrong: NDArray[np.bool_], want: NDArray[np.int64], rule: str) -> None:
        if wrong.any():
            row = int(np.argmax(wrong))
            self._late(done, row, f"{rule} {want[row]}")

    def _late(self, done: Completed, row: int, rule: str) -> None:
        where = self.describe(done.prediction, row)
        self.fail(
            f"latency of {where}, accepted in cycle {done.requested[row]}: "
            f"expected {rule}, got {done.latency[row]}"
        )

    def describe(self, prediction: Prediction, row: int) -> str:
        """A footprint for people."""
        one = prediction.footprints[row]
        fields = ", ".join(f"{name}={one[name]}" for name in one.dtype.names)
        return f"footprint {prediction.first + row} (id {prediction.ids[row]}: {fields})"

    def explain(self, channel: str, index: int, expected: int, seen: Observation) -> str:
        """What differs, with bank, set, way, id and footprint."""
        prediction = next(p for p in [*reversed(self._open), *reversed(self._recent)] if p.first <= index)
        row = index - prediction.first
        lines = [f"{channel} in cycle {seen.cycle}, {self.describe(prediction, row)}:"]
        if channel == "fill":
            lines.append(f"  line address: expected {expected:#x}, got {seen.word:#x}")
        else:
            stream = self.cfg.streams[channel]
            want, got = stream.unpack(expected), stream.unpack(seen.word)
            lines += [
                f"  {name}: expected {value:#x}, got {got[name]:#x}"
                for name, value in want.items()
                if value != got[name]
            ]
        return "\n".join([*lines, *places(prediction.results[row])])


def places(result: Any) -> list[str]:
    """Where the model looks a footprint's lines up, one line of text per look-up."""
    texts = []
    for slot, name in enumerate(SLOTS):
        if result["valid"][slot]:
            kind = "hit" if result["hit"][slot] else "evicting miss" if result["evict"][slot] else "miss"
            texts.append(
                f"  model, {name}: line {result['line'][slot]:#x}, bank {result['bank'][slot]}, "
                f"set {result['set'][slot]}, way {result['way'][slot]}, {kind}"
            )
    return texts
