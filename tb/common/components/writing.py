# SPDX-License-Identifier: Apache-2.0
"""Reference model and environment of a block that writes memory, above all of one that answers requests."""

from typing import Any, ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray
from pyuvm import uvm_component

from models.memory import Memory
from models.sparse import SparseMemory
from tb.common.components.analysis import AnalysisImp
from tb.common.components.env import BlockEnv
from tb.common.components.memory_checker import MemoryChecker
from tb.common.components.reference import ReferenceModel
from tb.common.components.request_env import RequestEnv
from tb.common.components.requests import RequestReference
from tb.common.components.stream import HIGH


class WritingModel(Protocol):
    """The golden model of a block that writes memory."""

    memory: SparseMemory
    counters: dict[str, int]

    def replay(self, requests: NDArray[Any]) -> NDArray[Any]:
        """Results [n] of requests [n]; ``tries``: writes that each asks memory for."""

    def abandon(self, request: NDArray[Any], writes: int) -> None:
        """A reset met requests [n] after so many of their writes."""

    def reset(self) -> None:
        """A reset met none."""


class CountsWrites(ReferenceModel):
    """A reference model that knows how many of its writes memory was asked for.

    ``bursts`` takes the AXI writes, ``answers`` their ends.
    """

    def __init__(self, name: str, parent: uvm_component) -> None:
        super().__init__(name, parent)
        self.bursts = AnalysisImp("bursts", self, self._burst)
        self.answers = AnalysisImp("answers", self, self._answer)

    def build_phase(self) -> None:
        """No write yet."""
        super().build_phase()
        self.tries = 0  # writes that the model asked memory for
        self.begun = 0  # writes that the design asked for and memory has taken the address of
        self.ended = 0  # of these, answered

    def _burst(self, _write: Any) -> None:
        self.begun += 1

    def _answer(self, _write: Any) -> None:
        self.ended += 1

    def unknown(self, offered: int, forgotten: bool) -> int:
        """Writes that the design asked memory for and the model did not, from now on all known. A reset ends,
        with so many offered: they will happen, unless memory has been reset, too, and has ``forgotten`` those
        that had not been answered.
        """
        writes = (self.ended if forgotten else self.begun + offered) - self.tries
        self.tries += writes
        if forgotten:
            self.begun = self.tries
        return writes

    def released(self, offered: int, forgotten: bool) -> None:
        """A reset ends, see :meth:`unknown`: the model is told of the writes of requests that it met."""
        raise NotImplementedError

    def reset(self) -> None:
        """The model follows when the reset ends."""

    def check_phase(self) -> None:
        """No write was asked for that the model does not know of."""
        if self.begun != self.tries:
            self.bench.fail(f"writes to memory: expected {self.tries}, got {self.begun}")


class WritingReference(CountsWrites, RequestReference):
    """Feeds a model that writes memory (``model_class``, of a configuration and a memory).

    Of requests that a reset meets, those writes reach memory that had begun: the model is told how many. A
    reset of memory's side leaves those that had been answered.
    """

    model_class: ClassVar[Any]

    def build_phase(self) -> None:
        """The model over hashed memory of the test's seed."""
        super().build_phase()
        self.memory = Memory(seed=self.bench.seed & 0xFFFFFFFF)
        self.model: WritingModel = self.model_class(self.bench.cfg, self.memory)

    def serve(self, requests: NDArray[Any]) -> NDArray[Any]:
        """See :meth:`RequestReference.serve`."""
        results = self.model.replay(requests)
        self.tries += int(results["tries"].sum(dtype=np.int64))
        return results

    def released(self, offered: int, forgotten: bool) -> None:
        """See :meth:`CountsWrites.released`."""
        self.abandon(self.unknown(offered, forgotten))
        self.lose_open()
        self.model.reset()

    def abandon(self, writes: int) -> None:
        """A reset met the open requests after so many writes that the model has not made."""
        if self.open:
            self.model.abandon(self.requests(self.open), writes)

    def counters(self) -> dict[str, int]:
        """See :meth:`ReferenceModel.counters`."""
        return self.model.counters


class MemoryEnv(BlockEnv):
    """The environment of a block that writes memory, which is compared byte by byte at the end.

    Its ``connect_phase`` says what ``memory_check`` holds memory against.
    """

    reference: Any

    def build_phase(self) -> None:
        """Build all components."""
        super().build_phase()
        self.memory_check: MemoryChecker = MemoryChecker.create("memory_check", self)

    def connect_phase(self) -> None:
        """Writes are counted, and compared."""
        super().connect_phase()
        for prefix in self.writing():
            self.axi[prefix].monitor.write_addresses.connect(self.reference.bursts)
            self.axi[prefix].monitor.answers.connect(self.reference.answers)
        self.memory_check.contents = self.memory.contents

    def writing(self) -> list[str]:
        """The AXI ports that write."""
        return [prefix for prefix, port in self.cfg.axi_ports.items() if port.writes]

    def progress(self) -> tuple[int, ...]:
        """See :meth:`BlockEnv.progress`; a flush has one result for many writes."""
        return (*super().progress(), self.reference.begun)

    def reset(self, part: str) -> None:
        """See :meth:`BlockEnv.reset`."""
        self.forgotten = self.bench.clocking.axi_in_reset
        super().reset(part)

    def _reset_ends(self, part: str) -> None:
        offered = [getattr(self.bench.dut, f"{prefix}_awvalid").value for prefix in self.writing()]
        self.reference.released(offered.count(HIGH), self.forgotten)
        super()._reset_ends(part)


class WritingEnv(MemoryEnv, RequestEnv):
    """The same of a block that answers requests in order."""

    reference: WritingReference

    def connect_phase(self) -> None:
        """Writes are covered, too."""
        super().connect_phase()
        for prefix in self.writing():
            self.axi[prefix].monitor.write_addresses.connect(self.coverage.writes)
        self.memory_check.model = self.reference.model.memory

    def _reset_ends(self, part: str) -> None:
        self.scoreboard.late = bool(self.bursts)
        super()._reset_ends(part)
