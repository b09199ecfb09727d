# SPDX-License-Identifier: Apache-2.0
"""The control port as a master may use it: any order and pace of its channels, resets in mid-command."""

from itertools import product

import cocotb

from configs.mmu.registers import COMMANDS, REGISTERS
from tb.common.components.axi.bursts import OKAY, SLVERR
from tb.common.components.reset import Kind
from tb.common.components.testcase import testcase
from tb.mmu.base import MmuSequence
from tb.mmu.items import Distribution
from tb.mmu.sides import SIDES
from tb.mmu.tests.control import STALLS

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


@testcase()
async def register_map(run: MmuSequence) -> None:
    """Each bit of an address counts but the lowest two, each of a command; of a policy its lowest two do."""
    control, model = run.env.control, run.env.reference.model
    written = _addresses(run, write=True)
    shown = {place: "" for place in run.cfg.counters if place < STALLS}  # stalls: test stall_registers
    registers = {**written, **_addresses(run, write=False), **shown}
    near = {place ^ 1 << bit for place in registers for bit in range(2, run.cfg.control.address_bits)}
    for number, place in enumerate(sorted({*registers, *near})):
        name, byte = registers.get(place), number % 4
        response = OKAY if place in registers or place in run.cfg.counters else SLVERR
        shown = await control.read(place + byte)
        run.expect(f"response of a read at {place + byte:#x}", response, shown.response)
        if name in ("icache_status", "dcache_status"):
            run.expect(name, model.status(name.removesuffix("_status")), shown.data)
        if place not in written:
            refused = await control.write(place + byte, run.cfg.icache.blocks)
            run.expect(f"response of a write at {place + byte:#x}", SLVERR, refused)
    for value in {n ^ 1 << bit for n in range(len(COMMANDS)) for bit in range(32)} - {*range(len(COMMANDS))}:
        run.expect(f"response of command {value:#x}", SLVERR, await run.write("command", value))
    for byte in range(4):
        for block in range(run.cfg.icache.blocks):
            place, base = REGISTERS["base"].address + 4 * block + byte, 0x40 * (1 + byte)
            run.expect("response of a base", OKAY, await control.write(place, base))
            model.base(block, base)
            await run.fetch(4 * byte, block)
        for side in SIDES:
            value = int(run.rng.integers(1 << 30)) << 2 | byte
            run.expect("response of a policy", OKAY, await run.write(f"{side}_policy", value))
            model.policy(side, byte)
    await run.send_both(QUIET.fetches(run.cfg, run.rng, 40), QUIET.accesses(run.cfg, run.rng, 40))


def _addresses(run: MmuSequence, write: bool) -> dict[int, str]:
    """Byte addresses of the registers that can be written, or of those that cannot, but for counters."""
    words = {
        name: run.cfg.icache.blocks if name == "base" else register.words
        for name, register in REGISTERS.items()
    }
    return {
        register.address + 4 * n: name
        for name, register in REGISTERS.items()
        for n in range(words[name])
        if register.write == write and not name.endswith("perf")
    }


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
