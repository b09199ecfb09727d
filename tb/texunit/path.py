# SPDX-License-Identifier: Apache-2.0
"""The cycles of each quad on its way through a unit, which its stages fix but for the answers of the cache.

A query's answer may wait for memory; :class:`tb.texunit.rules.StageChecker` and
:class:`tb.texunit.reads.ReadChecker` judge that. Given the answers, every other handshake has its cycle.
"""

from collections import deque

from pyuvm import uvm_component

from models.texunit.timing import ADDRESS_CYCLES, COORDINATE_CYCLES, FETCH_CYCLES, GATHER_CYCLES, LOD_CYCLES
from tb.common.components.bench import KEY, Bench
from tb.common.components.transactions import AnalysisImp, Observation
from tb.texunit.reference import PredictedQuad

SEEN = ("lod_in", "lod_out", "query_in", "query_out", "filter_in")


class PathChecker(uvm_component):
    """Compares the cycles in which a quad leaves its level's stage, asks the cache and enters the filter.

    A quad is judged when its result has come and is right.
    """

    unit = 0  # set by the environment

    def build_phase(self) -> None:
        self.probes = AnalysisImp("probes", self, self._probe)
        self.completed = AnalysisImp("completed", self, self._completed)
        self.reset()
        self.bench: Bench = self.cdb_get(KEY)
        self.probe = self.bench.cfg.streams[f"probe{self.unit}"]

    def reset(self) -> None:
        """The unit is empty."""
        self._seen: dict[str, deque[int]] = {name: deque() for name in SEEN}  # cycles, not yet judged
        # The first cycles in which the stages behind the level's take something
        self._coordinates_free = self._address_free = self._fetch_free = 0

    def _probe(self, transfer: Observation) -> None:
        probe = self.probe.unpack(transfer.word)
        for name, cycles in self._seen.items():
            if probe[name]:
                cycles.append(transfer.cycle)

    def _completed(self, quad: PredictedQuad) -> None:
        if quad.unit != self.unit:
            return
        entered, left = (self._seen[name].popleft() for name in ("lod_in", "lod_out"))
        self._judge(quad, "its level was handed on", left, max(entered + LOD_CYCLES, self._coordinates_free))
        valid = [pixel for pixel in range(4) if quad.quad["valid"] >> pixel & 1]
        counts = [int((quad.queries["pixel"] == pixel).sum()) for pixel in valid] or [0]
        offered = left + COORDINATE_CYCLES
        for queries in counts:
            offered = self._pixel(quad, queries, offered) + 1
        self._coordinates_free = offered - 1

    def _pixel(self, quad: PredictedQuad, queries: int, offered: int) -> int:
        """Follow a pixel with so many queries; returns the cycle in which its address stage took it."""
        taken = max(offered, self._address_free)
        fetched = max(taken + ADDRESS_CYCLES, self._fetch_free)
        self._address_free = fetched
        queried, answered = (
            [self._seen[name].popleft() for _ in range(queries)] for name in ("query_in", "query_out")
        )
        ready = [fetched + FETCH_CYCLES, *answered]  # each query but the first waits for the answer before it
        for cycle, want in zip(queried, ready, strict=False):
            self._judge(quad, "the cache was asked", cycle, want)
        self._fetch_free = ready[-1]
        if quad.prim["bilinear"]:
            self._judge(
                quad,
                "a pixel went into the filter",
                self._seen["filter_in"].popleft(),
                ready[-1] + GATHER_CYCLES,
            )
        return taken

    def _judge(self, quad: PredictedQuad, what: str, cycle: int, want: int) -> None:
        if cycle != want:
            self.bench.fail(
                f"unit {self.unit}, quad {quad.number}: {what} in cycle {cycle}, expected in {want}"
            )
