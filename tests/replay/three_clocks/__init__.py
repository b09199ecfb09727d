# SPDX-License-Identifier: Apache-2.0
"""A design of three clocks, three request ports and two AXI masters, one of which writes: its description."""

from pathlib import Path
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from configs import AxiPort, BlockConfig, Field, Stream
from models.memory import Memory
from tb.common.replay.compare import compare_memory
from tb.common.replay.library import Port
from tb.common.replay.machine import Replay

RTL = Path(__file__).parent
LINE = 8  # bytes of a burst
ID = Field("id", 4)
PAIR, VALUE, STROBE = Field("pair", 18), Field("value", 32), Field("strobe", 4)


class Config(BlockConfig):
    block: ClassVar[str] = "three_clocks"

    stores: AxiPort = AxiPort(data_bits=32, address_bits=21, reads=False)
    loads: AxiPort = AxiPort(data_bits=32, address_bits=21, writes=False, prefix="n_axi", clock="load_clk")

    @property
    def name(self) -> str:
        return "three clocks"

    @property
    def clocks(self) -> dict[str, int]:
        return {"clk": 10_000, "load_clk": 7_002, "slow_clk": 33_330}

    @property
    def streams(self) -> dict[str, Stream]:
        listed = (
            Stream("store", "in", (PAIR, VALUE, STROBE, ID)),
            Stream("stored", "out", (Field("err", 1), ID)),
            Stream("load", "in", (PAIR, ID), clock="load_clk"),
            Stream(
                "loaded",
                "out",
                (Field("first", 32), Field("second", 32), Field("err", 1), ID),
                clock="load_clk",
            ),
            Stream("mask", "in", (Field("mask", 32),), clock="slow_clk"),
            Stream("perf", "out", (Field("stores", 32),), ready=False),
        )
        return {stream.name: stream for stream in listed}


CFG = Config()
STORE = Port("store", "stored", None, "perf")


class Model:
    """What stores leave in memory: bytes by line."""

    def __init__(self, memory: Memory) -> None:
        self.memory = memory
        self.lines: dict[int, NDArray[np.uint8]] = {}

    def line(self, number: int) -> NDArray[np.uint8]:
        initial = self.memory.line(number, LINE // 4).astype("<u4").view(np.uint8)
        return self.lines.get(number, initial).copy()

    def store(self, pair: int, value: int, strobe: int) -> None:
        if pair in self.memory.poisoned:
            return
        line = self.line(pair)
        new = np.array([value, ~value & 0xFFFFFFFF], "<u4").view(np.uint8)
        chosen = np.array([strobe >> byte % 4 & 1 for byte in range(LINE)], bool)
        line[chosen] = new[chosen]
        self.lines[pair] = line

    def differences(self, replay: Replay) -> list[str]:
        return [item.text for item in compare_memory(self.line, self.lines, LINE, replay)]
