# SPDX-License-Identifier: Apache-2.0
"""Functional coverage of ``mmu``."""

from functools import partial
from typing import Any

from pyuvm import uvm_subscriber

from configs.dcache.schema import LANES, LOAD, STORE
from configs.icache.schema import FETCH
from configs.mmu.registers import COMMANDS, REGISTERS
from configs.mmu.schema import BANKS, WORD_BYTES
from tb.common.components.axi.bursts import OKAY
from tb.common.components.axi.handshake import BurstEvent
from tb.common.components.axi.monitor import AxiMonitor
from tb.common.components.bench import KEY
from tb.common.components.transactions import AnalysisImp
from tb.common.coverage.bins import Counters
from tb.common.coverage.meetings import FAILED
from tb.mmu.axi_lite import Access
from tb.mmu.plan import BESIDE, REFUSED, WHERE, plan
from tb.mmu.reference import Served
from tb.mmu.sides import side_of


class MmuCoverage(uvm_subscriber):
    """Counts into the bins of :func:`tb.mmu.plan.plan`."""

    port: AxiMonitor  # set by the environment

    def build_phase(self) -> None:
        self.registers = AnalysisImp("registers", self, self._register)
        self.reads = AnalysisImp("reads", self, partial(self._ended, "read"))
        self.writes = AnalysisImp("writes", self, partial(self._ended, "write"))
        self.counters = Counters(plan(self.cdb_get(KEY).cfg))

    def _ended(self, what: str, event: BurstEvent) -> None:
        """A burst that memory has answered; its word says whether it failed."""
        if event.word >= FAILED if what == "write" else event.word:
            rules, mine = self.port.rules, side_of(event.burst.id)
            open_ = {
                side_of(id_)
                for way in (rules.reads, rules.writes)
                for id_, bursts in way.open.items()
                if bursts
            }
            self.counters.hit("error", f"{mine} {what}/{BESIDE[bool(open_ - {mine})]}")

    def _register(self, access: Access) -> None:
        """A register that was accessed."""
        what = "write" if access.write else "read"
        at = access.address & ~3
        [name] = [n for n, r in REGISTERS.items() if r.address <= at < r.address + 4 * r.words] or [REFUSED]
        failed = access.response != OKAY
        if name == "command" and access.write and access.data < len(COMMANDS):
            command = list(COMMANDS)[access.data]
            self.counters.hit("command", f"{command}/{REFUSED}" if failed else command)
            failed = False
        self.counters.hit("register", f"{what}/{REFUSED if failed else name}")

    def write(self, tt: Served) -> None:
        """Requests that were answered."""
        op = tt.requests["op"]
        if tt.side == "icache":
            access = op == FETCH
        else:
            access = ((op == LOAD) | (op == STORE)) & (tt.requests["mask"] & ~tt.results["shared"] != 0)
            self._lanes(tt)
        for name, rows in (
            ("hit", access & (tt.results["hit"] != 0)),
            ("miss", access & (tt.results["hit"] == 0)),
            ("evict", tt.results["evict"] != 0),
        ):
            self.counters.hit("lines", f"{tt.side}/{name}", int(rows.sum()))

    def _lanes(self, served: Served) -> None:
        for request, result in zip(served.requests, served.results, strict=True):
            if request["op"] not in (LOAD, STORE):
                continue
            op = "load" if request["op"] == LOAD else "store"
            shared, cached = result["shared"] != 0, request["mask"] & ~result["shared"] != 0
            self.counters.hit("lanes", f"{op}/{WHERE[2 * shared + cached]}")
            if shared:
                self.counters.hit("passes", f"{op}/{result['passes']}")
            if failed := result["err"] if shared else 0:
                self._failed(op, request, int(result["shared"]), int(failed))

    def _failed(self, op: str, request: Any, shared: int, failed: int) -> None:
        """An access of which memory failed some lanes and others were in the shared RAM."""
        for lane in range(LANES):
            if failed >> lane & 1:
                self.counters.hit("failed lane", str(lane))
            if shared >> lane & 1:
                bank = int(request[f"addr{lane}"]) // WORD_BYTES % BANKS
                self.counters.hit("bank", f"{op}/{bank}")
