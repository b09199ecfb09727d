# SPDX-License-Identifier: Apache-2.0
"""Samples functional coverage of ``dcache``, request by request and word by word."""

from collections import deque
from typing import Any

from configs.dcache.schema import LANES
from configs.simt import POLICIES, WORD_BYTES
from models.dcache import READ, REFUSED, WROTE, window
from models.sparse import EMPTY
from tb.common.components.reference import Served
from tb.common.components.request_env import RequestCoverage
from tb.common.components.requests import Prediction
from tb.dcache import plan
from tb.dcache.items import lane_groups


class DcacheCoverage(RequestCoverage):
    """Counts into the bins of :mod:`tb.dcache.plan`."""

    place = "addr0"

    def build_phase(self) -> None:
        super().build_phase()
        self._forget()

    def _forget(self) -> None:
        self._policy, self._failed = self.cfg.cache.policy_number, 0

    def reset(self, reads: int, writes: int, requests: int) -> None:
        super().reset(reads, writes, requests)
        self._forget()

    def sample(self, op: str, request: Any, result: Any) -> None:
        hit = self.counters.hit
        hit("warp", str(request["warp"]))
        if op in ("load", "store"):
            self._access(op, request, result)
        elif op in ("clean", "flush"):
            if self.cfg.write_back:
                hit("cleaned", f"{op}/{('none', 'one', 'several')[min(int(result['tries']), 2)]}")
            if result["err"]:
                hit("error", op)
        elif op == "status":
            hit("status", ("none", "one", "several")[min(self._failed, 2)])
        elif op == "policy":
            chosen = int(request["addr0"]) % len(POLICIES)
            hit("switch", f"{POLICIES[self._policy]}/{POLICIES[chosen]}")
            self._policy = chosen
        self._failed = 0 if op == "status" else self._failed + int(result["err"]).bit_count()

    def _access(self, op: str, request: Any, result: Any) -> None:
        lanes = [lane for lane in range(LANES) if request["mask"] >> lane & 1]
        self.counters.hit("lanes", f"{op}/{len(lanes)}")
        before = -1
        for lane in lanes:
            address = int(request[f"addr{lane}"])
            if before >= 0 and max(address, before) < window(self.cfg):
                self.counters.hit("next", f"{op}/{self._next(address, before, int(result['victim'][lane]))}")
            if op == "store":
                self.counters.hit("strobe", str(request[f"strobe{lane}"]))
            self._word(op, lane, address, result)
            before = address

    def cause(self, op: str, burst: int) -> str:
        """Why a word was not served, by what memory was asked for."""
        return f"fill of a {op}" if burst & READ else "write-back"

    def _next(self, address: int, before: int, victim: int) -> str:
        cache = self.cfg.cache
        line, last = address >> cache.offset_bits, before >> cache.offset_bits
        if address // WORD_BYTES == before // WORD_BYTES:
            return plan.NEXT[0]
        if line == last:
            return plan.NEXT[1]
        if victim == last:
            return plan.NEXT[4]
        return plan.NEXT[2 if line % cache.sets == last % cache.sets else 3]

    def _word(self, op: str, lane: int, address: int, result: Any) -> None:
        hit, cache, bit, burst = self.counters.hit, self.cfg.cache, 1 << lane, int(result["burst"][lane])
        failed, is_hit, evicted = (bool(result[name] & bit) for name in ("err", "hit", "evict"))
        hit("word", f"{op}/{address % cache.line_bytes // WORD_BYTES}")
        if address >= window(self.cfg):
            hit("error", f"uncached {op}") if failed else hit("uncached", op)
            return
        hit("lane", f"{lane}/{'hit' if is_hit else 'miss'}")
        through = op == "store" and not self.cfg.write_back
        if failed:
            hit("error", "store" if through else self.cause(op, burst))
        elif through:
            hit("access", f"store/{'hit' if is_hit else 'miss'}")
        else:
            replaced = plan.OUTCOMES[3 if burst & WROTE else 2 if evicted else 1]
            hit("access", f"{op}/{'hit' if is_hit else replaced}")
            kind = "hit" if is_hit else "replace" if evicted else "fill"
            line, victim = address >> cache.offset_bits, int(result["victim"][lane])
            hit("policy", f"{POLICIES[self._policy]}/{kind}")
            hit("way", f"{result['way'][lane]}/{kind}")
            hit("set", f"{line % cache.sets}/{kind}")
            differing = (line ^ victim) >> cache.set_bits
            if evicted and differing.bit_count() == 1:
                hit("tag", str(differing.bit_length() - 1))


class OvertakingCoverage(DcacheCoverage):
    """The same of a cache that serves hits under misses. Requests are sampled in the order in which they were
    taken, once they and all before them have been answered.
    """

    def _forget(self) -> None:
        super()._forget()
        self._served: deque[Served] = deque()
        self._answered: set[int] = set()  # the cycles in which they were taken

    def serve(self, served: list[Served]) -> None:
        """These were taken."""
        self._served.extend(served)

    def write(self, tt: Prediction) -> None:
        """Requests that were answered."""
        for transfer in tt.taken:
            self._waited("request wait", transfer)
            before = sum(
                served.transfer.cycle < transfer.cycle and served.transfer.cycle not in self._answered
                for served in self._served
            )
            self.counters.hit("overtakes", str(before) if before < 2 else "2+")
            self._answered.add(transfer.cycle)
        for transfer in tt.answered:
            self._waited("result wait", transfer)
        while self._served and self._served[0].transfer.cycle in self._answered:
            _, request, result = self._served.popleft()
            self._pair(request)
            self.sample(self.ops[request["op"]], request, result)

    def sample(self, op: str, request: Any, result: Any) -> None:
        super().sample(op, request, result)
        groups = lane_groups(self.cfg, request) if op in ("load", "store") else []
        if groups:
            self.counters.hit("groups", str(len(groups)))
        for lanes in groups:
            outcome = "hit" if result["hit"] >> lanes[0] & 1 else "miss"
            self.counters.hit("group", f"{len(lanes)}/{outcome}")
        for burst in (*result["burst"], result["ahead"]):
            if burst & REFUSED:
                self.counters.hit("error", "write-back")
        if result["ahead"]:
            self.counters.hit("ahead", self._found(result))

    @staticmethod
    def _found(result: Any) -> str:
        if not result["ahead"] & READ:
            return "there"
        if result["ahead_victim"] == EMPTY:
            return "empty way"
        return "dirty victim" if result["ahead"] & WROTE else "clean victim"

    def cause(self, op: str, burst: int) -> str:
        return (
            f"fill of a {op}" if burst & READ else f"{op} {'of' if op == 'load' else 'to'} what failed before"
        )
