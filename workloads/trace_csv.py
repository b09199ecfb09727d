# SPDX-License-Identifier: Apache-2.0
"""Trace files as text, to be written by hand or by any program; ``docs/traces.md`` is the description."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from configs import UserError
from configs.files import write_atomic
from configs.texcache.schema import Config
from models.lut import allocate, first_level
from workloads.trace import COLUMNS, MODES, REQUIRED, VERSION, Trace, assemble, column_ranges

#: fields of each directive: which there must be, which there may be
DIRECTIVES = {
    "trace": (("version",), ("max_side", "line_bytes")),
    "texture": (("id", "side"), ("base",)),
    "level": (("tex", "level", "base"), ()),
}
_INTEGER = re.compile(r"[+-]?\d{1,99}|0x[0-9a-f]{1,99}", re.IGNORECASE | re.ASCII)


@dataclass
class Reader:
    """What is known so far of one file; ``numbers`` are the line numbers of ``rows``."""

    path: Path
    cfg: Config
    columns: tuple[str, ...] = ()
    rows: list[str] = field(default_factory=list)
    numbers: list[int] = field(default_factory=list)
    lut: dict[tuple[int, int], int] = field(default_factory=dict)
    next_base: int = 0

    def fail(self, line: int, message: str) -> NoReturn:
        """Every error names file and line."""
        raise UserError(f"{self.path}:{line}: {message}")

    def take(self, line: int, text: str) -> None:
        """One line of the file, stripped of blanks."""
        if text.startswith("#"):
            if text[1:2].isalpha():
                self.directive(line, text[1:].split())
        elif not self.columns:
            self.header(line, [name.strip() for name in text.split(",")])
        elif text:
            self.rows.append(text)
            self.numbers.append(line)

    def header(self, line: int, names: list[str]) -> None:
        """The row of column names."""
        for name in names:
            if name not in COLUMNS:
                self.fail(line, f"unknown column {name!r}: the header row names some of {','.join(COLUMNS)}")
            if names.count(name) > 1:
                self.fail(line, f"column {name} stands there twice")
        missing = [name for name in REQUIRED if name not in names]
        if missing:
            self.fail(line, f"column {missing[0]} is missing: a trace needs {','.join(REQUIRED)}")
        self.columns = tuple(names)

    def directive(self, line: int, words: list[str]) -> None:
        """A line ``#name field=value ...``."""
        name = words[0]
        if name not in DIRECTIVES:
            known = ", ".join(f"#{one}" for one in DIRECTIVES)
            self.fail(line, f"unknown directive #{name}: known are {known}; a comment begins with '# '")
        needed, optional = DIRECTIVES[name]
        values: dict[str, int] = {}
        for word in words[1:]:
            key, equals, text = word.partition("=")
            if not equals or key not in (*needed, *optional) or key in values:
                allowed = " ".join([*(f"{one}=" for one in needed), *(f"[{one}=]" for one in optional)])
                self.fail(line, f"#{name}: {word!r} is not understood; write #{name} {allowed}")
            if not _INTEGER.fullmatch(text):
                self.fail(
                    line, f"#{name}: {key}={text:.40}: not an integer (decimal, or hexadecimal as 0x...)"
                )
            values[key] = int(text, 0) if text[:2].lower() == "0x" else int(text)
        for key in needed:
            if key not in values:
                self.fail(line, f"#{name}: {key}= is missing")
        try:
            getattr(self, f"_{name}")(**values)
        except UserError as error:
            self.fail(line, f"#{name}: {error}")

    def _trace(self, version: int, max_side: int | None = None, line_bytes: int | None = None) -> None:
        if version != VERSION:
            raise UserError(f"version={version}: this program reads version {VERSION}")
        for name, value in (("max_side", max_side), ("line_bytes", line_bytes)):
            if value is not None and value != getattr(self.cfg, name):
                raise UserError(
                    f"{name}={value}: the trace is for another machine, {self.cfg.name} has "
                    f"{name}={getattr(self.cfg, name)}"
                )

    def _texture(self, id: int, side: int, base: int | None = None) -> None:
        self._in_range("id", id, self.cfg.textures)
        if any(tex == id for tex, _ in self.lut):
            raise UserError(f"id={id}: texture {id} is declared already")
        start = self.next_base if base is None else base
        table, total = allocate(self.cfg, [side], start)
        for level in range(first_level(self.cfg, side), self.cfg.levels):
            self.lut[id, level] = int(table[0, level])
        self.next_base = start + total

    def _level(self, tex: int, level: int, base: int) -> None:
        self._in_range("tex", tex, self.cfg.textures)
        self._in_range("level", level, self.cfg.levels)
        if base < 0 or base % self.cfg.line_bytes or base >> self.cfg.address_bits:
            raise UserError(
                f"base={base:#x}: must be a multiple of a line's {self.cfg.line_bytes} bytes "
                f"below 2**{self.cfg.address_bits}"
            )
        if (tex, level) in self.lut:
            raise UserError(f"tex={tex}, level={level}: this level is declared already")
        self.lut[tex, level] = base // self.cfg.line_bytes

    def _in_range(self, name: str, value: int, limit: int) -> None:
        if not 0 <= value < limit:
            raise UserError(f"{name}={value}: must be 0..{limit - 1} in {self.cfg.name}")

    def values(self) -> dict[str, NDArray[np.int64]]:
        """The rows as columns of integers, checked against their ranges."""
        found = self._fast() if self.rows else None
        table = self._slow() if found is None else found
        for c, name in enumerate(self.columns):
            low, high = column_ranges(self.cfg)[name]
            wrong = np.flatnonzero((table[:, c] < low) | (table[:, c] > high))
            if len(wrong):
                row = int(wrong[0])
                self.fail(
                    self.numbers[row], f"{name}={table[row, c]}: must be {low}..{high} in {self.cfg.name}"
                )
        return {name: table[:, c] for c, name in enumerate(self.columns)}

    def _fast(self) -> NDArray[np.int64] | None:
        """All rows at once by numpy's parser; None if there is anything in them but integers."""
        try:
            table = np.loadtxt(self.rows, np.int64, delimiter=",", ndmin=2, comments=None)
        except (ValueError, OverflowError):
            return None
        return table if table.shape == (len(self.rows), len(self.columns)) else None

    def _slow(self) -> NDArray[np.int64]:
        """Row by row: knows the names of modes, and what to say about a row that is wrong."""
        table = np.empty((len(self.rows), len(self.columns)), np.int64)
        for i, (line, text) in enumerate(zip(self.numbers, self.rows, strict=True)):
            cells = text.split(",")
            if len(cells) != len(self.columns):
                self.fail(line, f"{len(cells)} values: the header row has {len(self.columns)} columns")
            for c, (name, cell) in enumerate(zip(self.columns, cells, strict=True)):
                table[i, c] = self.cell(line, name, cell.strip())
        return table

    def cell(self, line: int, name: str, text: str) -> int:
        """One value."""
        if name.startswith("mode_") and text in MODES:
            return MODES[text]
        if not _INTEGER.fullmatch(text) or text[:2].lower() == "0x":
            also = f" or one of {', '.join(MODES)}" if name.startswith("mode_") else ""
            self.fail(line, f"{name}={text[:40]!r}: not an integer{also}")
        return max(-(1 << 62), min(int(text), 1 << 62))  # beyond any range either way

    def table(self, used: NDArray[np.int64]) -> NDArray[np.uint32]:
        """The look-up table; ``used`` [n, 2]: texture and level of each row."""
        lut = np.zeros((self.cfg.textures, self.cfg.levels), np.uint32)
        if not self.lut:
            for tex in np.unique(used[:, 0]):
                self._texture(int(tex), self.cfg.max_side)
        known = np.zeros(lut.shape, bool)
        for place, line in self.lut.items():
            lut[place], known[place] = line, True
        wrong = np.flatnonzero(~known[used[:, 0], used[:, 1]])
        if len(wrong):
            tex, level = used[wrong[0]]
            self.fail(
                self.numbers[wrong[0]],
                f"tex={tex}, level={level}: no such level is declared; level 0 has side {self.cfg.max_side}, "
                f"a texture declared by #texture has the levels from its own side down",
            )
        return lut


def read_csv(path: Path, cfg: Config) -> Trace:
    """A trace from text; see :func:`workloads.trace.load_trace`."""
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"{path}: cannot be read as text: {error}") from None
    reader = Reader(path, cfg)
    for number, line in enumerate(lines, 1):
        text = line.strip()
        if text:
            reader.take(number, text)
    if not reader.columns:
        reader.fail(
            max(1, len(lines)), f"no header row: the first row names the columns, {','.join(REQUIRED)}"
        )
    columns = reader.values()
    used = np.stack([columns["tex"], columns["level"]], axis=1)
    footprints, extras = assemble(columns)
    return Trace(
        footprints, reader.table(used), name=path.stem, line_bytes=cfg.line_bytes, layout=cfg.layout, **extras
    ).check(cfg)


def write_csv(path: Path, trace: Trace) -> None:
    """``trace`` as text. Image and meta are left out; of the table only what the footprints use is kept."""
    footprints = trace.footprints
    used = np.unique(np.stack([footprints["tex"], footprints["level"]], axis=1).astype(int), axis=0)
    columns: dict[str, Sequence[int]] = {
        name: footprints[name].tolist() for name in (*REQUIRED, "mode_u", "mode_v")
    } | {name: column.tolist() for name, column in trace.extras.items()}
    max_side = 1 << (trace.lut.shape[1] - 1)
    lines: list[Any] = [f"#trace version={VERSION} max_side={max_side} line_bytes={trace.line_bytes}"]
    lines += [
        f"#level tex={tex} level={level} base={int(trace.lut[tex, level]) * trace.line_bytes:#x}"
        for tex, level in used
    ]
    lines.append(",".join(columns))
    lines += [",".join(map(str, row)) for row in zip(*columns.values(), strict=True)]
    write_atomic(path, "\n".join(lines) + "\n")
