# SPDX-License-Identifier: Apache-2.0
"""Loads and stores one by one: every line, word, byte and bit of the tag."""

import numpy as np

from configs.simple.schema import LOAD, STORE
from models.simple import REQUEST
from tb.common.components.testcase import testcase
from tb.simple.base import SimpleSequence


@testcase()
class EveryLine(SimpleSequence):
    """Each set is filled, stored to, hit, replaced and read again, in all places of a line."""

    async def body(self) -> None:
        """Three lines for each set, twice."""
        cache, whole = self.cfg.cache, (1 << self.cfg.word_bytes) - 1
        requests = []
        for number, tag in enumerate((1, 0, 2, 1)):
            for index in range(cache.sets):
                slot = (index + number) % (1 << self.cfg.slot_bits)
                value = int(self.rng.integers(1 << self.cfg.word_bits))
                word = self.word(index, tag, slot)
                requests += [(LOAD, word, 0, 0, 1), (STORE, word, value, whole, 2), (LOAD, word, 0, 0, 3)]
        await self.send(requests)
        await self.send(
            [
                (op, self.word(0, 0, slot), 5, whole, 0)
                for slot in range(1 << self.cfg.slot_bits)
                for op in (0, 1)
            ]
        )
        await self.flush()


@testcase()
class ByteEnables(SimpleSequence):
    """A store changes the bytes that its strobe names and no others, in every word of a line."""

    async def body(self) -> None:
        """Every strobe in every place, the line read back each time."""
        slots, requests = 1 << self.cfg.slot_bits, []
        for slot in range(slots):
            for strobe in range(1 << self.cfg.word_bytes):
                value = int(self.rng.integers(1 << self.cfg.word_bits))
                requests.append((STORE, self.word(1, 5, slot), value, strobe, 0))
                requests += [
                    (LOAD, self.word(1, 5, (slot + k) % slots), 0, 0, k) for k in range(min(slots, 3))
                ]
        await self.send(requests)
        await self.send([(LOAD, self.word(1, 6), 0, 0, 0)])  # out with it, and in again
        await self.send([(LOAD, self.word(1, 5, slot), 0, 0, 0) for slot in range(slots)])


@testcase()
class TagBits(SimpleSequence):
    """Two lines that differ in one bit of the tag are told apart, for each bit."""

    async def body(self) -> None:
        """There and back, in the first set and the last."""
        whole = (1 << self.cfg.word_bytes) - 1
        for index in (0, self.cfg.cache.sets - 1):
            tag, requests = int(self.rng.integers(1 << self.cfg.cache.tag_bits)), []
            for bit in range(self.cfg.cache.tag_bits):
                words = self.word(index, tag), self.word(index, tag ^ 1 << bit)
                requests += [
                    (STORE, words[0], bit + 1, whole, 0),
                    *((LOAD, word, 0, 0, 0) for word in (words[1], *words)),
                ]
            await self.send(requests)


@testcase()
class SameWord(SimpleSequence):
    """A load or store right after another of the same word sees what that one did."""

    async def body(self) -> None:
        """All pairs, back to back; then a random walk over two words."""
        whole, word = (1 << self.cfg.word_bytes) - 1, self.word(0, 3, 1)
        pairs = [(STORE, STORE), (STORE, LOAD), (LOAD, STORE), (LOAD, LOAD)]
        await self.send(
            [(op, word, 17 * number, whole, number) for number, pair in enumerate(pairs * 4) for op in pair]
        )
        requests = np.zeros(200, REQUEST)
        requests["op"] = self.rng.integers(2, size=200)
        requests["word"] = word + self.rng.integers(2, size=200)
        requests["value"] = self.rng.integers(1 << self.cfg.word_bits, size=200)
        requests["strobe"] = self.rng.integers(1 << self.cfg.word_bytes, size=200)
        await self.send(requests)


@testcase()
class MaximumRate(SimpleSequence):
    """Loads that hit are answered one each cycle, stores that are not written through one in two."""

    async def body(self) -> None:
        """The distance of the first result and the last."""
        word, whole = self.word(2, 9), (1 << self.cfg.word_bytes) - 1
        await self.load(word)
        count, back = 64, self.cfg.policy == "write-back"
        for op, cycles in ((LOAD, 1), (STORE, 2 if back else 0)):
            await self.send([(op, word, 3, whole, 0)] * count)
            await self.settle()
            answered = [transfer.cycle for transfer in self.env.scoreboard.by_name["res"].matched[-count:]]
            if cycles:
                self.expect("cycles of all results", (count - 1) * cycles, answered[-1] - answered[0])


@testcase()
class Cycles(SimpleSequence):
    """The cycles that docs/simple.md gives for each kind of request, from a rest."""

    async def body(self) -> None:
        """With the memory's latency and the beats of a line."""
        timing, beats, back = self.cfg.memory, self.cfg.beats, self.cfg.policy == "write-back"
        miss = 7 + timing.latency + (beats - 1) * (1 + timing.gap)
        word, other = self.word(1, 2), self.word(1, 3)
        await self.expect_cycles("a load that misses", miss, LOAD, word)
        await self.expect_cycles("a load that hits", 1, LOAD, word)
        store = 1 if back else 5 + timing.latency
        await self.expect_cycles("a store that hits", store, STORE, word)
        await self.expect_cycles("a load that replaces it", 2 * miss - 4 if back else miss, LOAD, other)

    async def expect_cycles(self, what: str, cycles: int, op: int, word: int) -> None:
        """One request."""
        await self.result(op, word, 1, 1)
        [taken], [answered] = self.responses[-1].taken, self.responses[-1].answered
        self.expect(f"cycles of {what}", cycles, answered.cycle - taken.cycle)
