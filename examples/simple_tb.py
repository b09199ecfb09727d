# SPDX-License-Identifier: Apache-2.0
"""``simple`` verified in one file, to be read from top to bottom: the ideas of ``tb/`` written flat.

::

    Test --starts--> Sequence --items--> RequestAgent: sequencer -> driver, monitor
                                                               | req    | requests
                                                               v        v
    Memory <--m_axi--> [        simple, the Verilog              ]   Reference (golden model)
                          ^ ready of res       | res   | evt            | outcomes --> Coverage
                          |                    v       v                v
                         Sink                  Monitors --observed--> Scoreboard

The parts stand below in this order: item, sequences, driver, sink, monitor, agent, memory, reference model,
scoreboard, coverage, environment, tests. ``tb/simple`` adds exact cycles and resets at any time.

``.venv/bin/python -m examples.simple_tb [folder]`` runs the tests on Verilator, on a folder's Verilog.
"""

import os
from collections import Counter, deque
from collections.abc import Iterable, Iterator
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any, ClassVar

import cocotb
import numpy as np
import pyuvm
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, ReadOnly
from cocotb_tools.check_results import get_results
from cocotb_tools.runner import get_runner
from pyuvm import uvm_analysis_port, uvm_component, uvm_sequence_item, uvm_subscriber

import configs
from configs.simple.schema import FLUSH, LOAD, OPS, STORE
from models import records
from models.memory import Memory as Contents
from models.simple import REQUEST, SimpleModel
from tb.common.running import builds
from utils import cli

CFG = configs.load("simple", "tiny")
WHOLE = (1 << CFG.word_bytes) - 1  # the strobe of a whole word
BEAT = CFG.axi.strobe_bits  # bytes of a beat
OKAY, SLVERR = 0, 2
DUT: Any = getattr(cocotb, "top", None)  # none outside of a simulation
Export: Any = uvm_subscriber.uvm_AnalysisImp  # Export(name, parent, method): calls the method with each item
timed_test: Any = pyuvm.test(timeout_time=1, timeout_unit="ms")


async def cycle() -> None:
    """Wait for the next falling edge, where inputs change. Outputs are read after it, when all is settled."""
    await FallingEdge(DUT.clk)


async def transfer(signal: Any, *fields: Any) -> list[int]:
    """Wait for ``signal`` (valid or ready) high; return ``fields`` of that cycle."""
    values = None
    while values is None:
        await ReadOnly()
        values = [int(field.value) for field in fields] if signal.value == 1 else None
        await cycle()
    return values


class Request(uvm_sequence_item):
    """A request: fields of the stream ``req``, and the idle cycles before it."""

    def __init__(self, op: int, word: int = 0, value: int = 0, strobe: int = WHOLE, gap: int = 0) -> None:
        super().__init__(OPS[op])
        self.fields = {"op": op, "word": word, "value": value, "strobe": strobe, "id": 0}
        self.gap = gap


class Requests(pyuvm.uvm_sequence):
    """Base of all sequences."""

    def __init__(self, env: "Env") -> None:
        super().__init__(type(self).__name__)
        self.env, self.rng = env, np.random.default_rng(int(cocotb.RANDOM_SEED))

    async def send(self, items: Iterable[Request]) -> None:
        """Send requests and wait until they are answered."""
        for number, item in enumerate(items):
            item.fields["id"] = number % (1 << CFG.id_bits)
            await self.start_item(item)
            await self.finish_item(item)
        await self.env.rest()

    def random(self, count: int) -> Iterator[Request]:
        """Loads and stores to three lines that share each set; now and then a flush or an invalidation."""
        for _ in range(count):
            op = self.rng.choice(4, p=(0.47, 0.47, 0.03, 0.03))
            word = self.rng.integers(3 * CFG.cache.sets << CFG.slot_bits)
            value, strobe = self.rng.integers(1 << CFG.word_bits), self.rng.integers(WHOLE + 1)
            yield Request(int(op), int(word), int(value), int(strobe), gap=int(self.rng.integers(3)))


class Traffic(Requests):
    """Each strobe to each word of a line; the line is evicted and read back; then random requests."""

    async def body(self) -> None:
        slots, other_line = range(1 << CFG.slot_bits), CFG.cache.sets << CFG.slot_bits
        items = list[Request]()
        for slot, strobe in product(slots, range(WHOLE + 1)):  # slot: a word's place in its line
            value = int(self.rng.integers(1 << CFG.word_bits))
            items += [Request(STORE, slot, value, strobe), Request(LOAD, slot)]
        items += [Request(LOAD, word) for word in (other_line, *slots)]
        await self.send([*items, *self.random(1000), Request(FLUSH)])


class Hardships(Requests):
    """Memory fails for some lines in every second round; a reset after every third round forgets lines."""

    async def body(self) -> None:
        for number in range(13):
            failing = self.rng.choice(3 * CFG.cache.sets, 4, replace=False).tolist()
            self.env.fail_for(failing if number % 2 else [])
            await self.send([*self.random(40), Request(FLUSH), *self.random(10)])
            if number % 3 == 1:
                await self.env.reset()


class Driver(pyuvm.uvm_driver):
    """Offers the items of its sequencer on ``req``, each until it is taken."""

    async def run_phase(self) -> None:
        while True:
            item = await self.seq_item_port.get_next_item()
            for _ in range(item.gap):
                await cycle()
            DUT.req_data.value, DUT.req_valid.value = CFG.streams["req"].pack(item.fields), 1
            await transfer(DUT.req_ready)
            DUT.req_valid.value = 0
            self.seq_item_port.item_done()


class Sink(uvm_component):
    """Takes results in half of all cycles."""

    async def run_phase(self) -> None:
        rng = np.random.default_rng(int(cocotb.RANDOM_SEED))
        while True:
            DUT.res_ready.value = int(rng.integers(2))
            await cycle()


class Monitor(pyuvm.uvm_monitor):
    """Publishes each transfer of the stream it is named after. Data that waits for ready must not change."""

    def __init__(self, name: str, parent: uvm_component) -> None:
        super().__init__(name, parent)
        self.ap = uvm_analysis_port("ap", self)

    async def run_phase(self) -> None:
        stream, waiting = CFG.streams[self.get_name()], None
        valid, data = (getattr(DUT, f"{stream.name}_{pin}") for pin in ("valid", "data"))
        ready = getattr(DUT, f"{stream.name}_ready") if stream.ready else None
        while True:
            await cycle()
            await ReadOnly()
            word = int(data.value) if valid.value == 1 and DUT.rst.value == 0 else None
            assert DUT.rst.value == 1 or waiting in (None, word), f"{stream.name}: {waiting} became {word}"
            waiting = word
            if word is not None and (ready is None or ready.value == 1):
                waiting = None
                self.ap.write(stream.unpack(word))


class RequestAgent(pyuvm.uvm_agent):
    """Sequencer, driver and monitor of ``req``."""

    def build_phase(self) -> None:
        self.sequencer = pyuvm.uvm_sequencer("sequencer", self)
        self.driver, self.monitor = Driver("driver", self), Monitor("req", self)

    def connect_phase(self) -> None:
        self.driver.seq_item_port.connect(self.sequencer.seq_item_export)


class Memory(uvm_component):
    """Answers the AXI4 port, one burst of each direction at a time, after random waits.

    Contents are a hash of the address until they are written. Bursts of ``failing`` lines end in SLVERR.
    """

    def build_phase(self) -> None:
        self.contents, self.lines, self.failing = Contents(seed=1), dict[int, bytearray](), frozenset[int]()
        self.rng = np.random.default_rng(int(cocotb.RANDOM_SEED))

    async def run_phase(self) -> None:
        cocotb.start_soon(self._read())
        await self._write()

    def _pin(self, name: str) -> Any:
        return getattr(DUT, f"{CFG.axi.prefix}_{name}")

    async def _accept(self, channel: str) -> dict[str, int]:
        for _ in range(int(self.rng.integers(6))):
            await cycle()
        names = [field.name for field in CFG.axi.channels[channel].fields]
        self._pin(f"{channel}ready").value = 1
        values = await transfer(self._pin(f"{channel}valid"), *(self._pin(channel + name) for name in names))
        self._pin(f"{channel}ready").value = 0
        return dict(zip(names, values, strict=True))

    async def _offer(self, channel: str, **fields: int) -> None:
        for name, value in {**fields, "id": 0, "valid": 1}.items():
            self._pin(channel + name).value = value
        await transfer(self._pin(f"{channel}ready"))
        self._pin(f"{channel}valid").value = 0

    async def _burst(self, channel: str) -> tuple[int, bytearray]:
        burst = await self._accept(channel)
        line, byte = divmod(burst["addr"], CFG.cache.line_bytes)
        assert (byte, burst["len"] + 1) == (0, CFG.beats), f"{channel}: not a whole line: {burst}"
        start = self.contents.line(line, CFG.cache.line_bytes // 4).tobytes()
        return SLVERR if line in self.failing else OKAY, self.lines.setdefault(line, bytearray(start))

    async def _read(self) -> None:
        while True:
            response, line = await self._burst("ar")
            for beat in range(CFG.beats):
                data = int.from_bytes(line[beat * BEAT :][:BEAT], "little")
                await self._offer("r", data=data, resp=response, last=int(beat == CFG.beats - 1))

    async def _write(self) -> None:
        while True:
            response, line = await self._burst("aw")
            for beat in range(CFG.beats):
                taken = await self._accept("w")
                assert taken["strb"] == (1 << BEAT) - 1 and taken["last"] == (beat == CFG.beats - 1), taken
                if response == OKAY:
                    line[beat * BEAT : (beat + 1) * BEAT] = taken["data"].to_bytes(BEAT, "little")
            await self._offer("b", resp=response)


class Reference(uvm_subscriber):
    """Lets the golden model serve each request that the design has taken; publishes request and result."""

    def build_phase(self) -> None:
        self.ap = uvm_analysis_port("ap", self)
        self.contents = Contents(seed=1)
        self.model = SimpleModel(CFG, self.contents)

    def write(self, tt: dict[str, int]) -> None:  # tt: pyuvm's name for the item that is published
        request = records(REQUEST, {name: np.array([value]) for name, value in tt.items()})
        self.ap.write((request[0], self.model.replay(request)[0]))


class Scoreboard(pyuvm.uvm_scoreboard):
    """Compares the transfers of ``res`` and ``evt`` with the model's, in order."""

    def build_phase(self) -> None:
        self.expected = {name: deque[dict[str, int]]() for name in ("res", "evt")}
        self.outcomes = Export("outcomes", self, self._expect)
        self.observed = {name: Export(name, self, partial(self._compare, name)) for name in self.expected}
        self.compared = 0

    def _expect(self, outcome: tuple[Any, Any]) -> None:
        request, result = outcome
        fields = {name: int(result[name]) for name in ("value", "err", "hit", "line", "evict", "victim")}
        fields |= {"op": int(request["op"]), "id": int(request["id"]), "write": int(result["writes"] > 0)}
        for name, queue in self.expected.items():
            queue.append({field.name: fields[field.name] for field in CFG.streams[name].fields})

    def _compare(self, name: str, observed: dict[str, int]) -> None:
        assert self.expected[name], f"{name}: {observed} without a request"
        expected = self.expected[name].popleft()
        assert observed == expected, f"{name}: expected {expected}, got {observed}"
        self.compared += 1

    def check_phase(self) -> None:
        assert self.compared and not any(self.expected.values()), (
            f"{self.compared} compared, {self.expected} missing"
        )


class Coverage(uvm_subscriber):
    """Counts what each set meets: bins of loads and stores by outcome and set."""

    OUTCOMES = ("hit", "fill", "replace clean", "replace dirty")

    def build_phase(self) -> None:
        self.bins = Counter(dict.fromkeys(product(OPS[:2], self.OUTCOMES, range(CFG.cache.sets)), 0))

    def write(self, tt: tuple[Any, Any]) -> None:
        op, result = OPS[tt[0]["op"]], tt[1]
        if op in OPS[:2] and not result["err"]:
            # tries: write-backs of a dirty victim that the model attempted
            number = 0 if result["hit"] else 3 if result["tries"] else 2 if result["evict"] else 1
            self.bins[op, self.OUTCOMES[number], int(result["line"]) % CFG.cache.sets] += 1


class Env(pyuvm.uvm_env):
    """All components, and the actions that concern several of them."""

    def build_phase(self) -> None:
        self.agent, self.memory = RequestAgent("agent", self), Memory("memory", self)
        self.sink = Sink("sink", self)
        self.monitors = {name: Monitor(name, self) for name in ("res", "evt")}
        self.reference = Reference("reference", self)
        self.scoreboard, self.coverage = Scoreboard("scoreboard", self), Coverage("coverage", self)

    def connect_phase(self) -> None:
        self.agent.monitor.ap.connect(self.reference.analysis_export)
        self.reference.ap.connect(self.scoreboard.outcomes)
        self.reference.ap.connect(self.coverage.analysis_export)
        for name, monitor in self.monitors.items():
            monitor.ap.connect(self.scoreboard.observed[name])

    async def rest(self) -> None:
        """Wait until all requests are answered, and ten cycles more, to catch unexpected results."""
        for _ in range(10):
            await cycle()
            while any(self.scoreboard.expected.values()):
                await cycle()

    async def reset(self) -> None:
        """Reset design and model, with no request under way. Counters are compared from here on."""
        DUT.rst.value = DUT.m_axi_rst.value = 1
        for _ in range(3):
            await cycle()
        DUT.rst.value = DUT.m_axi_rst.value = 0
        self.reference.model.reset()
        [self.start] = await transfer(DUT.req_ready, DUT.perf_data)

    def fail_for(self, lines: list[int]) -> None:
        """From now on memory fails for these lines alone. No request is under way."""
        self.memory.failing = frozenset(lines)
        self.reference.contents.heal()  # in the model's memory no line fails,
        self.reference.contents.poison(lines)  # then these do

    def check_phase(self) -> None:
        model, perf = self.reference.model, CFG.streams["perf"]
        counters, start = perf.unpack(int(DUT.perf_data.value)), perf.unpack(self.start)
        for name, expected in model.counters.items():
            counted = (counters[name] - start[name]) % (1 << 32)
            assert counted == expected, f"counter {name}: expected {expected}, got {counted}"
        for line, data in self.memory.lines.items():
            assert data == model.memory.line(line).tobytes(), f"memory differs in line {line:#x}"


class SimpleTest(pyuvm.uvm_test):
    """Base of all tests: clock, reset, ``sequence``. All components run until the sequence ends."""

    sequence: ClassVar[type[Requests]]
    inputs = ("req_valid", "m_axi_arready", "m_axi_awready", "m_axi_wready", "m_axi_rvalid", "m_axi_bvalid")

    def build_phase(self) -> None:
        self.env = Env("env", self)

    async def run_phase(self) -> None:
        self.raise_objection()
        for name in self.inputs:
            getattr(DUT, name).value = 0
        Clock(DUT.clk, 10, unit="ns").start()
        await self.env.reset()
        await self.sequence(self.env).start(self.env.agent.sequencer)
        self.drop_objection()


@timed_test
class BytesAndRandom(SimpleTest):
    """Every set sees a hit, a fill and both kinds of replacement."""

    sequence = Traffic

    def check_phase(self) -> None:
        holes = [bin_ for bin_, count in self.env.coverage.bins.items() if not count]
        assert not holes, f"never met: {holes}"


@timed_test
class ErrorsAndResets(SimpleTest):
    """A request that memory refuses is not performed; only a reset loses stores."""

    sequence = Hardships


def main(arguments: list[str]) -> int:
    """Compile ``simple``, or the Verilog in a folder, and run the tests; the number of failures."""
    print("compiling simple tiny ...", flush=True)
    made = builds.build(CFG, "verilator", rtl_dir=Path(arguments[0]) if arguments else None)
    os.environ |= builds.environment()
    results = get_runner("verilator").test(
        test_module="examples.simple_tb", hdl_toplevel=CFG.top(), hdl_toplevel_lang="verilog",
        build_dir=made.folder, test_dir=made.folder, seed=1,
    )  # fmt: skip
    return int(get_results(results)[1])


if __name__ == "__main__":
    cli.run(main)
