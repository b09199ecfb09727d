# SPDX-License-Identifier: Apache-2.0
"""What the tests of ``zcache`` share: short words for tiles, barriers and the shader."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import cocotb
import numpy as np
from cocotb.task import Task
from numpy.typing import NDArray
from pyuvm import uvm_factory

from configs.depth import ALWAYS as PASS_ALWAYS
from configs.depth import BASE, CLEAR, D32, FLUSH, TILE
from configs.zcache.schema import Config
from tb.common.components.base_test import BaseTest
from tb.common.components.pacing import ALWAYS, Pacing
from tb.common.components.packing import pack_words
from tb.common.components.stream import StreamDriver, StreamItem
from tb.common.components.virtual_sequence import VirtualSequence
from tb.zcache.drivers import ShadeDriver, TileDriver
from tb.zcache.env import ZcacheEnv
from tb.zcache.items import (
    ALL,
    ITEM,
    LINE_BYTES,
    Distribution,
    Surface,
    addresses,
    set_of,
    tile_columns,
)  # fmt: skip
from tb.zcache.reference import ExpectedOutcome


class ZcacheTest(BaseTest):
    """Starts a virtual sequence on the environment of ``zcache``."""

    env_class = ZcacheEnv

    def build_phase(self) -> None:
        """See :class:`BaseTest`; drivers are those that know what a reset loses."""
        for stream, driver in (("tile", TileDriver), ("shade", ShadeDriver)):
            path = f"uvm_test_top.env.{stream}.driver"
            uvm_factory().set_inst_override_by_type(StreamDriver, driver, path)
        super().build_phase()


class ZcacheSequence(VirtualSequence):
    """Tiles are ITEM arrays; ``surface`` is where those of :meth:`tile` lie. Random ones lie there, too; if
    the test stays at ``home``, that is the surface after a reset, else it changes now and then.
    """

    test_class = ZcacheTest
    cfg: Config
    env: ZcacheEnv
    distribution = Distribution()
    shading: Pacing = ALWAYS  # of the shader's words
    surface = Surface()
    home = False

    def draw(self, count: int) -> NDArray[Any]:
        """Tiles [count] at random."""
        stays = self.home or (self.surface != Surface() and self.rng.random() < 0.8)
        drawn = self.distribution.draw(self.cfg, self.rng, count, self.surface if stays else None)
        for item in drawn[drawn["op"] == BASE]:
            self.surface = Surface.of(self.cfg, item)
        return drawn

    def lines(self, items: NDArray[Any]) -> NDArray[Any]:
        """The line of memory [n] that each of tiles [n] needs; what a barrier names is passed over."""
        return addresses(self.cfg, items, self.surface) // LINE_BYTES

    async def send_records(self, items: NDArray[Any], pacing: Pacing = ALWAYS) -> None:
        """Announce and send tiles [n] and the shader's words; returns when the last tile was taken."""
        await self.offer(items, pacing)

    async def send(self, items: Iterable[Any], pacing: Pacing = ALWAYS) -> None:
        """The same of ITEM records."""
        await self.send_records(np.array(list(items), ITEM), pacing)

    async def offer(self, items: NDArray[Any], pacing: Pacing = ALWAYS, shaded: bool = True) -> None:
        """Send tiles [n]; the shader's words follow later by :meth:`shade` unless they are ``shaded``."""
        self.env.scoreboard.announce("res", len(items))
        if shaded:
            self.shade(items)
        await self.send_words("tile", pack_words(self.cfg.streams["tile"], tile_columns(items)), pacing)

    def shade(self, items: NDArray[Any], pacing: Pacing | None = None) -> Task[None] | None:
        """Begin to send the shader's words on tiles [n]; barriers have none."""
        words = items["kill"][items["op"] == TILE].tolist()
        if not self.cfg.given or not words:
            return None
        gaps = (pacing or self.shading).gaps(self.rng, len(words))
        return cocotb.start_soon(self.play("shade", StreamItem("shade", words, gaps)))

    # Items by hand

    def tile(self, x: int, y: int, depth: int | Sequence[int] = 0, **fields: int) -> Any:
        """A whole tile that writes depth, of all pixels or [16], always; ``fields`` say otherwise."""
        made = np.zeros((), ITEM)
        whole = {"mask": ALL, "test": 1, "func": PASS_ALWAYS, "write": 1, "format": D32}
        for name, value in {**whole, "x": x, "y": y, "depth": depth, **fields}.items():
            made[name] = value
        return made

    def at(self, place: tuple[int, int], depth: int | Sequence[int] = 0, **fields: int) -> Any:
        """The same at a place."""
        return self.tile(*place, depth, **fields)

    def barrier(self, op: int, *depths: int) -> Any:
        """A flush, clear or base."""
        made = np.zeros((), ITEM)
        made["op"], made["depth"][: len(depths)] = op, depths
        return made

    def flush(self) -> Any:
        """A flush."""
        return self.barrier(FLUSH)

    def clear(self, value: int) -> Any:
        """A clear of the surface."""
        return self.barrier(CLEAR, value)

    def base(self, surface: Surface) -> Any:
        """Tiles lie on ``surface`` from now on."""
        self.surface = surface
        return self.barrier(BASE, surface.base, surface.pitch, surface.tiles)

    def wide(self, tiles: int = 4) -> Any:
        """A base: a surface that is as wide as can be, somewhere in memory."""
        where = int(self.rng.integers(1 << 26)) << 6
        return self.base(Surface(where, 1 << self.cfg.coordinate_bits, tiles))

    def rivals(self, count: int, index: int = 0, skip: int = 0) -> list[tuple[int, int]]:
        """Places [count] in one set of the present surface, ``skip`` of them passed over."""
        side = 1 << self.cfg.coordinate_bits
        wide = np.arange(min(side, self.surface.pitch))
        rows = np.arange(min(side, 64))
        x, y = (grid.reshape(-1) for grid in np.meshgrid(wide, rows, indexing="ij"))
        sets = set_of(self.cfg, self.surface, x, y)
        places = np.nonzero(sets == index)[0]
        return [(int(x[at]), int(y[at])) for at in places[skip : skip + count]]

    def items(self, tiles: Iterable[Any]) -> NDArray[Any]:
        """ITEM records as an array."""
        return np.array(list(tiles), ITEM)

    def item_with(self, tile: Any, **fields: int) -> Any:
        """A tile that is the same but for some fields."""
        made = tile.copy()
        for name, value in fields.items():
            made[name] = value
        return made

    def lines_of(self, tiles: Iterable[Any]) -> list[int]:
        """The lines of memory of tiles."""
        lines: list[int] = self.lines(self.items(tiles)).tolist()
        return lines

    # What happens in parts

    async def ahead(self, tiles: Iterable[Any], cycles: int = -1) -> None:
        """Offer tiles, and wait until their lines have come ahead, or so many cycles; then :meth:`tested`.

        Without a shader they are tested by themselves, when they have been in flight for long enough.
        """
        items = self.items(tiles)
        await self.offer(items, shaded=False)
        enough = len(items) * 3 + self.latency + 4 * len(items)
        await self.clocking.cycles(enough if cycles < 0 else cycles + 1)

    async def tested(self, tiles: Iterable[Any], count: int) -> list[ExpectedOutcome]:
        """The shader's words on tiles that were offered; the last ``count`` outcomes, at rest."""
        self.shade(self.items(tiles))
        await self.settle()
        return self.responses[-count:]

    async def answered(self, count: int) -> None:
        """There are ``count`` outcomes since the test began."""
        while len(self.responses) < count:
            await self.clocking.cycles(1)

    async def outcome_soon(self, tile: Any) -> None:
        """Send a tile, and wait for its result alone."""
        before = len(self.responses)
        await self.send([tile])
        await self.answered(before + 1)

    def begin(self, items: NDArray[Any]) -> Task[None]:
        """Begin to send tiles."""
        return cocotb.start_soon(self.send_records(items))

    async def said(self, barrier: Any, error: int) -> None:
        """Send a barrier, which must tell so of writes."""
        outcome = await self.outcome(barrier)
        self.expect("error of a barrier", error, outcome.result["err"])

    def pace_all(self) -> None:
        """Results are taken again."""
        self.pace(ALWAYS)

    @property
    def room(self) -> int:
        """Tiles that may be in flight beside a barrier."""
        return self.cfg.shading.tiles - 1

    @property
    def rows(self) -> int:
        """Lines of the cache, which a barrier looks at one by one."""
        return self.cfg.cache.sets * self.cfg.cache.ways

    # What comes of it

    async def outcomes(self, *items: Any) -> list[ExpectedOutcome]:
        """Send tiles in a row; what became of them, once all is at rest."""
        await self.send(items)
        await self.settle()
        return self.responses[-len(items) :]

    async def outcome(self, item: Any) -> ExpectedOutcome:
        """Send one; what became of it."""
        [outcome] = await self.outcomes(item)
        return outcome

    @property
    def latency(self) -> int:
        """Cycles that are enough for a line to come, with all that goes before."""
        return 12 + self.cfg.memory.latency + 4 * (1 + self.cfg.memory.gap)

    def counted(self) -> dict[str, int]:
        """The design's counters since reset."""
        return self.env.performance.counters()

    def counted_since(self, before: Mapping[str, int]) -> dict[str, int]:
        """What has been counted since :meth:`counted` gave ``before``."""
        return {name: value - before[name] for name, value in self.counted().items()}
