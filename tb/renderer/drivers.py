# SPDX-License-Identifier: Apache-2.0
"""Resets, and drivers that know what one loses: the surface, and tiles that wait for an application."""

from configs.depth import BASE
from configs.raster.schema import PASS
from tb.common.components.reset import Kind, ResetDriver
from tb.common.components.stream import WordDriver
from tb.zcache.drivers import TileDriver

POWER_UP = 8  # cycles of the first reset: of what was before it nothing shows, not even a cycle of waiting


class VertexDriver(TileDriver):
    """Drives ``vtx``: after a reset the last base comes again, as of ``tile`` (:class:`TileDriver`).

    Without it tiles would lie on one another: a surface has as many columns as the base says.
    """

    def _is_base(self) -> bool:
        fields = self.stream.unpack(self._word)
        return fields["op"] == PASS and fields["command"] == BASE


class ShaderDriver(WordDriver):
    """Drives ``tex`` or ``quad``; forgets its item in a reset: it was for tiles that are lost.

    What it offers when a reset begins stays on the pins for a cycle if it is ``eager``.
    """

    def lose(self) -> None:
        """A reset begins."""
        self.drop(stay=self.eager)
        if self._pending:
            self._words = iter(())
            self._pending = False
            self._done.set()


class RendererResetDriver(ResetDriver):
    """The first reset is that of power-up."""

    _least = POWER_UP

    async def pulse(self, cycles: int = 2, kind: Kind = "design") -> None:
        await super().pulse(max(cycles, self._least), kind)
        self._least = 1
