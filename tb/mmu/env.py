# SPDX-License-Identifier: Apache-2.0
"""The environment of ``mmu``.

::

    virtual sequences -> icache_req, dcache_req drivers -> [ DUT ] -> icache_res, dcache_res sinks
    virtual sequences -> AXI4-Lite master  <------------->  |  <----> AXI memory
         req res of both -> reference (golden model) -> scoreboard <- res evt of both
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from configs.mmu.schema import Config
from tb.common.components.axi.bursts import whole_lines
from tb.common.components.counters import CounterChecker, counts_of
from tb.common.components.env import BlockEnv
from tb.common.components.writing import MemoryChecker, WriteTracker
from tb.common.coverage import meetings
from tb.icache.fills import BURSTS, FillWatch, early_use
from tb.mmu.acting import Register, ReplacingDriver
from tb.mmu.control import ControlMaster
from tb.mmu.coverage import MmuCoverage
from tb.mmu.operations import OperationWatch, apart
from tb.mmu.reference import CONTROL, MmuReference
from tb.mmu.scoreboard import MmuScoreboard
from tb.mmu.sides import SIDES


class MmuEnv(BlockEnv):
    """Agents of both sides, master of the control port, model, scoreboard, counters, memory."""

    cfg: Config
    counts_offers = True
    reference_class = MmuReference
    reference: MmuReference
    scoreboard: MmuScoreboard

    def build_phase(self) -> None:
        super().build_phase()
        self._uses()
        self.control: ControlMaster = ControlMaster.create("control", self)
        self.control.port = self.cfg.control
        self.operations: OperationWatch = OperationWatch.create("operations", self)
        self.reference = self.reference_class.create("reference", self)
        self.reference.control = self.control
        self.writes: WriteTracker = WriteTracker.create("writes", self)
        self.reference.writes = self.writes
        self.memory_check: MemoryChecker = MemoryChecker.create("memory_check", self)
        self.scoreboard = MmuScoreboard.create("scoreboard", self)
        self.performance: dict[str, CounterChecker] = {}
        for stream in ("icache_perf", "dcache_perf", "perf"):
            self.performance[stream] = CounterChecker.create(f"{stream}_check", self)
            self.performance[stream].stream, self.performance[stream].unit = stream, f"{stream}, "
        self.coverage: MmuCoverage = MmuCoverage.create("coverage", self)
        self.fills: FillWatch | None = None
        if self.cfg.icache.early:
            self.fills = FillWatch.create("fills", self)
            self.fills.cfg, self.fills.alone = self.cfg.icache, False
            self.reference.fills = self.scoreboard.fills = self.fills

    def _uses(self) -> None:
        """The bursts that both caches may use: lines of either, and beats."""
        axi, cfg = self.axi["m_axi"], self.cfg
        code, line, beat = cfg.icache.cache.line_bytes, cfg.dcache.cache.line_bytes, axi.port.strobe_bits
        singles = (beat,) if cfg.dcache.uncached_bits else ()
        axi.read_use = whole_lines(axi.port, code, line, *singles)
        if cfg.icache.early:
            lines, parts = axi.read_use, early_use(cfg.icache)
            assert lines.shapes is not None and parts.shapes is not None
            axi.read_use = replace(lines, shapes=lines.shapes | parts.shapes, aligned=beat, per_id=BURSTS)
        axi.write_use = whole_lines(axi.port, *(line, *singles) if cfg.dcache.write_back else (beat,))

    def connect_phase(self) -> None:
        super().connect_phase()
        for kind in self.reference.kinds:
            source = self.control.operations if kind == CONTROL else self.agents[kind].ap
            source.connect(self.reference.inputs[kind])
        self.control.operations.connect(self.operations.registers)
        for stream, export in self.operations.requests.items():
            self.agents[stream].ap.connect(export)
        for channel in self.reference.channels:
            self.reference.expected[channel].connect(self.scoreboard.expected[channel])
            if channel in self.agents:
                self.agents[channel].ap.connect(self.scoreboard.observed[channel])
        self.axi["m_axi"].monitor.addresses.connect(self.scoreboard.reads)
        self.reference.predicted.connect(self.scoreboard.predicted)
        self.reference.predicted.connect(self.sequencer.completed)
        self.reference.predicted.connect(self.coverage.analysis_export)
        self.control.done.connect(self.coverage.registers)
        if self.fills is not None:
            self.axi["m_axi"].monitor.addresses.connect(self.fills.addresses)
            self.axi["m_axi"].monitor.beats.connect(self.fills.beats)
            self.agents["icache_req"].ap.connect(self.fills.requests)
        self.coverage.port = self.axi["m_axi"].monitor
        self.coverage.port.lines.connect(self.coverage.reads)
        self.coverage.port.answers.connect(self.coverage.writes)
        self.counters = self.coverage.counters
        self.writes.follow(self.axi["m_axi"], self.resets)
        self.memory_check.contents = self.memory.contents
        self.memory_check.model = self.reference.model.dcache.memory
        self.performance["perf"].witnesses = {"model": self.reference.counters}
        self.performance["perf"].unwitnessed = {"read_wait_cycles": "both ask within the block: test 'turns'"}
        for name, model in self._caches().items():
            self.performance[f"{name}_perf"].witnesses = {
                "model": counts_of(model),
                "scoreboard": partial(self.scoreboard.counted, name),
            }

    def _caches(self) -> dict[str, Any]:
        """The models of both caches."""
        return {name: getattr(self.reference.model, name) for name in SIDES}

    def poison(self, lines: Sequence[int]) -> None:
        """See :meth:`BlockEnv.poison`; a line is one of ``MmuModel.region_bytes``."""
        self.reference.poison(lines)
        self.axi["m_axi"].poison(lines, self.reference.model.region_bytes)

    def other_ends(self) -> list[Any]:
        """See :meth:`BlockEnv.other_ends`: the channels of the control port."""
        return [Register(self.control, channel) for channel in self.control.port.channels]

    def coincidences(self) -> meetings.Counts:
        """See :meth:`BlockEnv.coincidences`; operations are events of their own."""
        clocking = self.bench.clocking
        streams = [agent.stream for agent in self.meeting]
        for port in (self.cfg.axi_ports["m_axi"], self.control.port):
            streams += port.channels.values()
        events = [*self.bench.log.events(meetings.eventful(streams)), *self.operations.events()]
        return apart(meetings.count(events, clocking.resets, clocking.releases))

    def reset(self, part: str) -> None:
        """See :meth:`BlockEnv.reset`; requests that are being served are lost."""
        self.control.reset()
        for agent in (agent for agent in self.agents.values() if agent.drives):
            if isinstance(agent.driver, ReplacingDriver):
                agent.driver.lose()
        self.reference.flush()
        for name, side in self.reference.sides.items():
            self.scoreboard.by_name[f"{name}_res"].drop(side.in_flight)
        super().reset(part)
        if self.fills is not None:
            self.fills.reset()

    def _reset_ends(self, part: str) -> None:
        self.reference.released()
        super()._reset_ends(part)

    def progress(self) -> tuple[int, ...]:
        """See :meth:`BlockEnv.progress`; a command has one answer for many writes."""
        return (*super().progress(), self.writes.begun)

    def idle(self) -> bool:
        return not self.reference.in_flight and not self.bursts and not self.control.busy

    def state(self) -> str:
        sides = ", ".join(f"{name} {side.in_flight}" for name, side in self.reference.sides.items())
        return f"unanswered requests: {sides}; {self.bursts} bursts, {self.control.busy} control transfers"

    def summary(self) -> dict[str, Any]:
        channels = [self.scoreboard.by_name[name] for name in ("icache_res", "dcache_res")]
        return {
            "checked": sum(channel.checked for channel in channels),
            "announced": sum(channel.announced or 0 for channel in channels),
            "latency checks": self.scoreboard.timed,
            **{f"{name}_hits": side.counters["hits"] for name, side in self._caches().items()},
            **self.reference.counters(),
        }
