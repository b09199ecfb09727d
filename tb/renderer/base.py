# SPDX-License-Identifier: Apache-2.0
"""What the tests of ``renderer`` share: scenes, and the application that gives quads their coordinates."""

from collections.abc import Coroutine, Iterable
from typing import Any

import cocotb
import numpy as np
from cocotb.task import Task
from numpy.typing import NDArray
from pyuvm import uvm_factory

from configs.depth import BASE, FLUSH
from configs.renderer.schema import Config
from models.raster import VERTEX
from tb.common.components.base_test import BaseTest
from tb.common.components.pacing import ALWAYS, Pacing
from tb.common.components.packing import columns, pack_words
from tb.common.components.reset import Kind
from tb.common.components.stream import StreamDriver
from tb.common.components.virtual_sequence import VirtualSequence
from tb.raster.items import passed
from tb.renderer.drivers import ShaderDriver, VertexDriver
from tb.renderer.env import RendererEnv
from tb.renderer.items import HALF, Distribution
from tb.renderer.reference import Word
from tb.zcache.items import LINE_BYTES

AGAIN = 0.6  # share of states with a texture of one of the last three
UNUSED = 0.1  # share of states before which there is one that no quad is sampled with
TEXTURE = ("base", "log2w", "log2h", "max_lod", "format")  # what of a state says which texture it is
KINDS: tuple[Kind, ...] = ("design", "memory", "all")


class RendererTest(BaseTest):
    """Starts a virtual sequence on the environment of ``renderer``."""

    env_class = RendererEnv
    env: RendererEnv

    def build_phase(self) -> None:
        """See :class:`BaseTest`; drivers are those that know what a reset loses."""
        for stream, driver in (("vtx", VertexDriver), ("tex", ShaderDriver), ("quad", ShaderDriver)):
            path = f"uvm_test_top.env.{stream}.driver"
            uvm_factory().set_inst_override_by_type(StreamDriver, driver, path)
        super().build_phase()


class RendererSequence(VirtualSequence):
    """Scenes are VERTEX arrays, or lists of records (:mod:`tb.raster.items`).

    Beside them runs an application (:meth:`shade`): for each covered quad it gives coordinates, drawn from
    the ``distribution``, in the pace ``shading``, and now and then another state.
    """

    test_class = RendererTest
    cfg: Config
    env: RendererEnv
    distribution = Distribution()
    shading: Pacing = ALWAYS
    resting = False  # whether the application gives nothing; a test does

    @property
    def clearing(self) -> int:
        """A texture unit clears one set a cycle."""
        return self.cfg.texunit.cache.sets

    async def pre_body(self) -> None:
        """Start the application."""
        self.textures: list[Any] = []  # STATE records, the last three
        self._shader: Task[None] = cocotb.start_soon(self.shade())

    async def post_body(self) -> None:
        """All depths are written, so that memory can be compared; the application ends."""
        if not self.silent:
            await self.settle()
            await self.send([passed(FLUSH)])
            await self.settle()
        self._shader.cancel()

    # The application

    async def shade(self) -> None:
        """Coordinates for whatever lacks them, some quads at a time, each time perhaps with another state."""
        reference = self.env.reference
        while True:
            await reference.wanted.wait()
            while self.resting:
                await self.clocking.cycles(1)
            if reference.state is None or self.env.renew["state"] or self.rng.random() < 0.5:
                state = self.state()
                state["invalidate"] |= self.env.renew["state"]
                self.env.renew["state"] = False
                if self.rng.random() < UNUSED:  # of a primitive that covers nothing
                    await self.give_state(self.state())
                await self.give_state(state)
            count = min(reference.owed, int(self.rng.geometric(1 / self.distribution.each)))
            if count and reference.state is not None:
                await self.give(self.coordinates(count))

    def state(self) -> Any:
        """The next STATE record; often of a texture that was used before."""
        state = self.distribution.state(self.cfg, self.rng)
        if self.textures and self.rng.random() < AGAIN:
            earlier = self.textures[int(self.rng.integers(len(self.textures)))]
            for name in TEXTURE:
                state[name] = earlier[name]
        self.textures = [*self.textures[-2:], state]
        return state

    def sample_with(self, state: Any) -> None:
        """From now on each state is ``state``, a STATE record, as it is then."""
        self.textures, self.state = [state], state.copy  # type: ignore[method-assign]

    def coordinates(self, count: int) -> NDArray[np.int32]:
        """Those of the next quads, [count, 4, 2]."""
        drawn = self.distribution.textures.quads(self.rng, self.env.reference.state, count)
        uv: NDArray[np.int32] = drawn["uv"]
        return uv

    async def give_state(self, state: Any) -> None:
        """Send a STATE record."""
        names = [field.name for field in self.cfg.streams["tex"].fields]
        word = self.cfg.streams["tex"].pack({name: int(state[name]) for name in names})
        await self.send_words("tex", [word], self.shading)

    async def give(self, uv: NDArray[np.int32]) -> None:
        """Send coordinates [n, 4, 2]."""
        fields = {f"{'uv'[axis]}{pixel}": uv[:, pixel, axis] for pixel in range(4) for axis in range(2)}
        await self.send_words("quad", pack_words(self.cfg.streams["quad"], fields), self.shading)

    def begin(self, sending: Coroutine[Any, Any, None]) -> Task[None]:
        """Begin to send something."""
        return cocotb.start_soon(sending)

    # Scenes

    def draw(self, count: int) -> NDArray[Any]:
        """Words [count] at random."""
        return self.distribution.draw(self.cfg, self.rng, count)

    async def send_records(self, words: NDArray[Any], pacing: Pacing = ALWAYS) -> None:
        """Send VERTEX array [n]; returns when the last was taken."""
        if self.env.renew["base"]:  # memory's errors have changed: no line is to be kept
            self.env.renew["base"] = False
            surface = self.env.reference.depths.surface
            again = passed(BASE, surface.pitch, surface.tiles, surface.base)
            words = np.concatenate([np.array([again], VERTEX), words])
        await self.send_words("vtx", pack_words(self.cfg.streams["vtx"], columns(words)), pacing)

    async def send(self, words: Iterable[Any], pacing: Pacing = ALWAYS) -> None:
        """The same of records."""
        await self.send_records(np.array(list(words), VERTEX), pacing)

    async def words(self, words: Iterable[Any]) -> list[Word]:
        """Send words in a row; what became of what the rasterizer made of them, once all is at rest."""
        return await self.answers(self.send(words))

    def lines(self, words: NDArray[Any]) -> NDArray[np.int64]:
        """Of each word a line of 64 bytes that may be read then: of a surface, or of a texture."""
        bases = words["z"][(words["command"] == BASE) & (words["z"] >= HALF)]
        lines = [int(base) // LINE_BYTES + number for base in bases for number in range(64)]
        for state in self.textures:
            lines += self.lines_of(state)
        return self.rng.choice(np.array(lines or [0], np.int64), len(words))

    def lines_of(self, state: Any) -> list[int]:
        """The first lines of 64 bytes of a STATE record's texture: all, of a small one."""
        return [int(state["base"]) // 4 + number for number in range(32)]
