# SPDX-License-Identifier: Apache-2.0
"""What a run of a program comes to: cycles by phase, words moved, bandwidth at the source's clock."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from configs.lpas.schema import FLUSH, LOAD, OPS, STORE, WORD_BYTES, Config
from workloads.lpas import glcm
from workloads.lpas.assembler import Program
from workloads.lpas.golden import GoldenOutcome
from workloads.lpas.loading import Loaded

MHZ = 221  # of the source's switch, on its FPGA
APPLICATIONS = ("cooccurrence", "cooccurrence-lines")


@dataclass(frozen=True)
class Phase:
    """A part of a run: cycles ``first`` to ``end``, words moved by loads and stores."""

    name: str
    first: int
    end: int
    words: int

    @property
    def cycles(self) -> int:
        """That it takes."""
        return self.end - self.first

    @property
    def bandwidth(self) -> float:
        """Bytes per second."""
        return bandwidth(self.words, self.cycles)


def bandwidth(words: float, cycles: float) -> float:
    """Bytes per second at the source's clock."""
    return words * WORD_BYTES / cycles * MHZ * 1e6 if cycles else 0.0


def phases(program: Program, outcome: GoldenOutcome) -> list[Phase]:
    """By the ``.phase`` of the program; one begins with the last PE's first access in it."""
    accesses = outcome.accesses
    moved = np.sort(accesses["done"][accesses["op"] < FLUSH])
    last = accesses[accesses["pe"] == accesses["pe"].max(initial=0)]
    bounds, names = [0], ["all"]
    for name, pc in program.phases:
        reached = last["first"][last["pc"] >= pc]
        if pc == 0 or not len(reached):
            names[0] = name if pc == 0 else names[0]
            continue
        names.append(name)
        bounds.append(int(reached.min()))
    bounds.append(outcome.cycles)
    words = np.searchsorted(moved, bounds)
    return [
        Phase(name, bounds[n], bounds[n + 1], int(words[n + 1] - words[n])) for n, name in enumerate(names)
    ]


def over_time(
    accesses: NDArray[Any], cycles: int, windows: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Cycle and bytes per second of equal parts of the run."""
    edges = np.linspace(0, cycles, windows + 1)
    counts, _ = np.histogram(accesses["done"][accesses["op"] < FLUSH], edges)
    return edges[:-1], counts * WORD_BYTES / np.diff(edges) * MHZ * 1e6


def milliseconds(cycles: int) -> float:
    """At the source's clock."""
    return cycles / MHZ / 1e3


def shown(rate: float) -> str:
    """Bytes per second, in words."""
    return f"{rate / 1e9:.3f} GB/s" if rate >= 1e9 else f"{rate / 1e6:.1f} MB/s"


def summary(cfg: Config, program: Program, outcome: GoldenOutcome) -> list[str]:
    """For people."""
    accesses, counters = outcome.accesses, outcome.counters
    by_op = [f"{count} {OPS[op]}" for op, count in enumerate(np.bincount(accesses["op"])) if count]
    cached = accesses[(accesses["op"] == LOAD) | (accesses["op"] == STORE)]
    words = int((accesses["op"] < FLUSH).sum())
    lines = [
        f"{Path(program.name).stem} on lpas {cfg.name}: {outcome.instructions} instructions of {cfg.pes} PEs "
        f"in {outcome.cycles} cycles, {milliseconds(outcome.cycles):.3f} ms at {MHZ} MHz; writing back takes "
        f"{outcome.flush} more",
        f"{len(accesses)} accesses: {', '.join(by_op)}; {counters['hits']} hits, {counters['misses']} "
        f"misses, {counters['evictions']} evictions; {shown(bandwidth(words, outcome.cycles))}",
        f"waits: {counters['conflict_cycles']} cycles for other PEs, {counters['blocked_cycles']} for a "
        f"cache that misses; the longest access took {longest(cached)} cycles",
    ]
    parts = phases(program, outcome)
    if len(parts) > 1:
        lines += [
            f"  {part.name}: {part.cycles} cycles, {part.words} words, {shown(part.bandwidth)}"
            for part in parts
        ]
    if program.result:
        first, count = program.result
        lines.append("result: " + " ".join(str(word) for word in outcome.words[first : first + count]))
    return lines


def longest(accesses: NDArray[Any]) -> int:
    """Cycles of the slowest of some accesses."""
    return int((accesses["done"] - accesses["first"] + 1).max(initial=0))


def image_lines(loaded: Loaded) -> list[str]:
    """Which image, and what was changed of it."""
    if not loaded.image:
        return []
    notes = [f"note: {loaded.image.note}"] if loaded.image.note else []
    return [f"image {loaded.image.words}", *notes]


def application_lines(name: str, loaded: Loaded, outcome: GoldenOutcome) -> tuple[list[str], str]:
    """Of the built-in application: its result, and what is wrong with it."""
    if name not in APPLICATIONS or not loaded.image:
        return [], ""
    counts, moment = glcm.found(outcome)
    rows = "; ".join(" ".join(str(count) for count in row) for row in counts)
    return [f"matrix {rows}: second moment {moment}"], glcm.wrong(loaded.image.pixels, outcome)
