# SPDX-License-Identifier: Apache-2.0
"""What a run of ``zcache`` comes to: hits by unit, latency, use of the lines, what became of prefetches."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from configs.depth import BASE, PIXELS, SIDE, TILE
from configs.zcache.schema import HIT, HOPELESS, ISSUED, LATE, MISS, OUTCOMES, Config
from models.zcache.running import ModelRun
from models.zcache.state import FULL, LINE_BYTES

Figures = dict[str, int | float]
UNITS = ("tile", "row", "pixel")  # that hits may be counted in
#: what becomes of a line that was asked for ahead
FATES = ("useful", "late", "early", "useless", "open")
DROPS = (*OUTCOMES[ISSUED + 1 : HOPELESS], "full")  # without bounds
_LATER = 1 << 40  # cycles are below, so that a number and a cycle are one key


class Accesses(NamedTuple):
    """Tiles that looked at their line, in order: the word, tile's number, live pixels, kind, its cycles."""

    word: NDArray[np.int64]
    number: NDArray[np.int64]
    live: NDArray[np.int64]
    kind: NDArray[np.int64]
    came: NDArray[np.int64]
    moved: NDArray[np.int64]
    left: NDArray[np.int64]


def accesses(cfg: Config, words: NDArray[Any], run: ModelRun) -> Accesses:
    """Those of WORD array [n], which has one base, and no pixels that a shader kills."""
    [base] = words[words["op"] == BASE]
    tested = np.flatnonzero((run.results["kind"] > 0) & (run.results["rejected"] == 0))
    tiles, results = words[tested], run.results[tested]
    number = (tiles["y"] * int(base["depth"][1]) + tiles["x"]) & ((1 << cfg.tile_bits) - 1)
    times = (results[name] for name in ("kind", "came", "moved", "left"))
    return Accesses(tested, number, tiles["mask"], *times)


def figures(cfg: Config, words: NDArray[Any], run: ModelRun, delay: int | None = None) -> Figures:
    """All figures of a run without errors, that ended; ``delay``: the shader's if it is not fixed."""
    lookups, delay = accesses(cfg, words, run), delay or cfg.shading.cycles
    return {
        **hits(lookups), **times(words, run, lookups, delay), **traffic(cfg, words, run, lookups),
        **prefetches(run, lookups),
    }  # fmt: skip


def hits(lookups: Accesses) -> Figures:
    """Counts of tiles by kind, and of units that tiles have; :func:`hit_rate` makes rates of them."""
    rows = sum(((lookups.live >> (SIDE * row) & (1 << SIDE) - 1) > 0).sum() for row in range(SIDE))
    return {
        "tiles": len(lookups.kind), "rows": int(rows), "pixels": int(np.bitwise_count(lookups.live).sum()),
        "hits": int((lookups.kind == HIT).sum()), "lates": int((lookups.kind == LATE).sum()),
        "misses": int((lookups.kind == MISS).sum()),
    }  # fmt: skip


def hit_rate(counts: Figures, unit: str) -> float:
    """Share of the units that hit, if a cache serves units one by one: the first of a tile meets what the
    tile meets, the others find the line. Late is no hit.
    """
    return 1 - (counts["lates"] + counts["misses"]) / counts[f"{unit}s"]


def times(words: NDArray[Any], run: ModelRun, lookups: Accesses, delay: int) -> Figures:
    """Means over the accesses, both ends included, in cycles, and those of the frame.

    ``latency``: from the tile's first cycle at the head of the test to its result; ``queued``: from the cycle
    in which it was shaded, waiting behind others, too. The frame: from the first tile to the last result.
    """
    first = int(np.flatnonzero(words["op"] == TILE)[0])
    shaded = run.results["taken"][lookups.word] + delay
    return {
        "latency": float((lookups.left - lookups.came + 1).mean()),
        "queued": float((lookups.left - shaded + 1).mean()),
        "frame_cycles": int(run.results["left"][-1] - run.results["taken"][first] + 1),
        "wait_cycles": run.counters["wait_cycles"], "cycles": run.cycles,
    }  # fmt: skip


def traffic(cfg: Config, words: NDArray[Any], run: ModelRun, lookups: Accesses) -> Figures:
    """Lines and bytes; pixels of the lines that were read which some access looked at before they left.

    A clear writes what it does not mark; a tile that is marked to the end is written by the flush.
    """
    [base] = words[words["op"] == BASE]
    cleared = min(max(0, int(base["depth"][2]) - cfg.fast_clear), run.counters["writebacks"])
    used = np.zeros(len(run.fills), np.int64)
    np.bitwise_or.at(used, lifetimes(run, lookups.number, lookups.moved), lookups.live)
    return {
        "lines": len(run.fills), "read_bytes": LINE_BYTES * len(run.fills),
        "written_bytes": LINE_BYTES * (run.counters["writebacks"] - cleared),
        "cleared_bytes": LINE_BYTES * cleared, "evictions": run.counters["evictions"],
        "used_pixels": int(np.bitwise_count(used).sum()), "used_lines": int((used > 0).sum()),
        "line_pixels": PIXELS * len(run.fills),
    }  # fmt: skip


def lifetimes(run: ModelRun, number: NDArray[np.int64], cycle: NDArray[np.int64]) -> NDArray[np.int64]:
    """The fill [n] that the line of a tile's ``number`` [n] is from in a ``cycle`` [n] in which it is there.

    Raises ValueError if it is not.
    """
    key = run.fills["number"] * _LATER + run.fills["cycle"]
    order = np.argsort(key)
    place = np.searchsorted(key[order], number * _LATER + cycle, side="right") - 1
    fill = order[np.maximum(place, 0)]
    if (place < 0).any() or (run.fills["number"][fill] != number).any():
        raise ValueError("a line is used that nobody asked for")
    return np.asarray(fill)


def prefetches(run: ModelRun, lookups: Accesses) -> Figures:
    """Requests by outcome, lines asked for ahead by fate.

    The first access to find the line makes it useful, or late if it was still on its way. A line that left
    before any came is early if its own tile was tested later, else useless; open, if it was there to the end.
    """
    outcome = run.requests["outcome"]
    counts: Figures = {"requests": len(outcome), "issued": int((outcome == ISSUED).sum())}
    for number, name in enumerate(OUTCOMES):
        if number != ISSUED:
            counts[f"dropped_{name}"] = int((outcome == number).sum())
    counts["dropped_full"] = int((outcome == FULL).sum())
    ahead = np.flatnonzero(run.fills["demand"] == 0)
    fate = fates(run, lookups)
    return counts | {f"fate_{name}": int((fate[ahead] == n).sum()) for n, name in enumerate(FATES)}


def fates(run: ModelRun, lookups: Accesses) -> NDArray[np.int64]:
    """Of each fill [n] the number of its fate; of those that a demand asked for -1."""
    fills, fate = run.fills, np.full(len(run.fills), -1)
    ahead = np.flatnonzero(fills["demand"] == 0)
    evicted = fills[fills["evict"] == 1]
    gone = np.zeros(len(fills), bool)
    gone[lifetimes(run, evicted["victim"], evicted["cycle"] - 1)] = True
    issued = run.requests[run.requests["outcome"] == ISSUED]  # one for each of those ahead, in their order
    demanded = run.results["kind"][issued["word"]] > 0
    fate[ahead] = np.where(gone[ahead], np.where(demanded, 2, 3), 4)
    used, first = np.unique(lifetimes(run, lookups.number, lookups.moved), return_index=True)
    mine = fills["demand"][used] == 0
    fate[used[mine]] = np.where(lookups.kind[first[mine]] == LATE, 1, 0)
    return fate
