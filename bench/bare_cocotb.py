# SPDX-License-Identifier: Apache-2.0
"""A plain cocotb test of a block, as one writes it without a framework; checks nothing.

It plays the words it finds in :data:`SCRIPT`, with the memory timing of the configuration: one coroutine per
interface, each of which awaits rising edges, sees what the design had before the edge, and drives at the
falling edge, since a write at the rising one may race with the design. Signals are looked up once, and
written only when there is something to say.
"""

import json
import time
from collections import deque
from pathlib import Path
from typing import Any

import cocotb
from cocotb.clock import Clock
from cocotb.simtime import get_sim_time
from cocotb.triggers import FallingEdge, RisingEdge

from models.memory import Memory
from tb.common.components.counters import since_reset
from tb.common.running import settings
from utils.files import write_atomic

#: beside the run's folder: ``play``, a list of [stream, words] in order; ``result`` and ``counters`` streams;
#: ``results``: how many there are, of a block that does not give one for each word of the last stream. Or
#: ``ports``, a list of [stream, words, stream of results], of which all begin at once
SCRIPT = "script.json"
RESET_CYCLES = 16
#: of the memory's side
READ_PINS = ("arready", "rvalid", "rresp", "rid", "rlast", "rdata")
WRITE_PINS = ("awready", "wready", "bvalid", "bresp", "bid")


async def send(dut: Any, clock: str, name: str, words: list[int]) -> float:
    """Offer words back to back; returns when (ps) the first one was taken."""
    valid, ready, data = (getattr(dut, f"{name}_{part}") for part in ("valid", "ready", "data"))
    edge, fall, first = RisingEdge(getattr(dut, clock)), FallingEdge(getattr(dut, clock)), 0.0
    await fall
    valid.value = 1
    for word in words:
        data.value = word
        await edge
        while not ready.value:
            await edge
        first = first or get_sim_time("ps")
        await fall
    valid.value = 0
    return first


async def receive(dut: Any, clock: str, name: str, count: int, held: bool = True) -> float:
    """Take results, always ready if they can be ``held`` back; returns when (ps) the last one came."""
    valid, data = (getattr(dut, f"{name}_{part}") for part in ("valid", "data"))
    edge = RisingEdge(getattr(dut, clock))
    if held:
        getattr(dut, f"{name}_ready").value = 1
    while count:
        await edge
        if valid.value:
            int(data.value)
            count -= 1
    return get_sim_time("ps")


async def serve(dut: Any, clock: str, cfg: Any, lines: "Lines") -> None:
    """Answer line reads in order, ``latency`` cycles after their address."""
    edge, fall = RisingEdge(getattr(dut, clock)), FallingEdge(getattr(dut, clock))
    asked, address, asked_id, length = dut.m_axi_arvalid, dut.m_axi_araddr, dut.m_axi_arid, dut.m_axi_arlen
    valid, last, data, answer_id = dut.m_axi_rvalid, dut.m_axi_rlast, dut.m_axi_rdata, dut.m_axi_rid
    ready = dut.m_axi_rready
    open_reads: deque[tuple[int, int, int, int]] = deque()  # cycle due, first beat, beats, id
    beats: deque[int] = deque()
    cycle, offering, shown_id, next_id = 0, False, 0, 0
    dut.m_axi_arready.value = 1
    while True:
        await edge
        cycle += 1
        if asked.value:  # with latency 1 the first beat is taken at the next edge: it is driven now
            first, count = int(address.value) // cfg.axi.strobe_bits, int(length.value) + 1
            open_reads.append((cycle + cfg.memory.latency - 1, first, count, int(asked_id.value)))
        if offering and not ready.value:
            continue
        if not beats and open_reads and open_reads[0][0] <= cycle:
            _, first, count, next_id = open_reads.popleft()
            line, place = divmod(first, lines.beats)
            beats.extend(lines.read(line)[place : place + count])
        if beats:
            await fall
            if next_id != shown_id:
                answer_id.value = shown_id = next_id
            last.value = len(beats) == 1
            data.value = beats.popleft()
            valid.value = offering = True
        elif offering:
            await fall
            valid.value = offering = False


async def serve_writes(dut: Any, clock: str, cfg: Any, lines: "Lines") -> None:
    """Take bursts as they come, answer each ``latency`` cycles after its last beat."""
    edge, fall = RisingEdge(getattr(dut, clock)), FallingEdge(getattr(dut, clock))
    asked, address, answer = dut.m_axi_awvalid, dut.m_axi_awaddr, dut.m_axi_bvalid
    valid, last, data, strobe = dut.m_axi_wvalid, dut.m_axi_wlast, dut.m_axi_wdata, dut.m_axi_wstrb
    addresses: deque[int] = deque()
    beats: list[tuple[int, int]] = []
    due: deque[int] = deque()
    cycle, offering = 0, False
    dut.m_axi_awready.value = dut.m_axi_wready.value = 1
    while True:
        await edge
        cycle += 1
        if asked.value:
            addresses.append(int(address.value) // cfg.axi.strobe_bits)
        if valid.value:
            beats.append((int(data.value), int(strobe.value)))
            if last.value:  # its address has come: both are offered together, and taken at once
                lines.write(addresses.popleft(), beats)
                due.append(cycle + cfg.memory.latency - 1)
                beats = []
        if due and due[0] <= cycle:
            await fall
            due.popleft()
            answer.value = offering = True
        elif offering:
            await fall
            answer.value = offering = False


class Lines:
    """Memory as data beats: of the lines of the block's cache, or of the one that it contains.

    ``beats``: of a line.
    """

    def __init__(self, cfg: Any, memory: Memory) -> None:
        owner = next(iter(cfg.inner.values()), cfg)
        self._bytes, self._bits, self._memory = owner.cache.line_bytes, cfg.axi.data_bits, memory
        self.beats = cfg.axi.beats(self._bytes)
        self._written: dict[int, int] = {}  # beats that were, by their number in memory

    def read(self, line: int) -> list[int]:
        """The data beats of a line."""
        words = self._memory.line(line, self._bytes // 4)
        data = int.from_bytes(words.astype("<u4").tobytes(), "little")
        beats = [data >> at & (1 << self._bits) - 1 for at in range(0, self._bytes * 8, self._bits)]
        return [self._written.get(number, beat) for number, beat in enumerate(beats, line * len(beats))]

    def write(self, first: int, beats: list[tuple[int, int]]) -> None:
        """Beats (data, strobe), from the beat number ``first`` on."""
        for number, (data, strobe) in enumerate(beats, first):
            mask = sum(255 << 8 * byte for byte in range(self._bits // 8) if strobe >> byte & 1)
            before = self.read(number // self.beats)[number % self.beats]
            self._written[number] = (before & ~mask) | (data & mask)


async def play(dut: Any, clock: str, main: str, script: dict[str, Any]) -> tuple[float, float]:
    """Stream after stream; when (ps) the first word of ``main`` was taken, and the last result came."""
    count = sum(len(words) for name, words in script["play"] if name == main)
    receiving = cocotb.start_soon(receive(dut, clock, script["result"], script.get("results", count)))
    first = 0.0
    for name, words in script["play"]:
        taken = await send(dut, clock, name, words)
        first = first or (taken if name == main else 0.0)
    return first, await receiving


async def play_ports(dut: Any, cfg: Any, ports: list[Any]) -> tuple[float, float]:
    """All at once; when (ps) the first word was taken, and the last result came."""
    streams = cfg.streams
    receiving = [
        cocotb.start_soon(receive(dut, streams[result].clock, result, len(words), streams[result].ready))
        for _, words, result in ports
    ]
    sending = [
        cocotb.start_soon(send(dut, streams[name].clock, name, words)) for name, words, _ in ports if words
    ]
    first = min([await task for task in sending])
    return first, max([await task for task in receiving])


@cocotb.test()
async def bare(dut: Any) -> None:
    """Reset, then the script; writes what it did where the pyuvm tests do."""
    told = settings.current()
    cfg, script = told.cfg, json.loads((Path(told.folder).parent / SCRIPT).read_text())
    clocks, streams = cfg.clocks, cfg.streams
    ports, memory_clock = script.get("ports", []), next(iter(clocks))
    main = ports[0][0] if ports else script["play"][-1][0]
    axi = bool(cfg.axi_ports)
    near = streams[main].clock
    began = time.perf_counter()
    idle = [f"{stream.name}_valid" for stream in streams.values() if stream.direction == "in"]
    memory = [f"m_axi_{name}" for name in READ_PINS] if axi else []
    memory += [f"m_axi_{name}" for name in WRITE_PINS] if axi and cfg.axi.writes else []
    results = [result for _, _, result in ports] or [script["result"]]
    taken = [f"{name}_ready" for name in results if streams[name].ready]
    registers = cfg.control.signals if hasattr(cfg, "control") else ()  # a port that is left alone
    control = [signal.name for signal in registers if signal.direction == "in"]
    for name in (*idle, *memory, *taken, *control):
        getattr(dut, name).value = 0
    names = [clock.replace("clk", "rst") for clock in clocks] + ["m_axi_rst"] * axi
    resets = [getattr(dut, name) for name in names]
    for reset in resets:
        reset.value = 1
    for clock, period in clocks.items():
        Clock(getattr(dut, clock), period, unit="ps").start()
    for _ in range(RESET_CYCLES):
        await RisingEdge(getattr(dut, near))
    for reset in resets:
        reset.value = 0
    if axi:
        lines = Lines(cfg, Memory(1))
        cocotb.start_soon(serve(dut, memory_clock, cfg, lines))
        if cfg.axi.writes:
            cocotb.start_soon(serve_writes(dut, memory_clock, cfg, lines))
    first, last = await (play_ports(dut, cfg, ports) if ports else play(dut, near, main, script))
    seconds = time.perf_counter() - began
    for _ in range(RESET_CYCLES):  # the counters come behind the results
        await RisingEdge(getattr(dut, near))
    shown = streams[script["counters"]].unpack(int(getattr(dut, f"{script['counters']}_data").value))
    counters = since_reset(shown, told.counter_start)
    cycles = round((last - first) / clocks[near]) + 1
    summary = {"checked": 0, "seconds": seconds, "cycles": cycles, **counters}
    kept = {"test": "bare", "summary": summary, "coverage": {}}
    write_atomic(Path(told.folder) / "bare.json", json.dumps(kept))
