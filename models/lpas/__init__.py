# SPDX-License-Identifier: Apache-2.0
"""Golden model of ``lpas``, cycle by cycle: :mod:`models.lpas.cycle`, written from ``docs/lpas.md``.

Given what is offered and what memory answers in each cycle it says what the next one shows; with a memory of
its own it runs whole traces (:meth:`LpasModel.replay`).
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from configs import UserError
from configs.lpas.schema import COUNTERS, OPS, Config
from models.lpas import cycle, machine, traffic
from models.lpas import follow as beside
from models.lpas.machine import NONE, Inputs, Outputs
from models.lpas.traffic import BURSTS, NEVER, REQUEST, RESULT, Queues
from models.memory import Memory
from models.sparse import SparseMemory

__all__ = ["NEVER", "REQUEST", "RESULT", "LpasModel"]


class LpasModel:
    """The array ``cfg``; ``memory`` behind it for whole traces.

    Raises :class:`UserError` for requests that do not fit.
    """

    def __init__(self, cfg: Config, memory: Memory | None = None) -> None:
        self.cfg, self.geometry = cfg, machine.geometry(cfg)
        self.machine = machine.machine(cfg, self.geometry)
        self.inputs: Inputs = machine.inputs(cfg)
        self.outputs: Outputs = machine.outputs(cfg, self.geometry)
        self.memory = SparseMemory(memory or Memory(), cfg.cache.line_bytes)
        self.bursts: NDArray[Any] = np.zeros(0, BURSTS)  # of all traces, in order
        self.now = 0  # the next cycle
        self._burst = np.zeros(5, np.int64)
        self._line = np.zeros(cfg.cache.line_bytes, np.uint8)
        self._firsts = np.zeros(cfg.pes, np.int64)
        self._cached = cfg.pes * cfg.cache.sets  # lines that may still be written from before a trace

    @property
    def counters(self) -> dict[str, int]:
        """Since the last reset."""
        return {name: int(count) for (name, _), count in zip(COUNTERS, self.machine.counters, strict=True)}

    def cycle(self) -> Outputs:
        """One cycle with :attr:`inputs` as they are now; what it shows, until the next one."""
        cycle.cycle(self.geometry, self.machine, self.inputs, self.outputs)
        self.now += 1
        return self.outputs

    def reset(self, memory: bool = False) -> None:
        """One cycle with a reset; ``memory``: of the memory's side, a burst under way is forgotten too."""
        cycle.reset(self.geometry, self.machine, self.inputs, memory)
        self.now += 1

    def follow(self, observed: NDArray[Any], modes: NDArray[np.int64]) -> beside.Logs:
        """Expected transfers, one cycle per mode, beside a design with ``observed`` at its pins."""
        self.memory.reserve(len(observed))
        memory = traffic.Memory(
            self.memory.below.contents, self.memory.written, 0, 0, self._burst, self._line
        )
        out = beside.logs(self.cfg.pes, len(modes), 1 << self.cfg.slot_bits)
        beside.follow(
            self.geometry, self.machine, self.inputs, self.outputs, memory,
            observed, modes, self.now, self._firsts, out,
        )  # fmt: skip
        self.now += len(modes)
        acks, grants, bursts = out.counts
        return beside.Logs(
            out.acks[:acks], out.grants[:grants], out.bursts[:bursts], out.words[:bursts], out.counts
        )

    def replay(self, requests: NDArray[Any], limit: int | None = None) -> NDArray[Any]:
        """REQUEST array [n]; returns the RESULT array [n]. Goes on from the present state and cycle.

        ``limit``: so many cycles at most; what was not taken by then is dropped.
        """
        self._check(requests)
        results = np.zeros(len(requests), RESULT)
        for name in ("first", "granted", "done"):
            results[name] = NEVER
        order = np.argsort(requests["pe"], kind="stable").astype(np.int64)
        count = np.bincount(requests["pe"], minlength=self.cfg.pes)
        end = np.cumsum(count)
        first = end - count
        queues = Queues(order, first, end, first.copy(), first.copy())
        most = 4 * len(requests) + 2 * self._cached
        self.memory.reserve(len(np.unique(requests["word"] >> self.cfg.slot_bits)) + self._cached)
        timing, bursts = self.cfg.memory, np.zeros(most, BURSTS)
        memory = traffic.Memory(
            self.memory.below.contents, self.memory.written, timing.latency, timing.gap,
            self._burst, self._line,
        )  # fmt: skip
        self.now, begun = traffic.run(
            self.geometry, self.machine, self.inputs, self.outputs, memory, queues,
            requests, results, bursts, self.now, self.now + limit if limit is not None else 1 << 60,
        )  # fmt: skip
        self.bursts = np.concatenate([self.bursts, bursts[:begun]])
        self.inputs.pes["offered"] = 0
        self.inputs.answer[0] = (NONE, NONE, NONE)
        return results

    def _check(self, requests: NDArray[Any]) -> None:
        if not len(requests):
            return
        bits, last = self.cfg.word_address_bits, self.cfg.pes - 1
        if not 0 <= requests["word"].min() <= requests["word"].max() < 1 << bits:
            raise UserError(f"word addresses of {self.cfg.name} are 0 to {(1 << bits) - 1:#x}")
        if requests["pe"].max() > last:
            raise UserError(f"PEs of {self.cfg.name} are 0 to {last}")
        if requests["op"].max() >= len(OPS) or (requests["op"][requests["pe"] != last] > 1).any():
            raise UserError(f"operations are 0 to {len(OPS) - 1}, of all PEs but the last ({last}) 0 and 1")
