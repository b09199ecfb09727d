# SPDX-License-Identifier: Apache-2.0
"""Who waits for whom at the control port, what is shown meanwhile, and each bit of a base and of a status."""

from collections.abc import Awaitable

import cocotb
import numpy as np
from cocotb.task import Task

from configs.dcache.schema import LOAD
from configs.icache.schema import FETCH
from configs.mmu.registers import COMMANDS
from models.dcache import REQUEST as ACCESS
from models.icache import REQUEST
from tb.common.components.axi.bursts import OKAY, SLVERR
from tb.common.components.testcase import testcase
from tb.mmu.base import MmuSequence
from tb.mmu.sides import SIDES

PLACE = 0x400  # of a line
MANY = 6
AHEAD = 2  # accesses of the other kind that go before a write or a status: one under way, and one more
STREAM = 200
RESULTS = 16  # that come while an operation waits for those on their way, and is answered


@testcase()
async def writes_and_statuses(run: MmuSequence) -> None:
    """Of many writes and a status that are offered at once, or the other way round, none waits for long."""
    model = run.env.reference.model
    ended: list[str] = []

    async def noted(kind: str, expected: int, access: Awaitable[int | None]) -> None:
        run.expect(kind, expected, await access)
        ended.append(kind)

    def start(kind: str) -> Task[None]:
        if kind == "write":
            model.base(0, 0)
            return cocotb.start_soon(noted(kind, OKAY, run.write("base", 0, 0)))
        return cocotb.start_soon(noted(kind, model.status("dcache"), run.read("dcache_status")))

    for many, single in (("write", "status"), ("status", "write")):
        for late in range(4):
            ended.clear()
            tasks = [start(many) for _ in range(MANY)]
            await run.clocking.cycles(late)
            before, alone = len(ended), start(single)
            for task in (*tasks, alone):
                await task
            run.expect(f"a {single} goes soon enough", True, ended.index(single) - before <= AHEAD)
        await run.fetch(4)


@testcase()
async def operations_in_a_stream(run: MmuSequence) -> None:
    """An operation goes among requests that never pause, once those on their way are answered."""
    model, block = run.env.reference.model, run.cfg.icache.blocks - 1
    fetches, loads = np.zeros(STREAM, REQUEST), np.zeros(STREAM, ACCESS)
    fetches["op"], loads["op"], loads["mask"] = FETCH, LOAD, 1
    loads["addr0"], loads["warp"] = PLACE, np.arange(STREAM) % run.cfg.warps
    await run.send_both(fetches[:1], loads[:1])
    await run.settle()
    for side in SIDES:
        matched = run.env.scoreboard.by_name[f"{side}_res"].matched
        began = len(matched)
        sending = cocotb.start_soon(run.send_both(fetches, loads))
        await run.clocking.cycles(20)
        for _ in range(3):
            before = len(matched)
            if side == "icache":
                run.expect("response", OKAY, await run.write("base", 0x40, block))
                model.base(block, 0x40)
            else:
                run.expect("status", model.status("dcache"), await run.read("dcache_status"))
            run.expect(f"{side} goes soon enough", True, len(matched) - before <= RESULTS)
            run.expect(f"requests of {side} are still to come", True, len(matched) - began < STREAM)
        await sending
        await run.settle()


@testcase()
async def shown_meanwhile(run: MmuSequence) -> None:
    """The state while an operation of either cache waits for a line, and while its answer waits."""
    control, model, block = run.env.control, run.env.reference.model, run.cfg.icache.blocks - 1
    for side in SIDES:
        fetch = np.zeros(1, REQUEST)
        fetch["op"] = FETCH
        await run.send(side, fetch if side == "icache" else run.access(LOAD, [(PLACE, 0)]))
        await run.clocking.cycles(1)
        name, number = ("base", block) if side == "icache" else ("dcache_policy", 0)
        writing = cocotb.start_soon(run.write(name, 0, number))
        await run.clocking.cycles(8)
        run.expect(f"state, {side} at work", 1, await run.read("state"))
        run.expect("response", OKAY, await writing)
        await run.settle()
        if side == "icache":
            model.base(block, 0)
        else:
            model.policy("dcache", 0)
    control.hold = 40
    writing = cocotb.start_soon(run.write("base", 0, block))
    await run.clocking.cycles(20)
    state = cocotb.start_soon(run.read("state"))
    run.expect("response", OKAY, await writing)
    run.expect("state, the answer waits", 1, await state)
    model.base(block, 0)
    control.hold = 5  # a counter that moves on, offered and not taken
    fetches = np.zeros(STREAM, REQUEST)
    fetches["op"] = FETCH
    sending = cocotb.start_soon(run.send("icache", fetches))
    for _ in range(3):
        await run.read("icache_perf")
    control.hold = 0
    await sending
    await run.settle()
    run.expect("state", 0, await run.read("state"))


@testcase()
async def each_bit(run: MmuSequence) -> None:
    """Each bit of a base, and of the address in a status, which is that of the first access that failed."""
    model = run.env.reference.model
    beside = max(PLACE, run.cfg.data_ram.capacity_bytes)  # not in the shared RAM, whatever bit is set, too
    for bit in range(model.region_bytes.bit_length() - 1, run.cfg.axi.address_bits):
        for base in (1 << bit, 0):
            run.expect("response", OKAY, await run.write("base", base, 0))
            model.base(0, base)
            await run.fetch(0)
        await run.command("flush")  # of lines that were read ahead, too
        first = 1 << bit | beside
        places = first, first ^ beside << 1
        run.poison([place // model.region_bytes for place in places])
        for place in places:
            await run.fetch(place)
            await run.load(place)
        for side in SIDES:
            expected = model.status(side)
            run.expect(f"{side} has failed", True, bool(expected))
            status = cocotb.start_soon(run.read(f"{side}_status"))
            state = cocotb.start_soon(run.read("state"))  # asked for while the status is under way
            run.expect(f"status of {side}", expected, await status)
            run.expect("state", 0, await state)
        run.env.heal()


@testcase()
async def statuses_behind_refusals(run: MmuSequence) -> None:
    """A status that waits while memory refuses a line of a command takes nothing from the response to it."""
    model = run.env.reference.model
    await run.store((PLACE, 1))
    await run.settle()
    run.env.poison([PLACE // model.region_bytes])
    for command in ("clean", "flush", "fence"):
        writing = cocotb.start_soon(run.write("command", list(COMMANDS).index(command)))
        await run.clocking.cycles(6)
        status = cocotb.start_soon(run.read("dcache_status"))
        failed = model.command(command)
        run.expect(f"response of {command}", SLVERR if failed else OKAY, await writing)
        run.expect("status", model.status("dcache"), await status)
        await run.settle()
    run.env.heal()
    await run.load(PLACE)
