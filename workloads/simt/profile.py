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

from models.kernels import kernel, ones
from workloads.simt.disassembly import disassemble
from workloads.simt.image import Image
from workloads.simt.isa import LANES
from workloads.simt.machine import Trace
from workloads.simt.state import LOADS, STORES

BANKS = 8  # of the data RAM, interleaved by words
TOTALS = ("instructions", "cycles", "lanes", "loads", "stores", "shared")
COUNTS = ("issued", "lanes", "cycles")
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
        return Profile(**{name: getattr(self, name) + getattr(other, name) for name in TOTALS}, by_pc=by_pc)

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
    totals, by_pc = np.zeros(len(TOTALS), np.int64), np.zeros((len(COUNTS), code_bytes // 4), np.int64)
    _add_up(trace.fetches, trace.accesses, trace.first, totals, by_pc)
    named = dict(zip(TOTALS, totals.tolist(), strict=True))
    return Profile(**named, by_pc=dict(zip(COUNTS, by_pc, strict=True)))


@kernel
def _add_up(fetches: Any, accesses: Any, first: int, totals: Column, by_pc: Column) -> None:
    """``totals`` and ``by_pc`` by the order of TOTALS and COUNTS; code that is not the program's own, as it
    may have written more, has no place there.
    """
    m = 0
    for i in range(len(fetches)):
        lanes, cycles = ones(fetches[i].mask), 1
        if m < len(accesses) and accesses[m].fetch == first + i:
            access = accesses[m]
            cycles = max(held(access), 1)
            totals[3] += access.op == LOADS
            totals[4] += access.op == STORES
            totals[5] += access.op <= STORES and access.shared > 0
            m += 1
        totals[0] += 1
        totals[1] += cycles
        totals[2] += lanes
        row = fetches[i].pc // 4
        if row < by_pc.shape[1]:
            by_pc[0, row] += 1
            by_pc[1, row] += lanes
            by_pc[2, row] += cycles
    if m < len(accesses):
        raise ValueError("accesses must be in the order of their fetches")


@kernel
def held(access: Any) -> int:
    """Cycles for which an ACCESS that hits holds its unit: of the data cache a lane each, of the data RAM
    :func:`passes`.
    """
    return passes(access.mask, access.addr) if access.shared else ones(access.mask)


@kernel
def passes(mask: int, addresses: Any) -> int:
    """Passes of the data RAM for the lanes in ``mask`` of ``addresses`` [LANES]: the different words of the
    fullest bank.
    """
    words = most = 0  # eight bits of ``words`` for each bank
    for lane in range(LANES):
        new = mask >> lane & 1
        for before in range(lane):
            if mask >> before & 1 and addresses[before] == addresses[lane]:
                new = 0
        place = int(addresses[lane]) // 4 % BANKS * 8
        words += new << place
        most = max(most, words >> place & 255)
    return most


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
        paths = [folder / name for folder in folders if (folder / name).is_file()]
        texts[name] = paths[0].read_text(errors="replace").splitlines() if paths else []
    rows = texts[name]
    return rows[line - 1].strip() if line <= len(rows) else ""
