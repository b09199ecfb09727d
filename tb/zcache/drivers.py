# SPDX-License-Identifier: Apache-2.0
"""Drivers that know what a reset has lost: the surface on which tiles lie, and the shader's words."""

from collections.abc import Callable
from itertools import chain

from configs.depth import BASE
from tb.common.components.stream import WordDriver


class TileDriver(WordDriver):
    """After a reset it sends the last base again before the next tile, as software would: tiles were drawn
    for the surface that it names. ``renews``: whether it does; ``renewed`` is called with each of them.
    """

    def build_phase(self) -> None:
        super().build_phase()
        self.renews = True
        self.renewed: Callable[[int], None] = lambda words: None  # an environment that counts them sets it
        self._base: int | None = None  # the last that was taken
        self._due = False

    def lose(self) -> None:
        """A reset begins, and the surface is lost."""
        if self._base is None or not self.renews:
            return
        self._due = not self._pending
        if self._pending and not self._is_base():
            self._gap = self.drop()
            self._send_base()
            self._push([self._word], [self._gap])

    def _is_base(self) -> bool:
        return self.stream.unpack(self._word)["op"] == BASE

    def _send_base(self) -> None:
        assert self._base is not None
        self._words = chain([(self._word, self._gap)], self._words)
        self._word, self._gap = self._base, 0
        self.renewed(1)

    def _advance(self) -> bool:
        if self._pending and self._is_base():
            self._base = self._word
        more = super()._advance()
        if more and self._due:
            self._due = False
            if not self._is_base():
                self._send_base()
        return more


class ShadeDriver(WordDriver):
    """Passes over the words of tiles that a reset has lost."""

    def build_phase(self) -> None:
        super().build_phase()
        self._lost = 0  # words that are still to be passed over

    def lose(self, words: int) -> None:
        """A reset begins, and so many of the next words belong to tiles that it has lost."""
        self._lost += words
        if self._pending and self._lost:
            self._lost -= 1
            self.drop()
            self._next()

    def _advance(self) -> bool:
        more = super()._advance()
        while more and self._lost:
            self._lost -= 1
            more = super()._advance()
        return more
