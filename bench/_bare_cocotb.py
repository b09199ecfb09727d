# SPDX-License-Identifier: Apache-2.0
"""A plain cocotb test of the texture cache, as one writes it without a framework; checks nothing.

It plays the words it finds in :data:`WORDS`, with the memory timing of the configuration: one coroutine per
interface, each of which awaits rising edges, sees what the design had before the edge, and drives what it has
after it. Signals are looked up once, and written only when there is something to say.
"""

import json
import time
from collections import deque
from pathlib import Path
from typing import Any

import cocotb
from cocotb.clock import Clock
from cocotb.simtime import get_sim_time
from cocotb.triggers import RisingEdge

from configs.files import write_atomic
from models.memory import Memory
from tb.common import settings

WORDS = "words.json"  # beside the run's folder: stream -> packed words
PERIOD_NS = 10


async def send(dut: Any, name: str, words: list[int]) -> float:
    """Offer words back to back; returns when (ns) the first one was taken."""
    valid, ready, data = (getattr(dut, f"{name}_{part}") for part in ("valid", "ready", "data"))
    edge, first = RisingEdge(dut.clk), 0.0
    valid.value = 1
    for word in words:
        data.value = word
        await edge
        while not ready.value:
            await edge
        first = first or get_sim_time("ns")
    valid.value = 0
    return first


async def receive(dut: Any, count: int) -> float:
    """Take results, always ready; returns when (ns) the last one came."""
    edge, valid, data = RisingEdge(dut.clk), dut.res_valid, dut.res_data
    dut.res_ready.value = 1
    while count:
        await edge
        if valid.value:
            int(data.value)
            count -= 1
    return get_sim_time("ns")


async def serve(dut: Any, cfg: Any, memory: Memory) -> None:
    """Answer line reads in order, ``latency`` cycles after their address."""
    edge, asked, address = RisingEdge(dut.clk), dut.m_axi_arvalid, dut.m_axi_araddr
    valid, last, data = dut.m_axi_rvalid, dut.m_axi_rlast, dut.m_axi_rdata
    open_reads: deque[tuple[int, int]] = deque()  # cycle due, line
    beats: deque[int] = deque()
    cycle, offering = 0, False
    dut.m_axi_arready.value = 1
    while True:
        await edge
        cycle += 1
        if asked.value:  # with latency 1 the first beat is taken at the next edge: it is driven now
            open_reads.append((cycle + cfg.memory.latency - 1, int(address.value) // cfg.line_bytes))
        if not beats and open_reads and open_reads[0][0] <= cycle:
            beats.extend(line_beats(cfg, memory, open_reads.popleft()[1]))
        if beats:
            last.value = len(beats) == 1
            data.value = beats.popleft()
            valid.value = offering = True
        elif offering:
            valid.value = offering = False


def line_beats(cfg: Any, memory: Memory, line: int) -> list[int]:
    """The data beats of a line."""
    bits = cfg.axi_data_bits
    data = int.from_bytes(memory.line(line, cfg.line_bytes // 4).astype("<u4").tobytes(), "little")
    return [data >> at & (1 << bits) - 1 for at in range(0, cfg.line_bytes * 8, bits)]


@cocotb.test()
async def bare(dut: Any) -> None:
    """Reset, table, footprints; writes what it did where the pyuvm tests do."""
    told = settings.current()
    words = json.loads((Path(told.folder).parent / WORDS).read_text())
    began = time.perf_counter()
    for name in ("rst", "req_valid", "lut_valid", "inv_valid", "m_axi_rvalid", "m_axi_rresp", "m_axi_rid"):
        getattr(dut, name).value = name == "rst"
    Clock(dut.clk, PERIOD_NS, unit="ns").start()
    for _ in range(2):
        await RisingEdge(dut.clk)
    dut.rst.value = 0
    cocotb.start_soon(serve(dut, told.cfg, Memory(1)))
    await send(dut, "lut", words["lut"])
    receiving = cocotb.start_soon(receive(dut, len(words["req"])))
    first = await send(dut, "req", words["req"])
    last = await receiving
    seconds = time.perf_counter() - began
    for _ in range(4):  # the counters come behind the results
        await RisingEdge(dut.clk)
    counters = told.cfg.streams["perf"].unpack(int(dut.perf_data.value))
    cycles = round((last - first) / PERIOD_NS) + 1
    summary = {"checked": 0, "seconds": seconds, "cycles": cycles, **counters}
    kept = {"test": "bare", "summary": summary, "coverage": {}}
    write_atomic(Path(told.folder) / "bare.json", json.dumps(kept))
