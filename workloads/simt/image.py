# SPDX-License-Identifier: Apache-2.0
"""Programs as text: words in hex with their addresses, as Verilog's ``$readmemh`` reads them.

What ``$readmemh`` takes for comments holds the rest: where the image comes from, where it begins, symbols,
and the line of source of each instruction.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from configs import UserError

HEAD = "// SIMT image"
_SYMBOL = re.compile(r"// symbol (\S+) (0x[0-9a-f]+) (\d+)(?: ([\w,]+))?")
_ENTRY = re.compile(r"// entry (0x[0-9a-f]+)")
_SOURCE = re.compile(r"// from (\S+) sha256 ([0-9a-f]{64})")
_WORD = re.compile(r"([0-9a-f]{8})(?: // (\S+):(\d+))?")


class Segment(NamedTuple):
    """Words at a byte address: of ``code`` counted from the block's base, of data in memory."""

    code: bool
    address: int
    words: NDArray[np.uint32]


class Symbol(NamedTuple):
    """A function, a variable or a label; ``size`` in bytes, 0 if not known.

    ``kind``: of a variable, if known, numpy's type of its elements: ``f4``, of a structure ``i4,f4``.
    """

    address: int
    size: int
    kind: str = ""


@dataclass(frozen=True)
class Image:
    """A program, linked. ``lines``: (file, line) of the source by pc; ``sources``: sha256 by file name."""

    name: str
    entry: int
    segments: Sequence[Segment]
    symbols: Mapping[str, Symbol]
    lines: Mapping[int, tuple[str, int]]
    sources: Mapping[str, str]
    tool: str = ""

    @property
    def code(self) -> Iterator[tuple[int, int]]:
        """(pc, word) of all instructions."""
        for segment in self.segments:
            if segment.code:
                yield from ((segment.address + 4 * i, int(word)) for i, word in enumerate(segment.words))

    @property
    def code_bytes(self) -> int:
        """From pc 0 to the last instruction."""
        return max(
            (segment.address + segment.words.nbytes for segment in self.segments if segment.code), default=0
        )

    def place_of(self, pc: int) -> str:
        """The function that ``pc`` is in, as far as known, with file and line."""
        before = [
            (symbol.address, name) for name, symbol in self.symbols.items()
            if symbol.address <= pc < self.code_bytes and not (0 < symbol.size <= pc - symbol.address)
        ]  # fmt: skip
        name = max(before, default=(0, f"pc {pc:#x}"))[1]
        return f"{name}, {self.lines[pc][0]}:{self.lines[pc][1]}" if pc in self.lines else name

    def place(self, memory: NDArray[np.uint32], base: int) -> None:
        """Put code to ``base`` and data where it was linked to. Raises :class:`UserError` outside memory."""
        for segment in self.segments:
            first = (segment.address + (base if segment.code else 0)) // 4
            if first + len(segment.words) > len(memory):
                raise UserError(f"{self.name}: ends at {4 * (first + len(segment.words)):#x}, beyond memory")
            memory[first : first + len(segment.words)] = segment.words

    def text(self) -> str:
        """The image as a file."""
        rows = [f"{HEAD}: {self.name}"]
        rows += [f"// from {name} sha256 {key}" for name, key in self.sources.items()]
        rows += [f"// by {self.tool}"] if self.tool else []
        rows += [f"// entry {self.entry:#x}"]
        for name, (at, size, kind) in self.symbols.items():
            rows.append(f"// symbol {name} {at:#x} {size} {kind}".rstrip())
        for code, address, words in self.segments:
            rows += [f"// {'code' if code else 'data'}", f"@{address // 4:08x}"]
            before = None
            for i, word in enumerate(words):
                line = (self.lines.get(address + 4 * i) if code else None) or before
                note = f" // {line[0]}:{line[1]}" if line and line != before else ""
                before = line
                rows.append(f"{word:08x}{note}")
        return "\n".join(rows) + "\n"


def read_image(path: Path, text: str | None = None) -> Image:
    """The image of a file, or of its ``text``. Raises :class:`UserError` with the line that is invalid."""
    rows = (path.read_text(errors="replace") if text is None else text).splitlines()
    if not rows or not rows[0].startswith(HEAD):
        raise UserError(f"{path}: is no SIMT image: the first line of one begins with '{HEAD}'")
    entry, tool, code, address = 0, "", True, -1
    symbols: dict[str, Symbol] = {}
    sources: dict[str, str] = {}
    lines: dict[int, tuple[str, int]] = {}
    segments: list[tuple[bool, int, list[int]]] = []
    line: tuple[str, int] | None = None
    for number, row in enumerate(rows[1:], 2):
        if match := _WORD.fullmatch(row):
            if address < 0:
                raise UserError(f"{path}, line {number}: a word before any address")
            if match[2]:
                line = (match[2], int(match[3]))
            segments[-1][2].append(int(match[1], 16))
            if code and line:
                lines[address] = line
            address += 4
        elif re.fullmatch(r"@[0-9a-f]{8}", row):
            address, line = 4 * int(row[1:], 16), None
            segments.append((code, address, []))
        elif row in ("// code", "// data"):
            code = row == "// code"
        elif match := _SYMBOL.fullmatch(row):
            symbols[match[1]] = Symbol(int(match[2], 16), int(match[3]), match[4] or "")
        elif match := _ENTRY.fullmatch(row):
            entry = int(match[1], 16)
        elif match := _SOURCE.fullmatch(row):
            sources[match[1]] = match[2]
        elif row.startswith("// by "):
            tool = row[6:]
        elif row:
            raise UserError(f"{path}, line {number}: '{row[:40]}' is no line of a SIMT image")
    made = [Segment(of_code, at, np.array(words, np.uint32)) for of_code, at, words in segments]
    return Image(path.stem, entry, made, symbols, lines, sources, tool)
