# SPDX-License-Identifier: Apache-2.0
"""Cycles per second of each block, on Verilator: bare cocotb, the pyuvm testbench, the bare model, replay.

The first pattern of each benchmark. Bare cocotb wakes in each cycle and checks nothing; the testbench and the
replay compare everything.
"""

from rich.table import Column, Table

import configs
from bench.benchmark import BLOCKS, Say, benchmarks
from utils.console import Console
from utils.progress import spinner
from utils.toml import read

WAYS = {
    "bare cocotb": ("tb", "bare cocotb, verilator"),
    "testbench": ("tb", "pyuvm, verilator"),
    "bare model": ("replay", "bare model"),
    "replay": ("replay", "trace"),
}


def speeds(block: str, rounds: int, say: Say) -> dict[str, float]:
    """Cycles per second by way."""

    def tell(step: str) -> None:
        say(f"{block}: {step}")

    rates: dict[str, float] = {}
    wanted = {name for _, name in WAYS.values()}
    for kind in ("tb", "replay"):
        run = benchmarks(block)[kind]
        cfg = configs.load(block, run.preset)
        rows = run.measure(cfg, run.patterns[0], run.count, rounds, tell, wanted)
        rates |= {row.what: row.cycles_per_second for row in rows}
    return {way: rates[name] for way, (_, name) in WAYS.items()}


def show_speeds(rounds: int) -> None:
    """Measure all blocks, one after the other, and print a table."""
    columns = [Column(way, justify="right") for way in WAYS]
    table = Table("block", *columns, "testbench / bare cocotb", title="thousand cycles per second, Verilator")
    with spinner() as say:
        for block in read(BLOCKS):
            rates = speeds(block, rounds, say)
            ratio = rates["testbench"] / rates["bare cocotb"]
            table.add_row(block, *(f"{rate / 1000:,.1f}" for rate in rates.values()), f"{ratio:.2f}")
    Console(width=120).print(table)
