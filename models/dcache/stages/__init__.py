# SPDX-License-Identifier: Apache-2.0
"""The stages of a ``dcache`` that serves hits under misses, cycle by cycle: docs/dcache.md, timing.

What a group does there, whether it hits and in which way, is the golden model's to say; in which cycle it
does so follows from the stages, from memory and from the consumer.
"""

from collections import deque
from collections.abc import Callable
from typing import NamedTuple

from configs.dcache.schema import INVALIDATE, STATUS, Config
from models.dcache.stages.items import Asked, Group, Seen
from models.dcache.stages.operation import Dirty, Operation
from models.dcache.stages.reads import Reads, UnderWay
from models.dcache.stages.writes import Writes

TAKEN = "the next stage"  # what a look-up may wait for, as the coverage plan has it
#: by what is waited for, the counter of such cycles
STALLS = {
    "its line is served": "group_wait_cycles",
    "no room at its line": "group_wait_cycles",
    "a victim under way": "victim_wait_cycles",
    "all under way": "entry_wait_cycles",
    "write buffer full": "write_wait_cycles",
    TAKEN: "stage_wait_cycles",
    "its warp is under way": "warp_wait_cycles",
}


class Move(NamedTuple):
    """How a group leaves the first stage: ``on`` to the next, to a line that it ``joins``, or it ``opens``
    one, whose dirty ``victim`` goes on.
    """

    on: Group | None = None
    joins: UnderWay | None = None
    opens: Group | None = None
    victim: Group | None = None


class Stages:
    """:meth:`step` is a cycle; what is offered in the next one is in ``reads``, ``writes`` and ``done``."""

    def __init__(self, cfg: Config, cover: Callable[[str, str], None]) -> None:
        """``cover`` is told what happens inside: a point and a bin of :func:`tb.dcache.plan.under_miss`."""
        self._cfg, self._cover = cfg, cover
        self.reads, self.writes = Reads(cfg.mshrs), Writes()
        self._operation = Operation(cfg.cache.sets, cfg.cache.ways)
        self.told: deque[int] = deque()  # lines that statuses tell of
        self.reset()

    def reset(self) -> None:
        """All is forgotten; nothing is taken until sets are clear and bursts have ended."""
        self.ready = False  # whether a request is taken in this cycle
        self.starting = True
        self.done: deque[tuple[Asked, int]] = deque()  # complete requests, from which cycle on
        self.cycles = dict.fromkeys(("memory_wait_cycles", *STALLS.values()), 0)  # that are counted
        self._stall: str | None = None  # the counter of what a look-up waits for in this cycle
        self._door: Asked | None = None
        self._busy: set[int] = set()  # warps that have a request under way
        self._first: Group | None = None  # what is in the stages
        self._second: Group | None = None
        self._third: Group | None = None
        self._ahead: Group | None = None  # what is looked up ahead in the next cycle
        self._dirty: Dirty = {}
        self._failed: int | None = None  # the first line that memory failed
        self.told.clear()
        self._operation.reset()
        self.reads.forget()
        self.writes.forget()

    def step(self, now: int, handshakes: Seen) -> bool:
        """A cycle; whether the next one differs from it even if nothing is seen there."""
        if handshakes.in_reset:
            self.reset()
            self.reads.edge(now, handshakes, None, False, False)
            self.writes.edge(now, handshakes, None)
            return True
        first, second, third = self._first, self._second, self._third
        self._stall = None
        put = third if third and third.victim and not third.failed else None
        coming = self.writes.count + sum(staged is not None and staged.victim for staged in (second, third))
        room, idle_memory = coming < self._cfg.write_buffer, not coming and not self.reads.any
        again = handshakes.b is True and self._operation.acting
        storing = second is not None and second.store and not second.victim
        free = not (storing and self.reads.fills(handshakes))
        serves = self.reads.serves if free else None
        move = self._move(room, free and not self.reads.serves)
        sent = self._operation.sends(self._dirty, room, again)
        look_ahead = first.ahead if first and first.lanes and move else None
        group = self._issued(
            handshakes, (first is None or move is not None) and not look_ahead and not self._ahead
        )
        acts = self._acts(idle_memory)
        line = self.reads.next_line()
        held = self.writes.holds(line) or (put is not None and put.line == line)
        self.count(1)
        starts = not (
            (self._operation.clearing and not self._operation.walk_ends())
            or self.reads.busy
            or self.writes.busy
        )

        # The next state
        changed = self._operation.edge(
            self._door, acts, group is not None, self._dirty, sent, again, idle_memory, self.starting
        )
        self._fail(handshakes, third)
        self._end(now, handshakes, third)
        self._take(handshakes, group)
        if acts and self._door and self._door.op == INVALIDATE:
            self._dirty.clear()
        if again:
            self._dirty[self.writes.answered.row] = self.writes.answered
        if free:
            written = self._dirty.pop(sent)._replace(victim=True) if sent else None
            self._second = serves or (move and (move.on or move.victim)) or written
        self._third = second if free else None
        self._mark(first if move else None)
        changed |= self.reads.edge(now, handshakes, move.opens if move else None, serves is not None, held)
        changed |= self.writes.edge(now, handshakes, put)
        if move and move.joins and first:
            move.joins.groups.append(first)
            self._cover("groups that wait", str(len(move.joins.groups)))
        if move and move.opens:
            self._cover("lines under way", str(self.reads.count))
        if put:
            self._cover("lines to write", str(self.writes.count))
        if group or self._ahead or move:
            self._first = group or self._ahead
        changed |= bool(acts or move or group or second or third or look_ahead or self._ahead)
        self._ahead = look_ahead
        changed |= self.starting and starts
        self.starting = self.starting and not starts
        return changed

    def _move(self, room: bool, free: bool) -> Move | None:
        """How the group in the first stage leaves it in this cycle; None: it stays, or there is none.

        ``room``: in the write buffer; ``free``: the second stage takes it.
        """
        group = self._first
        if group is None:
            return None
        if group.line < 0:
            return Move(on=group) if free else self._waits(TAKEN)
        there = self.reads.at(group.row)
        if group.hit and not group.lanes:
            return Move()
        if group.hit:
            return self._hits(group, there, free)
        victim = self._dirty.get(group.row)
        if there:
            return self._waits("a victim under way")
        if not self.reads.free:
            return self._waits("all under way")
        if victim and not room:
            return self._waits("write buffer full")
        if victim and not free:
            return self._waits(TAKEN)
        return Move(opens=group, victim=victim._replace(victim=True) if victim else None)

    def _hits(self, group: Group, there: UnderWay | None, free: bool) -> Move | None:
        if there is None:
            return Move(on=group) if free else self._waits(TAKEN)
        if there.come:
            return self._waits("its line is served")
        if len(there.groups) == self._cfg.targets:
            return self._waits("no room at its line")
        return Move(joins=there)

    def count(self, cycles: int) -> None:
        """So many cycles are as this one."""
        self.cycles["memory_wait_cycles"] += cycles * self.reads.any
        if self._stall:
            self.cycles[self._stall] += cycles

    def _waits(self, reason: str) -> Move | None:
        self._cover("look-up waits", reason)
        self._stall = STALLS[reason]
        return None

    def _mark(self, looked_up: Group | None) -> None:
        """A group that left the first stage has stored to its line, or replaced another."""
        if looked_up is None or looked_up.line < 0:
            return
        if not looked_up.hit:
            self._dirty.pop(looked_up.row, None)
        if looked_up.store:
            self._dirty[looked_up.row] = looked_up

    def _issued(self, handshakes: Seen, free: bool) -> Group | None:
        """The group that goes to the first stage, if that is free: of what is at the door, or comes to it."""
        request = self._door or (None if self.starting else handshakes.req)
        group = None
        if request and free:
            if request.begun:
                goes = True
            elif request.access:
                goes = request.warp not in self._busy
                if not goes:
                    self._waits("its warp is under way")
            else:
                goes = self._door is not None and self._operation.finished(request)
            group = request.groups[request.begun] if goes else None
        last = group is not None and request is not None and request.begun + 1 == len(request.groups)
        self.ready = not self.starting and (self._door is None or last)
        return group

    def _take(self, handshakes: Seen, group: Group | None) -> None:
        """What is at the door next. A status is told when it leaves."""
        request = self._door or handshakes.req
        if group and request:
            self._busy.add(request.warp)
            request.begun += 1
            if request.op == STATUS:
                self.told.append(-1 if self._failed is None else self._failed)
                self._failed = None
        if handshakes.req and not self.starting:
            self._door = handshakes.req
        if self._door and self._door.begun == len(self._door.groups):
            self._door = None

    def _end(self, now: int, handshakes: Seen, third: Group | None) -> None:
        """A result is taken, a group ends."""
        if handshakes.res and self.done:
            self._busy.discard(self.done.popleft()[0].warp)
            if self.done:
                self.done[0] = (self.done[0][0], max(now + 1, self.done[0][1]))
        if third and third.asked and not third.victim:
            third.asked.left -= 1
            if not third.asked.left:
                self.done.append((third.asked, now + 1))

    def _fail(self, handshakes: Seen, third: Group | None) -> None:
        """The first line that memory failed since the last status is kept; of a cycle, that of a read."""
        failed = [third.line] if third and third.failed and not third.victim else []
        if handshakes.b and not self.starting:
            failed.append(self.writes.answered.line)
        if failed and self._failed is None:
            self._failed = failed[0]

    def _acts(self, idle_memory: bool) -> bool:
        """Whether the operation at the door begins: nothing else is under way."""
        if self._door is None or self._door.access or self._operation.acting or self.starting:
            return False
        idle = not (self._busy or self._operation.clearing or self._first or self._ahead)
        return idle and idle_memory
