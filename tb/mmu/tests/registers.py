# SPDX-License-Identifier: Apache-2.0
"""The control port as a master may use it: any order and pace of its channels, resets in mid-command."""

from itertools import product

import cocotb

from configs.mmu.registers import COMMANDS
from tb.common.components.axi_lite import OKAY
from tb.common.components.reset import Kind
from tb.common.components.testcase import testcase
from tb.mmu.base import MmuSequence
from tb.mmu.items import Distribution

QUIET = Distribution(shared=0.3)
DIRTY = 0x140  # a word of each way of some sets from here on


@testcase()
async def channels_in_any_order(run: MmuSequence) -> None:
    """Address before data, data before address, answers that wait: a write is done once, a read as ever."""
    control, model, block = run.env.control, run.env.reference.model, run.cfg.icache.blocks - 1
    orders: tuple[dict[str, int], ...] = ({}, {"aw": 1}, {"w": 1}, {"aw": 7}, {"w": 7}, {"aw": 2, "w": 4})
    for number, (late, hold) in enumerate(product(orders, (0, 1, 5))):
        control.late, control.hold = late, hold
        base = 0x40 * (number + 1)
        run.expect("response", OKAY, await run.write("base", base, block))
        model.base(block, base)
        await run.fetch(4 * number, block)
        run.expect("status", model.status("icache"), await run.read("icache_status"))
        run.expect("state", 0, await run.read("state"))


@testcase()
async def reads_beside_writes(run: MmuSequence) -> None:
    """While a command is under way counters and state are read, a status waits; then they take turns."""
    await run.store(*((DIRTY + 4 * word, word) for word in range(8)))
    await run.settle()
    flush = cocotb.start_soon(run.command("flush"))
    await run.clocking.cycles(6)
    run.expect("state", 1, await run.read("state"))
    run.expect("stores", 1, _since(run, await run.read("dcache_perf", 1)))
    run.expect("status", 0, await run.read("dcache_status"))
    run.env.reference.model.status("dcache")
    await flush
    run.expect("state", 0, await run.read("state"))
    for _ in range(6):
        writing = cocotb.start_soon(run.write("base", 0, 0))
        run.expect("status", 0, await run.read("icache_status"))
        run.expect("response", OKAY, await writing)
        run.env.reference.model.base(0, 0)
        run.env.reference.model.status("icache")


def _since(run: MmuSequence, shown: int | None) -> int:
    """A counter's value since reset, as it is shown."""
    return ((shown or 0) - run.bench.settings.counter_start) % (1 << 32)


@testcase()
async def resets_in_commands(run: MmuSequence) -> None:
    """A reset in each cycle of a command that writes lines: those that memory was asked for are written."""
    burst = 2 + run.cfg.memory.latency + run.cfg.dcache.beats
    kinds: tuple[Kind, ...] = ("design", "memory", "all")
    step = 1 if run.cfg.dcache.cache.sets <= 8 else 5
    waits = (*range(1, 8), *range(burst - 2, burst + 8, step), *range(2 * burst, 2 * burst + 6, step))
    for number, wait in enumerate(waits):
        command = list(COMMANDS)[number % len(COMMANDS)]
        await run.store(*((DIRTY + 64 * lane, number + lane) for lane in range(8)))
        await run.settle()
        given = cocotb.start_soon(run.command(command))
        await run.clocking.cycles(wait)
        await run.reset(1 + number % 3, kinds[number % 3])
        await given
        await run.load(*(DIRTY + 64 * lane for lane in range(8)))
        await run.send_both(QUIET.fetches(run.cfg, run.rng, 4), QUIET.accesses(run.cfg, run.rng, 4))
        await run.settle()
