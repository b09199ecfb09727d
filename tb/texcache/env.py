# SPDX-License-Identifier: Apache-2.0
"""The environment of the texture cache.

::

    sequences -> req/lut/inv drivers -> [ DUT ] -> res sink
                      AXI memory <------>  |
    monitors: req lut inv res evt stop begin axi
         req lut inv -> reference (golden model) -> scoreboard <- res evt axi
         all -> transaction log; scoreboard -> coverage
"""

from typing import Any

import numpy as np
from pyuvm import uvm_sequencer

from configs import Stream
from configs.texcache.schema import Config
from tb.common.components.axi_memory import AxiReadMemory
from tb.common.components.axi_monitor import AxiReadMonitor
from tb.common.components.env import BlockEnv
from tb.common.components.monitor import StreamMonitor
from tb.common.components.pacing import MemoryPacing
from tb.common.components.packing import unpack_words
from tb.common.components.stream import HIGH, ReadySink, StreamDriver
from tb.common.components.transactions import Observation
from tb.common.coverage.bins import bucket
from tb.texcache import plan
from tb.texcache.coverage import TexcacheCoverage
from tb.texcache.reference import TexcacheReference
from tb.texcache.scoreboard import TexcacheScoreboard

DRIVEN = ("req", "lut", "inv")


class TexcacheEnv(BlockEnv):
    """Agents, memory, model, scoreboard and coverage. ``with_memory``: False to attach another AXI memory."""

    with_memory = True

    def build_phase(self) -> None:
        """Build all components."""
        super().build_phase()
        self.cfg: Config = self.bench.cfg
        streams = self.cfg.streams
        self.sequencers = {name: uvm_sequencer(f"{name}_sequencer", self) for name in DRIVEN}
        self.drivers = {name: StreamDriver(f"{name}_driver", self, streams[name]) for name in DRIVEN}
        self.sink = ReadySink("res_sink", self, streams["res"])
        seen = {name: StreamMonitor(f"{name}_monitor", self, streams[name]) for name in ("lut", "res", "evt")}
        for name in ("req", "inv"):
            seen[name] = StreamMonitor(f"{name}_monitor", self, streams[name], flag="busy")
        for name in ("stop", "begin"):
            seen[name] = StreamMonitor(f"{name}_monitor", self, Stream(f"usp_{name}", "out", (), ready=False))
        self.seen = seen
        shape = {"address_bits": self.cfg.axi.address_bits, "line_bytes": self.cfg.cache.line_bytes}
        shape |= {"data_bits": self.cfg.axi.data_bits, "limit": self.cfg.axi.outstanding}
        self.axi = AxiReadMonitor("axi_monitor", self, **shape)
        self.monitors = [*seen.values(), self.axi]
        self.reference = self.model = TexcacheReference("reference", self)
        self.scoreboard: TexcacheScoreboard = TexcacheScoreboard("scoreboard", self)
        self.coverage = TexcacheCoverage("coverage", self)
        self.memory = AxiReadMemory("memory", self) if self.with_memory else None
        self.stops: list[tuple[int, int]] = []  # cycles of stop and of the begin after it; since reset

    def connect_phase(self) -> None:
        """Who listens to whom."""
        for name, driver in self.drivers.items():
            driver.seq_item_port.connect(self.sequencers[name].seq_item_export)
            self.subscribe(
                self.seen[name].ap, f"{name}_model", lambda seen, kind=name: self._accepted(kind, seen)
            )
        for channel in ("res", "evt"):
            self.subscribe(
                self.seen[channel].ap, channel, lambda seen, name=channel: self.scoreboard.observe(name, seen)
            )
        self.subscribe(self.axi.addresses, "fill", lambda seen: self.scoreboard.observe("fill", seen))
        self.subscribe(self.axi.addresses, "fill_coverage", self._asked)
        self.subscribe(self.axi.lines, "line", self._arrived)
        self.subscribe(self.seen["stop"].ap, "stop", self._stop)
        self.subscribe(self.seen["begin"].ap, "begin", self._begin)
        self.subscribe(self.model.invalidated, "invalidated", lambda seen: self.coverage.reset())
        self.scoreboard.completed.connect(self.coverage.analysis_export)
        self.model.scoreboard = self.scoreboard
        self.counters = self.coverage.counters
        self.coverage.failing = lambda: self.model.memory.poisoned
        if self.memory is not None:
            self.memory.configure(
                self.model.memory, self.cfg.cache.line_bytes, self.cfg.axi.data_bits, self.cfg.memory
            )
        self._taken: list[Observation] = []  # requests, since reset
        self._errors = 0
        self._written = -2, (0, 0)  # last write of the table: cycle, (texture, level)

    def pace_memory(self, pacing: MemoryPacing) -> None:
        """Change the memory's pacing; the scoreboard's latency checks follow."""
        assert self.memory is not None
        self.memory.pace(pacing)
        self.scoreboard.steady = self.scoreboard.steady and pacing.steady

    def _accepted(self, kind: str, seen: Observation) -> None:
        if kind == "req":
            assert self.bench.dut.inv_valid.value != HIGH, (
                f"a request was taken in cycle {seen.cycle} while an invalidation waits"
            )
            self._taken.append(seen)
            cycle, entry = self._written
            if cycle == seen.cycle - 1 and entry == self._entry(kind, seen.word):
                self.coverage.hit("table write", "used next")
        elif kind == "inv":
            assert not seen.flag, f"invalidation taken in cycle {seen.cycle} while the cache is busy"
            self.coverage.hit("invalidate", "busy" if seen.waited else "idle")
            if self.seen["req"].waiting:
                self.coverage.hit("invalidate", "request waits")
        else:
            self._written = seen.cycle, self._entry(kind, seen.word)
            self.coverage.hit("table write", "traffic" if self.outstanding else "quiet")
        self.reference.accept(kind, seen)

    def _entry(self, stream: str, word: int) -> tuple[int, int]:
        fields = self.cfg.streams[stream].unpack(word)
        return fields["tex"], fields["level"]

    def _asked(self, seen: Observation) -> None:
        open_lines = self.axi.outstanding
        self.coverage.hit("outstanding", ("1", "2", "3+")[min(open_lines, 3) - 1])
        if open_lines == self.cfg.fifo.depth:
            self.coverage.hit("outstanding", "data FIFO full")
        self.counters.hit_many("address wait", bucket(np.array([seen.waited]), plan.WAITS))

    def _arrived(self, seen: Observation) -> None:
        if seen.word:
            self._errors += 1
            self.coverage.hit("error beat", f"beat {seen.word - 1}")
        self.scoreboard.line_arrived(seen)

    def _stop(self, seen: Observation) -> None:
        assert not self.stopped, f"stop in cycle {seen.cycle} without a begin after the one before"
        self.stops.append((seen.cycle, -1))
        self.coverage.hit("stop", "stop")
        self.coverage.hit("stop", "result held back" if self.seen["res"].waiting else "memory slow")

    def _begin(self, seen: Observation) -> None:
        assert self.stopped, f"begin in cycle {seen.cycle} without a stop before"
        self.stops[-1] = self.stops[-1][0], seen.cycle
        self.coverage.hit("stop", "begin")

    @property
    def stopped(self) -> bool:
        """Whether a stop waits for its begin."""
        return bool(self.stops) and self.stops[-1][1] < 0

    @property
    def outstanding(self) -> int:
        """Footprints accepted and not answered."""
        results = self.scoreboard.by_name["res"]
        return len(self._taken) - len(results.matched) - len(results.seen)

    def idle(self) -> bool:
        """See :meth:`BlockEnv.idle`."""
        return not self.outstanding and not self.axi.outstanding and self.bench.dut.busy.value != HIGH

    def state(self) -> str:
        """See :meth:`BlockEnv.state`."""
        return (
            f"{self.outstanding} footprints unanswered, {self.axi.outstanding} lines on their way, "
            f"{'stopped' if self.stopped else 'not stopped'}, busy={self.bench.dut.busy.value}"
        )

    def reset(self) -> None:
        """See :meth:`BlockEnv.reset`; counts begin again."""
        state = "stopped" if self.stopped else "outstanding" if self.axi.outstanding else "idle"
        self.coverage.hit("reset", state)
        super().reset()
        self.coverage.reset()
        if self.memory is not None:
            self.memory.reset()
        self.stops.clear()
        self._taken.clear()
        self._errors = 0

    def observed(self) -> dict[str, int]:
        """The same counters, from what the monitors saw since reset, as far as pins show it."""
        events = unpack_words(
            self.cfg.streams["evt"], [seen.word for seen in self.scoreboard.by_name["evt"].matched]
        )
        slots = range(self.cfg.slots)
        total = {
            name: sum(int(events[f"{name}{slot}"].sum()) for slot in slots)
            for name in ("valid", "hit", "evict")
        }
        footprints = int(events["last"].sum())
        return {
            "footprints": len(self.scoreboard.by_name["res"].matched),
            "lookups": total["valid"],
            "hits": total["hit"],
            "misses": total["valid"] - total["hit"],
            "evictions": total["evict"],
            "errors": self._errors,
            "conflict_cycles": len(events["last"]) - footprints,
            "result_wait_cycles": self.seen["res"].waits,
        }

    def final_checks(self) -> None:
        """Counters of RTL, model and monitors agree; all was checked."""
        super().final_checks()
        rtl, model, seen = self.performance(), self.model.model.counters, self.observed()
        for name, value in rtl.items():
            others = {"model": model.get(name, value), "monitors": seen.get(name, value)}
            if set(others.values()) != {value}:
                self.scoreboard.fail(
                    f"counter {name}: rtl {value}, " + ", ".join(f"{k} {v}" for k, v in others.items())
                )
        self._check_stops(rtl)

    def _check_stops(self, rtl: dict[str, int]) -> None:
        """From stop to begin, both included, no request is taken; begin comes when all waiting are served."""
        taken = np.array([seen.cycle for seen in self._taken], np.int64)
        answered = np.array([seen.cycle for seen in self.scoreboard.by_name["res"].matched], np.int64)
        waiting = np.zeros(self.bench.clocking.cycle + 1, np.int64)
        for seen in self._taken:
            waiting[seen.cycle - seen.waited : seen.cycle] = 1
        stopped = 0
        for stop, begin in self.stops:
            assert begin >= 0, f"stop in cycle {stop} without a begin"
            early = taken[(taken >= stop) & (taken <= begin)]
            if len(early):
                self.scoreboard.fail(
                    f"a request was taken in cycle {early[0]}, stopped from {stop} to {begin}"
                )
            left = int((taken < begin).sum() - (answered < begin).sum())
            if self.cfg.resume == "drained" and left > 1:
                self.scoreboard.fail(f"begin in cycle {begin}, but {left} footprints still wait")
            stopped += int(waiting[stop : begin + 1].sum())
        counts = {"stop_cycles": stopped, "request_wait_cycles": int(waiting.sum()) - stopped}
        for name, value in counts.items():
            if rtl[name] != value:
                self.scoreboard.fail(f"counter {name}: rtl {rtl[name]}, monitors {value}")

    def summary(self) -> dict[str, Any]:
        """Figures since the test began or, where the design counts, since its last reset."""
        model = self.model.model.counters
        results = self.scoreboard.by_name["res"]
        return {
            "checked": results.checked,
            "announced": results.announced or 0,
            "lookups": model["lookups"],
            "hits": model["hits"],
            "latency checks": sum(self.scoreboard.latency_checked.values()),
        }
