# SPDX-License-Identifier: Apache-2.0
"""Reference and environment of ``mmu`` with a data cache that serves hits under misses.

Its results overtake each other: one belongs to the oldest request of its warp that is open. The model serves
requests when they are taken, so it is ahead of the cache.
"""

from collections import deque
from dataclasses import replace
from typing import Any

import numpy as np

from configs.dcache.schema import STALLS, STATUS
from models.dcache import READ
from tb.common.components.axi.handshake import BurstEvent
from tb.common.components.bench import HIGH
from tb.common.components.counters import Bounds, Sum, check_sums
from tb.common.components.reference import Input, Served
from tb.common.components.transactions import AnalysisImp, Observation
from tb.mmu.env import MmuEnv
from tb.mmu.reference import MmuReference
from tb.mmu.sides import Side

DATA = "dcache"
LINES = 3  # of the causes of stalls, the first ones, those that wait for a line under way


class OvertakingReference(MmuReference):
    """``reads`` takes the AXI reads: each line that the data cache misses, or reads ahead, is read once."""

    journaled = True

    def build_phase(self) -> None:
        """No read, and no write that can be taken back."""
        super().build_phase()
        self.reads = AnalysisImp("reads", self, self._read)
        self._ahead: dict[int, deque[Served]] = {}  # by warp
        self._first: dict[int, set[int]] = {}  # of a status, by its cycle
        self._undoable = 0
        self.wanted = 0  # reads of the model
        self.asked = 0  # of the design: their addresses have been taken
        self._hidden = 0  # reads from before a reset, at most, whose addresses were not offered by then

    def _read(self, read: BurstEvent) -> None:
        self.asked += read.burst.id & 1

    @property
    def due(self) -> bool:
        """Whether the data cache has still to ask memory for something, or has asked for too much."""
        self.count_tries()
        return not 0 <= self.asked - self.wanted <= self._hidden or self.writes.begun != self.writes.tries

    def answer(self, inputs: list[Input]) -> None:
        self._serve_ahead([entry.transfer for entry in inputs if entry.kind == f"{DATA}_req"])
        super().answer(inputs)

    def before(self, side: Side) -> int:
        """See :meth:`MmuReference.before`: the clean is done when the first behind it is taken."""
        return len(side.open)

    def status(self, side: str, shown: int) -> int:
        """See :meth:`MmuReference.status`: of several failures only time tells which was the first."""
        expected = super().status(side, shown)
        if side != DATA:
            return expected
        first = self.model.dcache.failures.told.pop()
        return shown if expected and shown & ~3 in first and shown & 3 == 1 else expected

    def _serve_ahead(self, taken: list[Observation]) -> None:
        if not taken:
            return
        self.clean()
        requests = self.sides[DATA].requests(taken)
        failures = self.model.dcache.failures
        before = len(failures.told)
        results = self.model.access(requests)
        failed = failures.told[before:]
        for item in map(Served, taken, requests, results):
            if item.request["op"] == STATUS:
                self._first[item.transfer.cycle] = failed.pop(0)
            self._ahead.setdefault(int(item.request["warp"]), deque()).append(item)
        self.wanted += int((results["burst"] & READ > 0).sum() + (results["ahead"] & READ > 0).sum())

    def count_tries(self) -> None:
        """See :meth:`MmuReference.count_tries`; writes that memory has answered are certain."""
        writes, before = self.writes, self.writes.tries
        super().count_tries()
        self._undoable += writes.tries - before
        if (certain := self._undoable - (writes.tries - writes.ended)) > 0:
            self.model.dcache.certain(certain)
            self._undoable -= certain

    def results(self, side: Side, answered: list[Observation]) -> tuple[list[Observation], Any, Any]:
        if side.name != DATA:
            return super().results(side, answered)
        stream, served = side.streams[f"{DATA}_res"], []
        for transfer in answered:
            warp = stream.unpack(transfer.word)["warp"]
            if not self._ahead.get(warp):
                self.bench.fail(f"{DATA}_res in cycle {transfer.cycle}: no request of warp {warp} is open")
            served.append(self._ahead[warp].popleft())
            self._settle(served[-1], stream.unpack(transfer.word)["data0"])
            side.open.remove(served[-1].transfer)
        self.count_tries()
        requests, results = (
            np.stack([getattr(item, name) for item in served]) for name in ("request", "result")
        )
        return [item.transfer for item in served], requests, results

    def _settle(self, served: Served, shown: int) -> None:
        """Of several failures only time tells which was the first: a status may tell of any of these."""
        if shown in self._first.pop(served.transfer.cycle, ()):
            served.result["data"][0] = shown

    def abandon(self, writes: int) -> None:
        """See :meth:`MmuReference.abandon`: of requests the model has made all writes, and takes back the
        last ones; a command goes alone.
        """
        if writes < 0:
            self.model.dcache.undo(-writes)
            self._undoable += writes
            writes = 0
        self.sides[DATA].open.clear()
        self._ahead.clear()
        self._first.clear()
        super().abandon(writes)
        # Addresses that were offered before a reset are not published; one may wait behind the other cache's
        dut = self.bench.dut
        self.wanted = self.asked
        self._hidden = int(dut.m_axi_arvalid.value == HIGH and not int(dut.m_axi_arid.value) & 1)

    def check_phase(self) -> None:
        """No line was read twice, or without a request."""
        if not 0 <= self.asked - self.wanted <= self._hidden:
            self.bench.fail(f"reads of the data cache: expected {self.wanted}, got {self.asked}")


class OvertakingEnv(MmuEnv):
    """``mmu`` with that reference; reads of the data cache have odd ids, one for each line under way."""

    reference_class = OvertakingReference
    reference: OvertakingReference

    def build_phase(self) -> None:
        super().build_phase()
        axi, data = self.axi["m_axi"], self.cfg.dcache
        axi.read_use = replace(axi.read_use, ids=2 * data.mshrs)
        axi.write_use = replace(axi.write_use, per_id=data.write_buffer)

    def connect_phase(self) -> None:
        """Reads are counted, too."""
        super().connect_phase()
        self.axi["m_axi"].monitor.addresses.connect(self.reference.reads)
        stalls = (name for name, _ in STALLS)
        self.performance[f"{DATA}_perf"].unwitnessed = dict.fromkeys(
            stalls, "their sums, and dcache's own tests"
        )

    def check_phase(self) -> None:
        """See :class:`MmuEnv`; of the data cache's stalls, those for lines under way are while there are any,
        and no cycle is counted twice.
        """
        super().check_phase()
        shown = self.performance[f"{DATA}_perf"].counters()
        stalls = [shown[name] for name, _ in STALLS]
        since = self.bench.clocking.cycle - self.bench.clocking.released
        under_way = Bounds(most=shown["memory_wait_cycles"])
        check_sums(
            self.bench,
            Sum(f"{DATA}_perf, stalls for lines under way", sum(stalls[:LINES]), under_way),
            Sum(f"{DATA}_perf, stalls of any cause", sum(stalls), Bounds(most=since)),
        )

    def idle(self) -> bool:
        """See :meth:`BlockEnv.idle`: lines to be written, or read ahead, have gone, too."""
        if not super().idle():
            return False
        self.reference.flush()
        return not self.reference.due

    def progress(self) -> tuple[int, ...]:
        return (*super().progress(), self.reference.asked)

    def state(self) -> str:
        return f"{super().state()}, memory is {'still' if self.reference.due else 'not'} to be asked for more"
