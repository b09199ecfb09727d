# SPDX-License-Identifier: Apache-2.0
"""What is run on the wires, inside the simulator: masters and memories, ours and cocotbext-axi's."""

import logging
from collections import deque
from types import SimpleNamespace
from typing import Any, ClassVar

import cocotb
from cocotbext.axi import AxiBus, AxiMaster, AxiRam
from pyuvm import ConfigDB, uvm_root, uvm_test

from configs import MemoryTiming
from tb.common.components.axi.bursts import FIXED, INCR, PAGE, WRAP, Burst, BurstUse
from tb.common.components.axi.memory import AxiMemory, Contents
from tb.common.components.axi.monitor import AxiMonitor
from tb.common.components.axi.sparse import SparseMemory
from tb.common.components.bench import KEY, Bench
from tb.common.components.pacing import PATIENT, MemoryPacing, Pacing
from tb.common.components.transactions import TransactionLog
from tb.common.engine.engine import Engine
from tests.tb.axi_wires.design import FAULTS, MASTER, SLAVE, TOP
from tests.tb.axi_wires.master import Master, random_burst

ROUNDS, BURSTS, REGIONS = 6, 24, 16
RAM_BYTES = REGIONS * PAGE


class WiresTest(uvm_test):
    """A monitor on each side of the wires; our memory, unless ``with_memory`` is False."""

    with_memory: ClassVar[bool] = True
    fault: ClassVar[int] = 0

    def build_phase(self) -> None:
        """Bench, monitors, memory."""
        dut: Any = cocotb.top
        engine = Engine(TOP, foreign=True)
        self.dut, self.clocking = dut, engine.clocking(dut.clk, 10_000)
        cfg = SimpleNamespace(memory=MemoryTiming(latency=7, gap=0))
        settings: Any = None
        clockings = {"clk": self.clocking}
        self.bench = Bench(
            dut, cfg, settings, clockings, TransactionLog(), int(cocotb.RANDOM_SEED), "", engine
        )
        ConfigDB().set(None, "*", KEY, self.bench)
        self.rng = self.bench.rng("wires")
        dut.fault.value, dut.rst.value = self.fault, 1
        self.contents = Contents(self.bench.seed & 0xFFFFFFFF)
        if self.with_memory:
            self.memory = AxiMemory("memory", self)
            self.memory.port, self.memory.contents = MASTER, self.contents
        self.monitors = []
        for port in (SLAVE, MASTER):
            monitor = AxiMonitor(f"{port.prefix}_monitor", self)
            monitor.port = port
            monitor.read_use = monitor.write_use = BurstUse(ids=port.ids, per_id=port.outstanding)
            monitor.peek = self.contents.read if self.with_memory else None
            self.monitors.append(monitor)

    async def run_phase(self) -> None:
        """Reset, then ``body``."""
        self.raise_objection()
        self.prepare()
        self.clocking.start()
        await self.clocking.cycles(4)
        self.dut.rst.value = 0
        self.clocking.release()
        await self.clocking.cycles(2)
        await self.body()
        for monitor in self.monitors:
            assert not monitor.outstanding
            monitor.rules.check_complete()
        self.drop_objection()

    def prepare(self) -> None:
        """Before the clock starts."""

    async def body(self) -> None:
        """What the test is about."""
        raise NotImplementedError

    def shake(self) -> None:
        """Another behaviour of our memory."""
        paces = [Pacing(float(run), float(pause)) for run, pause in self.rng.integers(1, 7, (5, 2))]
        self.memory.pace(MemoryPacing(int(self.rng.integers(30)), *paces))
        self.memory.mix(reorder=bool(self.rng.integers(2)), interleave=bool(self.rng.integers(2)))
        self.memory.wait_for(self.rng.choice(["any", "address first", "data first"]))


class OwnMaster(WiresTest):
    """Our master against our memory: any burst."""

    def prepare(self) -> None:
        """Rest."""
        self.master = Master(self.dut, SLAVE, self.clocking, self.rng)
        self.model = SparseMemory(self.bench.seed & 0xFFFFFFFF)

    async def body(self) -> None:
        """Traffic."""
        self.master.start()
        await self.rounds()

    async def rounds(self) -> None:
        """Writes, and reads elsewhere; then all is compared."""
        for turn in range(ROUNDS):
            if self.with_memory:
                await self.clocking.cycles(1)
                self.shake()
            regions = self.rng.permutation(REGIONS)
            for region in regions[:8]:
                for _ in range(BURSTS // 8):
                    self.write(self.burst(int(region)))
                self.master.ask(self.burst(int(regions[8 + region % 8])))
            await self.master.settle()
            self.compare(turn)

    def burst(self, region: int) -> Burst:
        """Any burst there."""
        return random_burst(self.rng, MASTER.strobe_bits, region)

    def write(self, burst: Burst) -> None:
        """One write, to the model too. Writes of several ids to one place have no order: an id for each."""
        burst = burst._replace(id=burst.address // PAGE % 16)
        for address, data, strobes in self.master.write(burst):
            self.model.write(address, data, strobes)

    def compare(self, turn: int) -> None:
        """What was read, and what now stands in memory."""
        assert self.master.data, "nothing was read"
        for burst, data in self.master.data:
            want = b"".join(self.model.read(a, b - a) for a, b in map(burst.beat, range(burst.beats)))
            assert data == want, f"{burst} in turn {turn}: expected {want.hex()}, got {data.hex()}"
        self.master.data.clear()
        self.check_responses(turn)
        different = self.contents.differences(self.model.read, self.model.touched)
        assert not different, f"{len(different)} bytes differ, the first: {different[0]}"

    def check_responses(self, turn: int) -> None:
        """All is well."""
        answers = [answer["resp"] for answer in self.master.answers]
        read = [response for _, responses in self.master.responses for response in responses]
        assert answers and read and not any(answers) and not any(read), f"errors in turn {turn}"


class Errors(OwnMaster):
    """Poisoned lines: reads and writes that touch one fail, no others, and what fails is not written.

    The memory is held at reset first, on all channels, and from then on waits for valid.
    """

    LINE = 32

    def prepare(self) -> None:
        """Some lines of each region fail."""
        super().prepare()
        lines = self.rng.choice(RAM_BYTES // self.LINE, RAM_BYTES // self.LINE // 10, replace=False)
        self.poisoned = {int(line) for line in lines}
        self.answers: dict[int, deque[bool]] = {}
        self.checked = self.failed = 0

    async def body(self) -> None:
        """Nothing is taken while the memory is held; then traffic."""
        self.memory.faults.poison(self.poisoned, self.LINE)
        self.memory.hold("ar", "aw", "w")
        self.memory.reset()
        self.memory.pace(MemoryPacing(address=PATIENT, write_beat=PATIENT))
        self.write(self.burst(1))
        self.master.ask(self.burst(2))
        self.master.start()
        await self.clocking.cycles(50)
        assert not self.memory.outstanding and len(self.bench.log) == 0, "taken while held"
        self.memory.release("ar", "aw", "w")
        await self.rounds()
        assert self.failed, "no read failed"

    def fails(self, burst: Burst) -> bool:
        """Whether it touches a poisoned line."""
        spans = map(burst.beat, range(burst.beats))
        return any(at // self.LINE in self.poisoned for first, end in spans for at in range(first, end))

    def write(self, burst: Burst) -> None:
        """See :meth:`OwnMaster.write`."""
        burst = burst._replace(id=burst.address // PAGE % 16)
        self.answers.setdefault(burst.id, deque()).append(self.fails(burst))
        for address, data, strobes in self.master.write(burst):
            if not self.fails(burst):
                self.model.write(address, data, strobes)

    def check_responses(self, turn: int) -> None:
        """Those of what touches a poisoned line are errors, no others."""
        for answer in self.master.answers[self.checked :]:
            assert (answer["resp"] >= 2) == self.answers[answer["id"]].popleft(), f"{answer} in turn {turn}"
        for burst, responses in self.master.responses:
            assert (max(responses) >= 2) == self.fails(burst), f"{burst}: {responses}"
            self.failed += self.fails(burst)
        self.master.responses.clear()
        self.checked = len(self.master.answers)


class OwnMasterForeignMemory(OwnMaster):
    """Our master against cocotbext-axi's AxiRam."""

    with_memory = False

    def prepare(self) -> None:
        """The RAM holds what our memory would."""
        super().prepare()
        self.ram = AxiRam(AxiBus.from_prefix(self.dut, "m_axi"), self.dut.clk, self.dut.rst, size=RAM_BYTES)
        self.ram.write(0, self.model.read(0, RAM_BYTES))

    def compare(self, turn: int) -> None:
        """The RAM's contents are those of the model."""
        self.contents = Contents(1)
        self.contents.write(0, bytes(self.ram.read(0, RAM_BYTES)))
        super().compare(turn)


class ForeignMaster(WiresTest):
    """cocotbext-axi's AxiMaster against our memory: what it writes is where it says, and it reads it back."""

    def prepare(self) -> None:
        """The master; its bursts are counted."""
        self.master = AxiMaster(AxiBus.from_prefix(self.dut, "s_axi"), self.dut.clk, self.dut.rst)

    async def body(self) -> None:
        """Rounds of writes and reads to disjoint regions at the same time, then everything again."""
        image = bytearray(self.contents.read(0, RAM_BYTES))
        for _ in range(ROUNDS):
            await self.clocking.cycles(1)
            self.shake()
            regions = [int(region) for region in self.rng.permutation(REGIONS)]
            tasks = [cocotb.start_soon(self.write(region, image)) for region in regions[:8]]
            tasks += [cocotb.start_soon(self.read(region, image)) for region in regions[8:]]
            for task in tasks:
                await task
            different = self.contents.differences(lambda at, count: bytes(image[at : at + count]))
            assert not different, f"{len(different)} bytes differ, the first: {different[0]}"

    def place(self, region: int) -> tuple[int, int, int, int]:
        """A random (byte address, bytes, size, burst type) in a region.

        cocotbext-axi (0.1.28) moves on to other byte lanes in narrow FIXED bursts, and in WRAP bursts of less
        than the bus's width; AXI does not. So there are none here; our own master sends such.
        """
        size, kind = int(self.rng.integers(4)), int(self.rng.choice([FIXED, INCR, INCR, WRAP]))
        size = 3 if kind == FIXED else size
        beats = int(self.rng.choice([2, 4, 8, 16]))
        if kind == INCR:
            start = int(self.rng.integers(PAGE - 600))
            return region * PAGE + start, int(self.rng.integers(1, 600)), size, kind
        beats = max(beats, MASTER.strobe_bits >> size)
        total = beats << size
        first = int(self.rng.integers((PAGE - 2 * total) // total)) * total
        offset = int(self.rng.integers(beats)) << size if kind == WRAP else 0
        return region * PAGE + first + offset, total, size, kind

    def targets(self, address: int, count: int, size: int, kind: int) -> list[int]:
        """The byte address of each byte that is transferred."""
        if kind == FIXED:
            return [address + at % (1 << size) for at in range(count)]
        low = address // count * count if kind == WRAP else address
        return [low + (address - low + at) % count if kind == WRAP else address + at for at in range(count)]

    async def write(self, region: int, image: bytearray) -> None:
        """Some writes to a region, one after the other."""
        for _ in range(3):
            address, count, size, kind = self.place(region)
            data = self.rng.bytes(count)
            await self.master.write(address, data, awid=region, burst=kind, size=size)
            for at, value in zip(self.targets(address, count, size, kind), data, strict=True):
                image[at] = value

    async def read(self, region: int, image: bytearray) -> None:
        """Some reads."""
        for _ in range(3):
            address, count, size, kind = self.place(region)
            answer = await self.master.read(address, count, arid=region, burst=kind, size=size)
            want = bytes(image[at] for at in self.targets(address, count, size, kind))
            assert answer.data == want, f"{count} bytes at {address:#x}, size {size}, type {kind}"


def register(test: type[WiresTest], name: str) -> None:
    """Make it one of cocotb's tests."""

    async def run(_dut: Any) -> None:
        logging.getLogger("cocotb").setLevel(logging.WARNING)
        await uvm_root().run_test(test)

    run.__module__ = __name__
    globals()[name] = cocotb.test(name=name, timeout_time=2, timeout_unit="ms")(run)


for number, fault in enumerate(FAULTS, 1):
    register(type(f"Fault{number}", (OwnMaster,), {"fault": number}), f"fault_{fault.name}")
register(OwnMaster, "own_master")
register(Errors, "errors")
register(OwnMasterForeignMemory, "own_master_foreign_memory")
register(ForeignMaster, "foreign_master")
