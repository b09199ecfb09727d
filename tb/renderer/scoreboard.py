# SPDX-License-Identifier: Apache-2.0
"""Compares the words of ``pix`` in order, and what is written with what may be; counts at the ports."""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from pyuvm import uvm_component

from configs import MemoryTiming
from configs.zcache.counters import CAUSES
from tb.common.components.agent import StreamMonitor
from tb.common.components.axi.bursts import SLVERR
from tb.common.components.axi.handshake import BurstEvent
from tb.common.components.bench import KEY, Bench
from tb.common.components.counters import Bounds, Sum
from tb.common.components.scoreboard import Scoreboard
from tb.common.components.transactions import AnalysisImp, Observation
from tb.renderer.depths import Depths
from tb.renderer.reference import CHANNELS
from tb.zcache.items import LINE_BYTES


def nearest(data: bytes, versions: Iterable[bytes]) -> str:
    """The words in which a line differs from the one of ``versions`` that is most like it."""
    got = np.frombuffer(data, "<u4")
    others = [np.frombuffer(version, "<u4") for version in versions]
    most = min(others, key=lambda version: int((version != got).sum()), default=got)
    wrong = np.flatnonzero(most != got)
    shown = [f"word {at}: {got[at]:#x}, stored {most[at]:#x}" for at in wrong[:2]]
    return ", ".join(shown + [f"and {len(wrong) - 2} more words"] * (len(wrong) > 2))


class RendererScoreboard(Scoreboard):
    """Channel ``pix``; ``writes``: bursts that have their data, each of which ``depths`` must know."""

    channels = CHANNELS
    depths: Depths  # set by the environment when it connects
    steady = True  # common tests say when memory's timing is not the configuration's; nothing hangs on it
    timing: MemoryTiming | None = None

    def build_phase(self) -> None:
        super().build_phase()
        self.writes = AnalysisImp("writes", self, self._write)
        self.written = 0  # bursts compared, since the test began

    def explain(self, channel: str, index: int, expected: int, transfer: Observation) -> str:
        head = f"word {index} of {channel} in cycle {transfer.cycle}"
        return "\n".join([head, *self.differences(channel, expected, transfer.word)])

    def _write(self, event: BurstEvent) -> None:
        data = b"".join(beat.to_bytes(16, "little") for beat, _ in event.beats)
        versions = self.depths.may_be(event.burst.address // LINE_BYTES)
        if data not in versions:
            what = (
                f"the tests stored {len(versions)} versions there, "
                f"the nearest differs in {nearest(data, versions)}"
            )
            self.fail(
                f"cycle {event.cycle}: the write of {event.burst.address:#x} has other data: "
                f"{what if versions else 'nothing was stored there'}"
            )
        self.written += 1


def sums(
    depth: Mapping[str, int], units: Sequence[Mapping[str, int]], ports: "PortCounts | None"
) -> list[Sum]:
    """What must hold among the counters of the depth cache and of the texture units, whatever they did; and,
    if nothing was reset meanwhile, between these and what ``ports`` show.
    """
    looked = sum(depth.get(name, 0) for name in ("hits", "lates", "misses", "rejected"))
    waits = sum(depth[f"{why}_wait_cycles"] for why in CAUSES)
    checks = [
        Sum("zcache_perf, tiles that needed a line", looked, Bounds(most=depth["tiles"])),
        Sum("zcache_perf, waits by cause", waits, depth["wait_cycles"]),
        Sum("zcache_perf, useful", depth["useful"], Bounds(most=depth["prefetches"])),
        Sum("zcache_perf, unused", depth["unused"], Bounds(most=depth["evictions"])),
    ]
    for n, unit in enumerate(units):
        looked = unit["repeats"] + unit["hits"] + unit["misses"]
        checks += [
            Sum(f"texunit_perf{n}, queries by what became of them", looked, unit["queries"]),
            Sum(f"texunit_perf{n}, evictions", unit["evictions"], Bounds(most=unit["misses"])),
            Sum(f"texunit_perf{n}, misses", unit["misses"], Bounds(most=unit["memory_wait_cycles"])),
        ]
    if ports:
        texture, depths = ports.reads
        lines = depth["fills"] + depth["prefetches"] - depth.get("blanks", 0)
        missed = sum(unit["misses"] for unit in units)
        checks += [
            Sum("zcache_perf, lines that were read", lines, depths),
            Sum("zcache_perf, writebacks", depth["writebacks"], ports.writes),
            Sum("misses of all texture units", missed, Bounds(most=texture)),
        ]
    return checks


class PortCounts(uvm_component):
    """Counts what the ports show since reset: a witness for the renderer's own counters."""

    pix: StreamMonitor  # set by the environment when it connects

    def build_phase(self) -> None:
        self.words = AnalysisImp("words", self, self._word)
        self.read = AnalysisImp("read", self, self._read)
        self.write = AnalysisImp("write", self, self._write)
        self.lines = AnalysisImp("lines", self, self._line)
        self.answers = AnalysisImp("answers", self, self._answer)
        self.bench: Bench = self.cdb_get(KEY)
        channels = self.bench.cfg.axi_ports["m_axi"].channels
        self._id = channels["r"], self.bench.cfg.axi.inner_id_bits
        self.reset()

    def reset(self) -> None:
        """The counters begin again."""
        self.tiles = self.written = 0
        self.beats, self.reads = [0, 0], [0, 0]  # by master
        self.writes = 0  # bursts that memory did not refuse

    def _word(self, transfer: Observation) -> None:
        self.tiles += transfer.word & 1

    def _read(self, transfer: Observation) -> None:
        if not self.bench.clocking.in_reset:
            self.beats[self.master(transfer.word)] += 1

    def _write(self, transfer: Observation) -> None:
        self.written += not self.bench.clocking.in_reset

    def _line(self, event: BurstEvent) -> None:
        self.reads[event.burst.id >> self._id[1]] += 1

    def _answer(self, event: BurstEvent) -> None:
        self.writes += event.word < SLVERR

    def master(self, word: int) -> int:
        """Of a logged transfer of R (response, last, id): which master's it is."""
        return word >> 3 + self._id[1] & 1

    def counters(self) -> dict[str, int]:
        """See :data:`Witness`."""
        texture, depth = self.beats
        return {
            "tiles": self.tiles, "texture_beats": texture, "depth_beats": depth,
            "written_beats": self.written, "result_wait_cycles": self.pix.waits,
        }  # fmt: skip
