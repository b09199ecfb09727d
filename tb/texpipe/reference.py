# SPDX-License-Identifier: Apache-2.0
"""Feeds one golden model per unit with what the unit took, and publishes what pins and memory must show.

Nothing hangs on the cycle in which something happens: a primitive or a quad is predicted when it is taken.
"""

from functools import partial
from typing import Any, NamedTuple

from numpy.typing import NDArray
from pyuvm import uvm_analysis_port

from configs.texpipe.schema import BANKS, Config
from models.memory import Memory
from models.texpipe import TexpipeModel
from models.texunit import table_lines
from tb.common.components.bench import KEY
from tb.common.components.packing import pack_words
from tb.common.components.reference import ReferenceModel
from tb.common.components.scoreboard import Expectation
from tb.common.components.transactions import AnalysisImp, Observation
from tb.texpipe.replay import EVENT
from tb.texunit.items import prim_of, quad_of, result_word


class PredictedQuad(NamedTuple):
    """A quad, its primitive, and what the model says of it: RESULT and BEAT array.

    ``prims``: primitives that the unit took before it since power-up; ``table``: why its primitive read a
    colour table, or that it did not (:data:`tb.texpipe.plan.TABLES`), of the first quad of a primitive.
    """

    unit: int
    number: int
    prim: Any
    quad: Any
    result: Any
    beats: NDArray[Any]
    prims: int
    table: str


class Reads(NamedTuple):
    """Lines that a unit is going to read from memory, in order: a colour ``table``, or of a quad."""

    unit: int
    lines: list[int]
    table: bool


def event_words(cfg: Config, beats: NDArray[Any]) -> list[int]:
    """What the pins show for BEAT array [n]."""
    columns = {f"{name}{bank}": beats[name][:, bank] for name in EVENT for bank in range(BANKS)}
    return pack_words(cfg.streams["evt0"], columns)


def missing_lines(beats: NDArray[Any]) -> list[int]:
    """Line addresses that BEAT array [n] reads from memory, in order: of a pixel the lowest bank first."""
    missed = (beats["valid"] == 1) & (beats["hit"] == 0)
    return [int(line) for line in beats["line"][missed]]


class UnitReference:
    """The model of one unit."""

    def __init__(self, cfg: Config, memory: Memory, unit: int) -> None:
        self.unit, self.model = unit, TexpipeModel(cfg, memory)
        self.taken = self.prims = 0
        self.table = ""
        self._forget()

    def _forget(self) -> None:
        self.current: Any = None
        self.seen: set[tuple[int, int]] = set()  # bases and formats of tables, since the last invalidation
        self.invalidated = False
        self.last = (-1, -1)  # of the last primitive with a table

    def reset(self) -> None:
        """The unit was reset."""
        self.model.reset()
        self._forget()

    def counters(self) -> dict[str, int]:
        """What the model counted since reset."""
        return self.model.counts

    def why_table(self, prim: Any, read: bool) -> str:
        """Why ``prim`` read a table, or not."""
        if prim["invalidate"]:
            self.seen, self.invalidated = set(), True
        if not prim["format"] >> 1:
            return ""
        base, kind = mine = int(prim["base"]), int(prim["format"])
        last, self.last = self.last, mine
        if not read:
            return "last" if mine == last else "earlier"
        before = mine in self.seen
        other_format = (base, kind ^ 1) in self.seen
        first, self.seen = not self.seen, self.seen | {mine}
        if first:
            return "invalidated" if self.invalidated else "first"
        return "replaced" if before else "format" if other_format else "base"


class TexpipeReference(ReferenceModel):
    """One :class:`UnitReference` for each unit over one memory.

    ``predicted`` publishes each quad, before the words that follow from it; ``reads`` the lines that are
    going to be read.
    """

    def build_phase(self) -> None:
        """The memory, of the test's seed, and the models."""
        self.predicted = uvm_analysis_port("predicted", self)
        self.reads = uvm_analysis_port("reads", self)
        units = range(self.cdb_get(KEY).cfg.units)
        self.channels = tuple(f"{name}{n}" for n in units for name in ("res", "evt"))
        super().build_phase()
        self.cfg: Config = self.bench.cfg
        self.memory = Memory(seed=self.bench.seed & 0xFFFFFFFF)
        self.units = [UnitReference(self.cfg, self.memory, n) for n in units]
        self.inputs = {
            f"{name}{n}": AnalysisImp(f"{name}{n}", self, partial(method, self.units[n]))
            for n in units
            for name, method in (("prim", self._prim), ("quad", self._quad))
        }

    def _prim(self, unit: UnitReference, transfer: Observation) -> None:
        unit.current = prim = prim_of(self.cfg, transfer.word)
        unit.prims += 1
        tables = unit.model.counts["tables"]
        unit.model.start(prim)
        read = unit.model.counts["tables"] > tables
        unit.table = unit.why_table(prim, read)
        if read:
            self.reads.write(Reads(unit.unit, table_lines(self.cfg, prim), table=True))

    def _quad(self, unit: UnitReference, transfer: Observation) -> None:
        """A unit took a quad: predict it."""
        if unit.current is None:
            self.bench.fail(f"unit {unit.unit}: a quad was taken before any primitive")
        quad = quad_of(self.cfg, transfer.word)
        result, beats = unit.model.quad(quad)
        number, unit.taken = unit.taken, unit.taken + 1
        self.predicted.write(
            PredictedQuad(unit.unit, number, unit.current, quad, result, beats, unit.prims, unit.table)
        )
        unit.table = ""
        self.reads.write(Reads(unit.unit, missing_lines(beats), table=False))
        self._expect(f"evt{unit.unit}", event_words(self.cfg, beats), number)
        self._expect(f"res{unit.unit}", [result_word(self.cfg, result)], number)

    def _expect(self, channel: str, words: list[int], number: int) -> None:
        self.expected[channel].write(Expectation(words, [number] * len(words)))

    def flush(self) -> None:
        """All is predicted at once."""

    def reset(self) -> None:
        """The units forget everything."""
        for unit in self.units:
            unit.reset()
