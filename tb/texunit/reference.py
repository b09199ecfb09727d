# SPDX-License-Identifier: Apache-2.0
"""Feeds one golden model per unit with what the unit took, and tells the scoreboard what the pins must show.

The victim's way depends on the cycle in which a query is decided, so a quad is predicted when its result is
seen: by then all its queries have been. Cycles are the only thing that the model learns from the design.
"""

from collections import deque
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from pyuvm import uvm_component

from configs.texunit.schema import Config
from models.memory import Memory
from models.texunit import DECISION, QUERY, RESULT, TexunitModel, count, table_errors
from tb.common.components.bench import KEY, Bench
from tb.common.components.transactions import Observation
from tb.texunit.coverage import TexunitCoverage
from tb.texunit.items import event_words, prim_of, quad_of, result_word
from tb.texunit.scoreboard import TexunitScoreboard


class Accepted(NamedTuple):
    """A primitive or a quad that a unit took; ``number`` counts quads."""

    prim: Any
    quad: Any
    number: int


class UnitReference:
    """The model of one unit, and what has not been predicted yet."""

    def __init__(self, cfg: Config, memory: Memory, scoreboard: TexunitScoreboard, unit: int) -> None:
        self.cfg, self.memory, self.scoreboard, self.unit = cfg, memory, scoreboard, unit
        self.model = TexunitModel(cfg, memory)
        self.taken = 0
        self.origin = 0  # first cycle after reset
        self.reset()

    def reset(self) -> None:
        """The unit was reset."""
        self.model.reset()
        self.waiting: deque[Accepted] = deque()
        self.quads_waiting = self.prims_waiting = 0
        self.decided: deque[int] = deque()
        self.counts = count(np.zeros(0, RESULT), np.zeros(0, QUERY))

    def prim(self, seen: Observation) -> None:
        """The unit took a primitive."""
        self.waiting.append(Accepted(prim_of(self.cfg, seen.word), None, -1))
        self.prims_waiting += 1

    def quad(self, seen: Observation) -> None:
        """The unit took a quad."""
        self.waiting.append(Accepted(None, quad_of(self.cfg, seen.word), self.taken))
        self.quads_waiting += 1
        self.taken += 1

    def _start(self, prim: Any) -> None:
        self.current = prim
        self.model.start(prim)
        self.counts["errors"] += table_errors(self.memory, prim)

    def next_quad(self) -> tuple[Accepted, Any, NDArray[Any]] | None:
        """Predict the quad that was taken first: it, its RESULT, its QUERY array."""
        while self.waiting:
            one = self.waiting.popleft()
            if one.quad is None:
                self._start(one.prim)
                continue
            phases = np.array(self.decided, np.int64) + DECISION - self.origin
            result, queries = self.model.quad(one.quad, phases)
            for _ in range(min(len(queries), len(self.decided))):
                self.decided.popleft()
            self.quads_waiting -= 1
            for name, value in count(result, queries).items():
                self.counts[name] += value
            return one._replace(prim=self.current), result, queries
        return None


class TexunitReference(uvm_component):
    """One :class:`UnitReference` for each unit over one memory."""

    scoreboard: TexunitScoreboard  # set by the environment
    coverage: TexunitCoverage

    def build_phase(self) -> None:
        """The memory, of the test's seed."""
        bench: Bench = self.cdb_get(KEY)
        self.cfg: Config = bench.cfg
        self.memory = Memory(seed=bench.seed & 0xFFFFFFFF)

    def connect_phase(self) -> None:
        """The models."""
        self.units = [UnitReference(self.cfg, self.memory, self.scoreboard, n) for n in range(self.cfg.units)]

    def result(self, unit: int, seen: Observation) -> None:
        """A unit gave a result: predict it, then compare."""
        found = self.units[unit].next_quad()
        if found is not None:
            quad, result, queries = found
            self.scoreboard.remember(unit, quad.number, quad.prim, quad.quad, result)
            self.scoreboard.expect(f"evt{unit}", event_words(self.cfg, queries), [quad.number] * len(queries))
            self.scoreboard.expect(f"res{unit}", [result_word(self.cfg, result)], [quad.number])
            self.coverage.quad(quad.prim, quad.quad, result, queries, len(self.memory.poisoned) > 0)
        self.scoreboard.observe(f"res{unit}", seen)

    def flush(self) -> None:
        """Nothing waits to be predicted but what has no result."""

    def reset(self) -> None:
        """The units forget everything."""
        for one in self.units:
            one.reset()

    def lost(self) -> None:
        """A reset: quads in flight are lost; the queries they made so far must still be right."""
        for unit in self.units:
            channel = self.scoreboard.by_name[f"evt{unit.unit}"]
            lost = unit.quads_waiting
            while channel.seen and (found := unit.next_quad()):
                quad, result, queries = found
                self.scoreboard.remember(unit.unit, quad.number, quad.prim, quad.quad, result)
                words = event_words(self.cfg, queries)[: len(channel.seen)]
                self.scoreboard.expect(channel.name, words, [quad.number] * len(words))
            self.scoreboard.by_name[f"res{unit.unit}"].dropped += lost

    def poison(self, lines: list[int]) -> None:
        """From now on reads of ``lines`` fail. To be called while the design is idle."""
        self.memory.poison(lines)

    def heal(self) -> None:
        """From now on all reads succeed."""
        self.memory.heal()
