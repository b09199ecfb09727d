# SPDX-License-Identifier: Apache-2.0
"""Samples functional coverage of ``icache``, request by request."""

from typing import Any

from configs.icache.schema import SIGNS
from configs.simt import POLICIES, WORD_BYTES
from tb.common.components.axi.handshake import BurstEvent
from tb.common.components.request_env import RequestCoverage
from tb.common.components.requests import Prediction
from tb.common.components.transactions import Observation
from tb.common.coverage.bins import part
from tb.icache.early_coverage import EarlyCoverage
from tb.icache.fills import FillWatch
from tb.icache.reference import Closeness


class IcacheCoverage(RequestCoverage):
    """Counts into the bins of :mod:`tb.icache.plan`."""

    place = "pc"
    fills: FillWatch | None = None  # with restart at the word

    def build_phase(self) -> None:
        super().build_phase()
        self._early = EarlyCoverage(self.cfg, self.fills, self.counters) if self.fills is not None else None
        self.closeness = Closeness()
        self._forget()

    def _forget(self) -> None:
        self.closeness.reset()
        self._policy, self._failed = self.cfg.cache.policy_number, 0
        self._last: Any = None  # the result before, of a fetch
        if self._early is not None:
            self._early.forget()

    def reset(self, reads: int, writes: int, requests: int) -> None:
        super().reset(reads, writes, requests)
        if self._early is not None:
            self._early.reset()
        self._forget()

    def _line(self, event: Observation) -> None:
        """A burst need not begin with its line."""
        assert isinstance(event, BurstEvent)
        if event.word:
            first = event.burst.address % self.cfg.cache.line_bytes // self.cfg.axi.strobe_bits
            self.counters.hit("error beat", str(part(first + event.word - 1, self.cfg.beats)))

    def write(self, tt: Prediction) -> None:
        self._close = iter(self.closeness.of(tt.taken, tt.answered))
        self._taken = iter(tt.taken)
        super().write(tt)

    def sample(self, op: str, request: Any, result: Any) -> None:
        taken = next(self._taken)
        if self._early is not None:
            self._early.sample(op, request, result, taken.cycle)
        if next(self._close) and self._last is not None and self._last["fill"]:
            self._behind(op, request, result)
        if op == "fetch":
            self._fetch(request, result)
        elif op == "status":
            self.counters.hit("status", ("none", "one", "several")[min(self._failed, 2)])
            self._failed = 0
        elif op == "policy":
            chosen = int(request["pc"]) % len(POLICIES)
            self.counters.hit("switch", f"{POLICIES[self._policy]}/{POLICIES[chosen]}")
            self._policy = chosen
        self._last = result if op == "fetch" else None

    def _behind(self, op: str, request: Any, result: Any) -> None:
        last, sets, where = self._last, self.cfg.cache.sets, op
        if op == "fetch":
            where = "its line" if result["line"] == last["line"] else "another set"
            if where == "another set" and result["line"] % sets == last["line"] % sets:
                where = "its set"
            if last["evict"] and result["line"] == last["victim"]:
                where = "the victim"
            if where == "its line":
                self.counters.hit("word", f"behind/{self._word(request)}")
        self.counters.hit("behind", where)
        if last["err"]:
            lost = "another op" if op != "fetch" else where if where == "its line" else "another line"
            self.counters.hit("lost", lost)

    def _word(self, request: Any) -> int:
        """The place of an instruction in its line, as bases are multiples of a line in most tests."""
        return int(request["pc"]) // WORD_BYTES % self.cfg.line_words

    def _fetch(self, request: Any, result: Any) -> None:
        hit, cache, line = self.counters.hit, self.cfg.cache, int(result["line"])
        hit("block", str(request["block"]))
        hit("warp", str(request["warp"]))
        hit("sign", SIGNS[request["sign"]])
        self._failed += int(result["fill"] and result["err"])
        if not result["hit"] and not result["fill"]:
            return
        repeated = result["hit"] and result["repeat"]
        replaced = "replace" if result["evict"] else "fill"
        outcome = "repeat" if repeated else "hit" if result["hit"] else replaced
        hit("policy", f"{POLICIES[self._policy]}/{outcome}")
        if not repeated:
            hit("way", f"{result['way']}/{outcome}")
            hit("set", f"{line % cache.sets}/{outcome}")
        hit("word", f"{'hit' if result['hit'] else 'missed'}/{self._word(request)}")
        differing = (line ^ int(result["victim"])) >> cache.set_bits
        if result["evict"] and differing.bit_count() == 1:
            hit("tag", str(differing.bit_length() - 1))
