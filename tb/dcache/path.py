# SPDX-License-Identifier: Apache-2.0
"""The cycle of each handshake of a ``dcache`` that serves hits under misses, from those before it."""

from collections import deque
from collections.abc import Callable
from functools import partial
from heapq import heappop, heappush
from typing import Any

from pyuvm import uvm_component

from configs.dcache.schema import LOAD, STORE, Config
from models.dcache import LOOKED, READ
from models.dcache.stages import Stages
from models.dcache.stages.items import Asked, Beat, Group, Offer, Seen
from tb.common.components.axi.bursts import SLVERR
from tb.common.components.axi.monitor import AxiMonitor
from tb.common.components.bench import KEY, Bench
from tb.common.components.transactions import AnalysisImp, Observation
from tb.dcache.items import lane_groups


def asked(cfg: Config, request: Any, result: Any) -> Asked:
    """A request for the stages, with what the model says of its groups."""
    made = Asked(int(request["op"]), int(request["warp"]))
    if made.op in (LOAD, STORE):
        made.groups = [_group(cfg, made, request, lanes[0], result) for lanes in lane_groups(cfg, request)]
    made.groups = made.groups or [Group(made)]
    made.left = len(made.groups)
    return made


def _group(cfg: Config, made: Asked, request: Any, lane: int, result: Any) -> Group:
    """The group of which ``lane`` is the lowest."""
    sets, line, ahead = cfg.cache.sets, int(request[f"addr{lane}"]) >> cfg.cache.offset_bits, None
    if result["ahead"] & LOOKED:
        row = ((line + 1) % sets, int(result["ahead_way"]))
        ahead = Group(None, line + 1, row, hit=not result["ahead"] & READ)
    hit, failed = (bool(result[name] >> lane & 1) for name in ("hit", "err"))
    row = (line % sets, int(result["way"][lane]))
    return Group(made, line, row, True, hit, made.op == STORE, failed, ahead)


class PathChecker(uvm_component):
    """Follows requests through :class:`Stages` and compares the cycles in which anything is offered or taken.

    ``served`` takes each request with what the model says of it. Nothing is compared before
    :meth:`advance` has gone past it; then :meth:`judge` tells the first difference. ``offered``: the cycles
    in which results must be offered first.
    """

    port: AxiMonitor  # set by the environment, as is
    cover: Callable[[str, str], None]  # told points and bins of :func:`tb.dcache.plan.under_miss`

    def build_phase(self) -> None:
        """In reset."""
        self.results = AnalysisImp("results", self, self._result)
        self.reset_begins = AnalysisImp("reset_begins", self, self._reset_begins)
        self.reset_ends = AnalysisImp("reset_ends", self, self._reset_ends)
        self.channels = {
            name: AnalysisImp(name, self, partial(self._transfer, name))
            for name in ("ar", "r", "aw", "w", "b")
        }
        self.bench: Bench = self.cdb_get(KEY)
        self.cfg: Config = self.bench.cfg
        self.stages = Stages(self.cfg, self._covered)
        self.offered: deque[int] = deque()
        self.timed = 0  # handshakes compared
        self._now = 0
        self._cycles: list[int] = []  # in which something happens: a heap
        self._seen: dict[int, Seen] = {}
        self._waits: dict[tuple[int, str], Observation] = {}
        self._reset: tuple[int, int | None, bool] = (0, None, True)  # from, until before, with memory
        self._awake = True
        self._unready = 0  # cycles in a row without a request's being taken
        self._wrong = ""

    def _covered(self, point: str, name: str) -> None:
        self.cover(point, name)

    def at(self, cycle: int) -> Seen:
        """What happens in a cycle."""
        if cycle not in self._seen:
            self._seen[cycle] = Seen()
            heappush(self._cycles, cycle)
        return self._seen[cycle]

    def serve(self, transfer: Observation, request: Any, result: Any) -> None:
        """A request was taken; the model's result of it."""
        self.at(transfer.cycle).req = asked(self.cfg, request, result)
        self._waits[transfer.cycle, "req"] = transfer

    def _result(self, transfer: Observation) -> None:
        self.at(transfer.cycle).res = True
        self._waits[transfer.cycle, "res"] = transfer

    def _transfer(self, name: str, transfer: Observation) -> None:
        observed, fields = self.at(transfer.cycle), self.port.watches[name].logged.unpack(transfer.word)
        if name not in ("r", "b"):
            self._waits[transfer.cycle, name] = transfer
        elif transfer.waited:
            self._fail(transfer.cycle, f"{name} has waited for {transfer.waited} cycles, expected 0")
        if name == "r":
            observed.r = Beat(fields["id"], bool(fields["last"]))
        elif name == "w":
            observed.w = bool(fields["last"])
        elif name == "b":
            observed.b = fields["resp"] >= SLVERR
        else:
            setattr(observed, name, True)

    def _reset_begins(self, _part: str) -> None:
        clocking = self.bench.clocking
        self.advance(clocking.cycle - 1)
        self.judge()
        self._reset = (clocking.cycle, None, clocking.axi_in_reset)
        self._awake = True
        self.offered.clear()

    def _reset_ends(self, _part: str) -> None:
        first, _, forgotten = self._reset
        self._reset = (first, self.bench.clocking.cycle, forgotten)

    def advance(self, until: int) -> None:
        """Go through all cycles to ``until``. All requests that were taken there have been served."""
        while self._now <= until and not self._wrong:
            first, end, forgotten = self._reset
            if self._now >= first and (end is None or self._now < end):
                observed = self.at(self._now)
                observed.in_reset, observed.forgotten = True, forgotten
            coming = self._cycles[0] if self._cycles else until + 1
            if not self._awake and coming > self._now:
                self._rest(min(coming, until + 1) - self._now)
            else:
                self._step(self._now)

    def _rest(self, cycles: int) -> None:
        """Nothing happens."""
        self._now += cycles
        self._unready += 0 if self.stages.ready else cycles
        self.stages.count(cycles)

    def _step(self, now: int) -> None:
        happens = bool(self._cycles) and self._cycles[0] == now
        if happens:
            heappop(self._cycles)
        observed = self._seen.pop(now, None) or Seen()
        stages = self.stages
        if not observed.in_reset:
            self._results(now, observed)
        self._offers(now, "ar", observed.ar, stages.reads.offer)
        self._offers(now, "aw", observed.aw, stages.writes.address)
        self._offers(now, "w", observed.w is not None, stages.writes.data)
        if self._wrong:
            return
        self._awake = stages.step(now, observed) or happens
        if observed.req:
            waited = self._waits.pop((now, "req")).waited
            self.timed += 1
            if not stages.ready or waited > self._unready:
                early = "early" if not stages.ready else f"late: {self._unready} cycles after one was"
                self._fail(now, f"a request of warp {observed.req.warp} was taken {early}")
        self._unready = 0 if stages.ready else self._unready + 1
        self._now = now + 1

    def _offers(self, now: int, name: str, taken: bool, offer: Offer | None) -> None:
        if not taken:
            return
        transfer = self._waits.pop((now, name))
        fields = self.port.watches[name].logged.unpack(transfer.word)
        got = {"ar": ("addr", "id"), "aw": ("addr",), "w": ()}[name]
        values = tuple(fields[key] >> (self.cfg.cache.offset_bits if key == "addr" else 0) for key in got)
        self.timed += 1
        if offer is None or (name != "w" and values != offer.what) or now - transfer.waited != offer.since:
            want = "nothing" if offer is None else f"{offer.what} from cycle {offer.since} on"
            self._fail(now, f"{name} offers {values} from cycle {now - transfer.waited} on, expected {want}")

    def _results(self, now: int, observed: Seen) -> None:
        if not observed.res:
            return
        transfer, done = self._waits.pop((now, "res")), self.stages.done
        warp = self.bench.cfg.streams["res"].unpack(transfer.word)["warp"]
        if not done or done[0][0].warp != warp:
            want = f"one of warp {done[0][0].warp}" if done else "none"
            self._fail(now, f"a result of warp {warp}, expected {want}")
            return
        self.offered.append(done[0][1])

    def _fail(self, now: int, text: str) -> None:
        self._wrong = self._wrong or f"cycle {now}: {text}"

    def result(self, answered: Observation) -> int:
        """The cycle in which the next result must be offered first; that in which it was, if it is not known
        because of a difference before.
        """
        return self.offered.popleft() if self.offered else answered.cycle - answered.waited

    def judge(self) -> None:
        """Fail if something was not as expected."""
        if self._wrong:
            self.bench.fail(self._wrong)

    def check_phase(self) -> None:
        """All was followed, and nothing else should have been offered or taken."""
        self.advance(self.bench.clocking.cycle - 1)
        self.judge()
        left = self.stages.done or self.stages.reads.any or self.stages.writes.count
        if left or self._waits or self.offered:
            self.bench.fail(f"cycle {self._now}: something is under way still")
