# SPDX-License-Identifier: Apache-2.0
"""The write buffer: lines on their way to memory, written one after the other, answered in that order."""

from collections import deque

from models.dcache.stages.items import Group, Offer, Seen


class Writes:
    """A line is here from the cycle after it was read until its answer."""

    def __init__(self) -> None:
        self.address: Offer | None = None  # of AW
        self.data: Offer | None = None  # of W: the line, since when its next beat
        self._begun: deque[Group] = deque()
        self.forget()

    def forget(self) -> None:
        """A reset: what was begun goes on."""
        self._waiting: deque[Group] = deque()
        self._lines: set[int] = set()

    @property
    def count(self) -> int:
        """Lines that are here."""
        return len(self._waiting) + len(self._begun)

    @property
    def busy(self) -> bool:
        """Whether memory has something to answer."""
        return bool(self._begun)

    def holds(self, line: int | None) -> bool:
        """Whether a line is here."""
        return line in self._lines

    @property
    def answered(self) -> Group:
        """The line that the next answer is about."""
        return self._begun[0]

    def edge(self, now: int, handshakes: Seen, put: Group | None) -> bool:
        """The next state; whether it is another. ``put``: a line comes."""
        free = (self.address is None or handshakes.aw) and (self.data is None or handshakes.w is True)
        begins = bool(self._waiting) and free and not handshakes.in_reset
        changed = bool(begins or handshakes.aw or handshakes.w is not None or handshakes.b is not None or put)
        if handshakes.aw:
            self.address = None
        if handshakes.w is not None and self.data:
            self.data = None if handshakes.w else self.data._replace(since=now + 1)
        if handshakes.b is not None:
            self._lines.discard(self._begun.popleft().line)
        if put:
            self._lines.add(put.line)
        if begins:
            self._begun.append(self._waiting.popleft())
            self.address = self.data = Offer((self._begun[-1].line,), now + 1)
        if put:
            self._waiting.append(put)
        if handshakes.forgotten:
            self.address = self.data = None
            self._begun.clear()
        return changed
