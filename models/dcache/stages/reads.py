# SPDX-License-Identifier: Apache-2.0
"""Lines under way from memory, and the groups that wait for them."""

from collections import deque
from dataclasses import dataclass

from models.dcache.stages.items import Group, Offer, Row, Seen


@dataclass(eq=False)
class UnderWay:
    """A line that is read: the groups that wait, how many were served, whether all beats have come."""

    number: int
    line: int
    row: Row
    groups: list[Group]
    served: int = 0
    come: bool = False


class Reads:
    """``count`` lines at once. Addresses go in the order of the misses, groups are served in the order in
    which lines have come, those of a line in the order of requests.
    """

    def __init__(self, count: int) -> None:
        self.offer: Offer | None = None  # of AR
        self._bursts = 0  # that memory was asked for and has not ended
        self._entries: list[UnderWay | None] = [None] * count
        self.forget()

    def forget(self) -> None:
        """A reset: bursts go on, of lines of which nobody knows any more."""
        self._entries = [None] * len(self._entries)
        self._unasked: deque[UnderWay] = deque()
        self._come: deque[UnderWay] = deque()

    @property
    def count(self) -> int:
        """Lines under way."""
        return sum(entry is not None for entry in self._entries)

    @property
    def any(self) -> bool:
        """Whether a line is under way."""
        return any(self._entries)

    @property
    def busy(self) -> bool:
        """Whether memory has something to answer."""
        return self._bursts > 0

    @property
    def free(self) -> bool:
        """Whether one more line can be asked for."""
        return None in self._entries

    def at(self, row: Row) -> UnderWay | None:
        """The line that goes to this row."""
        return next((entry for entry in self._entries if entry and entry.row == row), None)

    def fills(self, handshakes: Seen) -> bool:
        """Whether a beat is written into a line."""
        return (
            handshakes.r is not None
            and handshakes.r.id < len(self._entries)
            and self._entries[handshakes.r.id] is not None
        )

    @property
    def serves(self) -> Group | None:
        """The group that is to be served."""
        return self._come[0].groups[self._come[0].served] if self._come and self._come[0].groups else None

    def next_line(self) -> int | None:
        """The line that is to be asked for."""
        return self._unasked[0].line if self._unasked else None

    def edge(self, now: int, handshakes: Seen, opened: Group | None, served: bool, held: bool) -> bool:
        """The next state; whether it is another. ``opened``: a group, or a look-up ahead, misses; ``served``:
        that of :attr:`serves` goes on; ``held``: the next line to ask for is on its way to memory.
        """
        ask = (
            bool(self._unasked)
            and not held
            and (self.offer is None or handshakes.ar)
            and not handshakes.in_reset
        )
        ends = handshakes.r is not None and handshakes.r.last
        number = self._entries.index(None) if opened else 0
        changed = bool(ask or handshakes.ar or handshakes.r or opened or served)
        self._bursts = 0 if handshakes.forgotten else self._bursts + ask - ends
        if handshakes.ar or handshakes.forgotten:
            self.offer = None
        changed |= self._serve(served)
        if ends and handshakes.r and self.fills(handshakes) and (entry := self._entries[handshakes.r.id]):
            entry.come = True
            self._come.append(entry)
        if ask:
            entry = self._unasked.popleft()
            self.offer = Offer((entry.line, entry.number), now + 1)
        if opened:
            entry = UnderWay(number, opened.line, opened.row, [opened] if opened.lanes else [])
            self._entries[number] = entry
            self._unasked.append(entry)
        return changed

    def _serve(self, served: bool) -> bool:
        """The line that has come first gives up its entry with its last group, at once if there is none."""
        if not self._come:
            return False
        first = self._come[0]
        first.served += served
        if first.served < len(first.groups):
            return False
        self._come.popleft()
        self._entries[first.number] = None
        return True
