# SPDX-License-Identifier: Apache-2.0
"""The base of all tests: clock, reset, watchdog, end of test, and what is kept of it."""

import importlib
import json
import logging
import time
from pathlib import Path
from typing import Any, ClassVar, Literal

import cocotb
from pyuvm import ConfigDB, uvm_test

from configs.files import write_atomic
from tb.common.components.bench import KEY, Bench
from tb.common.components.clocking import Clocking
from tb.common.components.env import BlockEnv
from tb.common.components.transactions import TransactionLog
from tb.common.running import settings

PATIENCE = 20  # the watchdog waits so many times the memory's latency, plus
PATIENCE_CYCLES = 3000
LOOK_EVERY = 100  # cycles between two looks of the watchdog
TELL_EVERY = 0.2  # seconds between two reports of progress

#: the design alone; the memory's side alone, which resets the design too; both, as at power-up
Reset = Literal["block", "memory", "all"]


class ErrorCounter(logging.Handler):
    """Counts ERROR records: whoever logs one wants the test to fail."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.texts: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Keep the text."""
        self.texts.append(record.getMessage())


class BaseTest(uvm_test):
    """Runs ``body`` between a reset and the end-of-test checks.

    A test fails by any exception in any component, an ERROR record, a design that makes no progress, or a
    scoreboard that has not checked what was announced. Afterwards the run's folder holds ``<test>.log`` (the
    transactions, failed or not) and, of a test that passed, ``<test>.json`` (summary and coverage).
    """

    env_class: ClassVar[type[BlockEnv]]
    test_name: ClassVar[str]  # set by @testcase
    env: Any

    def build_phase(self) -> None:
        """Make the bench known and build the environment."""
        told = settings.current()
        seed = int(cocotb.RANDOM_SEED)
        dut: Any = cocotb.top
        clockings = {
            name: Clocking(getattr(dut, name), period, late=number % 2)
            for number, (name, period) in enumerate(told.cfg.clocks.items())
        }
        repro = told.repro.format(test=self.test_name)
        self.bench = Bench(dut, told.cfg, told, clockings, TransactionLog(), seed, repro)
        self.clocking, self.cfg, self.count = self.bench.clocking, told.cfg, told.count
        self.rng = self.bench.rng("test")
        self.folder = Path(told.folder)
        ConfigDB().set(None, "*", KEY, self.bench)
        self.errors = ErrorCounter()
        logging.getLogger().addHandler(self.errors)
        self.began = self.told = time.monotonic()
        self._drive_resets(1, "all")
        self.env = self.env_class("env", self)

    async def run_phase(self) -> None:
        """Reset, body, end of test."""
        self.raise_objection()
        watchdog = cocotb.start_soon(self._watch())
        try:
            for clocking in self.bench.clockings.values():
                clocking.start()
            await self.clocking.cycles(1)
            await self.reset(kind="all")
            await self.body()
            await self.drain()
            watchdog.cancel()
        finally:
            logging.getLogger().removeHandler(self.errors)
            self.bench.log.save(self.folder / f"{self.test_name}.log")
        self.drop_objection()

    def choose(self, knob: str) -> Any:
        """An option of ``tb/<block>/knobs.py``: the one that the run is steered to, else any."""
        options = importlib.import_module(f"tb.{self.cfg.block}.knobs").KNOBS[knob]
        told = self.bench.settings.steer.get(knob)
        return options[told] if told else list(options.values())[self.rng.integers(len(options))]

    async def body(self) -> None:
        """What the test is about."""
        raise NotImplementedError

    async def reset(self, cycles: int = 2, kind: Reset = "block") -> None:
        """Reset the design for some cycles, and all that watches it. Call it while driving is allowed."""
        self._reset(kind)
        self._drive_resets(1, kind)
        self.env.reset()
        await self.clocking.cycles(cycles)
        self._drive_resets(0, kind)
        self._release()

    def _drive_resets(self, level: int, kind: Reset) -> None:
        if kind != "memory":
            for name in self._reset_inputs():
                getattr(self.bench.dut, name).value = level
        if kind != "block":
            self.bench.dut.m_axi_rst.value = level

    def _reset_inputs(self) -> list[str]:
        return [name.replace("clk", "rst") for name in self.bench.clockings]

    def _reset(self, kind: Reset) -> None:
        for clocking in self.bench.clockings.values():
            clocking.reset(axi=kind != "block")

    def _release(self) -> None:
        for clocking in self.bench.clockings.values():
            clocking.release()
        self.clocking.on_sample(self._known)

    def _known(self) -> bool:
        self.env.check_known()
        return False

    async def drain(self) -> None:
        """Wait until everything is answered, and some quiet cycles more for what should not come."""
        while not self.env.idle():
            await self.clocking.cycles(4)
        await self.clocking.cycles(20)
        self.env.reference.flush()

    async def _watch(self) -> None:
        patience = PATIENCE_CYCLES + PATIENCE * self.cfg.memory.latency
        last, since = self.env.progress(), 0
        while True:
            await self.clocking.cycles(LOOK_EVERY)
            self._tell()
            now = self.env.progress()
            since = since + LOOK_EVERY if now == last and self.env.pending() else 0
            last = now
            if since >= patience:
                self.env.reference.flush()
                raise AssertionError(
                    f"nothing has moved for {since} cycles, in cycle {self.clocking.cycle}: "
                    f"{self.env.state()}\n"
                    f"  repeat with: {self.bench.repro}"
                )

    def _tell(self) -> None:
        now = time.monotonic()
        if now - self.told > TELL_EVERY:
            self.told = now
            report = {"test": self.test_name, "cycle": self.clocking.cycle, **self.env.summary()}
            write_atomic(self.folder / "progress.json", json.dumps(report))

    def check_phase(self) -> None:
        """Nothing missing, nothing logged as an error."""
        self.env.final_checks()
        assert not self.errors.texts, f"{len(self.errors.texts)} ERROR records: {self.errors.texts[0]}"

    def report_phase(self) -> None:
        """Keep the summary and the coverage."""
        seconds = time.monotonic() - self.began
        figures = {"cycles": self.clocking.cycle, "seconds": round(seconds, 3), **self.env.summary()}
        kept = {"test": self.test_name, "summary": figures, "coverage": self.env.counters.counts()}
        write_atomic(self.folder / f"{self.test_name}.json", json.dumps(kept, indent=1))
