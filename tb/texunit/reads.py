# SPDX-License-Identifier: Apache-2.0
"""What the texture units read from memory: only what is wanted, once, in its cycle, first come, first served.

A query that misses wants its line; a primitive with a colour table wants the table's. Whether a query is to
miss, and of which line, is the scoreboard's affair: this compares the address on the bus with the query.
"""

from collections import deque
from functools import partial
from typing import Any, NamedTuple

from pyuvm import uvm_component

from configs.texunit.schema import Config
from models.texunit import table_lines
from models.texunit.timing import (
    ANSWER_CYCLES,
    ASK_CYCLES,
    PLACE_CYCLES,
    SETUP_CYCLES,
    TABLE_ASK_CYCLES,
    TABLE_END_CYCLES,
)  # fmt: skip
from tb.common.components.axi.handshake import BurstEvent
from tb.common.components.axi.monitor import AxiMonitor
from tb.common.components.bench import KEY, LOW, Bench
from tb.common.components.transactions import AnalysisImp, Observation
from tb.texunit.items import prim_of


class Served(NamedTuple):
    """A read whose address was taken in ``cycle``; its unit had it on offer from ``asked`` on."""

    cycle: int
    asked: int
    unit: int


class Reader:
    """What a unit wants of memory, and what it got."""

    def __init__(self) -> None:
        self.prims: deque[int] = deque()  # words of primitives that have not reached the unit
        self.query: int | None = None  # cycle in which the query that is not yet answered was taken
        self.line: int | None = None  # what was read for it
        self.ended = 0  # cycle of the last line's last beat
        self.began = 0  # cycle in which the last primitive reached the unit
        self.swept = 0  # first cycle in which the cache does not sweep
        self.table: list[int] = []  # lines that it wants
        self.asked: list[int] = []  # cycles in which they were asked for
        self.came: list[int] = []  # cycles of their last beats
        self.setting_up = False

    @property
    def loading(self) -> bool:
        """Lines of a colour table are not yet asked for."""
        return len(self.asked) < len(self.table)

    def wanted(self, places: int) -> int | None:
        """The cycle from which on the next line is on offer; None: none is wanted."""
        if not self.loading:
            return None if self.query is None or self.line is not None else self.query + ASK_CYCLES
        number = len(self.asked)
        since = [self.began + TABLE_ASK_CYCLES]
        if number:
            since.append(self.asked[-1] + 1)
        if places <= number < places + len(self.came):
            since.append(self.came[number - places] + PLACE_CYCLES)
        return max(since)


class ReadChecker(uvm_component):
    """Compares each address with what its unit wants, and when; and what follows from lines that come.

    Memory answers what was asked before a reset; until that is over, cycles are not compared. Data never
    waits. ``table_lines`` counts lines of colour tables asked for.
    """

    port: AxiMonitor  # set by the environment

    def build_phase(self) -> None:
        """An input from each unit's primitives, events and handshakes."""
        self.addresses = AnalysisImp("addresses", self, self._address)
        self.lines = AnalysisImp("lines", self, self._line)
        self.origins = AnalysisImp("origins", self, self._origin)
        self.table_lines = self.timed = 0
        self.bench: Bench = self.cdb_get(KEY)
        self.cfg: Config = self.bench.cfg
        methods = {"prim": self._prim, "evt": self._event, "probe": self._probe}
        self.inputs = {
            f"{name}{n}": AnalysisImp(f"{name}{n}", self, partial(method, n))
            for n in range(self.cfg.units)
            for name, method in methods.items()
        }
        self.reset()

    def reset(self) -> None:
        """The units forget what they want; memory does not."""
        self.readers = [Reader() for _ in range(self.cfg.units)]
        self.served: deque[Served] = deque(maxlen=self.cfg.units * self.cfg.axi.outstanding)
        self.exact = False  # nothing from before the reset is under way any more
        self.stale = [True] * self.cfg.units  # an address from before may be on its way
        self.late = [0] * self.cfg.units  # lines of such addresses that are still to come

    def _origin(self, cycle: int) -> None:
        for reader in self.readers:
            reader.swept = cycle + self.cfg.cache.sets

    def _prim(self, unit: int, transfer: Observation) -> None:
        self.readers[unit].prims.append(transfer.word)

    def _event(self, unit: int, transfer: Observation) -> None:
        event, reader, now = (
            self.cfg.streams[f"evt{unit}"].unpack(transfer.word),
            self.readers[unit],
            transfer.cycle,
        )
        missed = not event["hit"] and not event["repeat"]
        read, reader.query, reader.line = reader.line, None, None
        if missed != (read is not None):
            want = "a read of its line" if missed else "no read"
            self._fail(unit, now, f"a query for line {event['line']:#x} was answered: expected {want}")
        if missed and read != event["line"]:
            self._fail(unit, now, f"a query for line {event['line']:#x} was answered with line {read:#x}")
        if missed:
            self._timed(unit, "a miss was answered", now, reader.ended + ANSWER_CYCLES)

    def _probe(self, unit: int, transfer: Observation) -> None:
        probe, reader, now = (
            self.cfg.streams[f"probe{unit}"].unpack(transfer.word),
            self.readers[unit],
            transfer.cycle,
        )
        if probe["prim_done"]:
            self._set_up(unit, reader, now)
        if probe["prim_in"]:
            self._settle()
            self._begin(reader, prim_of(self.cfg, reader.prims.popleft()), now)
        if probe["query_in"]:
            self._settle()
            reader.query = now

    def _begin(self, reader: Reader, prim: Any, now: int) -> None:
        reader.began, reader.setting_up = now, True
        reader.table, reader.asked, reader.came = table_lines(self.cfg, prim), [], []
        if prim["invalidate"] and now + 2 >= reader.swept:  # a sweep that goes on is not begun anew
            reader.swept = now + 2 + self.cfg.cache.sets

    def _set_up(self, unit: int, reader: Reader, now: int) -> None:
        came, lines = len(reader.came), len(reader.table)
        if not reader.setting_up or came < lines:
            self._fail(
                unit, now, f"a primitive is set up: {came} of {lines} lines of its colour table have come"
            )
        reader.setting_up = False
        ready = reader.came[-1] + TABLE_END_CYCLES if lines else reader.began + SETUP_CYCLES
        self._timed(unit, "a primitive is set up", now, max(ready, reader.swept + 1))

    def _settle(self) -> None:
        """Nothing from before the reset is under way any more."""
        if not self.exact:
            self.exact = self.bench.dut.m_axi_arvalid.value == LOW and not self.port.rules.reads.stale

    def _address(self, event: BurstEvent) -> None:
        unit, now, line = event.burst.id, event.cycle, event.word >> self.cfg.cache.offset_bits
        reader = self.readers[unit]
        wanted = reader.wanted(self.cfg.axi.outstanding)
        tabled = reader.loading
        want = reader.table[len(reader.asked)] if tabled else line
        if wanted is None or line != want:
            if not self.exact and self.stale[unit]:
                self.stale[unit] = False
                self.late[unit] += 1
                return
            expected = f"line {want:#x} of its colour table" if tabled else "nothing"
            self._fail(unit, now, f"line {line:#x} is read: expected {expected}")
        if tabled:
            reader.asked.append(now)
            self.table_lines += 1
        else:
            reader.line = line
        assert wanted is not None
        before = self.served[-1].cycle + 1 if self.served else 0
        mine = Served(now, wanted, unit)
        for other in self.served:
            if self.exact and other.cycle >= wanted and other[1:] > mine[1:]:
                self._fail(
                    unit, now,
                    f"line {line:#x}, on offer since cycle {wanted}, was served after unit {other.unit}, "
                    f"which asked in cycle {other.asked}",
                )  # fmt: skip
        self._timed(unit, f"line {line:#x} was asked for", now - event.waited, max(wanted, before))
        self.served.append(mine)

    def _line(self, event: BurstEvent) -> None:
        unit = event.burst.id
        reader = self.readers[unit]
        if self.late[unit]:
            self.late[unit] -= 1
            return
        if len(reader.came) < len(reader.asked):
            reader.came.append(event.cycle)
        reader.ended = event.cycle

    def check_phase(self) -> None:
        """The unit took each beat at once."""
        if waits := self.port.channel("r").waits:
            self.bench.fail(f"data of memory waited for {waits} cycles: expected 0")

    def _timed(self, unit: int, what: str, now: int, want: int) -> None:
        if self.exact:
            self.timed += 1
            if now != want:
                self._fail(unit, now, f"{what}: expected in cycle {want}")

    def _fail(self, unit: int, now: int, text: str) -> None:
        self.bench.fail(f"unit {unit}, cycle {now}: {text}")
