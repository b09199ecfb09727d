# SPDX-License-Identifier: Apache-2.0
"""Memory that answers with errors: a request that meets one is not performed, and no store is lost."""

from typing import Any

from configs.simple.schema import LOAD, STORE
from tb.common.components.testcase import testcase
from tb.simple.base import SimpleSequence
from tb.simple.items import Distribution


def write_back(cfg: Any) -> bool:
    """Whether there are dirty lines."""
    return bool(cfg.policy == "write-back")


@testcase()
class FillErrors(SimpleSequence):
    """A line of which any beat fails is not kept: the next access asks memory again."""

    async def body(self) -> None:
        """Each beat, for a load and a store, of those that fill, twice; then all is well."""
        line, filling = (
            self.word(2, 4) >> self.cfg.slot_bits,
            (LOAD, STORE) if write_back(self.cfg) else (LOAD,),
        )
        for beat in range(self.cfg.beats):
            self.env.axi["m_axi"].memory.faults.beat = beat
            for op in filling:
                self.env.poison([line])
                for _ in range(2):
                    result = await self.result(op, self.word(2, 4), 9, 1)
                    self.expect("error, value", (1, 0), (int(result["err"]), int(result["value"])))
                self.env.heal()
                self.expect("error", 0, int((await self.result(op, self.word(2, 4), 9, 1))["err"]))
                await self.invalidate()


@testcase(needs=write_back, why="a write-back cache")
class RefusedWriteBack(SimpleSequence):
    """A victim that memory refuses stays, dirty and readable; the request is not performed."""

    async def body(self) -> None:
        """Refused by a load, a store and a flush; accepted in the end."""
        word, other = self.word(1, 1), self.word(1, 2)
        await self.store(word, 77)
        self.env.poison([word >> self.cfg.slot_bits])
        for op in (LOAD, STORE):
            self.expect("error", 1, int((await self.result(op, other, 5, 1))["err"]))
            kept = await self.load(word)
            self.expect("kept: hit, value", (1, 77), (int(kept["hit"]), int(kept["value"])))
        await self.store(self.word(2, 1), 5)
        flushed = await self.flush()
        self.expect("error, lines tried", (1, 2), (int(flushed["err"]), int(flushed["tries"])))
        self.env.heal()
        flushed = await self.flush()
        self.expect("error, lines tried", (0, 1), (int(flushed["err"]), int(flushed["tries"])))


@testcase(needs=lambda cfg: not write_back(cfg), why="a write-through cache")
class RefusedStore(SimpleSequence):
    """A store that memory refuses changes nothing, in the cache neither."""

    async def body(self) -> None:
        """On a line that is there, and on one that is not."""
        word, other = self.word(1, 1), self.word(2, 1)
        await self.store(word, 3)
        await self.load(word)
        self.env.poison([word >> self.cfg.slot_bits, other >> self.cfg.slot_bits])
        for place in (word, other):
            self.expect("error", 1, int((await self.store(place, 44))["err"]))
        self.expect("value", 3, int((await self.load(word))["value"]))
        self.env.heal()
        await self.store(word, 5)
        self.expect("value", 5, int((await self.load(word))["value"]))


@testcase()
class RandomErrors(SimpleSequence):
    """Some of the lines in use fail for a while, others later."""

    async def body(self) -> None:
        """Rounds of traffic, with other lines failing in each."""
        for _ in range(max(8, self.count // 60)):
            drawn = Distribution(sets=4, flushes=0.05).draw(self.cfg, self.rng, 60)
            await self.send(drawn[:20])
            await self.settle()
            lines = drawn["word"][20:] >> self.cfg.slot_bits
            self.env.poison([int(line) for line in lines[self.rng.random(40) < 0.3]])
            await self.send(drawn[20:])
            await self.settle()
            self.env.heal()
