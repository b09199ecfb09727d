# SPDX-License-Identifier: Apache-2.0
"""Resets at any time, and nothing at all."""

from itertools import product

import cocotb

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
    pes, cycles = range(run.cfg.pes), []
    for turn in range(3):
        await run.reset()
        await run.send([(pe, STORE, run.word((pe + turn) % 4), turn) for pe in pes for _ in range(turn)])
        await run.settle()
        await run.reset()
        start = run.clocking.cycle
        await run.send([(pe, STORE, run.word(pe % 2), turn) for pe in pes for _ in range(5)])
        await run.settle()
        cycles.append([transfer.cycle - start for pe in pes for transfer in run.transfers(pe)[-5:]])
    run.expect("the same cycles", (cycles[0], cycles[0]), (cycles[1], cycles[2]))


@testcase()
async def pointers_forgotten(run: LpasSequence) -> None:
    """A reset behind grants to the first PE of each row, of each column: then all meet there, as at first."""
    pes, columns = range(run.cfg.pes), run.cfg.array.columns
    for cache, by_row in product(pes, (True, False)):
        first = [pe for pe in pes if (pe % columns if by_row else pe // columns) == 0]
        await run.send([(pe, STORE, run.word(cache), pe) for pe in first])
        await run.settle()
        await run.reset(1)
        await run.send([(pe, STORE, run.word(cache), pe) for pe in pes])
        await run.settle()


@testcase(needs=lambda cfg: cfg.bound == "age", why="urgent requests")
async def ages_forgotten(run: LpasSequence) -> None:
    """A reset meets urgent requests: those right behind it are not urgent, and the near PE goes first."""
    memory, last = run.env.axi["m_axi"].memory, run.last
    kinds: tuple[Kind, ...] = ("design", "memory", "all")
    pes = (0, last - 1)  # the farthest from the last cache, and one of its row
    for kind in kinds:
        await run.reset()
        memory.hold("ar")
        await run.send([(1, STORE, run.word(last), 1)])  # it misses
        for pe in pes:
            run.env.agents[f"req{pe}"].driver.eager = True
        rows = [(pe, STORE, run.word(last), 2 + number) for pe in pes for number in range(2)]
        sending = cocotb.start_soon(run.send(rows))  # one is held, the other on the pins, also in the reset
        await run.clocking.cycles(run.cfg.age + 9)
        await run.reset(1, kind)
        await sending
        for pe in pes:
            run.env.agents[f"req{pe}"].driver.eager = False
        memory.release("ar")
        await run.settle()


@testcase()
async def writes_over_resets(run: LpasSequence) -> None:
    """A write-back that a reset meets goes on with its own line, its cache asked for another place."""
    memory, sets = run.env.axi["m_axi"].memory, run.cfg.cache.sets
    for index in sorted({0, 1, sets - 2, sets - 1}):
        await run.answered(run.last, STORE, run.word(1, index), 7 + index)
        memory.hold("w")
        await run.send([(0, LOAD, run.word(1, index, 1))])
        await run.clocking.cycles(10)
        await run.reset(1)
        await run.send([(1, LOAD, run.word(1, (index + 1) % sets))])
        memory.release("w")
        await run.settle()


@testcase()
async def offered_in_resets(run: LpasSequence) -> None:
    """A request that is offered in the one cycle of a reset, and only there, is not taken."""
    for _ in range(max(30, run.count // 10)):
        drawn = run.draw(8)
        await run.send(drawn[:3])
        await run.clocking.cycles(int(run.rng.integers(2, 8)))
        offered = {int(request["pe"]): request for request in drawn[3:5]}
        for pe, request in offered.items():
            stream = run.cfg.streams[f"req{pe}"]
            [word] = pack_words(stream, {name: [request[name]] for name in ("op", "word", "value")})
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


@testcase()
async def forgotten_by_resets(run: LpasSequence) -> None:
    """A reset of one cycle in each one around a line's end: nobody is acknowledged in it, no line stays."""
    fill = 4 + run.cfg.memory.latency + 1 + (run.cfg.beats - 1) * (1 + run.cfg.memory.gap)
    there = run.word(1, 1)
    kinds: tuple[Kind, ...] = ("design", "all")
    for number, (cycles, kind) in enumerate(product(range(fill - 5, fill + 3), kinds)):
        coming = run.word(1, 0, number % 2)  # not the one before, which is there
        await run.answered(0, STORE, there, cycles)
        await run.send([(0, LOAD, coming)])
        await run.clocking.cycles(cycles)
        acknowledged: list[int] = []

        def sample(acknowledged: list[int] = acknowledged) -> bool:
            valid = (getattr(run.bench.dut, f"res{pe}_valid").value for pe in range(run.cfg.pes))
            acknowledged.extend(pe for pe, level in enumerate(valid) if level == 1)
            return False

        run.clocking.on_sample(sample)
        await run.reset(1, kind)
        run.expect("acknowledges in a reset", [], acknowledged)
        await run.send([(1, LOAD, coming), (2, LOAD, there)])
        await run.settle()
