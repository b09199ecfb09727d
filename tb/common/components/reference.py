# SPDX-License-Identifier: Apache-2.0
"""The component that feeds a golden model with what the design was seen to accept."""

from typing import NamedTuple

from pyuvm import uvm_component

from tb.common.components.bench import KEY, Bench
from tb.common.components.transactions import Observation


class Input(NamedTuple):
    """Something the design took: in one cycle, kinds come in the order of :attr:`ReferenceModel.kinds`."""

    cycle: int
    rank: int
    kind: str
    seen: Observation


class ReferenceModel(uvm_component):
    """Base of all reference models: collects inputs, and has them predicted some at a time.

    ``kinds``: the input channels, in the order in which those of one cycle take effect. ``batch``: how many
    inputs to collect before predicting; more is faster, 1 finds a difference in the cycle it shows. The order
    of prediction, and so the result, does not depend on it.
    """

    kinds: tuple[str, ...] = ()

    def build_phase(self) -> None:
        """Nothing accepted yet."""
        self.bench: Bench = self.cdb_get(KEY)
        self.batch = 256
        self._inputs: list[Input] = []

    def accept(self, kind: str, seen: Observation) -> None:
        """An input was taken by the design."""
        self._inputs.append(Input(seen.cycle, self.kinds.index(kind), kind, seen))
        if len(self._inputs) >= self.batch:
            self._predict_before(self.bench.clocking.cycle)

    def flush(self) -> None:
        """Predict all that was accepted. Not to be called between the samples of one cycle."""
        self._predict_before(self.bench.clocking.cycle + 1)

    def _predict_before(self, cycle: int) -> None:
        ready = sorted(one for one in self._inputs if one.cycle < cycle)
        self._inputs = [one for one in self._inputs if one.cycle >= cycle]
        if ready:
            self.predict(ready)

    def predict(self, inputs: list[Input]) -> None:
        """Run the model over ``inputs``, in order, and tell the scoreboard what to expect."""
        raise NotImplementedError

    def reset(self) -> None:
        """The design was reset, all its accepted inputs are predicted: the model's state follows."""
        raise NotImplementedError
