# SPDX-License-Identifier: Apache-2.0
"""Drivers of ``tex`` and ``quad``: what they still offer when a reset comes belongs to tiles that it loses."""

from tb.common.components.stream import StreamDriver


class ShaderDriver(StreamDriver):
    """Forgets its item in a reset."""

    def lose(self) -> None:
        """A reset begins."""
        if self._pending:
            self._words = iter(())
            self._pending = self._offered = False
            self.withdraw()
            self._done.set()
