# SPDX-License-Identifier: Apache-2.0
"""A plain cocotb test of a block, as one writes it without a framework; checks nothing.

It plays the words of :data:`SCRIPT`, with the memory timing of the configuration: one coroutine per
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

from tb.common.components.counters import since_reset
from tb.common.running import settings
from utils.files import write_atomic

#: beside the run's folder: the stream ``counters``, and ``ports`` that begin at once. Each plays a list of
#: [stream, words] in order, ``main`` of which is its requests, and waits for ``results`` words of ``result``
SCRIPT = "script.json"
RESET_CYCLES = 16


def pins(dut: Any, name: str, *parts: str) -> list[Any]:
    """The signals ``<name><part>``."""
    return [getattr(dut, f"{name}{part}") for part in parts]


async def send(dut: Any, clock: str, name: str, words: list[int]) -> float:
    """Offer words back to back; returns when (ps) the first one was taken."""
    valid, ready, data = pins(dut, name, "_valid", "_ready", "_data")
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
    (valid, data), edge = pins(dut, name, "_valid", "_data"), RisingEdge(getattr(dut, clock))
    if held:
        getattr(dut, f"{name}_ready").value = 1
    while count:
        await edge
        if valid.value:
            int(data.value)
            count -= 1
    return get_sim_time("ps")


async def serve(dut: Any, clock: str, cfg: Any) -> None:
    """Answer reads in order, ``latency`` cycles after their address; a beat holds its number."""
    edge, fall = RisingEdge(getattr(dut, clock)), FallingEdge(getattr(dut, clock))
    wanted, address, wanted_id, length = pins(dut, "m_axi_ar", "valid", "addr", "id", "len")
    valid, ready, last, data, answer_id = pins(dut, "m_axi_r", "valid", "ready", "last", "data", "id")
    open_reads: deque[tuple[int, int, int, int]] = deque()  # cycle due, first beat, beats, id
    beats: deque[int] = deque()
    cycle, offering, shown_id, next_id = 0, False, 0, 0
    dut.m_axi_arready.value = 1
    while True:
        await edge
        cycle += 1
        if wanted.value:  # with latency 1 the first beat is taken at the next edge: it is driven now
            first, count = int(address.value) // cfg.axi.strobe_bits, int(length.value) + 1
            open_reads.append((cycle + cfg.memory.latency - 1, first, count, int(wanted_id.value)))
        if offering and not ready.value:
            continue
        if not beats and open_reads and open_reads[0][0] <= cycle:
            _, first, count, next_id = open_reads.popleft()
            beats.extend(range(first, first + count))
        if beats or offering:
            await fall
        if beats:
            if next_id != shown_id:
                answer_id.value = shown_id = next_id
            last.value = len(beats) == 1
            data.value = beats.popleft()
            valid.value = offering = True
        elif offering:
            valid.value = offering = False


async def serve_writes(dut: Any, clock: str, cfg: Any) -> None:
    """Take bursts as they come, answer each ``latency`` cycles after its last beat."""
    edge, fall = RisingEdge(getattr(dut, clock)), FallingEdge(getattr(dut, clock))
    valid, last, answer = pins(dut, "m_axi_", "wvalid", "wlast", "bvalid")
    due: deque[int] = deque()
    cycle, offering = 0, False
    dut.m_axi_awready.value = dut.m_axi_wready.value = 1
    while True:
        await edge
        cycle += 1
        if valid.value and last.value:  # its address has come: both are offered together, and taken at once
            due.append(cycle + cfg.memory.latency - 1)
        answers = bool(due) and due[0] <= cycle
        if answers or offering:
            await fall
            answer.value = offering = answers
            if answers:
                due.popleft()


async def play(dut: Any, cfg: Any, port: dict[str, Any]) -> tuple[float, float]:
    """A port's streams, run after run; when (ps) the first request was taken, and the last result came."""
    streams = cfg.streams
    result = streams[port["result"]]
    receiving = cocotb.start_soon(receive(dut, result.clock, result.name, port["results"], result.ready))
    first = 0.0
    for name, words in port["play"]:
        taken = await send(dut, streams[name].clock, name, words)
        first = first or (taken if name == port["main"] else 0.0)
    return first, await receiving


@cocotb.test()
async def bare(dut: Any) -> None:
    """Reset, then the script; writes its counts where the pyuvm tests write theirs."""
    setting = settings.current()
    cfg, script = setting.cfg, json.loads((Path(setting.folder).parent / SCRIPT).read_text())
    clocks, streams, ports = cfg.clocks, cfg.streams, script["ports"]
    memory_clock, near = next(iter(clocks)), streams[ports[0]["main"]].clock
    axi = bool(cfg.axi_ports)
    began = time.perf_counter()
    inputs = [f"{stream.name}_valid" for stream in streams.values() if stream.direction == "in"]
    inputs += [f"{port['result']}_ready" for port in ports if streams[port["result"]].ready]
    for port in [*cfg.axi_ports.values(), *([cfg.control] if hasattr(cfg, "control") else [])]:
        inputs += [signal.name for signal in port.signals if signal.direction == "in"]
    resets = [clock.replace("clk", "rst") for clock in clocks] + ["m_axi_rst"] * axi
    for name in (*inputs, *resets):
        getattr(dut, name).value = int(name in resets)
    for clock, period in clocks.items():
        Clock(getattr(dut, clock), period, unit="ps").start()
    for _ in range(RESET_CYCLES):
        await RisingEdge(getattr(dut, near))
    for name in resets:
        getattr(dut, name).value = 0
    if axi:
        cocotb.start_soon(serve(dut, memory_clock, cfg))
        if cfg.axi.writes:
            cocotb.start_soon(serve_writes(dut, memory_clock, cfg))
    playing = [cocotb.start_soon(play(dut, cfg, port)) for port in ports]
    times = [await task for task in playing]
    seconds = time.perf_counter() - began
    for _ in range(RESET_CYCLES):  # counters are late
        await RisingEdge(getattr(dut, near))
    shown = streams[script["counters"]].unpack(int(getattr(dut, f"{script['counters']}_data").value))
    counters = since_reset(shown, setting.counter_start)
    cycles = round((times[0][1] - times[0][0]) / clocks[near]) + 1
    summary = {"checked": 0, "seconds": seconds, "cycles": cycles, **counters}
    write_atomic(
        Path(setting.folder) / "bare.json", json.dumps({"test": "bare", "summary": summary, "coverage": {}})
    )
