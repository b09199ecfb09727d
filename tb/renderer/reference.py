# SPDX-License-Identifier: Apache-2.0
"""The golden model of ``renderer``: words of ``pix`` from vertices, states and coordinates."""

from collections import deque
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from cocotb.triggers import Event
from numpy.typing import NDArray
from pyuvm import uvm_analysis_port

from configs.depth import PIXELS, TILE
from configs.renderer.schema import Config
from models.memory import Memory
from models.raster import VERTEX, RasterModel, columns
from models.renderer import PLACES, STATE, covered_quads
from models.texunit import PRIM, QUAD, TexunitModel, count, table_errors
from tb.common.components.bench import KEY, Bench
from tb.common.components.reference import Input, ReferenceModel
from tb.common.components.scoreboard import Expectation
from tb.common.components.transactions import AnalysisImp, Observation
from tb.renderer.depths import Depths, Tested

CHANNELS = ("pix",)
#: of a texture unit, whatever its cache replaces
COUNTED = ("quads", "pixels", "queries", "repeats", "errors")


@dataclass
class Word:
    """A word of the rasterizer on its way, and what is known of it.

    ``covered``: pixels by covered quad, ``left``: quads whose coordinates have not come; ``states``: numbers
    of the states that its quads were sampled with. ``discarded``: pixels; ``hidden``: quads that nothing
    passed of, tested early. ``failures``: of each sampled quad, in order, whether a texel failed.
    """

    number: int
    fields: dict[str, int]
    covered: dict[int, int]
    left: deque[int]
    texels: NDArray[np.uint32] = field(default_factory=lambda: np.zeros(PIXELS, np.uint32))
    states: list[int] = field(default_factory=list)
    discarded: int = 0
    hidden: set[int] = field(default_factory=set)
    failures: list[bool] = field(default_factory=list)
    tested: Tested | None = None

    @property
    def is_tile(self) -> bool:
        """Not a barrier."""
        return self.fields["op"] == TILE

    @property
    def failed(self) -> bool:
        """Whether a texel did."""
        return any(self.failures)

    @property
    def complete(self) -> bool:
        """Whether all quads that are sampled have their coordinates; hidden ones' are only dropped."""
        return self.hidden.issuperset(self.left)


class RendererReference(ReferenceModel):
    """Predicts a word as soon as its quads have their coordinates; publishes it as a :class:`Word`, too
    (``outcomes``).

    Coordinates are an application's affair: ``owed`` says how many covered quads lack them, ``wanted`` is set
    as long as some do.
    """

    kinds = ("vtx", "tex", "quad")
    channels = CHANNELS

    def build_phase(self) -> None:
        super().build_phase()
        self.outcomes = uvm_analysis_port("outcomes", self)
        self.answers = AnalysisImp("answers", self, self._answer)
        self.bench: Bench = self.cdb_get(KEY)
        self.cfg: Config = self.bench.cfg
        seed = self.bench.seed & 0xFFFFFFFF
        self.memory = Memory(seed=seed)
        self.depths = Depths(self.cfg.zcache, Memory(seed=seed))
        self.raster = RasterModel(self.cfg.raster)
        self.units = [TexunitModel(self.cfg.texunit, self.memory) for _ in range(self.cfg.texunit.units)]
        self.wanted = Event()
        self.words = 0  # of the rasterizer, since the test began
        self._busy = 0  # the cycle until which the rasterizer walks at least
        self.adopting = False  # a reset was, and memory may still be written to
        self._forget()

    def _forget(self) -> None:
        self.state: Any = None  # STATE, as taken last
        self.states = 0
        self.in_flight = 0  # words without a result
        self._words: deque[Word] = deque()  # not predicted
        self._lacking: deque[Word] = deque()  # of them, those that lack coordinates
        self.taken = 0  # words of quad
        self._counts = [dict.fromkeys(COUNTED, 0) for _ in self.units]
        self.passed = self.tiles = 0
        self.wanted.clear()

    # What is taken takes effect at once: who gives coordinates must know what is owed.

    def accept(self, kind: str, transfer: Observation) -> None:
        {"vtx": self._vertex, "tex": self._state, "quad": self._quad}[kind](transfer)

    def predict(self, inputs: list[Input]) -> None:
        """Nothing waits."""

    @property
    def walked(self) -> int:
        """Changes as long as the rasterizer may be walking, if nobody holds it back."""
        return min(self.bench.clocking.cycle, self._busy)

    @property
    def owed(self) -> int:
        """Covered quads without coordinates."""
        return sum(len(word.left) for word in self._lacking)

    def _vertex(self, transfer: Observation) -> None:
        vertex = np.zeros(1, VERTEX)
        for name, value in self.cfg.streams["vtx"].unpack(transfer.word).items():
            vertex[name] = value
        tiles, took = self.raster.feed(vertex)
        self._busy = max(self._busy, transfer.cycle) + int(took["setup"].sum() + took["walk"].sum())
        if not len(tiles):
            return
        by_field = columns(tiles)
        for row in range(len(tiles)):
            fields = {name: int(values[row]) for name, values in by_field.items()}
            work = covered_quads(tiles["mask"][row : row + 1]) if fields["op"] == TILE else None
            covered = {} if work is None else dict(zip(work.quad.tolist(), work.valid.tolist(), strict=True))
            word = Word(self.words, fields, covered, deque(covered))
            self.words += 1
            self.in_flight += 1
            self._words.append(word)
            if word.left:
                self._lacking.append(word)
                self.wanted.set()
        self.advance()

    def _state(self, transfer: Observation) -> None:
        self.state = np.zeros(1, STATE)[0]
        for name, value in self.cfg.streams["tex"].unpack(transfer.word).items():
            self.state[name] = value
        self._prim = np.zeros(1, PRIM)[0]
        for name in PRIM.names or ():
            self._prim[name] = self.state[name]
        self.states += 1
        for unit, counts in zip(self.units, self._counts, strict=True):
            unit.start(self._prim)
            counts["errors"] += table_errors(self.cfg.texunit, self.memory, self._prim)

    def _quad(self, transfer: Observation) -> None:
        self.taken += 1
        if not self._lacking:
            self.bench.fail(f"cycle {transfer.cycle}: coordinates were taken, and no quad lacks them")
        if self.state is None:
            self.bench.fail(f"cycle {transfer.cycle}: coordinates were taken, and there is no state yet")
        word = self._lacking[0]
        number = word.left.popleft()
        word.states.append(self.states)
        if not word.left:
            self._lacking.popleft()
            if not self._lacking:
                self.wanted.clear()
        if number not in word.hidden:
            self._sample(word, number, transfer.word)
        self.advance()

    def _sample(self, word: Word, number: int, coordinates: int) -> None:
        quad, uv = np.zeros(1, QUAD)[0], self.cfg.streams["quad"].unpack(coordinates)
        quad["valid"] = word.covered[number]
        for pixel in range(4):
            quad["uv"][pixel] = uv[f"u{pixel}"], uv[f"v{pixel}"]
        unit = number % len(self.units)
        result, queries = self.units[unit].quad(quad, np.zeros(0, np.int64))
        counted, places = count(np.atleast_1d(result), queries), PLACES[number]
        for name in COUNTED:
            self._counts[unit][name] += counted[name]
        word.texels[places] = result["texel"]
        word.failures.append(bool(result["err"]))
        if not self.cfg.early:
            below = (result["texel"] >> 24) < self.state["kill"]
            covered = [word.covered[number] >> pixel & 1 for pixel in range(4)]
            word.discarded |= sum(
                1 << int(place) for place, so in zip(places, below & covered, strict=True) if so
            )

    def advance(self) -> None:
        """Test and publish what can be. Tested early, a word is tested as soon as those before it are."""
        if self.adopting:
            return
        if self.cfg.early:
            for word in self._words:
                if word.tested is None:
                    self._test(word)
        while self._words and self._words[0].complete:
            word = self._words.popleft()
            if word.tested is None:
                self._test(word)
            self._publish(word)

    def _test(self, word: Word) -> None:
        word.tested = self.depths.word(word.fields["op"], word.fields, word.fields["mask"] & ~word.discarded)
        self.tiles += word.is_tile
        self.passed += word.tested.passed.bit_count()
        if self.cfg.early and word.is_tile:
            passed = word.tested.passed
            word.hidden = {
                number for number in word.covered if not any(passed >> int(p) & 1 for p in PLACES[number])
            }

    def _publish(self, word: Word) -> None:
        assert word.tested is not None
        shown = dict.fromkeys((name.name for name in self.cfg.streams["pix"].fields), 0)
        shown["err"] = int(word.tested.failed or word.failed)
        if word.is_tile:
            shown |= {name: word.fields[name] for name in ("x", "y", "prim", "mask")}
            shown |= {"tile": 1, "passed": word.tested.passed}
            shown |= {f"texel{pixel}": int(value) for pixel, value in enumerate(word.texels)}
        packed = self.cfg.streams["pix"].pack(shown)
        self.expected["pix"].write(Expectation([packed], [word.number]))
        self.outcomes.write(word)

    def _answer(self, transfer: Observation) -> None:
        """A word of ``pix`` was taken."""
        self.in_flight -= 1
        if not self.cfg.streams["pix"].unpack(transfer.word)["tile"]:
            self.depths.barrier_done()

    def reset(self) -> None:
        self._forget()
        self.raster.reset()
        for unit in self.units:
            unit.reset()
        self.depths.reset()
        self.adopting = True

    def adopted(self) -> None:
        """Memory is at rest after a reset, and ``depths`` know what it holds."""
        self.adopting = False
        self.advance()

    def unit_counters(self, unit: int) -> dict[str, int]:
        """What a texture unit counts, as far as that hangs on no cycle."""
        return self._counts[unit]

    def depth_counters(self) -> dict[str, int]:
        """What the depth cache counts, as far as that hangs on no cycle."""
        return {"tiles": self.tiles, "passed": self.passed}

    def counters(self) -> dict[str, int]:
        """Of the whole: covered quads that have been given coordinates."""
        return {"quads": self.taken}
