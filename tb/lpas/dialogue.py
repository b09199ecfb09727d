# SPDX-License-Identifier: Apache-2.0
"""Requests to a Verilated design one by one, where what is asked next depends on what was answered.

A processor is one: what it loads next it learns from what it has loaded. For requests that are known before,
:meth:`tb.common.replay.machine.Replay.run` is faster.
"""

from functools import partial

import numpy as np

from tb.common.components.packing import Lanes, lanes
from tb.common.replay.machine import Replay
from tb.common.replay.progress import Progress
from tb.common.replay.work import Chunk, Work

PLACES = 256  # for requests of a port that have no result yet


class Dialogue:
    """With the ports of ``replay``, in the order of its roles. Requests of a port are offered in order."""

    def __init__(self, replay: Replay) -> None:
        streams, ports = replay.cfg.streams, replay.roles.ports
        self._replay = replay
        self._waiting = [np.zeros((PLACES, lanes(streams[port.request])), np.uint32) for port in ports]
        self._gone = [0] * len(ports)  # requests that have made way for others
        work = [Work(words, describe=partial(self._name, n)) for n, words in enumerate(self._waiting)]
        self._progress = Progress(replay.cfg, replay.roles, work)
        for run in self._progress.runs:
            run.count = 0

    def _name(self, port: int, number: int) -> str:
        return f"request {self._gone[port] + number}"

    def ask(self, port: int, word: Lanes) -> None:
        """One request more, ``word`` [lanes], to be offered as soon as those before it were taken."""
        words, run = self._waiting[port], self._progress.runs[port]
        if run.count == PLACES:
            done = run.answered
            assert done, f"{self._replay.roles.ports[port].request}: {PLACES} requests without a result"
            words[: PLACES - done] = words[done:].copy()
            self._gone[port] += done
            run.count, run.sent, run.answered = run.count - done, run.sent - done, 0
        words[run.count] = word
        run.count += 1

    @property
    def open(self) -> bool:
        """Whether any request has no result yet."""
        return any(run.answered < run.count for run in self._progress.runs)

    def go(self, cycles: int) -> Chunk:
        """Go on until a result comes, ``cycles`` at most: what happened, overwritten by the next call.

        Raises :class:`tb.common.replay.machine.ReplayError`.
        """
        return self._replay.go(self._progress, cycles)
