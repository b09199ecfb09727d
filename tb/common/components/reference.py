# SPDX-License-Identifier: Apache-2.0
"""The component that feeds a golden model with what the design was seen to accept."""

from collections.abc import Iterable
from functools import partial
from typing import NamedTuple

from pyuvm import uvm_analysis_port, uvm_component

from models.memory import Memory
from tb.common.components.analysis import AnalysisImp
from tb.common.components.bench import KEY, Bench
from tb.common.components.transactions import Observation


class Input(NamedTuple):
    """Something the design took: in one cycle, kinds come in the order of :attr:`ReferenceModel.kinds`."""

    cycle: int
    rank: int
    kind: str
    transfer: Observation


class ReferenceModel(uvm_component):
    """Base of all reference models: collects inputs, and has them predicted some at a time.

    ``kinds``: the input channels, in the order in which those of one cycle take effect; each has its export
    in ``inputs``. ``channels``: what is predicted; :class:`Expectation` leave by the ports in ``expected``.
    ``batch``: how many inputs to collect before predicting; more is faster, 1 finds a difference in the cycle
    it shows. The order of prediction, and so the result, does not depend on it.
    """

    memory: Memory  # the model's
    kinds: tuple[str, ...] = ()
    channels: tuple[str, ...] = ()

    def build_phase(self) -> None:
        """Nothing accepted yet."""
        self.bench: Bench = self.cdb_get(KEY)
        self.batch = 256
        self._inputs: list[Input] = []
        self.inputs = {kind: AnalysisImp(kind, self, partial(self.accept, kind)) for kind in self.kinds}
        self.expected = {name: uvm_analysis_port(f"expected_{name}", self) for name in self.channels}

    def accept(self, kind: str, transfer: Observation) -> None:
        """An input was taken by the design."""
        self._inputs.append(Input(transfer.cycle, self.kinds.index(kind), kind, transfer))
        if len(self._inputs) >= self.batch:
            self._predict_before(self.bench.clocking.cycle)

    def flush(self) -> None:
        """Predict all that was accepted. Not to be called between the samples of one cycle."""
        self._predict_before(self.bench.clocking.cycle + 1)

    def _predict_before(self, cycle: int) -> None:
        ready = sorted(entry for entry in self._inputs if entry.cycle < cycle)
        self._inputs = [entry for entry in self._inputs if entry.cycle >= cycle]
        if ready:
            self.predict(ready)

    def predict(self, inputs: list[Input]) -> None:
        """Run the model over ``inputs``, in order, and publish what to expect."""
        raise NotImplementedError

    def poison(self, lines: Iterable[int]) -> None:
        """From now on memory answers for ``lines`` with an error. To be called while the design is idle."""
        self.flush()
        self.memory.poison(lines)

    def heal(self) -> None:
        """From now on all is well. To be called while the design is idle."""
        self.flush()
        self.memory.heal()

    def lose(self) -> None:
        """A reset begins: what was accepted is predicted as far as it can still be compared."""
        self.flush()

    def counters(self) -> dict[str, int]:
        """What the model counted since reset, by the names of the design's counters; those it knows."""
        return {}

    def reset(self) -> None:
        """The design was reset, all its accepted inputs are predicted: the model's state follows."""
        raise NotImplementedError
