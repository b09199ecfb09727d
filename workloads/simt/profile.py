# SPDX-License-Identifier: Apache-2.0
"""What a run did: instructions, cycles of an ideal machine, and a listing with counts for each instruction.

The ideal machine misses in no cache: an instruction takes a cycle; a load or store holds its warp, and so the
machine, for a cycle for each active lane, as the data cache serves a word a cycle, or for each pass of the
data RAM. Whatever else is counted by instruction (misses of a cache model) is a column more of the listing.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from workloads.simt.disassembly import disassemble
from workloads.simt.image import Image
from workloads.simt.isa import LANES
from workloads.simt.machine import Trace
from workloads.simt.state import LOADS, STORES

BANKS = 8  # of the data RAM, interleaved by words
Column = NDArray[np.int64]


@dataclass(frozen=True)
class Profile:
    """Totals of a run, and counts [code_bytes / 4] by instruction of the program, over all blocks."""

    instructions: int
    cycles: int
    lanes: int  # of all instructions together
    loads: int
    stores: int
    shared: int  # those of them that went to the data RAM
    by_pc: Mapping[str, Column]

    @property
    def cpi(self) -> float:
        """Cycles of the ideal machine by instruction of a warp."""
        return self.cycles / max(self.instructions, 1)

    def __add__(self, other: "Profile") -> "Profile":
        """Of both pieces of a run."""
        by_pc = {name: column + other.by_pc[name] for name, column in self.by_pc.items()}
        names = ("instructions", "cycles", "lanes", "loads", "stores", "shared")
        return Profile(**{name: getattr(self, name) + getattr(other, name) for name in names}, by_pc=by_pc)

    def lines(self) -> list[str]:
        """For people."""
        busy = self.lanes / max(self.instructions, 1)
        mean = f"{busy:.2f} of {LANES} lanes active"
        return [
            f"{self.instructions} instructions of warps, {self.lanes} of threads: {mean}",
            f"{self.loads} loads, {self.stores} stores, {self.shared} of them to the data RAM",
            f"{self.cycles} cycles on an ideal machine: CPI {self.cpi:.3f}",
        ]


def profile(trace: Trace, code_bytes: int) -> Profile:
    """The profile of a run, or of a piece of one, of one program of ``code_bytes``."""
    words = code_bytes // 4
    fetches, accesses = trace.fetches, trace.accesses
    lanes = np.bitwise_count(fetches["mask"]).astype(np.int64)
    cost = costs(trace)
    pc = fetches["pc"] // 4
    by_pc = {  # of the program's own code: it may have written more
        name: np.bincount(pc, counts, words)[:words].astype(np.int64)
        for name, counts in (("issued", None), ("lanes", lanes), ("cycles", cost))
    }
    data = accesses["op"] <= STORES
    return Profile(
        instructions=len(fetches), cycles=int(cost.sum()), lanes=int(lanes.sum()),
        loads=int((accesses["op"] == LOADS).sum()), stores=int((accesses["op"] == STORES).sum()),
        shared=int((accesses["shared"][data] > 0).sum()), by_pc=by_pc,
    )  # fmt: skip


def costs(trace: Trace) -> Column:
    """Cycles [n] of the ideal machine that each instruction of a run, or of a piece of one, takes."""
    cost = np.ones(len(trace.fetches), np.int64)
    cost[trace.accesses["fetch"] - trace.first] = np.maximum(held(trace.accesses), 1)
    return cost


def held(accesses: NDArray[Any]) -> Column:
    """Cycles [m] for which accesses that hit hold their unit: of the data cache a lane each, of the data RAM
    :func:`passes`.
    """
    active = (accesses["mask"][:, None] >> np.arange(LANES)) & 1
    return np.where(accesses["shared"] > 0, passes(accesses["addr"], active), active.sum(axis=1))


def passes(addresses: NDArray[Any], active: NDArray[Any]) -> Column:
    """Passes [m] of the data RAM for ``addresses`` [m, LANES]: the different words of the fullest bank."""
    first = active.astype(bool)
    for lane in range(1, LANES):
        for before in range(lane):
            first[:, lane] &= ~((addresses[:, lane] == addresses[:, before]) & (active[:, before] > 0))
    bank = addresses // 4 % BANKS
    words = [(first & (bank == one)).sum(axis=1) for one in range(BANKS)]
    return np.max(words, axis=0).astype(np.int64)


def listing(
    image: Image,
    counts: Mapping[str, Column],
    sources: Sequence[Path] = (),
    more: Mapping[str, Column] | None = None,
) -> str:
    """The program's instructions with ``counts`` and ``more`` columns, under the lines of source that are in
    the folders ``sources``.
    """
    columns = {**counts, **(more or {})}
    texts: dict[str, list[str]] = {}
    labels = {symbol.address: name for name, symbol in image.symbols.items()}
    rows = ["".join(f"{name:>10}" for name in columns) + "        pc      word  instruction"]
    before = None
    for pc, word in image.code:
        if pc in labels:
            rows.append(f"\n{labels[pc]}:")
        line = image.lines.get(pc)
        if line and line != before:
            rows.append(f"# {line[0]}:{line[1]}  {_source(texts, sources, *line)}".rstrip())
        before = line
        values = "".join(f"{int(column[pc // 4]) or '':>10}" for column in columns.values())
        rows.append(f"{values}  {pc:8x}  {word:08x}  {disassemble(word, pc)}")
    return "\n".join(rows) + "\n"


def _source(texts: dict[str, list[str]], folders: Sequence[Path], name: str, line: int) -> str:
    if name not in texts:
        found = [folder / name for folder in folders if (folder / name).is_file()]
        texts[name] = found[0].read_text(errors="replace").splitlines() if found else []
    rows = texts[name]
    return rows[line - 1].strip() if line <= len(rows) else ""
