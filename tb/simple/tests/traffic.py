# SPDX-License-Identifier: Apache-2.0
"""Random traffic: a little, at all paces of all channels, and in volume."""

from dataclasses import replace
from typing import Any

import cocotb

from configs.simple.schema import FLUSH
from tb.common.components.pacing import ALWAYS, MemoryPacing, Pacing
from tb.common.components.testcase import testcase
from tb.simple.base import SimpleSequence
from tb.simple.items import Distribution
from tb.simple.knobs import KNOBS

LOCAL = Distribution(sets=8)
SLOW = Pacing(run=2, pause=4)
RARE = Pacing(run=1, pause=12)
KINDS = ("distribution", "request", "result", "memory", "beside")


@testcase()
async def smoke(run: SimpleSequence) -> None:
    """A few hundred random requests, then a flush: does it live?"""
    await run.send(LOCAL.draw(run.cfg, run.rng, min(run.count, 300)))
    await run.result(FLUSH)


async def share(run: SimpleSequence, pacing: Pacing = ALWAYS) -> None:
    """A share of N requests, and a rest."""
    await run.send(LOCAL.draw(run.cfg, run.rng, max(40, run.count // 10)), pacing)
    await run.settle()


@testcase()
async def result_back_pressure(run: SimpleSequence) -> None:
    """The consumer takes results now and then, in several ways: nothing is lost or repeated."""
    for pacing in (Pacing(1, 1), SLOW, Pacing(10, 40), RARE):
        run.pace(pacing)
        await share(run)
    run.pace(ALWAYS)


@testcase()
async def request_gaps(run: SimpleSequence) -> None:
    """Requests with pauses between them, from dense to sparse."""
    for pacing in (Pacing(4, 1), SLOW, RARE):
        await share(run, pacing)


@testcase()
async def memory_stalls(run: SimpleSequence) -> None:
    """Each channel of the memory waits, one after the other; then its latency varies; then all at once."""
    names = ("address", "beat", "write_address", "write_beat", "answer")
    stalls = [replace(MemoryPacing(), **dict[str, Any]({name: RARE})) for name in names]
    for pacing in (*stalls, MemoryPacing(jitter=60), MemoryPacing(30, SLOW, SLOW, SLOW, SLOW, SLOW)):
        run.env.pace_memory(pacing)
        await share(run)


@testcase()
async def write_orders(run: SimpleSequence) -> None:
    """A memory that takes the address of a write before its data, one that wants the data first, and any."""
    run.env.scoreboard.steady = False
    for order in ("address first", "data first", "any"):
        run.env.axi["m_axi"].memory.wait_for(order)
        await share(run)


@testcase()
async def all_channels(run: SimpleSequence) -> None:
    """Everything stalls at random at once, with new distributions every now and then."""
    for _ in range(6):
        paces = [Pacing(float(run.rng.integers(1, 12)), float(run.rng.integers(1, 8))) for _ in range(7)]
        run.pace(paces[0])
        run.env.pace_memory(MemoryPacing(int(run.rng.integers(40)), *paces[1:6]))
        await share(run, paces[6])
    run.pace(ALWAYS)


@testcase()
async def random_traffic(run: SimpleSequence) -> None:
    """One distribution after the other, at full rate, with the memory's exact timing; a flush at the end."""
    for distribution in KNOBS["distribution"].values():
        await run.send(distribution.draw(run.cfg, run.rng, max(50, run.count // 5)))
    await run.result(FLUSH)


async def one_round(run: SimpleSequence, size: int, chosen: dict[str, Any]) -> None:
    """Some requests; memory refuses some of them, or a reset comes."""
    run.pace(chosen["result"])
    run.env.pace_memory(chosen["memory"])
    drawn = chosen["distribution"].draw(run.cfg, run.rng, size)
    if chosen["beside"] == "errors":
        lines = drawn["word"] >> run.cfg.slot_bits
        run.env.poison(lines[run.rng.random(size) < 0.2].tolist())
    sending = cocotb.start_soon(run.send(drawn, chosen["request"]))
    if chosen["beside"] == "reset":
        await run.clocking.cycles(int(run.rng.integers(1, 200)))
        await run.reset(int(run.rng.integers(1, 5)))
    await sending
    await run.settle()
    run.env.heal()
    run.pace(ALWAYS)


@testcase()
async def random_everything(run: SimpleSequence) -> None:
    """Traffic, pacing of every channel, errors and resets, all at random, others in each round."""
    for _ in range(max(8, run.count // 50)):
        await one_round(run, 50, {kind: run.choose(kind) for kind in KINDS})


@testcase()
async def steered(run: SimpleSequence) -> None:
    """Everything at random, within the options that the run is steered to (or any), in rounds of the same."""
    chosen = {kind: run.choose(kind) for kind in KINDS}
    for at in range(0, run.count, 50):
        await one_round(run, min(50, run.count - at), chosen)
