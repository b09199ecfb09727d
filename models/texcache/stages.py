# SPDX-License-Identifier: Apache-2.0
"""The cycles in which beats of look-ups leave the stages of ``texcache``."""

from collections.abc import Sequence
from dataclasses import dataclass

from configs.texcache.schema import Config

Place = tuple[int, int, int]  # bank, set, way


@dataclass(frozen=True)
class Beat:
    """``decided``: cycle in which its tags change; lines that it reads, and that it misses, by place."""

    decided: int
    reads: list[Place]
    missing: list[Place]
    last: bool  # of its footprint


class Stages:
    """Tag check, tag FIFO, head, fill and read: when beats leave them. Times are cycles, -1 before the first.

    ``requested``, ``arrived``: when the address of each line was taken, and its last beat came.
    """

    def __init__(self, cfg: Config, requested: Sequence[int], arrived: Sequence[int]) -> None:
        self.cfg, self._asked, self._arrived = cfg, requested, arrived
        self.taken = -1  # the result before
        self.memory_wait = 0  # cycles of the head
        self.left = -1  # the tag compare circuit, the beat before
        self.decided = -1  # in it, the beat before
        self._popped: list[int] = []  # from the tag FIFO, each beat that went through it
        self._given: list[int] = []  # from the data FIFO, each line
        self._head = self._moved = self._read = -1  # the beat before left the head, the fill, the read stage
        self._before: list[Place] = []  # what that beat reads

    def tag_check(self, beat: Beat, requested: int) -> tuple[int, int]:
        """When the tags of ``beat`` change, and when it leaves the tag compare circuit.

        With banks by parity a register lies between the two, which the beat before it leaves at the latest
        as ``beat`` enters. Otherwise both are one cycle.
        """
        if self.cfg.parity:
            decided = max(requested + 1, self.left)
            return decided, self._leaves(beat, decided + 1)
        left = self._leaves(beat, max(requested, self.left) + 1)
        return left, left

    @property
    def lines(self) -> int:
        """Lines that the beats up to now missed."""
        return len(self._given)

    def _leaves(self, beat: Beat, first: int) -> int:
        """From cycle ``first`` on: all its addresses have left, one a cycle, and it has a place."""
        depth = self.cfg.fifo.depth
        place = max(first, self._popped[-depth] + 1) if len(self._popped) >= depth else first
        if not beat.missing:
            if self.cfg.held_hit == "wait" and place > self._read:  # straight on, and only so
                return max(first, self._read + 1, self.taken)
            return place
        sent = place - 1
        for line in range(len(self._given), len(self._given) + len(beat.missing)):
            before = self._asked[line - 1] if line else -1
            room = self._given[line - depth] + 1 if line >= depth else -1
            sent = max(sent + 1, before, room)
        return sent

    def read(self, beat: Beat, left: int) -> int:
        """When ``beat`` is read, which left the tag compare circuit in ``left``.

        IndexError if its lines have not come.
        """
        self.decided, self.left = beat.decided, left
        straight = not beat.missing and self._read < left
        if straight and (self.taken <= left or self.cfg.held_hit == "wait"):
            return left
        start = max(left + 1, self._head) + 1  # through the tag FIFO into the head
        self._popped.append(start - 1)
        for place in beat.missing:
            due = self._arrived[len(self._given)] + 1
            self.memory_wait += max(0, due - start)
            self._step(max(start, due))
            self._given.append(self._head)
            if any(self._meet(place, other) for other in self._before):
                self._moved = max(self._moved, self._read + 1)
            start = self._head + 1
        if not beat.missing:
            self._step(start)
        self._moved = max(self._moved, self._read)  # with its last line the beat goes on into the read stage
        self._read = max(self._moved + 1, self.taken)
        self._before = beat.reads
        return self._read

    def _step(self, due: int) -> None:
        """From the head into the fill stage, which it leaves a cycle later or after that."""
        self._head = max(due, self._moved)
        self._moved = self._head + 1

    def _meet(self, fill: Place, read: Place) -> bool:
        """Whether a line cannot be written while ``read`` has not been made."""
        if self.cfg.fill_port == "shared":
            return fill[0] == read[0]
        return self.cfg.cache.ways == 1 and fill == read
