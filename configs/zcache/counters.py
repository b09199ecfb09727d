# SPDX-License-Identifier: Apache-2.0
"""The performance counters of ``zcache``, in the order of the port ``perf``."""

COUNTERS = (
    ("tiles", "results of tiles that were taken"),
    ("hits", "of them, those whose line was there when the tile came to the test"),
    ("lates", "those whose line was still on its way, prefetched"),
    ("misses", "those whose line was neither"),
    ("passed", "pixels that passed"),
    ("errors", "tiles whose line memory failed, and writes that memory failed"),
    ("fills", "lines that a demand asked memory for"),
    ("prefetches", "lines that were asked for ahead"),
    ("present", "prefetches dropped because the line was there, or on its way"),
    ("writing", "prefetches dropped because the line was being written"),
    ("untouched", "prefetches dropped because the set held prefetched lines alone that nobody had used"),
    ("busy", "prefetches dropped because too many lines were on their way"),
    ("stale", "prefetches dropped because their tile was tested"),
    ("full", "prefetches dropped because the queue was full"),
    ("useful", "prefetched lines that a test found there"),
    ("evictions", "valid lines that were replaced"),
    ("unused", "of them, prefetched lines that no test had used"),
    ("writebacks", "lines whose writing succeeded, those of a clear included"),
    ("wait_cycles", "cycles a tile was at the test and waited for memory; the next seven are these by cause"),
    ("late_wait_cycles", "for its line, on its way since it was prefetched"),
    ("fill_wait_cycles", "for its line, which it has asked for itself"),
    ("writing_wait_cycles", "for its line, which was being written"),
    ("victim_wait_cycles", "to ask for its line: all lines of the set were on their way"),
    ("buffer_wait_cycles", "to ask for its line: the victim was dirty, and the write buffer full"),
    ("read_wait_cycles", "to ask for its line: no fill was free, or AR was not"),
    (
        "set_wait_cycles",
        "to ask for its line: the tile before it had just come to be tested, in the same set",
    ),
    ("result_wait_cycles", "cycles a result waited for the consumer"),
    ("tile_wait_cycles", "cycles a word was offered and not taken: others in flight, a barrier, or a reset"),
    ("lost", "misses whose line had been there, or dropped, when it was to be prefetched"),
    ("farther", "times the distance grew"),
    ("nearer", "times the distance shrank"),
    ("blanks", "lines asked for that a clear had only marked: memory was not read"),
    ("rejected", "tiles that could not pass by their bounds: their line was not looked at"),
    ("hopeless", "prefetches dropped because their tile could not pass by its bounds"),
)
#: Why a tile waits, in the order of the bits that the look-up gives; at most one in each cycle.
CAUSES = ("late", "fill", "writing", "victim", "buffer", "read", "set")
#: Counters that are there with a feature alone, and the property of :class:`Config` that says so.
OPTIONAL = {
    "lost": "adapts", "farther": "adapts", "nearer": "adapts", "blanks": "marks",
    "rejected": "bounds", "hopeless": "bounds",
}  # fmt: skip
