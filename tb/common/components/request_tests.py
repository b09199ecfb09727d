# SPDX-License-Identifier: Apache-2.0
"""Tests of any block that answers requests: functions of a :class:`RequestSequence`.

Most need no more of it than ``draw`` and ``send_records``, so a block without memory has them, too:
``STREAM_FLOW``, ``STREAM_RESETS``, ``VOLUME``.
A block lets them stand among its own by :func:`register`, and says what they send: ``distribution``.
Options of :func:`random_everything` and :func:`steered` are those of its ``knobs.py``.
"""

from dataclasses import replace
from typing import Any

import cocotb

from configs import MemoryTiming
from tb.common.components.acting import held_resets
from tb.common.components.aiming import SOON
from tb.common.components.counters import in_time
from tb.common.components.pacing import ALWAYS, PATIENT, PATIENT_MEMORY, MemoryPacing, Pacing
from tb.common.components.packing import columns, pack_words
from tb.common.components.requests import RequestSequence
from tb.common.components.testcase import register as register

SLOW = Pacing(run=2, pause=4)
RARE = Pacing(run=1, pause=12)
KNOBS = ("distribution", "request", "result", "memory", "beside")
ROUND = 50  # requests


async def share(run: RequestSequence, pacing: Pacing = ALWAYS) -> None:
    """A share of N requests, and a rest."""
    await run.send_records(run.draw(max(40, run.count // 10)), pacing)
    await run.settle()


async def quiet(run: RequestSequence) -> None:
    """Without requests nothing happens."""
    await run.clocking.cycles(200)
    offered = {agent.monitor.offered for agent in run.env.agents.values()}
    run.expect("cycles with valid", ({0}, 0), (offered, run.env.bursts))


async def result_back_pressure(run: RequestSequence) -> None:
    """The consumer takes results now and then, in several ways: nothing is lost or repeated."""
    for pacing in (Pacing(1, 1), SLOW, Pacing(10, 40), RARE):
        run.pace(pacing)
        await share(run)
    run.pace(ALWAYS)


async def counters_in_time(run: RequestSequence) -> None:
    """A counter shows an event two cycles after it, in each cycle of many."""
    run.hold()
    await run.send_records(run.draw(1))
    await in_time(run)
    run.pace(ALWAYS)


async def request_gaps(run: RequestSequence) -> None:
    """Requests with pauses between them, from dense to sparse."""
    for pacing in (Pacing(4, 1), SLOW, RARE):
        await share(run, pacing)


async def memory_stalls(run: RequestSequence) -> None:
    """Each channel of the memory waits, one after the other; then its latency varies; then all at once."""
    names = ("address", "beat", "write_address", "write_beat", "answer")
    stalls = [replace(MemoryPacing(), **dict[str, Any]({name: RARE})) for name in names]
    for pacing in (*stalls, MemoryPacing(jitter=60), MemoryPacing(30, SLOW, SLOW, SLOW, SLOW, SLOW)):
        run.env.pace_memory(pacing)
        await share(run)


async def write_orders(run: RequestSequence) -> None:
    """A memory that takes the address of a write before its data, one that wants the data first, and any."""
    run.env.scoreboard.steady = False
    for order in ("address first", "data first", "any"):
        run.env.memory.wait_for(order)
        await share(run)


async def memory_orders(run: RequestSequence) -> None:
    """Lines come in any order, beats of several mingle: each finds who asked for it."""
    for interleave in (False, True):
        run.env.memory.mix(reorder=True, interleave=interleave)
        for pacing in (MemoryPacing(40), MemoryPacing(9, beat=Pacing(2, 2)), MemoryPacing(3)):
            run.env.pace_memory(pacing)
            await share(run)


async def shader_paces(run: Any) -> None:
    """What a shader gives comes at once, in bursts, or long after the tile. Of a block with ``shading``."""
    for pacing in (Pacing(4, 2), Pacing(1, 6), Pacing(1, 40), Pacing(8, 60)):
        run.shading = pacing
        await share(run)


async def patient(run: RequestSequence) -> None:
    """Whoever takes something is ready only once it is offered: no valid waits for a ready."""
    run.pace(PATIENT)
    run.env.pace_memory(PATIENT_MEMORY)
    await share(run)
    run.pace(ALWAYS)


async def all_channels(run: RequestSequence) -> None:
    """Everything stalls at random at once, with new distributions every now and then."""
    for _ in range(6):
        paces = [Pacing(float(run.rng.integers(1, 12)), float(run.rng.integers(1, 8))) for _ in range(7)]
        run.pace(paces[0])
        run.env.pace_memory(MemoryPacing(int(run.rng.integers(40)), *paces[1:6]))
        await share(run, paces[6])
    run.pace(ALWAYS)


def times(run: RequestSequence, most: int) -> int:
    """How many resets: ``most``, or a quarter of them if the block clears itself for long after each."""
    return most if run.clearing <= SOON else -(-most // 4)


async def under_way(run: RequestSequence, longest: int) -> None:
    """Wait for less than ``longest`` cycles, behind the end of a clear if that takes long."""
    clearing = run.clearing if run.clearing > SOON else 0
    await run.clocking.cycles(clearing + int(run.rng.integers(1, longest)))


async def resets(run: RequestSequence) -> None:
    """Resets again and again, while idle and in the midst of all that goes on."""
    await run.reset()
    for _ in range(times(run, max(30, run.count // 20))):
        drawn = run.draw(12)
        await run.send_records(drawn[: int(run.rng.integers(1, 12))])
        await under_way(run, 60)
        await run.reset(int(run.rng.integers(1, 5)))


async def short_resets(run: RequestSequence) -> None:
    """Resets of one cycle, in each state that traffic brings about; what one of them leaves shows later."""
    for turn in range(times(run, max(200, run.count // 5))):
        if run.at_once:
            timing = MemoryTiming(latency=1) if turn % 2 else run.cfg.memory
            run.env.memory.set_timing(timing)
            run.env.scoreboard.timing = timing
        await run.send_records(run.draw(int(run.rng.integers(1, 8))))
        await under_way(run, 40)
        await run.reset(1)


async def resets_while_held(run: RequestSequence) -> None:
    """Short resets of any kind while results, requests or channels of memory are held."""
    run.env.scoreboard.steady = False

    async def send() -> None:
        await run.send_records(run.draw(int(run.rng.integers(1, 8))))

    await held_resets(run, max(60, run.count // 10), 60, send)


async def resets_of_memory(run: RequestSequence) -> None:
    """Memory is reset, alone or with the block, in whatever goes on: both forget what was asked for."""
    for _ in range(times(run, max(30, run.count // 20))):
        drawn = run.draw(12)
        await run.send_records(drawn[: int(run.rng.integers(1, 12))])
        await under_way(run, 60)
        await run.reset(int(run.rng.integers(1, 5)), "memory" if run.rng.random() < 0.7 else "all")


async def offered_in_resets(run: RequestSequence) -> None:
    """A request that is offered in the one cycle of a reset, and only there, is not taken."""
    stream = run.cfg.streams["req"]
    for _ in range(max(60, run.count // 5)):
        drawn = run.draw(8)
        await run.send_records(drawn[:3])
        await run.clocking.cycles(int(run.rng.integers(2, 8)))
        [word] = pack_words(stream, columns(drawn[3:4]))
        driver = run.env.agents["req"].driver
        driver.offer(word)
        await run.reset(1)
        driver.withdraw()
        await run.send_records(drawn[4:])


async def random_errors(run: RequestSequence) -> None:
    """Rounds of traffic; some of the lines in use fail for a while, others later."""
    for _ in range(max(8, run.count // 60)):
        drawn = run.draw(60)
        await run.send_records(drawn[:20])
        await run.settle()
        run.env.poison(run.lines(drawn[20:])[run.rng.random(40) < 0.3].tolist())
        await run.send_records(drawn[20:])
        await run.settle()
        run.env.heal()


async def one_round(run: RequestSequence, size: int, chosen: dict[str, Any]) -> None:
    """Some requests; memory refuses some of them, or a reset comes."""
    run.pace(chosen["result"])
    if "memory" in chosen:
        run.env.pace_memory(chosen["memory"])
    drawn = chosen["distribution"].draw(run.cfg, run.rng, size)
    if chosen["beside"] == "errors":
        run.env.poison(run.lines(drawn)[run.rng.random(size) < 0.2].tolist())
    sending = cocotb.start_soon(run.send_records(drawn, chosen["request"]))
    if chosen["beside"] == "reset":
        await run.clocking.cycles(int(run.rng.integers(1, 200)))
        await run.reset(int(run.rng.integers(1, 5)))
    await sending
    await run.settle()
    run.env.heal()
    run.pace(ALWAYS)


def choices(run: RequestSequence) -> dict[str, Any]:
    """An option of each knob; a block without memory has no such knob."""
    return {kind: run.choose(kind) for kind in KNOBS if kind != "memory" or run.env.axi}


async def random_everything(run: RequestSequence) -> None:
    """Traffic, pacing of every channel, errors and resets, all at random, others in each round."""
    for _ in range(max(8, run.count // ROUND)):
        await one_round(run, ROUND, choices(run))


async def steered(run: RequestSequence) -> None:
    """Everything at random, within the options that the run is steered to (or any), in rounds of the same."""
    chosen = choices(run)
    for at in range(0, run.count, ROUND):
        await one_round(run, min(ROUND, run.count - at), chosen)


#: every channel waits, alone and together
FLOW = (
    result_back_pressure, counters_in_time, request_gaps, memory_stalls, write_orders, patient, all_channels,
)  # fmt: skip
#: the same of a block that only reads
READ_FLOW = tuple(body for body in FLOW if body is not write_orders)
#: the same of a block without memory, which counts otherwise
STREAM_FLOW = (result_back_pressure, request_gaps, patient, all_channels)
#: resets of each kind, at any time
RESETS = (resets, short_resets, resets_while_held, resets_of_memory)
#: the same of a block without memory
STREAM_RESETS = (resets, short_resets, resets_while_held)
#: everything at random
VOLUME = (random_everything, steered)
