# SPDX-License-Identifier: Apache-2.0
"""The shared RAM: each bit of a row, and of the window it is in."""

from configs.dcache.schema import LANES
from configs.mmu.schema import BANKS, WORD_BYTES
from tb.common.components.testcase import testcase
from tb.mmu.base import MmuSequence


def _words(run: MmuSequence, places: list[int]) -> list[tuple[int, int]]:
    """A random word for each place; none is 0, as words are after a reset."""
    return [(place, 1 + int(run.rng.integers((1 << 32) - 1))) for place in places]


@testcase()
async def row_bits(run: MmuSequence) -> None:
    """Words of a bank whose rows differ in one bit are two words, side by side in one request."""
    ram = run.cfg.data_ram
    for bit in range(ram.row_bits):
        bank, row = (int(run.rng.integers(end)) for end in (BANKS, ram.rows))
        pair = [ram.base + WORD_BYTES * (BANKS * number + bank) for number in (row, row ^ 1 << bit)]
        for places in (pair, pair[::-1] * (LANES // 2)):
            await run.store(*_words(run, places))
            await run.load(*places)


@testcase()
async def rows_cleared(run: MmuSequence) -> None:
    """A reset clears each bank: the first row, the last, and each one whose number has one bit set."""
    ram = run.cfg.data_ram
    rows = sorted({0, ram.rows - 1} | {1 << bit for bit in range(ram.row_bits)})
    lines = [[ram.base + WORD_BYTES * (BANKS * row + bank) for bank in range(BANKS)] for row in rows]
    for places in lines:
        await run.store(*_words(run, places))
    await run.settle()
    await run.reset()
    for places in lines:
        run.expect("words after a reset", [0] * BANKS, await run.load(*places))


@testcase()
async def window_bits(run: MmuSequence) -> None:
    """A word whose address differs in one bit from one of the shared RAM goes to the cache, of each lane."""
    ram = run.cfg.data_ram
    here = [ram.base + WORD_BYTES * lane for lane in range(LANES)]
    for bit in range(ram.window_bits, run.cfg.axi.address_bits):
        there = [place ^ 1 << bit for place in here]
        for places in (here, there):
            await run.store(*_words(run, places))
        for places in (here, there):
            await run.load(*places)
