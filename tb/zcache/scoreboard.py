# SPDX-License-Identifier: Apache-2.0
"""Compares results, events and lines asked for, in order, and counts them: a witness for the counters."""

from typing import Any

from configs.depth import TILE
from configs.zcache.schema import HIT, LATE, MISS, OUTCOMES
from tb.common.components.agent import StreamMonitor
from tb.common.components.packing import Columns, unpack_words
from tb.common.components.scoreboard import Scoreboard
from tb.common.components.transactions import Observation
from tb.zcache.reference import CHANNELS


class ZcacheScoreboard(Scoreboard):
    """Channels: ``res`` results, ``evt`` what became of tiles, ``pre`` lines asked for; all in order."""

    channels = CHANNELS
    results: StreamMonitor  # of ``res``; set by the environment when it connects
    tiles: StreamMonitor  # of ``tile``
    steady = (
        True  # common tests say when memory's timing is not the configuration's; here nothing hangs on it
    )
    timing: Any = None

    def explain(self, channel: str, index: int, expected: int, transfer: Observation) -> str:
        head = f"{channel} {index} in cycle {transfer.cycle}"
        return "\n".join([head, *self.differences(channel, expected, transfer.word)])

    def counters(self) -> dict[str, int]:
        """What the ports have shown since reset, by the names of the counters; those of memory they do not
        tell. To be called at rest: an event comes a cycle after its result.
        """
        evt, pre = self._columns("evt"), self._columns("pre")
        tiles = evt["op"] == TILE
        kinds = {"hits": HIT, "lates": LATE, "misses": MISS}
        counts: dict[str, Any] = {name: (tiles & (evt["kind"] == kind)).sum() for name, kind in kinds.items()}
        filled = pre["fill"] == 1
        counts |= {
            "tiles": tiles.sum(),
            "passed": sum(int(word).bit_count() for word in self._columns("res")["passed"]),
            "useful": (evt["first"] == 1).sum(),
            "fills": (filled & (pre["demand"] == 1)).sum(),
            "prefetches": (filled & (pre["demand"] == 0)).sum(),
            "evictions": (filled & (pre["evict"] == 1)).sum(),
            "unused": (filled & (pre["unused"] == 1)).sum(),
            "full": (pre["full"] == 1).sum(),
            "result_wait_cycles": self.results.waits,
            "tile_wait_cycles": self.tiles.waits,
        }
        names = self.bench.cfg.counters
        if "rejected" in names:
            counts["rejected"] = (evt["rejected"] == 1).sum()
        for number, name in enumerate(OUTCOMES[1:], 1):
            if name not in names:
                continue
            counts[name] = ((pre["decided"] == 1) & (pre["outcome"] == number)).sum()
        return {name: int(count) for name, count in counts.items()}

    def _columns(self, channel: str) -> Columns:
        """The fields of what was compared on a channel since reset."""
        words = [transfer.word for transfer in self.by_name[channel].matched]
        return unpack_words(self.bench.cfg.streams[channel], words)
