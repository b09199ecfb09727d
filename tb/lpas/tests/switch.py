# SPDX-License-Identifier: Apache-2.0
"""Who is granted, and when: without conflict, in the source's patterns and classes, by area, in turn."""

from itertools import pairwise, product
from typing import Any

import numpy as np

from configs.lpas.schema import LOAD, STORE
from tb.common.components.testcase import testcase
from tb.lpas.base import LpasSequence
from workloads.lpas.cases import UNIFORM, conflicting

HOLDS_4X4: dict[str, Any] = {"needs": lambda cfg: cfg.pes == 16, "why": "an array of 4x4"}
LOCAL: dict[str, Any] = {"needs": lambda cfg: cfg.switch == "lpas", "why": "the local-priority switch"}
UNBOUNDED: dict[str, Any] = {
    "needs": lambda cfg: cfg.switch == "lpas" and cfg.bound == "none",
    "why": "local priority without a bound",
}
CASES = 15  # of a class


def free(run: LpasSequence, op: int) -> int:
    """The latency without conflict."""
    return 2 if op == LOAD or run.cfg.read_pipeline else 1


async def shot(run: LpasSequence, pairs: list[tuple[int, int]], op: int = STORE) -> dict[int, int]:
    """One access of each PE, all at once, to line 0 of a cache: latencies, ``free`` being 1."""
    latencies = await run.latencies([(pe, op, run.word(cache), pe) for pe, cache in pairs])
    return {pe: latency - free(run, op) + 1 for pe, latency in latencies.items()}


def sums(pairs: list[tuple[int, int]]) -> int:
    """The sum of latencies behind one arbiter a cache: 1 to k where k meet."""
    counts = np.bincount([cache for _, cache in pairs])
    return int((counts * (counts + 1) // 2).sum())


@testcase()
async def no_conflict(run: LpasSequence) -> None:
    """Each PE on a cache of its own, in every rotation: stores in one cycle, loads in two, all at once."""
    await run.warm()
    pes = run.cfg.pes
    for shift, op in product(range(pes), (STORE, LOAD)):
        pairs = [(pe, (pe + shift) % pes) for pe in range(pes)]
        latencies = await shot(run, pairs, op)
        if not run.cfg.two_stage:
            run.expect(f"latencies of shift {shift}", {1}, set(latencies.values()))


@testcase(**HOLDS_4X4)
async def simple_patterns(run: LpasSequence) -> None:
    """The source's eight patterns without conflict: one cycle for a store, two for a load."""
    await run.warm()
    four, pair = range(4), range(2)
    patterns = {
        "a row on a row": [(c, 4 + c) for c in four],
        "a column on a row": [(4 * r + 1, 8 + r) for r in four],
        "a row on a column": [(c, 4 * c + 2) for c in four],
        "a column on a column": [(4 * r, 4 * r + 3) for r in four],
        "2x2 crosswise": [(4 * i + j, 4 * (1 - i) + 1 - j) for i in pair for j in pair],
        "2x2 on another": [(4 * i + j, 4 * (2 + i) + 2 + j) for i in pair for j in pair],
        "2x2 on four": [(4 * i + j, 8 * i + 2 * j) for i in pair for j in pair],
        "2x2 on its own": [(4 * i + j, 4 * i + j) for i in pair for j in pair],
    }
    for (name, pairs), op in product(patterns.items(), (STORE, LOAD)):
        latencies = await shot(run, pairs, op)
        if not run.cfg.two_stage:
            run.expect(f"latencies, {name}", {1}, set(latencies.values()))


@testcase(**HOLDS_4X4)
async def classes(run: LpasSequence) -> None:
    """Rows on rows, columns on columns, without conflicts and with: at least 15 cases of each. With them PEs
    of a row meet, all of one area; or those of a column, each of another.
    """
    await run.warm()
    shared = {"lr2ss-a": (1, 2.5), "lr2ss-b": (2.5, 2.5), "lr2ss-c": (1, 1)}.get(run.cfg.switch, (1, 1))
    for shift, case in product((1, 2, 3), range(CASES // 3)):
        rows = [(pe, (pe + 4 * shift) % 16) for pe in range(16)]
        columns = [(pe, pe // 4 * 4 + (pe + shift) % 4) for pe in range(16)]
        for pairs, mean in zip((rows, columns), shared, strict=True):
            if not case:
                run.expect(
                    f"mean, shift {shift}", mean, float(np.mean(list((await shot(run, pairs)).values())))
                )
            share = 0.2 * (case + 1)
            meeting = [
                (pe, cache)
                for pe, cache in conflicting(run.rng, shift, pairs is rows, share, UNIFORM).tolist()
            ]
            latencies = await shot(run, meeting)
            if not run.cfg.two_stage:
                run.expect("sum of latencies", sums(meeting), sum(latencies.values()))


@testcase(**LOCAL)
async def areas_in_order(run: LpasSequence) -> None:
    """All PEs on one cache, of each row: areas are served in their order, inside by number at first."""
    await run.warm()
    for row, areas in enumerate(run.cfg.area_pes):
        await run.reset()
        await run.warm()
        cache = row * run.cfg.array.columns
        await run.reset(1)
        await run.send([(0, STORE, run.word(cache), 1)])  # it misses, and its own area's pointer moves
        await run.settle()
        latencies = await shot(run, [(pe, cache) for pe in range(run.cfg.pes)])
        if run.cfg.bound == "none":
            order = sorted(latencies, key=lambda pe: latencies[pe])
            sizes = np.cumsum([0, *(len(area) for area in areas)])
            served = [set(order[a:b]) for a, b in pairwise(sizes)]
            run.expect(f"areas of row {row}", [set(area) for area in areas], served)


@testcase()
async def each_pointer(run: LpasSequence) -> None:
    """Any two PEs on any cache, again and again: who is first takes turns inside an area."""
    await run.warm()
    pes = run.cfg.pes
    for _ in range(max(60, run.count // 4)):
        cache = int(run.rng.integers(pes))
        several = run.rng.choice(pes, int(run.rng.integers(2, pes + 1)), replace=False)
        await run.send([(int(pe), STORE, run.word(cache), int(pe)) for pe in several])
    await run.settle()


@testcase()
async def full_load(run: LpasSequence) -> None:
    """All PEs ask all the time: one cache alone, caches of the own row, any."""
    await run.warm()
    pes, columns = run.cfg.pes, run.cfg.array.columns
    count = max(12, run.count // pes)
    for kind, op in product(("one", "row", "any"), (STORE, LOAD)):
        rows: list[tuple[int, ...]] = []
        for pe, _ in product(range(pes), range(count)):
            own = pe // columns * columns + int(run.rng.integers(columns))
            cache = {"one": 1, "row": own, "any": int(run.rng.integers(pes))}[kind]
            rows.append(
                (pe, op, run.word(cache, slot=int(run.rng.integers(2))), int(run.rng.integers(1 << 16)))
            )
        await run.send(rows)
    await run.settle()


@testcase(**UNBOUNDED)
async def local_pes_starve_others(run: LpasSequence) -> None:
    """One PE of the row that always stores, or two that always load, keep all others out, for ever."""
    await run.warm()
    count, far = 80, run.last
    for pes, op in (([0], STORE), ([0, 1], LOAD)):
        if run.cfg.read_pipeline and op == LOAD:
            pes = [0]
        rows = [(pe, op, run.word(0), 7) for pe in pes for _ in range(count)]
        gaps = np.zeros(len(rows) + 1, np.int64)
        gaps[-1] = 9
        before = len(run.transfers(far))
        await run.send([*rows, (far, STORE, run.word(0), 9)], gaps=gaps)
        await run.settle()
        waited = run.env.scoreboard.by_name[f"res{far}"].matched[-1].cycle - run.transfers(far)[before].cycle
        run.expect("the far PE waits for the end", True, waited > count - 20)


@testcase(needs=lambda cfg: cfg.bound != "none" or cfg.switch == "fs", why="a bound of the waits")
async def bounded_wait(run: LpasSequence) -> None:
    """The same load on a switch whose waits are bounded: nobody waits longer than docs/lpas.md says."""
    await run.warm()
    cfg, pes = run.cfg, run.cfg.pes
    rounds = sum(cfg.credits(area) for area in range(cfg.array.rows))
    bounds = {
        "none": pes - 1, "age": cfg.age + pes - 1,
        # the farthest area has one credit: a round for each of its PEs, and what was left of one before
        "weights": cfg.array.columns * rounds - 1 + rounds - 1,
    }  # fmt: skip
    rows = [(pe, STORE, run.word(0), pe) for pe in range(pes) for _ in range(20)]
    begun = [len(run.transfers(pe)) for pe in range(pes)]
    done = [len(run.env.scoreboard.by_name[f"res{pe}"].matched) for pe in range(pes)]
    await run.send(rows)
    await run.settle()
    for pe in range(pes):
        taken = [transfer.cycle for transfer in run.transfers(pe)[begun[pe] :]]
        answered = [transfer.cycle for transfer in run.env.scoreboard.by_name[f"res{pe}"].matched[done[pe] :]]
        worst = max(b - a for a, b in zip(taken, answered, strict=True))
        run.expect(
            f"PE {pe} waits at most {bounds[cfg.bound]}, not {worst}", True, worst <= bounds[cfg.bound]
        )
