# SPDX-License-Identifier: Apache-2.0
"""What a replay gives to the ports of a design and what comes back: arrays that the library fills."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from configs import BlockConfig
from tb.common.components.packing import Lanes, lanes
from tb.common.replay.library import Port
from tb.common.replay.structures import EACH, ROOM, PortRun


@dataclass(frozen=True)
class Work:
    """What one port is asked.

    ``requests`` [n, lanes]; ``state`` [s, lanes]: words of the port's state stream, word k to be taken before
    request ``before[k]`` is offered; ``describe`` names a request in messages. ``due``: results in all, of a
    block that does not give one for each request. ``earliest`` [n]: cycles of the run, on their clock,
    before which they are not offered; patience must be larger than what passes between them.
    """

    requests: Lanes
    state: Lanes | None = None
    before: NDArray[np.uint64] | None = None
    describe: Callable[[int], str] = "request {}".format
    due: int | None = None
    earliest: NDArray[np.uint64] | None = None


@dataclass(frozen=True)
class PortChunk:
    """What one port did in some cycles, in order; the arrays are overwritten by the next chunk.

    ``results`` [r, lanes] with ``result_cycle`` [r]; ``request_cycle`` [q] of the requests accepted;
    ``events`` [e, lanes]; ``marks`` [m]: cycles in which the port's mark was set. Cycles count from power-up,
    each stream's by its own clock.
    """

    results: Lanes
    result_cycle: NDArray[np.uint64]
    request_cycle: NDArray[np.uint64]
    events: Lanes
    marks: NDArray[np.uint64]


@dataclass(frozen=True)
class Bursts:
    """Byte addresses of the bursts that one AXI port asked for, in order: ``reads`` [r], ``writes`` [w]."""

    reads: NDArray[np.uint64]
    writes: NDArray[np.uint64]


@dataclass(frozen=True)
class Chunk:
    """What happened in some cycles, by port and by AXI port."""

    ports: list[PortChunk]
    axi: list[Bursts]


class PortArrays:
    """A port's work and the arrays that the library fills."""

    def __init__(self, cfg: BlockConfig, port: Port, work: Work) -> None:
        streams = cfg.streams
        self.work = work
        state = np.zeros((0, 1), np.uint32) if work.state is None else work.state
        before = np.zeros(0, np.uint64) if work.before is None else work.before
        assert len(state) == len(before) and (port.state or not len(state)), f"{port}: state without a stream"
        assert not len(before) or before[-1] < len(work.requests), f"{port}: state after the last request"
        self.given = [
            np.ascontiguousarray(array, kind)
            for array, kind in ((work.requests, np.uint32), (state, np.uint32), (before, np.uint64))
        ]
        self.earliest = None if work.earliest is None else np.ascontiguousarray(work.earliest, np.uint64)
        assert self.earliest is None or len(self.earliest) == len(work.requests), f"{port}: a cycle for each"
        self.results, self.events = (
            np.zeros((ROOM, lanes(streams[name]) if name else 0), np.uint32)
            for name in (port.result, port.event)
        )
        self.result_cycle, self.request_cycle, self.marks = np.zeros((3, ROOM), np.uint64)
        rows = (self.results, self.events, self.result_cycle, self.request_cycle, self.marks)
        pointers = [array.ctypes.data for array in self.given]
        self.fields = (
            pointers[0], len(work.requests), pointers[1], pointers[2], len(state), 0, 0, 0,
            *(array.ctypes.data for array in rows), 0, 0, 0, 0, EACH if work.due is None else work.due,
            None if self.earliest is None else self.earliest.ctypes.data,
        )  # fmt: skip

    def chunk(self, run: PortRun) -> PortChunk:
        """What the last call did."""
        results = slice(run.new_results)
        return PortChunk(
            self.results[results], self.result_cycle[results], self.request_cycle[: run.new_requests],
            self.events[: run.new_events], self.marks[: run.new_marks],
        )  # fmt: skip
