# SPDX-License-Identifier: Apache-2.0
"""The base of all tests: clocks, reset, a virtual sequence, watchdog, end of test, and what is kept of it."""

import json
import logging
import time
from pathlib import Path
from typing import Any, ClassVar

import cocotb
from cocotb.triggers import Timer
from cocotb.utils import get_sim_time
from pyuvm import ConfigDB, uvm_test

from tb.common.components.bench import KEY, Bench
from tb.common.components.env import BlockEnv
from tb.common.components.transactions import TransactionLog
from tb.common.components.virtual_sequence import VirtualSequence
from tb.common.engine.engine import Engine
from tb.common.running import settings
from utils.aside import listening
from utils.files import write_atomic

PATIENCE = 20  # the watchdog waits so many times the memory's latency, plus
PATIENCE_CYCLES = 3000
ASLEEP = 10  # and so many times that where nothing is owed: a sequence waits for something that never comes
LOOK_EVERY = 100  # cycles between two looks of the watchdog
TELL_EVERY = 0.2  # seconds between two reports of progress
ROUND = 1 << 32  # picoseconds, of which a test begins at a multiple: sync_bit draws by the rest
QUIET = 20  # cycles after the last answer, for what should not come


class ErrorCounter(logging.Handler):
    """Counts ERROR records: whoever logs one wants the test to fail."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.texts: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Keep the text."""
        self.texts.append(record.getMessage())


class BaseTest(uvm_test):
    """Starts ``sequence`` on the environment's sequencer, between a reset and the end-of-test checks.

    A test fails by any exception in any component, an ERROR record, a design that makes no progress, or a
    scoreboard that has not checked what was announced. Afterwards the run's folder holds ``<test>.log`` (the
    transactions, failed or not) and, of a test that passed, ``<test>.json`` (summary and coverage).
    """

    env_class: ClassVar[type[BlockEnv]]
    foreign: ClassVar[bool] = False  # whether there are components that wait for edges of a clock
    sequence: ClassVar[type[VirtualSequence]]
    test_name: ClassVar[str]  # set by @testcase
    label: ClassVar[str]  # the same of one of several runs of the test
    env: BlockEnv

    def build_phase(self) -> None:
        """Make the bench known and build the environment. Overrides of the factory come before."""
        current = settings.current()
        dut: Any = cocotb.top
        engine = Engine(current.cfg.top(), foreign=self.foreign)
        clockings = {
            name: engine.clocking(getattr(dut, name), period, late=number % 2)
            for number, (name, period) in enumerate(current.cfg.clocks.items())
        }
        repro = current.repro.format(test=self.test_name)
        seed = int(cocotb.RANDOM_SEED)
        self.bench = Bench(dut, current.cfg, current, clockings, TransactionLog(), seed, repro, engine)
        self.clocking = self.bench.clocking
        self.folder = Path(current.folder)
        ConfigDB().set(None, "*", KEY, self.bench)
        self.errors = ErrorCounter()
        logging.getLogger().addHandler(self.errors)
        self.began = self.reported = time.monotonic()
        self.env = self.env_class.create("env", self)

    async def run_phase(self) -> None:
        """Reset, the sequence, end of test."""
        self.raise_objection()
        watchdog = cocotb.start_soon(self._watch())
        try:
            with listening(self._tell):
                if rest := -int(get_sim_time("ps")) % ROUND:
                    await Timer(rest, "ps")
                for clocking in self.bench.clockings.values():
                    clocking.start()
                await self.clocking.cycles(1)
                await self.env.resets.pulse(kind="all")
                await self.sequence().start(self.env.sequencer)
                await self.drain()
            watchdog.cancel()
        finally:
            logging.getLogger().removeHandler(self.errors)
            self.bench.log.save(self.folder / f"{self.test_name}.log")
        self.drop_objection()

    async def drain(self) -> None:
        """Wait until everything is answered, and some quiet cycles more."""
        while not self.env.idle():
            await self.clocking.cycles(4)
        await self.clocking.cycles(QUIET)
        self.env.reference.flush()

    async def _watch(self) -> None:
        patience = PATIENCE_CYCLES + PATIENCE * self.bench.cfg.memory.latency
        last, still, owing = self.env.progress(), 0, 0
        while True:
            await self.clocking.cycles(LOOK_EVERY)
            self._tell()
            now = self.env.progress()
            still = still + LOOK_EVERY if now == last else 0
            owing = owing + LOOK_EVERY if now == last and self.env.pending() else 0
            last = now
            if owing >= patience or still >= ASLEEP * patience:
                self.env.reference.flush()
                where = f"in cycle {self.clocking.cycle}: {self.env.state()}"
                self.bench.fail(f"nothing has moved for {still} cycles, {where}")

    def _tell(self, aside: str = "") -> None:
        """Report progress now and then, and at once what is done ``aside``, such as compiling."""
        now = time.monotonic()
        if aside or now - self.reported > TELL_EVERY:
            self.reported = now
            report = {"test": self.test_name, "cycle": self.clocking.cycle, "aside": aside}
            figures = {} if aside else self.env.summary()
            write_atomic(self.folder / "progress.json", json.dumps(report | figures))

    def check_phase(self) -> None:
        """Nothing logged as an error, and something compared."""
        assert not self.errors.texts, f"{len(self.errors.texts)} ERROR records: {self.errors.texts[0]}"
        if not self.sequence.silent and not self.env.summary()["checked"]:
            self.bench.fail("nothing was compared with the model")

    def report_phase(self) -> None:
        """Keep the summary and the coverage."""
        seconds = time.monotonic() - self.began
        figures = {"cycles": self.clocking.cycle, "seconds": round(seconds, 3), **self.env.summary()}
        kept = {
            "test": self.test_name, "summary": figures, "coverage": self.env.counters.counts(),
            "coincidences": self.env.coincidences(),
        }  # fmt: skip
        write_atomic(self.folder / f"{self.label}.json", json.dumps(kept, indent=1))
