# SPDX-License-Identifier: Apache-2.0
"""A request that is no access: at the door, alone, until it has walked through the sets."""

from configs.dcache.schema import CLEAN, FLUSH, INVALIDATE, POLICY
from models.dcache.stages.items import Asked, Group, Row

Dirty = dict[Row, Group]
"""What was stored to since it was read or written: the groups that brought the lines, by row."""


class Operation:
    """Clean and flush look through all sets for dirty lines, then wait for memory; flush, invalidation and
    policy go through all sets once more. So does a reset.
    """

    def __init__(self, sets: int, ways: int) -> None:
        self._sets, self._ways = sets, ways
        self.reset()

    def reset(self) -> None:
        """Sets are cleared."""
        self.acting, self.clearing, self._walked = False, True, False
        self._phase, self._scan, self._failed = "rest", 0, False
        self._tried: set[int] = set()

    @property
    def looking(self) -> bool:
        """Whether dirty lines of a set are looked for."""
        return self._phase == "look"

    def walk_ends(self) -> bool:
        """Whether the last set is gone through."""
        return self.clearing and self._scan == self._sets - 1

    def finished(self, request: Asked) -> bool:
        """Whether it can be answered."""
        walks = request.op in (FLUSH, INVALIDATE, POLICY)
        return self.acting and self._phase == "rest" and not self.clearing and (self._walked or not walks)

    def sends(self, dirty: Dirty, room: bool, again: bool) -> Row | None:
        """The row of a line that is to be written. ``again``: memory refuses one."""
        if not self.looking or not room or again:
            return None
        return self._next(dirty)

    def _next(self, dirty: Dirty) -> Row | None:
        rows = ((self._scan, way) for way in range(self._ways) if way not in self._tried)
        return next((row for row in rows if row in dirty), None)

    def edge(
        self, request: Asked | None, acts: bool, issued: bool, dirty: Dirty, sent: Row | None, again: bool,
        idle_memory: bool, starting: bool,
    ) -> bool:  # fmt: skip
        """The next state; whether it is another."""
        if acts and request:
            self._act(request)
            return True
        ends = self.walk_ends()
        if issued:
            self.acting = False
        if again:
            self._failed = True
        changed = issued or again or self.clearing or self._phase == "read"
        if self._phase == "read":
            self._phase = "look"
        elif self.looking:
            changed |= self._look_on(dirty, sent, again)
        elif self._phase == "drain" and idle_memory and request:
            self._phase, changed = "rest", True
            self.clearing, self._scan = request.op == FLUSH, 0
            return True
        if self.clearing:
            self._scan = (self._scan + 1) % self._sets
            self.clearing = not ends
            self._walked |= ends and not starting
        return changed

    def _act(self, request: Asked) -> None:
        scans = request.op in (CLEAN, FLUSH)
        self.acting, self._walked, self._failed = True, False, False
        self._phase = "read" if scans else "rest"
        self.clearing = request.op in (INVALIDATE, POLICY)
        self._scan, self._tried = 0, set()

    def _look_on(self, dirty: Dirty, sent: Row | None, again: bool) -> bool:
        if sent:
            self._tried.add(sent[1])
            return True
        if again or self._next(dirty):
            return False
        self._phase = "drain" if self._scan == self._sets - 1 else "look"
        self._scan, self._tried = (self._scan + 1) % self._sets, set()
        return True
