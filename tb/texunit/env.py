# SPDX-License-Identifier: Apache-2.0
"""The environment of the texture units.

::

    per unit: sequences -> prim, quad drivers -> [ DUT ] -> res sink        (gpu_clk)
                                  AXI memory <->  |                           (tex_clk)
    monitors: prim quad res | evt probe AXI
         prim quad + cycles of queries -> reference (golden model) -> scoreboard <- res evt probe
"""

from typing import Any

import cocotb
from pyuvm import uvm_sequencer

from configs.texunit.schema import Config
from tb.common.components.axi_memory import AxiReadMemory
from tb.common.components.axi_monitor import AxiReadMonitor
from tb.common.components.env import BlockEnv
from tb.common.components.monitor import StreamMonitor
from tb.common.components.pacing import MemoryPacing
from tb.common.components.stream import HIGH, ReadySink, StreamDriver
from tb.common.components.transactions import Observation
from tb.texunit.coverage import TexunitCoverage
from tb.texunit.reference import TexunitReference
from tb.texunit.scoreboard import TexunitScoreboard

DRIVEN = ("prim", "quad")
SEEN = ("prim", "quad", "res", "evt", "probe")


class TexunitEnv(BlockEnv):
    """Agents of all units, memory, models, scoreboard and coverage."""

    def build_phase(self) -> None:
        """Build all components."""
        super().build_phase()
        self.cfg: Config = self.bench.cfg
        streams, units = self.cfg.streams, range(self.cfg.units)
        driven = [f"{name}{n}" for n in units for name in DRIVEN]
        self.sequencers = {name: uvm_sequencer(f"{name}_sequencer", self) for name in driven}
        self.drivers = {name: StreamDriver(f"{name}_driver", self, streams[name]) for name in driven}
        self.sinks = [ReadySink(f"res{n}_sink", self, streams[f"res{n}"]) for n in units]
        self.seen = {
            f"{name}{n}": StreamMonitor(f"{name}{n}_monitor", self, streams[f"{name}{n}"])
            for n in units
            for name in SEEN
        }
        self.axi = AxiReadMonitor(
            "axi_monitor", self, address_bits=self.cfg.axi.address_bits,
            line_bytes=self.cfg.cache.line_bytes, data_bits=self.cfg.axi.data_bits,
            limit=self.cfg.axi.outstanding, ids=self.cfg.axi.ids, clock=self.cfg.axi.clock,
        )  # fmt: skip
        self.monitors = [*self.seen.values(), self.axi]
        self.model = TexunitReference("reference", self)
        self.reference = self.model
        self.scoreboard: TexunitScoreboard = TexunitScoreboard("scoreboard", self)
        self.coverage = TexunitCoverage("coverage", self)
        self.model.scoreboard, self.model.coverage = self.scoreboard, self.coverage
        self.memory = AxiReadMemory("memory", self)
        self.lines = 0

    def connect_phase(self) -> None:
        """Who listens to whom."""
        self.counters = self.coverage.counters
        for name, driver in self.drivers.items():
            driver.seq_item_port.connect(self.sequencers[name].seq_item_export)
        for n in range(self.cfg.units):
            for name in SEEN:
                heard = getattr(self, f"_{name}")
                self.subscribe(
                    self.seen[f"{name}{n}"].ap, f"{name}{n}", lambda seen, to=heard, unit=n: to(unit, seen)
                )
        self.subscribe(self.axi.lines, "line", self._line)
        self.memory.configure(
            self.model.memory, self.cfg.cache.line_bytes, self.cfg.axi.data_bits, self.cfg.memory
        )

    def start_of_simulation_phase(self) -> None:
        """Watch for the end of each reset: the counter of cycles that chooses victims begins there."""
        cocotb.start_soon(self._resets())

    async def _resets(self) -> None:
        clocking = self.bench.clockings["tex_clk"]
        while True:
            await self.bench.dut.tex_resetting.falling_edge
            for unit in self.model.units:
                unit.origin = clocking.cycle + 1

    def _prim(self, unit: int, seen: Observation) -> None:
        assert not self.model.units[unit].quads_waiting, (
            f"unit {unit}: a primitive was taken in cycle {seen.cycle} while quads are in flight"
        )
        self.model.units[unit].prim(seen)
        self.coverage.hit("prim wait", "1+" if seen.waited else "0")

    def _quad(self, unit: int, seen: Observation) -> None:
        assert not self.model.units[unit].prims_waiting, (
            f"unit {unit}: a quad was taken in cycle {seen.cycle} before the primitive was set up"
        )
        self.model.units[unit].quad(seen)
        self.coverage.waited("quad wait", seen.waited)
        self.coverage.in_flight(self.model.units[unit].quads_waiting)

    def _res(self, unit: int, seen: Observation) -> None:
        self.coverage.waited("result wait", seen.waited)
        self.model.result(unit, seen)

    def _evt(self, unit: int, seen: Observation) -> None:
        self.scoreboard.event(unit, seen)

    def _probe(self, unit: int, seen: Observation) -> None:
        probe = self.cfg.streams[f"probe{unit}"].unpack(seen.word)
        if probe["query_in"]:
            self.model.units[unit].decided.append(seen.cycle)
        if probe["prim_done"]:
            self.model.units[unit].prims_waiting -= 1
        self.scoreboard.probe(unit, seen)

    def _line(self, seen: Observation) -> None:
        self.lines += 1
        if seen.word:
            self.coverage.hit("error beat", f"beat {seen.word - 1}")

    def pace_memory(self, pacing: MemoryPacing) -> None:
        """Change the memory's pacing."""
        self.memory.pace(pacing)

    @property
    def outstanding(self) -> int:
        """Quads accepted and not answered."""
        return sum(unit.quads_waiting for unit in self.model.units)

    def idle(self) -> bool:
        """See :meth:`BlockEnv.idle`."""
        return (
            not self.outstanding
            and not any(unit.prims_waiting for unit in self.model.units)
            and not self.axi.outstanding
        )

    def progress(self) -> tuple[int, ...]:
        """See :meth:`BlockEnv.progress`."""
        return (*super().progress(), self.lines, *(unit.prims_waiting for unit in self.model.units))

    def state(self) -> str:
        """See :meth:`BlockEnv.state`."""
        dut = self.bench.dut
        return (
            f"{self.outstanding} quads unanswered, {self.axi.outstanding} lines on their way, "
            f"gpu_resetting={dut.gpu_resetting.value}, tex_resetting={dut.tex_resetting.value}"
        )

    def reset(self) -> None:
        """See :meth:`BlockEnv.reset`."""
        self.coverage.reset_while(self.outstanding, self.axi.outstanding)
        self.model.lost()
        self.scoreboard.reset()
        self.model.reset()
        for monitor in self.seen.values():
            monitor.reset()
        if not self.memory.survives:
            self.axi.reset()
            self.memory.reset()

    def survive(self, yes: bool) -> None:
        """The next reset does not concern the memory, or does."""
        self.memory.survives = yes
        self.axi.survive(yes)

    @property
    def resetting(self) -> bool:
        """Whether a side of the design is still in reset."""
        return HIGH in (self.bench.dut.gpu_resetting.value, self.bench.dut.tex_resetting.value)

    def final_checks(self) -> None:
        """Counters of RTL and model agree; all was checked."""
        super().final_checks()
        for unit in self.model.units:
            rtl, cycles = self.performance(f"perf{unit.unit}"), self.bench.clocking.cycle - unit.origin
            waited = {
                "memory_wait_cycles": self.scoreboard.memory_wait[unit.unit],
                "quad_wait_cycles": cycles - self.scoreboard.lod_busy[unit.unit],
            }
            for name, value in {**unit.counts, **waited}.items():
                if rtl[name] != value:
                    self.scoreboard.fail(f"unit {unit.unit}, counter {name}: rtl {rtl[name]}, model {value}")

    def summary(self) -> dict[str, Any]:
        """Figures since the test began or, where the design counts, since its last reset."""
        results = [self.scoreboard.by_name[f"res{n}"] for n in range(self.cfg.units)]
        counts = [unit.counts for unit in self.model.units]
        return {
            "checked": sum(one.checked for one in results),
            "announced": sum(one.announced or 0 for one in results),
            "lookups": sum(one["queries"] for one in counts),
            "hits": sum(one["hits"] + one["repeats"] for one in counts),
            "latency checks": sum(self.scoreboard.timed.values()),
            "stages": self.scoreboard.stages(),
        }
