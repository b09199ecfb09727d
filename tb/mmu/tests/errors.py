# SPDX-License-Identifier: Apache-2.0
"""Memory that fails one of the two caches: the other one, and the shared RAM, go on as if nothing were."""

from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from configs.dcache.schema import LANES, LOAD, STORE
from configs.icache.schema import FETCH
from configs.mmu.schema import BANKS, WORD_BYTES
from models.icache import REQUEST as FETCH_REQUEST
from tb.common.components.simt import in_turn
from tb.common.components.testcase import testcase
from tb.mmu.base import MmuSequence
from tb.mmu.sides import SIDES

ROUNDS = 3


@testcase()
async def errors_of_each_id(run: MmuSequence) -> None:
    """Memory fails a burst of one cache while one of the other is on its way, in order or beats mingled. A
    line that is replaced under misses and refused is in the status alone.
    """
    region = run.env.reference.model.region_bytes
    for number, mingled, writes, failing in product(range(ROUNDS), (False, True), (False, True), SIDES):
        run.env.memory.mix(reorder=mingled, interleave=mingled)
        await run.command("flush")
        await run.command("invalidate_icache")
        fetch = np.zeros(1, FETCH_REQUEST)
        fetch["op"], fetch["pc"] = FETCH, (1 + number) * region
        access, places = await (_writes if writes else _reads)(run, number)
        run.poison([int(fetch["pc"][0]) // region] if failing == "icache" else _regions(run, places))
        results = await _together(run, fetch, access, writes)
        run.env.heal()
        for side in SIDES:
            failed = side == failing and not (side == "dcache" and writes and run.cfg.dcache.nonblocking)
            run.expect(f"{side} failed", failed, bool(results[side]["err"]))
            expected = run.env.reference.model.status(side)
            run.expect(f"{side} has an address that failed", side == failing, bool(expected))
            run.expect(f"{side} status", expected, await run.read(f"{side}_status"))


def _regions(run: MmuSequence, places: list[int]) -> list[int]:
    """What to poison, so that memory fails at these addresses."""
    return sorted({place // run.env.reference.model.region_bytes for place in places})


async def _reads(run: MmuSequence, number: int) -> tuple[NDArray[Any], list[int]]:
    """An access [1] that reads memory, and where."""
    place = (1 << run.cfg.axi.address_bits - 2) + number * run.cfg.dcache.cache.line_bytes
    return run.access(LOAD, [(place, 0)]), [place]


async def _writes(run: MmuSequence, number: int) -> tuple[NDArray[Any], list[int]]:
    """An access [1] that writes memory first, and where that may be."""
    _, [first] = await _reads(run, number)
    cache = run.cfg.dcache.cache
    fills = cache.ways if in_turn(cache) else 2 * cache.ways  # until all ways are dirty
    lines = [first + number * cache.sets * cache.line_bytes for number in range(fills + 1)]
    for place in lines[:-1]:
        await run.store((place, int(run.rng.integers(1 << 32))))
    if run.cfg.dcache.write_back:
        return run.access(LOAD, [(lines[-1], 0)]), lines[:-1]
    return run.access(STORE, [(first, number)]), [first]


async def _together(
    run: MmuSequence, fetch: NDArray[Any], access: NDArray[Any], writes: bool
) -> dict[str, Any]:
    """Both at once; memory answers both bursts from the same cycle on. Results by side."""
    memory, monitor, before = run.env.memory, run.env.axi["m_axi"].monitor, len(run.responses)
    answers = ("r", "b") if writes else ("r",)
    memory.hold(*answers)
    await run.send_both(fetch, access)
    while monitor.outstanding < 2 or not all(memory.loaded(answer) for answer in answers):
        await run.clocking.cycles(1)
    await run.clocking.cycles(run.cfg.memory.latency)
    memory.release(*answers)
    await run.settle()
    return {response.side: response.results[0] for response in run.responses[before:]}


@testcase()
async def errors_beside_banks(run: MmuSequence) -> None:
    """Of a lane that memory fails, each in turn, and lanes in all other banks it alone fails."""
    ram = run.cfg.data_ram
    failing = 1 << run.cfg.axi.address_bits - 2
    run.env.poison(_regions(run, [failing]))
    for op, lane, turn in product((STORE, LOAD), range(LANES), (0, 3)):
        words = [
            (ram.base + WORD_BYTES * ((other + turn) % BANKS), int(run.rng.integers(1 << 32)))
            for other in range(LANES)
        ]
        words[lane] = (failing + WORD_BYTES * (lane % 2), lane)
        [result] = await run.served("dcache", run.access(op, words))
        run.expect("lanes that failed", 1 << lane, int(result["err"]))
        run.expect("lanes in the shared RAM", 255 ^ 1 << lane, int(result["shared"]))
        run.expect("status", run.env.reference.model.status("dcache"), await run.read("dcache_status"))
    run.env.heal()
    await run.load(failing)
