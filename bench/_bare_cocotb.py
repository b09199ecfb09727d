# SPDX-License-Identifier: Apache-2.0
"""A plain cocotb test of the texture cache, as one writes it without a framework; checks nothing.

It plays the table and the footprints in the transaction log of a pyuvm test, with the same memory timing, one
coroutine per interface, each awaiting clock edges.
"""

import json
import os
import time
from collections import deque
from pathlib import Path
from typing import Any

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ReadOnly, RisingEdge

from configs.files import write_atomic
from models.memory import Memory
from tb.common import settings

LOG = "CACHEFORGE_BENCH_LOG"


def logged(log: Path, channel: str) -> list[int]:
    """The words of one channel of a transaction log."""
    entries = (line.split() for line in log.read_text().splitlines())
    return [int(word, 16) for _, name, word in entries if name == channel]


async def send(dut: Any, name: str, words: list[int]) -> None:
    """Offer words back to back."""
    valid, ready, data = (getattr(dut, f"{name}_{part}") for part in ("valid", "ready", "data"))
    valid.value = 1
    for word in words:
        data.value = word
        await ReadOnly()
        while not ready.value:
            await RisingEdge(dut.clk)
            await ReadOnly()
        await RisingEdge(dut.clk)
    valid.value = 0


async def receive(dut: Any, count: int) -> None:
    """Take results, always ready."""
    dut.res_ready.value = 1
    while count:
        await RisingEdge(dut.clk)
        await ReadOnly()
        if dut.res_valid.value:
            int(dut.res_data.value)
            count -= 1


async def serve(dut: Any, cfg: Any, memory: Memory) -> None:
    """Answer line reads in order, ``latency`` cycles after their address."""
    due: deque[tuple[int, int]] = deque()
    beats: deque[int] = deque()
    bits, cycle = cfg.axi_data_bits, 0
    dut.m_axi_arready.value = 1
    while True:
        await RisingEdge(dut.clk)
        cycle += 1
        if not beats and due and due[0][0] <= cycle:
            line = due.popleft()[1]
            data = int.from_bytes(memory.line(line, cfg.line_bytes // 4).astype("<u4").tobytes(), "little")
            beats.extend(data >> at & (1 << bits) - 1 for at in range(0, cfg.line_bytes * 8, bits))
        dut.m_axi_rvalid.value = bool(beats)
        if beats:
            dut.m_axi_rlast.value = len(beats) == 1
            dut.m_axi_rdata.value = beats.popleft()
        await ReadOnly()
        if dut.m_axi_arvalid.value:
            due.append((cycle + cfg.memory.latency, int(dut.m_axi_araddr.value) // cfg.line_bytes))


@cocotb.test()
async def bare(dut: Any) -> None:
    """Reset, table, footprints; writes what it did where the pyuvm tests do."""
    told = settings.current()
    cfg, began = told.cfg, time.monotonic()
    table, requests = (logged(Path(os.environ[LOG]), channel) for channel in ("lut", "req"))
    for name in ("rst", "req_valid", "lut_valid", "inv_valid", "m_axi_rvalid", "m_axi_rresp", "m_axi_rid"):
        getattr(dut, name).value = name == "rst"
    Clock(dut.clk, 10, unit="ns").start()
    for _ in range(2):
        await RisingEdge(dut.clk)
    dut.rst.value = 0
    cocotb.start_soon(serve(dut, cfg, Memory(1)))
    await send(dut, "lut", table)
    receiving = cocotb.start_soon(receive(dut, len(requests)))
    await send(dut, "req", requests)
    await receiving
    seconds = time.monotonic() - began
    for _ in range(4):  # the counters come behind the results
        await RisingEdge(dut.clk)
    figures = {"checked": len(requests), "seconds": seconds, "cycles": 0}
    figures["hits"] = cfg.streams["perf"].unpack(int(dut.perf_data.value))["hits"]
    kept = {"test": "bare", "summary": figures, "coverage": {}}
    write_atomic(Path(told.folder) / "bare.json", json.dumps(kept))
