# SPDX-License-Identifier: Apache-2.0
"""The control port: bases, policies, commands, status, counters, refusals, its turn beside requests."""

from collections.abc import Sequence

import cocotb
import numpy as np

from configs.dcache.schema import LANES
from configs.mmu.registers import COMMANDS, REGISTERS
from configs.simt import POLICIES
from models.dcache import REQUEST as ACCESS
from models.icache import REQUEST
from tb.common.components.axi.bursts import OKAY, SLVERR
from tb.common.components.pacing import ALWAYS, Pacing
from tb.common.components.testcase import testcase
from tb.mmu.base import MmuSequence
from tb.mmu.items import Distribution

CODE = 0x120
STALLS = REGISTERS["dcache_stall_perf"].address  # counters that not all data caches have, from here on
QUIET = Distribution(shared=0.3)


@testcase()
async def bases(run: MmuSequence) -> None:
    """The base of each block, set through the port, is added to what it fetches."""
    for block in range(run.cfg.icache.blocks):
        run.expect("response", OKAY, await run.write("base", 0x400 * (block + 1), block))
        run.env.reference.model.base(block, 0x400 * (block + 1))
        want = run.env.reference.memory.read((0x400 * (block + 1) + 8) // 4)
        run.expect(f"instruction of block {block}", want, await run.fetch(8, block))


@testcase()
async def policies(run: MmuSequence) -> None:
    """Each policy of each cache, set through the port, replaces lines as the model says."""
    for side in ("icache", "dcache"):
        for number in range(len(POLICIES)):
            await run.settle()
            run.expect("response", OKAY, await run.write(f"{side}_policy", number))
            run.env.reference.model.policy(side, number)
            await run.send("icache", QUIET.fetches(run.cfg, run.rng, 40))
            await run.send("dcache", QUIET.accesses(run.cfg, run.rng, 40))


@testcase()
async def fence(run: MmuSequence) -> None:
    """Code that was stored is fetched after a fence; not before, nor after a clean or an invalidate alone."""
    old = run.env.reference.memory.read(CODE // 4)
    new = old ^ 0xFFFF_FFFF
    run.expect("instruction at first", old, await run.fetch(CODE))
    await run.store((CODE, new))
    run.expect("instruction after the store", old, await run.fetch(CODE))
    for command in ("invalidate_icache", "clean"):
        await run.command(command)
        want = old if run.cfg.dcache.write_back else new  # then memory has it, which is read again
        run.expect(f"instruction after {command}", want, await run.fetch(CODE))
    await run.command("fence")
    run.expect("instruction after the fence", new, await run.fetch(CODE))


@testcase()
async def commands(run: MmuSequence) -> None:
    """Every command, between random requests of both sides."""
    for _ in range(3):
        for command in COMMANDS:
            await run.send_both(QUIET.fetches(run.cfg, run.rng, 30), QUIET.accesses(run.cfg, run.rng, 30))
            await run.command(command)


@testcase()
async def refused(run: MmuSequence) -> None:
    """A line that memory refuses: the response says so, status has its address once, nothing is lost."""
    region = run.env.reference.model.region_bytes
    await run.store((CODE, 0x1234_5678))
    await run.settle()
    run.poison([CODE // region])
    for command in ("clean", "flush", "fence"):
        await run.command(command)
    for side in ("dcache", "icache"):
        for _ in range(2):
            got = await run.read(f"{side}_status")
            run.expect(f"status of {side}", run.env.reference.model.status(side), got)
        if side == "dcache":
            await run.fetch(CODE + 4)
    run.env.heal()
    await run.command("fence")
    run.expect("instruction", 0x1234_5678, await run.fetch(CODE))


@testcase()
async def no_such_register(run: MmuSequence) -> None:
    """Writes of what is read-only, not there, no command, or part of a word are refused, without effect."""
    blocks = run.cfg.icache.blocks
    for name, number in (("state", 0), ("icache_status", 0), ("perf", 0), ("base", blocks)):
        run.expect(f"response of {name} {number}", SLVERR, await run.write(name, 0, number))
    run.expect("response of a command", SLVERR, await run.write("command", len(COMMANDS)))
    address = REGISTERS["base"].address
    for strobe in range(15):
        run.expect("response", SLVERR, await run.env.control.write(address, 0x40, strobe))
    await run.fetch(4)
    for address in (REGISTERS["base"].address + 4 * blocks, 0x5C, 0xFFC):
        run.expect(
            f"response of a read at {address:#x}", SLVERR, (await run.env.control.read(address)).response
        )
    for name in ("base", "icache_policy", "dcache_policy", "command"):
        run.expect(f"{name} read", 0, await run.read(name))
    run.expect("an operation was counted", 0, run.env.reference.model.counters["commands"])


@testcase()
async def counters(run: MmuSequence) -> None:
    """Every counter is shown at its register; those of stalls have a test of their own."""
    await run.send_both(QUIET.fetches(run.cfg, run.rng, 60), QUIET.accesses(run.cfg, run.rng, 60))
    await _shown(run, [address for address in run.cfg.counters if address < STALLS])


@testcase(needs=lambda cfg: cfg.dcache.mshrs > 0, why="a data cache that counts stalls by cause")
async def stall_registers(run: MmuSequence) -> None:
    """What look-ups of the data cache waited for is shown, at registers that each bit of an address tells
    from all others, and that cannot be written.
    """
    places = [address for address in run.cfg.counters if address >= STALLS]
    for _ in range(3):
        await run.send_both(QUIET.fetches(run.cfg, run.rng, 20), QUIET.accesses(run.cfg, run.rng, 60))
        await _shown(run, places)
    loads, line = np.zeros(40, ACCESS), run.cfg.dcache.cache.line_bytes
    for lane in range(LANES):  # each of a line of its own, so that most cycles are stalls
        loads[f"addr{lane}"] = line * (LANES * np.arange(len(loads)) + lane)
    loads["mask"], loads["warp"] = (1 << LANES) - 1, np.arange(len(loads)) % run.cfg.warps
    await run.send("dcache", loads)
    await _shown(run, places)
    near = {place ^ 1 << bit for place in places for bit in range(2, run.cfg.control.address_bits)}
    for place in sorted(near - set(run.cfg.counters)):
        if place >= REGISTERS["icache_perf"].address:  # below are registers that are no counters
            answer = await run.env.control.read(place)
            run.expect(f"response of a read at {place:#x}", SLVERR, answer.response)
    for place in places:
        run.expect(f"response of a write at {place:#x}", SLVERR, await run.env.control.write(place, 0))


async def _shown(run: MmuSequence, places: Sequence[int]) -> None:
    """Once nothing goes on, registers show what is on the counters' ports."""
    await run.settle()
    await run.clocking.cycles(4)
    for address in places:
        stream, field = run.cfg.counters[address]
        access = await run.env.control.read(address)
        word = int(str(getattr(run.bench.dut, f"{stream}_data").value), 2)
        run.expect(f"{stream} {field}", run.cfg.all_streams[stream].unpack(word)[field], access.data)


@testcase()
async def beside_requests(run: MmuSequence) -> None:
    """Control between requests of both sides, whose results wait or not: each gets its turn, none is lost."""
    model, count = run.env.reference.model, 40
    fetches, loads = np.zeros(count, REQUEST), np.zeros(count, ACCESS)
    fetches["pc"] = loads["addr0"] = 4 * (np.arange(count) % 8)
    loads["mask"], loads["warp"] = 1, np.arange(count) % run.cfg.warps
    for pacing in (ALWAYS, Pacing(1, 3)):
        run.pace(pacing)
        sending = cocotb.start_soon(run.send_both(fetches, loads))
        for _ in range(5):  # what does the same whenever it comes: a block that no fetch is of, no error
            run.expect("response", OKAY, await run.write("base", 0x40, run.cfg.icache.blocks - 1))
            model.base(run.cfg.icache.blocks - 1, 0x40)
            run.expect("status", model.status("dcache"), await run.read("dcache_status"))
        await sending
        await run.settle()
