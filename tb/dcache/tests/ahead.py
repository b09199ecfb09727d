# SPDX-License-Identifier: Apache-2.0
"""Lines that are read ahead: how they end with nobody waiting for them, and who comes in that cycle."""

from typing import Any

from configs.dcache.schema import FLUSH, LOAD, STATUS
from tb.common.components.testcase import testcase
from tb.dcache.base import DcacheSequence

AHEAD: dict[str, Any] = {
    "needs": lambda cfg: cfg.prefetch and cfg.several_sets,
    "why": "lines that are read ahead, two sets",
}


@testcase(**AHEAD)
async def failed_ahead(run: DcacheSequence) -> None:
    """Each beat of a line that is read ahead fails alone, with nobody waiting: its first user is told."""
    faults = run.env.memory.faults
    for beat in range(run.cfg.beats):
        first, ahead = run.place(0, 40 + beat), run.place(1, 40 + beat)
        await run.results((FLUSH,), (STATUS,))
        faults.beat = beat
        run.env.poison([run.line(ahead)])
        await run.result(LOAD, first)  # until the line ahead has come, too
        run.env.heal()
        results = await run.results((LOAD, ahead), (STATUS,), (LOAD, first))
        run.expect(f"errors, beat {beat}", [1, 1, 0], results["err"].tolist())
    faults.beat = None


@testcase(**AHEAD)
async def used_as_it_comes(run: DcacheSequence) -> None:
    """The first use of a line that is read ahead, in each cycle around its last beat: it is answered."""
    cfg = run.cfg
    burst = cfg.memory.latency + cfg.beats * (1 + cfg.memory.gap)
    for cycle in range(burst - 2, burst + cfg.beats * (1 + cfg.memory.gap) + 10):
        first, ahead = run.place(0, 40 + 2 * cycle), run.place(1, 40 + 2 * cycle)
        before = run.env.reference.asked
        await run.send([(LOAD, first)])
        await run.clocking.cycles(cycle)
        result = await run.result(LOAD, ahead)
        run.expect("a hit", 1, int(result["hit"]))
        run.expect("lines read: this one, the next, and the one behind", 3, run.env.reference.asked - before)
