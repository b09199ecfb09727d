# SPDX-License-Identifier: Apache-2.0
"""Resets at any time, and nothing at all."""

from itertools import product

from configs.lpas.schema import FLUSH, LOAD, STM, STORE
from tb.common.components.packing import pack_words
from tb.common.components.request_tests import RESETS, quiet, register
from tb.common.components.reset import Kind
from tb.common.components.testcase import testcase
from tb.lpas.base import LpasSequence

register(__name__, LpasSequence, quiet, silent=True)
register(__name__, LpasSequence, *RESETS)


@testcase()
async def reset_at_every_cycle(run: LpasSequence) -> None:
    """A reset in each cycle of a miss that writes back: what memory was asked for happens, no more."""
    burst = 5 + run.cfg.memory.latency + run.cfg.beats
    ranges = (range(1, 14), range(burst - 4, burst + 8), range(2 * burst - 6, 2 * burst + 6))
    kinds: tuple[Kind, ...] = ("design", "memory", "all")
    for cycles, kind in product((cycle for part in ranges for cycle in part), kinds):
        await run.answered(0, STORE, run.word(1, 0, 0), cycles)
        await run.send([(0, LOAD, run.word(1, 0, 1)), (1, STORE, run.word(1, 0, 2), 5)])
        await run.clocking.cycles(cycles)
        await run.reset(1, kind)
        await run.send([(0, LOAD, run.word(2, 0, 1))])
        await run.answered(2, LOAD, run.word(1, 0, 0))


@testcase()
async def reset_while_memory_holds(run: LpasSequence) -> None:
    """Bursts that memory has not even accepted when reset comes go before all later ones."""
    memory = run.env.axi["m_axi"].memory
    for channel, op in product(("ar", "aw", "w", "b", "r"), (LOAD, STORE, STM)):
        await run.answered(run.last, STORE, run.word(1, 1), 7 + op)
        memory.hold(channel)
        await run.send([(run.last, op, run.word(1, 1, 1), 3)])
        await run.clocking.cycles(3 * (run.cfg.memory.latency + run.cfg.beats))
        await run.reset()
        await run.send([(0, LOAD, run.word(2, op)), (1, STORE, run.word(1, 1, 1), 4)])
        await run.clocking.cycles(10)
        memory.release(channel)
        await run.answered(2, LOAD, run.word(1, 1))


@testcase()
async def pointers_begin_anew(run: LpasSequence) -> None:
    """After a reset every arbiter is at its start: the same traffic takes the same cycles."""
    pes, seen = range(run.cfg.pes), []
    for turn in range(3):
        await run.reset()
        await run.send([(pe, STORE, run.word((pe + turn) % 4), turn) for pe in pes for _ in range(turn)])
        await run.settle()
        await run.reset()
        start = run.clocking.cycle
        await run.send([(pe, STORE, run.word(pe % 2), turn) for pe in pes for _ in range(5)])
        await run.settle()
        seen.append([one.cycle - start for pe in pes for one in run.transfers(pe)[-5:]])
    run.expect("the same cycles", (seen[0], seen[0]), (seen[1], seen[2]))


@testcase()
async def offered_in_resets(run: LpasSequence) -> None:
    """A request that is offered in the one cycle of a reset, and only there, is not taken."""
    for _ in range(max(30, run.count // 10)):
        drawn = run.draw(8)
        await run.send(drawn[:3])
        await run.clocking.cycles(int(run.rng.integers(2, 8)))
        offered = {int(one["pe"]): one for one in drawn[3:5]}
        for pe, one in offered.items():
            stream = run.cfg.streams[f"req{pe}"]
            [word] = pack_words(stream, {name: [one[name]] for name in ("op", "word", "value")})
            run.env.agents[stream.name].driver.offer(word)
        await run.reset(1)
        for pe in offered:
            run.env.agents[f"req{pe}"].driver.withdraw()
        await run.send(drawn[5:])
    await run.settle()


@testcase()
async def flush_after_reset(run: LpasSequence) -> None:
    """A reset in mid-flush ends it: nothing more is written, and the next flush is whole."""
    for cycles in range(1, 60, 3):
        await run.send(
            [(pe, STORE, run.word(pe, pe % run.cfg.cache.sets), cycles) for pe in range(run.cfg.pes)]
        )
        await run.settle()
        await run.send([(run.last, FLUSH)])
        await run.clocking.cycles(cycles)
        await run.reset(1)
        await run.answered(0, STORE, run.word(1), cycles)
        run.expect("error", 0, (await run.answered(run.last, FLUSH))[2])
