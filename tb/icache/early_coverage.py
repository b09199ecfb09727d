# SPDX-License-Identifier: Apache-2.0
"""Functional coverage of ``icache`` with restart at the word: what goes on while the rest of a line comes."""

from typing import Any

from configs.icache.schema import Config
from tb.common.coverage.bins import PARTS, Counters, Point, bucket_name, bucket_names, cross, part
from tb.icache.fills import Fill, FillWatch

AGES = (0, 1, 2)  # cycles from a request to its beat, buckets
#: the burst with a beat, and when the beat comes: before the request was taken, or so many cycles after
PLACES = cross(("end", "beginning"), ("there", *bucket_names(AGES)))
KINDS = (
    "its line, repeated", "its line", "another line, repeated", "another line", "another line of its set",
    "base", "status", "a miss", "the victim", "invalidate", "policy",
)  # fmt: skip
FAILED = ("the end", "the beginning", "both", "not the missed beat", "the missed beat alone")
AFTER = ("before that", "right, after that", "its own beat", "later, read again")


def points(cfg: Config) -> list[Point]:
    """Coverpoints of these configurations alone."""
    beside = {  # other lines are there, with one that comes
        "its line": cfg.several_sets or cfg.cache.ways > 1,
        "another line": cfg.several_sets,
        "another line of its set": cfg.cache.ways > 1,
        "another line, repeated": cfg.several_sets or cfg.cache.ways > 1,
    }
    kinds = tuple(kind for kind in KINDS if beside.get(kind, True))
    return [
        Point(
            "missed beat", "the beat from which on a line is read", cross(range(min(cfg.beats, PARTS)))
        ),
        Point("while a line comes", "what is taken then", kinds),
        Point("awaited beat", "where it is of a fetch in the line that comes, and when it comes", PLACES),
        Point("warp in a line that comes", "who fetches from it", ("the one that missed", "another")),
        Point("line that fails", "which of its beats do", FAILED),
        Point("fetch in a line that fails", "taken in time or not, by the failure of a beat", AFTER),
        Point(
            "reset in a line", "what had come",
            ("before the second address", "nothing", "a part of the end", "a part of the beginning"),
        ),
    ]  # fmt: skip


class EarlyCoverage:
    """Counts what requests meet, in the order of their answers."""

    def __init__(self, cfg: Config, watch: FillWatch, counters: Counters) -> None:
        self._cfg, self._watch, self._counters = cfg, watch, counters
        self.forget()

    def forget(self) -> None:
        """There is no line."""
        self._filled = 0
        self._fill: Fill | None = None
        self._miss: Any = None  # result and warp of the fetch that missed last

    def reset(self) -> None:
        """A reset comes; what was asked for is still known."""
        fill = self._watch.fills[-1] if self._watch.fills else None
        if fill is None or len(fill.cycles) == self._cfg.beats:
            return
        end, come = fill.bursts[0].burst.beats, len(fill.cycles)
        if len(fill.bursts) == 1 and end < self._cfg.beats:
            what = "before the second address"
        else:
            what = (
                "nothing" if not come else "a part of the end" if come <= end else "a part of the beginning"
            )
        self._counters.hit("reset in a line", what)

    def sample(self, op: str, request: Any, result: Any, taken: int) -> None:
        """A request that was taken in cycle ``taken``."""
        hit, fill = self._counters.hit, self._fill
        if fill is not None and taken <= fill.end:
            hit("while a line comes", self._kind(op, result))
            self._inside(fill, request, result, taken)
        if result["fill"]:
            if fill is not None and fill.failed.any():
                self._failed(fill)
            hit("missed beat", str(part(int(result["beat"]), self._cfg.beats)))
            self._fill = self._watch.fills[self._filled]
            self._filled += 1
            self._miss = result.copy(), request["warp"]

    def _kind(self, op: str, result: Any) -> str:
        miss = self._miss[0]
        if op != "fetch":
            return op
        if result["fill"]:
            return "the victim" if miss["evict"] and result["line"] == miss["victim"] else "a miss"
        if result["line"] == miss["line"]:
            return "its line, repeated" if result["repeat"] else "its line"
        if result["repeat"]:
            return "another line, repeated"
        sets = self._cfg.cache.sets
        return "another line of its set" if result["line"] % sets == miss["line"] % sets else "another line"

    def _inside(self, fill: Fill, request: Any, result: Any, taken: int) -> None:
        """A request that was taken while the line came, if it is a fetch in that line."""
        hit, (miss, warp) = self._counters.hit, self._miss
        if not result["line"] or result["line"] != miss["line"]:
            return
        if fill.failed.any():
            own = "its own beat" if result["err"] else "right, after that"
            hit("fetch in a line that fails", self._late(fill, result, taken) or own)
        if result["fill"]:
            return
        hit("warp in a line that comes", "the one that missed" if warp == request["warp"] else "another")
        place = (int(result["beat"]) - int(miss["beat"])) % self._cfg.beats
        burst = "end" if place < fill.bursts[0].burst.beats else "beginning"
        ahead = fill.come(place) - taken
        hit("awaited beat", f"{burst}/{'there' if ahead < 0 else bucket_name(ahead, AGES)}")

    def _late(self, fill: Fill, result: Any, taken: int) -> str:
        if result["fill"]:
            return "later, read again"
        answerable = fill.come((int(result["beat"]) - int(self._miss[0]["beat"])) % self._cfg.beats)
        return "before that" if max(answerable, taken) < fill.since else ""

    def _failed(self, fill: Fill) -> None:
        """A line of which all is known."""
        first = int(self._miss[0]["beat"])
        parts = fill.failed[first:].any(), fill.failed[:first].any()
        which = "both" if all(parts) else "the end" if parts[0] else "the beginning"
        self._counters.hit("line that fails", which)
        if not fill.failed[first]:
            self._counters.hit("line that fails", "not the missed beat")
        elif fill.failed.sum() == 1:
            self._counters.hit("line that fails", "the missed beat alone")
