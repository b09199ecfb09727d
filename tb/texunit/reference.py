# SPDX-License-Identifier: Apache-2.0
"""Feeds one golden model per unit with what the unit took, and publishes what the pins must show.

The victim's way depends on the cycle in which a query is decided, so a quad is predicted when its result is
seen: by then all its queries have been. Cycles are the only thing that the model learns from the design.
"""

from collections import deque
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from pyuvm import uvm_analysis_port

from configs.texunit.schema import Config
from models.memory import Memory
from models.texunit import DECISION, QUERY, RESULT, TexunitModel, count, table_errors
from tb.common.components.bench import KEY
from tb.common.components.reference import ReferenceModel
from tb.common.components.scoreboard import Expectation
from tb.common.components.transactions import AnalysisImp, Observation
from tb.texunit.items import event_words, prim_of, quad_of, result_word


class Accepted(NamedTuple):
    """A primitive or a quad that a unit took; ``number`` counts quads."""

    prim: Any
    quad: Any
    number: int


class PredictedQuad(NamedTuple):
    """A quad, its primitive, and what the model says of it: RESULT and QUERY array."""

    unit: int
    number: int
    prim: Any
    quad: Any
    result: Any
    queries: NDArray[Any]


class UnitReference:
    """The model of one unit, and what has not been predicted yet."""

    def __init__(self, cfg: Config, memory: Memory, unit: int) -> None:
        self.cfg, self.memory, self.unit = cfg, memory, unit
        self.model = TexunitModel(cfg, memory)
        self.taken = 0
        self.origin = 0  # first cycle after reset
        self.reset()

    def reset(self) -> None:
        """The unit was reset."""
        self.model.reset()
        self.waiting: deque[Accepted] = deque()
        self.decided: deque[int] = deque()
        self.unexplained = 0  # queries that were answered and not yet predicted
        self.counts = count(np.zeros(0, RESULT), np.zeros(0, QUERY))

    def counters(self) -> dict[str, int]:
        """What the model counted since reset."""
        return self.counts

    def prim(self, word: int) -> None:
        """The unit took a primitive."""
        self.waiting.append(Accepted(prim_of(self.cfg, word), None, -1))

    def quad(self, word: int) -> None:
        """The unit took a quad."""
        self.waiting.append(Accepted(None, quad_of(self.cfg, word), self.taken))
        self.taken += 1

    def _start(self, prim: Any) -> None:
        self.current = prim
        self.model.start(prim)
        self.counts["errors"] += table_errors(self.cfg, self.memory, prim)

    def start_primitives(self) -> None:
        """Begin the primitives that were taken after the last predicted quad: none may be in setup."""
        while self.waiting and self.waiting[0].quad is None:
            self._start(self.waiting.popleft().prim)

    def next_quad(self) -> PredictedQuad | None:
        """Predict the quad that was taken first; None: there is none."""
        self.start_primitives()
        if self.waiting:
            accepted = self.waiting.popleft()
            phases = np.array(self.decided, np.int64) + DECISION - self.origin
            result, queries = self.model.quad(accepted.quad, phases)
            for _ in range(min(len(queries), len(self.decided))):
                self.decided.popleft()
            for name, value in count(result, queries).items():
                self.counts[name] += value
            return PredictedQuad(self.unit, accepted.number, self.current, accepted.quad, result, queries)
        return None


class TexunitReference(ReferenceModel):
    """One :class:`UnitReference` for each unit over one memory.

    ``predicted`` publishes each quad, before the words that follow from it; ``lost`` a unit and how many
    quads a reset took from it; ``origins`` takes the first cycle after a reset.
    """

    def build_phase(self) -> None:
        """The memory, of the test's seed, and the models."""
        self.predicted = uvm_analysis_port("predicted", self)
        self.lost = uvm_analysis_port("lost", self)
        self.origins = AnalysisImp("origins", self, self._origin)
        units = range(self.cdb_get(KEY).cfg.units)
        self.channels = tuple(f"{name}{n}" for n in units for name in ("res", "evt"))
        super().build_phase()
        self.cfg: Config = self.bench.cfg
        self.memory = Memory(seed=self.bench.seed & 0xFFFFFFFF)
        self.units = [UnitReference(self.cfg, self.memory, n) for n in units]
        methods = {
            "prim": self._prim, "quad": self._quad, "res": self._result, "evt": self._event,
            "probe": self._probe,
        }  # fmt: skip
        self.inputs = {
            f"{name}{n}": AnalysisImp(f"{name}{n}", self, partial(method, self.units[n]))
            for n in units
            for name, method in methods.items()
        }

    def _origin(self, cycle: int) -> None:
        for unit in self.units:
            unit.origin = cycle

    def _prim(self, unit: UnitReference, transfer: Observation) -> None:
        unit.prim(transfer.word)

    def _quad(self, unit: UnitReference, transfer: Observation) -> None:
        unit.quad(transfer.word)

    def _event(self, unit: UnitReference, _: Observation) -> None:
        unit.unexplained += 1

    def _probe(self, unit: UnitReference, transfer: Observation) -> None:
        if self.cfg.streams[f"probe{unit.unit}"].unpack(transfer.word)["query_in"]:
            unit.decided.append(transfer.cycle)

    def _result(self, unit: UnitReference, _: Observation) -> None:
        """A unit gave a result: predict it."""
        if quad := unit.next_quad():
            self.predicted.write(quad)
            self._expect_queries(unit, quad, len(quad.queries))
            self._expect(f"res{unit.unit}", [result_word(self.cfg, quad.result)], quad.number)

    def _expect_queries(self, unit: UnitReference, quad: PredictedQuad, count: int) -> None:
        words = event_words(self.cfg, quad.queries)[:count]
        unit.unexplained -= len(words)
        self._expect(f"evt{unit.unit}", words, quad.number)

    def _expect(self, channel: str, words: list[int], number: int) -> None:
        self.expected[channel].write(Expectation(words, [number] * len(words)))

    def flush(self) -> None:
        """Begin the primitives that wait for a quad; quads wait for their results. None may be in setup."""
        for unit in self.units:
            unit.start_primitives()

    def lose(self) -> None:
        """A reset: quads in flight are lost; the queries they made so far must still be right."""
        for unit in self.units:
            self.lost.write((unit.unit, sum(accepted.quad is not None for accepted in unit.waiting)))
            while unit.unexplained and (quad := unit.next_quad()):
                self.predicted.write(quad)
                self._expect_queries(unit, quad, unit.unexplained)

    def reset(self) -> None:
        """The units forget everything."""
        for unit in self.units:
            unit.reset()
