# SPDX-License-Identifier: Apache-2.0
"""The rasterizer cycle by cycle: the golden model's words, when the tables of ``docs/raster.md`` say so."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from configs.raster.schema import BEGIN, COUNTERS, OPS, PASS, TRIANGLES, Config
from models.raster import VERTEX, RasterModel, columns
from tb.common.components.packing import pack_words
from tb.common.components.transactions import fields_text


class MachineOutcome(NamedTuple):
    """A word of ``vtx`` that was taken: its VERTEX fields, the topology that holds, and what the model makes
    of it: a WORK record, and TILE [n] in order. ``held``: vertices that were collected before it.
    """

    vertex: Any
    topology: int
    held: int
    work: Any
    tiles: NDArray[Any]


class Word(NamedTuple):
    """A word of ``tile``; ``pixels`` of its mask, -1 if it was passed."""

    word: int
    pixels: int


@dataclass
class Job:
    """A primitive or passed word on its way. ``words``: what each cycle of its walk comes to."""

    name: str
    setup: int
    walk: int
    words: dict[int, Word]
    primitive: bool
    looks: bool  # at tiles of bounds
    age: int = 0  # cycles in set-up, then of the walk
    found: int = field(default=0)


class RasterMachine:
    """Set-up, walk, pixels and output register; see :class:`tb.zcache.cycles.reference.CycleModel`."""

    def __init__(self, cfg: Config) -> None:
        self._golden = RasterModel(cfg)
        self._streams = cfg.streams
        self._pins = {"rst": True, "vtx_valid": False, "tile_ready": False}
        self._offered = 0  # the word of vtx
        self.moved = 0  # cycles of walks, since the test began
        self.publish: Callable[[MachineOutcome], None] = lambda outcome: None
        self._reset()

    def _reset(self) -> None:
        self._golden.reset()
        self._setup: Job | None = None
        self._walk: Job | None = None
        self._pixels: list[tuple[Job, int] | None] = [None, None]  # cycles of walks, the older one last
        self._held: Word | None = None
        self.topology = 0
        self._counts, self._before, self._now = ({name: 0 for name, _ in COUNTERS} for _ in range(3))
        self._show()

    @property
    def resting(self) -> bool:
        """Whether nothing is under way."""
        return self._setup is None and not self._walks and self._held is None

    @property
    def _walks(self) -> bool:
        return self._walk is not None or any(self._pixels)

    @property
    def stage(self) -> str:
        """How far the farthest thing under way has come, for coverage of resets."""
        if self._held is not None:
            return "a walk, and a word" if self._walks else "a word"
        if self._walks:
            return "a walk" if self._setup is None else "a walk, and a set-up"
        return "idle" if self._setup is None else "a set-up"

    def counters(self) -> dict[str, int]:
        """What the golden model counted, and cycles; since reset."""
        return {**self._counts, **self._golden.counters}

    def counts(self) -> bytes:
        return self._perf.to_bytes(4 * len(COUNTERS), "little")

    def drive(self, name: str, level: bool) -> None:
        self._pins[name] = level

    def offer(self, channel: str, word: int) -> None:
        self._offered = word

    def levels(self) -> str:
        """See :class:`CycleModel`: ``vtx_ready``, ``tile_valid``."""
        return self._levels

    def word(self, channel: str) -> int:
        return self._shown if channel == "tile" else self._perf

    def state(self) -> str:
        lines = [
            f"{place}: {job.name}, cycle {job.age} of {cycles}"
            for place, job, cycles in (
                ("set-up", self._setup, self._setup.setup if self._setup else 0),
                ("walk", self._walk, self._walk.walk if self._walk else 0),
            )
            if job is not None
        ]
        if self._held is not None:
            lines.append(f"register:{fields_text(self._streams['tile'], self._held.word)}")
        return "\n".join(lines) or "nothing under way"

    def _show(self) -> None:
        """What the pins show in the cycle that begins."""
        self._levels = f"{int(self._setup is None)}{int(self._held is not None)}"
        self._shown = self._held.word if self._held is not None else 0
        self._perf = self._streams["perf"].pack({n: v & 0xFFFFFFFF for n, v in self._counts.items()})

    def step(self) -> None:
        self._show()
        if self._pins["rst"]:
            levels, shown, perf = self._levels, self._shown, self._perf
            self._reset()
            self._levels, self._shown, self._perf = levels, shown, perf
            return
        for name, value in self._before.items():
            self._counts[name] += value
        self._now = dict.fromkeys(self._counts, 0)
        ready = self._setup is None
        room, held = self._deliver(), self._held
        ends = self._step_pixels(room) and self._step_walk()
        self._step_setup(ends)
        if ready and self._pins["vtx_valid"]:
            self._take()
        if self._held is held and room:
            self._held = None
        self._before = self._now

    def _deliver(self) -> bool:
        """Whether the register can take a word in this cycle."""
        if self._held is None:
            return True
        if not self._pins["tile_ready"]:
            self._now["tile_wait_cycles"] += 1
            return False
        if self._held.pixels >= 0:
            self._now["tiles"] += 1
            self._now["pixels"] += self._held.pixels
        return True

    def _step_pixels(self, room: bool) -> bool:
        """A cycle of the pixels; whether they and the walk move."""
        reached = self._pixels[-1]
        if reached is not None:
            job, age = reached
            word = job.words.get(age)
            if word is not None:
                if not room:
                    return False
                self._held = word
                job.found += 1
            self._now["visited"] += job.looks or (job.primitive and word is not None)
            self._now["empty"] += job.primitive and not job.found and age + 1 == job.walk
        self._pixels = [None, self._pixels[0]]
        return True

    def _step_walk(self) -> bool:
        """A cycle of the walk; whether it is the last."""
        job = self._walk
        if job is None:
            return False
        self._pixels[0] = (job, job.age)
        job.age += 1
        self.moved += 1
        if job.age < job.walk:
            return False
        self._walk = None
        return True

    def _step_setup(self, ends: bool) -> None:
        job = self._setup
        if job is None:
            return
        job.age += 1
        self._now["setup_cycles"] += job.primitive and job.age <= job.setup
        if job.age >= job.setup and (self._walk is None or ends):
            job.age = 0
            self._walk, self._setup = job, None

    def _take(self) -> None:
        """The word of ``vtx`` that is offered is taken."""
        fields = self._streams["vtx"].unpack(self._offered)
        vertex = np.zeros(1, VERTEX)
        for name, value in fields.items():
            vertex[name] = value
        held = self._golden.held
        tiles, work = self._golden.feed(vertex)
        if fields["op"] == BEGIN:
            self.topology = fields["topology"]
        done = work[0]
        self._now["vertices"] += OPS[fields["op"]] == "vertex"
        self._now["primitives"] += int(done["primitive"])
        if done["setup"]:
            self._setup = self._job(fields["op"] == PASS, done, tiles)
        self.publish(MachineOutcome(vertex[0], self.topology, held, done, tiles))

    def _job(self, passed: bool, work: Any, tiles: NDArray[Any]) -> Job:
        packed = pack_words(self._streams["tile"], columns(tiles))
        pixels = [-1 if passed else int(mask).bit_count() for mask in tiles["mask"]]
        words = dict(zip(tiles["step"].tolist(), map(Word, packed, pixels), strict=True))
        triangle = not passed and self.topology >= TRIANGLES
        name = "a passed word" if passed else "a primitive"
        looks = bool(triangle and work["walk"])
        return Job(name, int(work["setup"]), max(1, int(work["walk"])), words, not passed, looks)
