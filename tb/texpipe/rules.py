# SPDX-License-Identifier: Apache-2.0
"""Rules of a pipelined texture unit: what follows what, at which distance, and what is read from memory."""

from bisect import bisect_left
from collections import deque

from pyuvm import uvm_component

from configs.texpipe.schema import Config
from models.texpipe.timing import FILTER_CYCLES, LEVEL_CYCLES, MIXER_CYCLES
from tb.common.components.axi.handshake import BurstEvent
from tb.common.components.axi.monitor import AxiMonitor
from tb.common.components.bench import KEY, Bench
from tb.common.components.transactions import AnalysisImp, Observation
from tb.texpipe.reference import Reads
from tb.texunit.rules import UnitChecker


class FlightChecker(UnitChecker):
    """Counts what is in a unit: results are of quads that it took; what it holds is bounded.

    A quad's level takes ``LEVEL_CYCLES`` at least, a pixel that was read ``FILTER_CYCLES`` exactly: nothing
    stops it on its way. One that is mixed left the filter ``MIXER_CYCLES`` before. Each word of the observers
    belongs to a beat of the cycle before.
    """

    def __init__(self, name: str, parent: uvm_component) -> None:
        super().__init__(name, parent)
        self.events = AnalysisImp("events", self, self._event)
        self.timed = 0

    def reset(self) -> None:
        """The unit forgets what it took."""
        super().reset()
        self.handed: dict[str, list[int]] = {}  # cycles of handshakes since reset, of stages that are timed
        self._levels: deque[int] = deque()
        self._pixels: deque[int] = deque()
        self._beats: deque[int] = deque()
        self._sampled: deque[int] = deque(maxlen=MIXER_CYCLES + 1)

    def _event(self, transfer: Observation) -> None:
        if not self._beats or self._beats.popleft() != transfer.cycle - 1:
            self._fail(transfer.cycle, "look-ups are shown that were not decided in the cycle before")

    def _probe(self, transfer: Observation) -> None:
        now, probe = transfer.cycle, self.probe.unpack(transfer.word)
        self.prims_in_setup -= probe["prim_done"]
        for name in ("quad_in", "quad_out", "pixel_out", "beat", "read"):
            if probe[name]:
                self.handed.setdefault(name, []).append(now)
        if probe["quad_out"]:
            self._time("a quad's level", now, self._levels, LEVEL_CYCLES, exact=False)
        if probe["quad_in"]:
            self._levels.append(now)
        if probe["sampled"]:
            self._time("a pixel from its read on", now, self._pixels, FILTER_CYCLES, exact=True)
            self._sampled.append(now)
        if probe.get("mixed") and now - MIXER_CYCLES not in self._sampled:
            self._fail(now, f"a pixel was mixed that did not leave the filter {MIXER_CYCLES} cycles before")
        if probe["read"]:
            self._pixels.append(now)
        if probe["beat"]:
            self._beats.append(now)

    def _time(self, what: str, now: int, entered: deque[int], want: int, *, exact: bool) -> None:
        if not entered:
            self._fail(now, f"{what}: it never went in")
        took = now - entered.popleft()
        self.timed += 1
        if took < want or (exact and took != want):
            self._fail(now, f"{what} took {took} cycles, expected {'' if exact else 'at least '}{want}")


class Wanted:
    """The lines that a unit is going to read, and which of them may be next.

    A table may lie where a quad's line is, so that an address does not tell which of the two it was for: all
    that may have been read is remembered, as numbers of lines of tables and of quads.
    """

    def __init__(self) -> None:
        self._tables: list[int] = []  # lines of all tables, one after the other
        self._ends = [0]  # of each table there
        self._quads: list[tuple[int, int]] = []  # lines, each with the tables that are read before it
        self._read = {(0, 0)}

    @property
    def left(self) -> list[int]:
        """All that is still to be read, tables first."""
        tables, quads = max(self._read)
        return [*self._tables[tables:], *(line for line, _ in self._quads[quads:])]

    @property
    def next(self) -> dict[tuple[int, int], int]:
        """What may be read now, with what has been then."""
        reads = {}
        for tables, quads in self._read:
            if tables < len(self._tables):
                reads[tables + 1, quads] = self._tables[tables]
            whole = bisect_left(self._ends, tables)  # tables, also those that are begun
            if quads < len(self._quads) and self._ends[whole] == tables and self._quads[quads][1] <= whole:
                reads[tables, quads + 1] = self._quads[quads][0]
        return reads

    def add(self, reads: Reads) -> None:
        """What follows from another primitive or quad."""
        if reads.table:
            self._tables += reads.lines
            self._ends.append(len(self._tables))
        else:
            self._quads += [(line, len(self._ends) - 1) for line in reads.lines]

    def take(self, line: int) -> bool:
        """A line is read: whether it may be."""
        reads = {read for read, candidate in self.next.items() if candidate == line}
        self._read = reads or self._read
        return bool(reads)


class ReadChecker(uvm_component):
    """Compares each address at the memory's port with what its unit is going to read.

    Lines of quads come in order, so do those of colour tables. A table's come one after the other, with none
    of a quad between; before those of quads behind its primitive, and maybe before those of quads that are
    not looked up yet.

    An address that waits at a reset of the design stays until it is taken. That of a unit alone is seen at
    the port before the reset ends, and does not come here. Of several units one may wait behind another:
    then the first address of a unit may be one that it wanted before.
    """

    port: AxiMonitor  # set by the environment

    def build_phase(self) -> None:
        self.reads = AnalysisImp("reads", self, self._reads)
        self.addresses = AnalysisImp("addresses", self, self._address)
        self.compared = 0
        self.bench: Bench = self.cdb_get(KEY)
        self.cfg: Config = self.bench.cfg
        self.wanted = [Wanted() for _ in range(self.cfg.units)]
        self.stale: list[set[int]] = [set() for _ in range(self.cfg.units)]

    def reset(self) -> None:
        """The units forget what they want; an address on offer stays, over another reset, too."""
        for stale, mine in zip(self.stale, self.wanted, strict=True):
            if self.bench.clocking.axi_in_reset:
                stale.clear()
            elif self.cfg.units > 1:
                stale.update(mine.left)
        self.wanted = [Wanted() for _ in range(self.cfg.units)]

    @property
    def open(self) -> bool:
        """Whether lines are still to be read."""
        return any(mine.left for mine in self.wanted)

    def _reads(self, reads: Reads) -> None:
        self.wanted[reads.unit].add(reads)

    def _address(self, event: BurstEvent) -> None:
        unit, line = event.burst.id, event.word >> self.cfg.cache.offset_bits
        mine, stale = self.wanted[unit], self.stale[unit]
        self.stale[unit] = set()
        if mine.take(line):
            self.compared += 1
            if line in stale:  # it may be from before the reset: then it comes again
                self.stale[unit] = {line}
        elif line not in stale:
            want = " or ".join(f"line {candidate:#x}" for candidate in mine.next.values()) or "nothing"
            self.bench.fail(f"unit {unit}, cycle {event.cycle}: line {line:#x} is read: expected {want}")

    def check_phase(self) -> None:
        """All that was wanted was read, and the units took each beat at once."""
        for unit, mine in enumerate(self.wanted):
            if left := mine.left:
                self.bench.fail(f"unit {unit}: {len(left)} lines were not read, the first is {left[0]:#x}")
        if waits := self.port.channel("r").waits:
            self.bench.fail(f"data of memory waited for {waits} cycles: expected 0")
