# SPDX-License-Identifier: Apache-2.0
"""Why look-ups do not go on: each cause alone, counted exactly by the timing of docs/dcache.md.

Requests have a second line, which is there, behind the one they are about: nothing is read ahead for such.
"""

from collections.abc import Sequence
from itertools import product
from typing import Any

from configs.dcache.schema import FLUSH, LANES, LOAD, POLICY, STALLS, STORE, Config
from configs.simt import LRU
from tb.common.components.counters import LATE
from tb.common.components.testcase import testcase
from tb.dcache.base import DcacheSequence, Request

FAR = 40  # tags from here on are not there
ANSWER = 4  # cycles from a request of one group that hits to its result


def _burst(cfg: Config) -> int:
    """Cycles from a line's address to its last beat."""
    return cfg.memory.latency + (cfg.beats - 1) * (1 + cfg.memory.gap)


def _places(run: DcacheSequence, *sets: int) -> list[int]:
    """Words of the lines that :func:`_fill` brings into these sets, that of longest ago first."""
    return [run.place(index, 1 + way) for way in range(run.cfg.cache.ways) for index in sets]


async def _fill(run: DcacheSequence, op: int = LOAD) -> None:
    """Under LRU lines are loaded, or stored to, in all ways of sets 0 and 1; then nothing is under way."""
    places = _places(run, 0, 1)
    lines = run.loads(places, LANES) if op == LOAD else run.stores(places)
    await run.results((FLUSH,), (POLICY, LRU), *lines)


async def _stalls(run: DcacheSequence) -> dict[str, int]:
    """What the counters show of all causes."""
    await run.clocking.cycles(LATE)
    shown = run.env.performance.counters()
    return {name: shown[name] for name, _ in STALLS}


async def _taken(run: DcacheSequence, first: int) -> list[int]:
    """Cycles in which the requests since the ``first``-th response were taken, once all are answered."""
    await run.settle()
    return sorted(taken.cycle for response in run.responses[first:] for taken in response.taken)


async def _count(run: DcacheSequence, what: str, before: dict[str, int], **cycles: int) -> None:
    """So many cycles since ``before`` count by cause, and none of any other."""
    after = await _stalls(run)
    waits = {name.removesuffix("_wait_cycles"): after[name] - before[name] for name in after}
    run.expect(f"cycles, {what}", dict.fromkeys(waits, 0) | cycles, waits)


def _of_warps(run: DcacheSequence, first: int, requests: Sequence[Request]) -> Any:
    """Records of warps that follow one another."""
    run.warp = first
    return run.records(requests)


def _shared(places: Sequence[int], count: int) -> list[Request]:
    """Loads of lines, dealt to ``count`` requests at least, none of them for one line alone."""
    count = max(count, -(-len(places) // LANES))
    return [(LOAD, *places[n::count]) for n in range(count)]


@testcase(
    needs=lambda cfg: cfg.nonblocking and cfg.mshrs < min(cfg.cache.ways * cfg.cache.sets, LANES * cfg.warps),
    why="more lines than can be under way at once",
)
async def stalls_for_entries(run: DcacheSequence) -> None:
    """One line more than can be under way: its look-up waits until the first one's group was served."""
    cfg = run.cfg
    for _ in range(2):
        await run.result(FLUSH)
        places = [run.place(n % cfg.cache.sets, FAR + n) for n in range(cfg.mshrs + 1)]
        before = await _stalls(run)
        await run.send(_of_warps(run, 0, _shared(places, 1)))
        await run.settle()
        # asked for 3 cycles after the request, its group served in the cycle behind its last beat
        waits = max(0, 3 + _burst(cfg) + 2 - (1 + cfg.mshrs))
        await _count(run, "all entries in use", before, entry=waits)


@testcase(
    needs=lambda cfg: (
        cfg.nonblocking and cfg.several_sets and (not cfg.coalescing or cfg.warps > cfg.targets)
    ),
    why="two sets, more groups than may wait for a line",
)
async def stalls_for_room(run: DcacheSequence) -> None:
    """One group more than may wait for a line: its look-up goes on when all others were served."""
    cfg, away = run.cfg, run.place(0, FAR)
    await _fill(run)
    here = _places(run, 1)[0]
    for number in range(2):
        place, groups = away + (number << cfg.cache.offset_bits + cfg.cache.set_bits), cfg.targets + 1
        if cfg.coalescing:
            requests, step = [(LOAD, place, here)] * groups, 2
        else:
            requests, step = run.loads([place] * groups, LANES), 1
        before = await _stalls(run)
        await run.send(_of_warps(run, 0, requests))
        await run.settle()
        waits = 3 + _burst(cfg) + cfg.targets + 1 - (1 + step * cfg.targets)
        await _count(run, "no room at the line", before, group=waits)


@testcase(
    needs=lambda cfg: cfg.nonblocking and cfg.several_sets and cfg.cache.ways > 1,
    why="victims under way, two sets, 2 ways at least",
)
async def stalls_for_victims(run: DcacheSequence) -> None:
    """A miss in place of a line that is under way waits until that one's group was served."""
    cfg, ways = run.cfg, run.cfg.cache.ways
    for number in range(2):
        await _fill(run)
        first, other = (run.place(0, FAR + 2 * number + n) for n in range(2))
        groups = [first, *_places(run, 0)[1:]]  # now all ways were used after that of the first line
        behind = groups[-1]
        before = await _stalls(run)
        await run.send(_of_warps(run, 0, [*run.loads(groups, LANES), (LOAD, other, behind)]))
        await run.settle()
        waits = max(0, 3 + _burst(cfg) + 2 - (1 + ways))
        await _count(run, "the victim under way", before, victim=waits)


@testcase(
    needs=lambda cfg: cfg.nonblocking and cfg.write_buffer + 2 <= 2 * cfg.cache.ways,
    why="a write buffer, and more lines than fit into it",
)
async def stalls_for_write_buffer(run: DcacheSequence) -> None:
    """Memory does not answer writes: a miss with a dirty victim waits until the cycle after the answer."""
    cfg, memory, room = run.cfg, run.env.memory, run.cfg.write_buffer
    for late in (0, 1, 17):
        await _fill(run, STORE)
        here, new = _places(run, 0, 1)[-1], [run.place(n % 2, FAR + n) for n in range(room + 1)]
        memory.hold("b")
        await run.send([(LOAD, place, here) for place in new[:-1]])
        await run.clocking.cycles((room + 2) * (cfg.memory.latency + 8 * cfg.beats))
        before, count = await _stalls(run), len(run.responses)
        await run.send([(LOAD, new[-1], here)])
        await run.clocking.cycles(late)
        memory.release("b")
        answered = run.clocking.cycle + 1
        taken = (await _taken(run, count))[-1]
        await _count(run, f"no room, released after {late}", before, write=answered - taken)


@testcase(
    needs=lambda cfg: cfg.nonblocking and cfg.several_sets and cfg.warps > 2,
    why="two sets, groups that wait, and one more warp",
)
async def stalls_for_served(run: DcacheSequence) -> None:
    """While groups whose line has come go to stage 2 look-ups wait: for them to end if they hit that line,
    else for the stage; so does a request without lanes. A store there waits for beats.
    """
    cfg, number = run.cfg, 0
    first = 3 + _burst(cfg) + 1  # the cycle in which the first of them is served
    most = min(cfg.targets, cfg.warps - 2, 3)  # one alone: its line is served, and has room
    for waiting, what in product(sorted({1, most}), ("line", "hit", "none", "store")):
        cycles = range(first, first + waiting)
        if what == "store":  # it is in stage 2 when a beat comes, and beats come in each cycle
            cycles = range(first if cfg.memory.gap else first - cfg.beats, first)
        for cycle in cycles:
            await _fill(run)
            here, away = _places(run, 1)[0], run.place(0, FAR + number % 4)
            number += 1
            requests: dict[str, list[Request]] = {
                "line": [(LOAD, away, here)], "hit": [(LOAD, here)], "none": [(LOAD,)],
                "store": [(STORE, (here, number)), (LOAD, here)],
            }  # fmt: skip
            behind = requests[what]
            before, count = await _stalls(run), len(run.responses)
            start = run.clocking.cycle
            await run.send(_of_warps(run, 0, [(LOAD, away, here)] * waiting))
            await run.clocking.cycles(start + cycle - len(behind) - run.clocking.cycle)
            await run.send(_of_warps(run, waiting, behind))
            taken = await _taken(run, count)
            run.expect("cycle of the look-up", cycle, taken[-1] + 1 - taken[0])
            cause, waits = "group" if what == "line" else "stage", first + waiting - cycle
            await _count(run, f"{what} in cycle {cycle}, {waiting} served", before, **{cause: waits})


@testcase(
    needs=lambda cfg: cfg.nonblocking and cfg.several_sets, why="two sets, requests that wait at the door"
)
async def stalls_for_warps(run: DcacheSequence) -> None:
    """A warp's next request waits at the door, once all groups of its last one have gone, for its result."""
    cfg = run.cfg
    await _fill(run)
    here, other = _places(run, 0)[0], _places(run, 1)[0]
    for what, places, result in (
        ("one group", (here,), ANSWER), ("two groups", (here, other), ANSWER + 1),
        ("a miss", (run.place(0, FAR), other), 7 + _burst(cfg)),
    ):  # fmt: skip
        before = await _stalls(run)
        acts = run.records([(LOAD, *places), (LOAD, other), (LOAD, here)])
        acts["warp"] = 1, 1, 0
        await run.send(acts)
        await run.settle()
        await _count(run, what, before, warp=result + 1 - len(places))
