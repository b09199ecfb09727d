# SPDX-License-Identifier: Apache-2.0
"""The environment of ``renderer``.

::

    virtual sequences -> vtx driver -> [ DUT ] -> pix sink
    virtual sequences -> tex, quad drivers -> |  <-> AXI memory
         vtx tex quad -> reference (golden models of the parts) -> scoreboard <- pix, writes
              |-> quads that lack coordinates -> virtual sequences
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from configs.renderer.schema import COUNTERS, Config
from tb.common.components.axi.bursts import whole_lines
from tb.common.components.counters import CounterChecker, check_sums, counts_of
from tb.common.components.env import BlockEnv
from tb.common.components.writing import MemoryChecker
from tb.renderer.coverage import RendererCoverage
from tb.renderer.drivers import RendererResetDriver, ShaderDriver, VertexDriver
from tb.renderer.reference import CHANNELS, RendererReference
from tb.renderer.scoreboard import PortCounts, RendererScoreboard, sums
from tb.zcache.items import LINE_BYTES

TEXEL_LINE = 16  # bytes of a line of a texture cache
#: Counters of a texture unit that hang on cycles.
LOOKED_UP = ("hits", "misses", "evictions", "memory_wait_cycles", "quad_wait_cycles")


class RendererEnv(BlockEnv):
    """Agents, model, scoreboard, counters of all parts, memory, coverage.

    ``renew``: memory's errors have changed, and what the caches hold must be forgotten: the sequence's next
    state and its next base do so.
    """

    resets_class = RendererResetDriver
    cfg: Config
    counts_offers = True
    reference: RendererReference
    scoreboard: RendererScoreboard

    def build_phase(self) -> None:
        super().build_phase()
        axi, cfg = self.axi["m_axi"], self.cfg
        depth = cfg.zcache.fills, cfg.zcache.write_buffer
        axi.read_use = whole_lines(axi.port, TEXEL_LINE, LINE_BYTES)
        axi.read_use = replace(axi.read_use, ids=16 + depth[0], per_id=None)
        axi.write_use = replace(whole_lines(axi.port, LINE_BYTES), ids=17, per_id=depth[1], data_first=False)
        self.reference = RendererReference.create("reference", self)
        self.scoreboard = RendererScoreboard.create("scoreboard", self)
        self.port_counts: PortCounts = PortCounts.create("port_counts", self)
        self.coverage: RendererCoverage = RendererCoverage.create("coverage", self)
        self.memory_check: MemoryChecker = MemoryChecker.create("memory_check", self)
        self.performance: dict[str, CounterChecker] = {}
        for stream in self.cfg.streams:
            if "perf" in stream:
                self.performance[stream] = CounterChecker.create(f"{stream}_check", self)
                self.performance[stream].stream, self.performance[stream].unit = stream, f"{stream}, "
        self.renew = {"state": False, "base": False}

    def connect_phase(self) -> None:
        super().connect_phase()
        monitor = self.axi["m_axi"].monitor
        for kind in self.reference.kinds:
            self.agents[kind].ap.connect(self.reference.inputs[kind])
        for channel in CHANNELS:
            self.reference.expected[channel].connect(self.scoreboard.expected[channel])
            self.agents[channel].ap.connect(self.scoreboard.observed[channel])
        self.agents["pix"].ap.connect(self.reference.answers)
        # memory
        self.scoreboard.depths = self.reference.depths
        monitor.writes.connect(self.scoreboard.writes)
        self.memory_check.contents = self.memory.contents
        self.memory_check.model = self.reference.depths.memory
        # counters, at the end
        self.port_counts.pix = self.agents["pix"].monitor
        self.agents["pix"].ap.connect(self.port_counts.words)
        monitor.watches["r"].transfers.connect(self.port_counts.read)
        monitor.watches["w"].transfers.connect(self.port_counts.write)
        monitor.lines.connect(self.port_counts.lines)
        monitor.answers.connect(self.port_counts.answers)
        self.performance["perf"].witnesses = {
            "model": self.reference.counters, "ports": self.port_counts.counters,
        }  # fmt: skip
        self.performance["raster_perf"].witnesses = {"model": counts_of(self.reference.raster)}
        self.performance["zcache_perf"].witnesses = {"model": self.reference.depth_counters}
        for unit in range(self.cfg.texunit.units):
            self.performance[f"texunit_perf{unit}"].witnesses = {
                "model": partial(self.reference.unit_counters, unit)
            }
        self._unwitnessed()
        # who looks on
        self.reference.outcomes.connect(self.sequencer.completed)
        self.reference.outcomes.connect(self.coverage.analysis_export)
        for name in ("vtx", "tex", "quad", "pix"):
            self.agents[name].ap.connect(self.coverage.waits[name])
        monitor.addresses.connect(self.coverage.reads)
        monitor.lines.connect(self.coverage.lines)
        self.counters = self.coverage.counters

    def _unwitnessed(self) -> None:
        """What hangs on cycles between the parts, of which no model is here."""
        own = (name for name, _ in COUNTERS if name.endswith("_wait_cycles") and name != "result_wait_cycles")
        depth = set(self.cfg.zcache.counters) - self.reference.depth_counters().keys()
        held = {
            "perf": (own, "tests of tests/pipeline.py"),
            "zcache_perf": (depth, "zcache's own tests; sums"),
            "raster_perf": (("tile_wait_cycles",), "raster's own tests"),
        }
        for unit in range(self.cfg.texunit.units):
            held[f"texunit_perf{unit}"] = LOOKED_UP, "texunit's own tests; sums"
        for stream, (counters, why) in held.items():
            self.performance[stream].unwitnessed = dict.fromkeys(counters, why)

    @property
    def _writing(self) -> int:
        """Whether anything is being written, or offered to be."""
        dut = self.bench.dut
        offered = [getattr(dut, f"m_axi_{channel}valid").value for channel in ("aw", "w")]
        return self.axi["m_axi"].monitor.rules.writes.outstanding + sum(str(pin) != "0" for pin in offered)

    def _adopt(self) -> bool:
        """After a reset, cycle by cycle: as soon as nothing is being written, what memory holds is stored."""
        if not self.reference.adopting:
            return False
        if self.bench.clocking.in_reset or self._writing:
            return True
        wrong = self.reference.depths.adopt(
            lambda line: self.memory.contents.read(line * LINE_BYTES, LINE_BYTES)
        )
        if wrong is not None:
            self.scoreboard.fail(
                f"cycle {self.bench.clocking.cycle}: after a reset memory holds at {wrong * LINE_BYTES:#x} "
                "what was never stored there"
            )
        self.reference.adopted()
        return False

    def poison(self, lines: Sequence[int]) -> None:
        """See :meth:`BlockEnv.poison`: ``lines`` of 64 bytes, of depths or of textures.

        Not those that the cache may still have to write: whether it has is not known.
        """
        depths = self.reference.depths
        lines = [line for line in lines if line not in depths.unsettled]
        depths.poisoned |= frozenset(lines)
        self.reference.memory.poison(4 * line + part for line in lines for part in range(4))
        self.axi["m_axi"].poison(lines, LINE_BYTES)
        self._errors_changed()

    def refuse(self, lines: Iterable[int]) -> None:
        """From now on memory takes no writes of ``lines``, which can be read."""
        self.reference.depths.refused |= frozenset(lines)
        self.memory.writes.refusals.poison(lines, LINE_BYTES)

    def heal(self) -> None:
        super().heal()
        self.memory.writes.refusals.heal()
        self.reference.depths.poisoned = self.reference.depths.refused = frozenset()
        self._errors_changed()

    def _errors_changed(self) -> None:
        self.renew = dict.fromkeys(self.renew, True)

    def idle(self) -> bool:
        """See :meth:`BlockEnv.idle`; triangles that cover nothing have been walked, too."""
        walking = any(model != design for model, design in self._walks.values())
        return not (self.reference.in_flight or self.reference.owed or self.bursts or walking)

    @property
    def _walks(self) -> dict[str, tuple[int, int]]:
        """The rasterizer's counters: the model's, the design's; none in a reset, which clears them."""
        if self.bench.clocking.in_reset:
            return {}
        shown = self.performance["raster_perf"].counters()
        return {name: (value, shown[name]) for name, value in self.reference.raster.counters.items()}

    def state(self) -> str:
        return (
            f"{self.reference.in_flight} words without result, {self.reference.owed} quads without "
            f"coordinates, {self.bursts} bursts; the rasterizer's counters (model, design): {self._walks}"
        )

    def progress(self) -> tuple[int, ...]:
        """See :meth:`BlockEnv.progress`; a clear writes many lines, a walk finds nothing for long."""
        reference, monitor = self.reference, self.axi["m_axi"].monitor
        visited = self._walks.get("visited", (0, 0))
        return (*super().progress(), *visited, reference.walked, reference.taken, monitor.ended)

    def reset(self, part: str) -> None:
        """See :meth:`BlockEnv.reset`; tiles in flight are lost, and what the application has for them."""
        self.coverage.reset(self.reference, self.axi["m_axi"].monitor.rules)
        for name in ("vtx", "tex", "quad"):
            driver = self.agents[name].driver
            assert isinstance(driver, ShaderDriver | VertexDriver)
            driver.lose()
        super().reset(part)
        self.port_counts.reset()
        self.bench.clocking.on_sample(self._adopt)

    def check_phase(self) -> None:
        """What the parts count fits together, and with what memory was asked for."""
        super().check_phase()
        depth, units = self._parts
        ports = self.port_counts if len(self.bench.clocking.resets) == 1 else None
        check_sums(self.bench, *sums(depth, units, ports))

    def summary(self) -> dict[str, Any]:
        return {
            "checked": self.scoreboard.by_name["pix"].checked, "writes checked": self.scoreboard.written,
            "quads": self.reference.taken, "states": self.reference.states,
            "passed": self.reference.passed, **self._inside,
        }  # fmt: skip

    @property
    def _parts(self) -> tuple[dict[str, int], list[dict[str, int]]]:
        """What the depth cache counts since reset, and each texture unit."""
        names = ["zcache_perf", *(f"texunit_perf{n}" for n in range(self.cfg.texunit.units))]
        depth, *units = (self.performance[name].counters() for name in names)
        return depth, units

    @property
    def _inside(self) -> dict[str, int]:
        """What its parts counted of which no model knows; it does not change by itself."""
        if self.bench.clocking.in_reset:
            return {}
        depth, units = self._parts
        counts = {f"depth {name}": depth[name] for name in self.performance["zcache_perf"].unwitnessed}
        counts |= {f"texture {name}": sum(unit[name] for unit in units) for name in LOOKED_UP}
        return counts | {"tile waits": self.performance["raster_perf"].counters()["tile_wait_cycles"]}
