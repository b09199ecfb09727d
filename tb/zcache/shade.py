# SPDX-License-Identifier: Apache-2.0
"""The shader's words: one for each tile; those of tiles that a reset has lost are lost with them."""

from tb.common.components.stream import StreamDriver


class ShadeDriver(StreamDriver):
    """Drives as any other, but for words of tiles that are no more."""

    def build_phase(self) -> None:
        """Nothing lost."""
        super().build_phase()
        self._lost = 0  # words that are still to be passed over

    def lose(self, words: int) -> None:
        """A reset begins, and so many of the next words belong to tiles that it has lost."""
        self._lost += words
        if self._pending and self._lost:
            self._lost -= 1
            self._offered = False
            self.withdraw()
            if not self._advance():
                self._done.set()

    def _advance(self) -> bool:
        more = super()._advance()
        while more and self._lost:
            self._lost -= 1
            more = super()._advance()
        return more
