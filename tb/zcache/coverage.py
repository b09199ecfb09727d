# SPDX-License-Identifier: Apache-2.0
"""Samples functional coverage of ``zcache``, tile by tile and line by line."""

from collections.abc import Callable
from typing import Any

from pyuvm import uvm_subscriber

from configs.depth import FORMATS, FUNCTIONS, OPS, PIXELS, TILE
from configs.zcache.schema import KINDS, LATE, NONE, OUTCOMES, Config
from tb.common.components.axi.handshake import BurstEvent
from tb.common.components.bench import KEY
from tb.common.components.transactions import AnalysisImp, Observation
from tb.common.coverage.bins import WAITS, Counters, bucket_name
from tb.zcache.items import Surface, set_of
from tb.zcache.plan import pixel_set, plan, several
from tb.zcache.reference import ExpectedOutcome

ALL = (1 << PIXELS) - 1


class ZcacheCoverage(uvm_subscriber):
    """Counts into the bins of :mod:`tb.zcache.plan`: outcomes, lines asked for, bursts."""

    def build_phase(self) -> None:
        self.lines_asked = AnalysisImp("lines_asked", self, self._asked)
        self.reads = AnalysisImp("reads", self, lambda event: self._waited("address wait", event, "read/"))
        self.writes = AnalysisImp("writes", self, self._write)
        self.lines = AnalysisImp("lines", self, self._line)
        self.answers = AnalysisImp("answers", self, self._answer)
        self.cfg: Config = self.cdb_get(KEY).cfg
        self._asks = self.cfg.streams["pre"]
        self.distance: Callable[[], int]  # of the model; set by the environment when it connects
        self.counters = Counters(plan(self.cfg))
        self._forget()

    def _forget(self) -> None:
        self._before: ExpectedOutcome | None = None
        self._surface = Surface()
        self._distance = self.cfg.prefetch.distance
        self._demands: dict[
            int, bool
        ] = {}  # of lines on their way, by address: whether a test asked for them
        self._written = 0  # bursts since the last result of a barrier, or of a tile

    def reset(self, reads: int, writes: int, tiles: int) -> None:
        """A reset meets so many reads and writes on their way, and tiles in flight."""
        what = "a write" if writes else "a read" if reads else "a request" if tiles else "idle"
        self.counters.hit("reset", what)
        self._forget()

    def write(self, tt: ExpectedOutcome) -> None:
        """What became of a tile, or a barrier."""
        hit, op = self.counters.hit, OPS[tt.tile["op"]]
        self._waited("request wait", tt.taken)
        if self.cfg.adapts:
            self._distanced()
        self._waited("result wait", tt.answered)
        if self._before is not None:
            hit("after", f"{OPS[self._before.tile['op']]}/{op}")
        if tt.tile["op"] == TILE:
            self._test(tt)
        else:
            hit("barrier", f"{op}/{several(self._written)}")
            if tt.result["err"]:
                hit("error", op)
            if op == "base":
                depths = [tt.tile[f"depth{place}"] for place in range(3)]
                self._surface = Surface.of(self.cfg, {"depth": depths})
        self._written = 0
        self._before = tt

    def _distanced(self) -> None:
        """How far ahead the model is, and how that has changed."""
        distance, before = self.distance(), self._distance
        place = "one" if distance == 1 else "all" if distance == self.cfg.shading.tiles else "some"
        self.counters.hit("distance", place)
        if distance != before:
            self.counters.hit("distance", "farther" if distance > before else "nearer")
        self._distance = distance

    def _test(self, tt: ExpectedOutcome) -> None:
        hit, tile = self.counters.hit, tt.tile
        live, passed = tile["mask"] & ~tt.kill, tt.result["passed"]
        hit("mask", pixel_set(tile["mask"]))
        if self.cfg.given:
            killed = tile["mask"] & tt.kill
            left = "none killed" if not killed else "some killed" if live else "all killed"
            hit("kill", left if tile["mask"] else "no mask")
        if not tile["test"]:
            hit("untested", pixel_set(passed))
            return
        kind = KINDS[tt.event["kind"]]
        if tt.event.get("rejected"):
            hit("rejected", f"{FUNCTIONS[tile['func']]}/{FORMATS[tile['format']]}")
            hit("rejected after", "nothing" if tt.event["kind"] == NONE else "a write")
            return
        hit("kind", f"{kind}/{'store' if tt.event['dirty'] else 'read'}")
        hit("use", f"{kind}/{'first' if tt.event['first'] else 'again'}")
        if tt.result["err"]:
            hit("error", "late" if tt.event["kind"] == LATE else "miss")
        elif tt.event["kind"] != NONE:
            self._compared(tt, live)

    def _compared(self, tt: ExpectedOutcome, live: int) -> None:
        hit, tile, passed = self.counters.hit, tt.tile, tt.result["passed"]
        hit("passed", f"{'written' if tile['write'] else 'not written'}/{pixel_set(passed)}")
        for pixel in range(PIXELS):
            if live >> pixel & 1:
                hit("pixel", f"{pixel}/{'passes' if passed >> pixel & 1 else 'fails'}")
        hit("way", f"{tt.event['way']}/hit")
        hit("set", f"{set_of(self.cfg, self._surface, tile['x'], tile['y'])}/hit")
        before = self._before
        same = before is not None and all(before.tile[name] == tile[name] for name in ("op", "x", "y"))
        if before is not None and same and before.event["kind"] != NONE:
            did = ["store" if outcome.event["dirty"] else "read" for outcome in (before, tt)]
            hit("same tile", "/".join(did))

    def _asked(self, transfer: Observation) -> None:
        """A line was asked for, or a request to prefetch decided."""
        hit, fields = self.counters.hit, self._asks.unpack(transfer.word)
        if fields["fill"]:
            self._filled(fields)
        if fields["decided"]:
            self._rare("outcome", OUTCOMES[fields["outcome"]])
        if fields["full"] and "full" in self.counters.plan:
            hit("full", "with a decision" if fields["decided"] else "alone")

    def _rare(self, point: str, name: str) -> None:
        """Count a bin that the plan may lack because it is too rare to ask for."""
        if name in self.counters.plan[point].bins:
            self.counters.hit(point, name)

    def _filled(self, fields: dict[str, int]) -> None:
        hit = self.counters.hit
        asker = "demand" if fields["demand"] else "prefetch"
        if not fields["evict"]:
            gone = "none"
        else:
            gone = "unused" if fields["unused"] else "dirty" if fields["dirty"] else "clean"
        hit("victim", f"{asker}/{gone}")
        if self.cfg.marks:
            hit("blank", f"{asker}/{'marked' if fields['blank'] else 'read'}")
        self._demands[self._surface.address(fields["number"])] = bool(fields["demand"])
        index = self._set(fields["number"])
        hit("set", f"{index}/{'replace' if fields['evict'] else 'fill'}")
        hit("way", f"{fields['way']}/{'replace' if fields['evict'] else 'fill'}")
        if fields["dirty"]:
            hit("way", f"{fields['way']}/dirty")
        if fields["demand"] and self.cfg.prefetching:
            hit("demand", "with a decision" if fields["decided"] else "alone")
        differing = fields["number"] ^ fields["victim"]
        alias = str(differing.bit_length() - 1)
        if fields["evict"] and differing.bit_count() == 1 and alias in self.counters.plan["alias"].bins:
            hit("alias", alias)

    def _set(self, number: int) -> int:
        pitch = self._surface.pitch
        x, y = (number % pitch, number // pitch) if pitch else (number, 0)
        return int(set_of(self.cfg, self._surface, x, y))

    def _write(self, event: BurstEvent) -> None:
        self._waited("address wait", event, "write/")
        self._written += 1

    def _answer(self, event: BurstEvent) -> None:
        if event.word:
            self.counters.hit("error", "victim")

    def _line(self, event: BurstEvent) -> None:
        demand = self._demands.pop(event.burst.address, True)
        if event.word:
            self.counters.hit("error beat", str(event.word - 1))
            if not demand:
                self.counters.hit("error", "ahead")

    def _waited(self, point: str, transfer: Any, prefix: str = "") -> None:
        self.counters.hit(point, prefix + bucket_name(transfer.waited, WAITS))
