# SPDX-License-Identifier: Apache-2.0
"""Tables of integers as text, read strictly: every error names file, line, column and rule."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, NoReturn

import numpy as np
from numpy.typing import NDArray

from configs import UserError
from utils.errors import shortened
from workloads.traces.columns import Columns, required
from workloads.traces.opening import check_rows, lines

_INTEGER = re.compile(r"[+-]?\d+|0x[0-9a-f]+", re.IGNORECASE | re.ASCII)
_NO_UTF8 = re.compile("[\udc80-\udcff]")  # bytes that surrogateescape keeps
DIGITS = 99  # of a number; no field comes near


class Written(int):
    """An integer that messages show as it is written in the file, whatever format they ask for."""

    text: str

    def __new__(cls, text: str) -> "Written":
        """The integer of a ``text``, decimal or hexadecimal as 0x..."""
        made = super().__new__(cls, text, 16 if text[:2].lower() == "0x" else 10)
        made.text = text
        return made

    def __format__(self, _: str) -> str:
        return self.text

    def __str__(self) -> str:
        return self.text


@dataclass
class CsvTable:
    """What is known so far of one file, ``numbers`` being the line numbers of ``rows``.

    ``known`` describes the columns. A kind of file is a subclass with ``directives``: lines
    ``#name field=value ...`` with the fields that there must and may be, each handled by a method ``_name``;
    ``words`` may stand for numbers there.
    """

    directives: ClassVar[Mapping[str, tuple[Sequence[str], Sequence[str]]]] = {"trace": (("version",), ())}
    version: ClassVar[int] = 1

    path: Path
    machine: str  # name of the configuration, for messages
    known: Columns
    words: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    columns: tuple[str, ...] = ()
    rows: list[str] = field(default_factory=list)
    numbers: list[int] = field(default_factory=list)

    def read(self) -> None:
        """Take in the file."""
        number = 1
        for number, line in lines(self.path):
            if foreign := _NO_UTF8.search(line):
                byte = ord(foreign[0]) & 0xFF
                self.fail(number, f"byte {byte:#04x} is no UTF-8 text; save the file as UTF-8")
            text = line.strip()
            if text:
                self._take(number, text)
                check_rows(self.path, number, len(self.rows))
        if not self.columns:
            needed = ",".join(required(self.known))
            self.fail(number, f"no header row: the first row names the columns, {needed}")
        if not self.rows:
            self.fail(number, "no accesses: nothing follows the header row")

    def fail(self, line: int, message: str) -> NoReturn:
        """Every error names file and line."""
        raise UserError(f"{self.path}:{line}: {message}")

    def _take(self, line: int, text: str) -> None:
        if text.startswith("#"):
            if text[1:2].isalpha():
                self._directive(line, text[1:].split())
        elif not self.columns:
            self._header(line, [name.strip() for name in text.split(",")])
        else:
            self.rows.append(text)
            self.numbers.append(line)

    def _header(self, line: int, names: list[str]) -> None:
        for name in names:
            if name not in self.known:
                choices = ",".join(self.known)
                self.fail(line, f"unknown column {shortened(name)!r}: the header row names some of {choices}")
            if names.count(name) > 1:
                self.fail(line, f"column {name} stands there twice")
        needed = required(self.known)
        missing = [name for name in needed if name not in names]
        if missing:
            self.fail(line, f"column {missing[0]} is missing: a trace needs {','.join(needed)}")
        self.columns = tuple(names)

    def _directive(self, line: int, words: list[str]) -> None:
        name = words[0]
        if name not in self.directives:
            choices = ", ".join(f"#{directive}" for directive in self.directives)
            shown = shortened(name)
            self.fail(line, f"unknown directive #{shown}: known are {choices}; a comment begins with '# '")
        needed, optional = self.directives[name]
        values: dict[str, int] = {}
        for word in words[1:]:
            key, equals, text = word.partition("=")
            if not equals or key not in (*needed, *optional) or key in values:
                allowed = " ".join(
                    [*(f"{option}=" for option in needed), *(f"[{option}=]" for option in optional)]
                )
                self.fail(line, f"#{name}: {shortened(word)!r} is not understood; write #{name} {allowed}")
            values[key] = self._value(line, name, key, text)
        for key in needed:
            if key not in values:
                self.fail(line, f"#{name}: {key}= is missing")
        handle: Callable[..., None] = getattr(self, f"_{name}")
        try:
            handle(**values)
        except UserError as error:
            self.fail(line, f"#{name}: {error}")

    def _value(self, line: int, name: str, key: str, text: str) -> int:
        words = self.words.get(key, {})
        if text in words:
            return words[text]
        if not _INTEGER.fullmatch(text) or len(text) > DIGITS:
            also = f", or one of {', '.join(words)}" if words else ""
            self.fail(line, f"#{name}: {key}={_problem(text)} (decimal, or hexadecimal as 0x...){also}")
        return Written(text)

    def _trace(self, version: int) -> None:
        self.check_version(version)

    def check_version(self, version: int) -> None:
        """Raises :class:`UserError` for a file of another version."""
        if version != self.version:
            raise UserError(f"version={version}: this program reads version {self.version}")

    def in_range(self, name: str, value: int, limit: int) -> None:
        """Raises :class:`UserError` unless 0 <= value < limit."""
        if not 0 <= value < limit:
            raise UserError(f"{name}={value}: must be 0..{limit - 1} in {self.machine}")

    def values(self, columns: Columns | None = None) -> dict[str, NDArray[Any]]:
        """The rows as columns of int64 (uint64 where values need it), checked against ``columns``.

        These are the known ones, or what else the file says of them.
        """
        table = self._fast() if self.rows else None
        if table is None:
            table = self._slow()
        values = {}
        for c, name in enumerate(self.columns):
            column = (columns or self.known)[name]
            wrong = np.flatnonzero((table[:, c] < column.low) | (table[:, c] > column.high))
            if len(wrong):
                row = int(wrong[0])
                value, legal = table[row, c], f"{column.low}..{column.high}"
                self.fail(self.numbers[row], f"{name}={value}: must be {legal} in {self.machine}")
            values[name] = table[:, c].astype(np.int64 if column.high < 1 << 63 else np.uint64)
        return values

    def _fast(self) -> NDArray[np.int64] | None:
        """All rows at once by numpy's parser; None if there is anything in them but integers."""
        try:
            table = np.loadtxt(self.rows, np.int64, delimiter=",", ndmin=2, comments=None)
        except (ValueError, OverflowError):
            return None
        return table if table.shape == (len(self.rows), len(self.columns)) else None

    def _slow(self) -> NDArray[Any]:
        """Row by row, as Python's integers: knows the words, and what to say about a row that is wrong."""
        table = np.empty((len(self.rows), len(self.columns)), object)
        for i, (line, text) in enumerate(zip(self.numbers, self.rows, strict=True)):
            cells = text.split(",")
            if len(cells) != len(self.columns):
                self.fail(line, f"{len(cells)} values: the header row has {len(self.columns)} columns")
            for c, (name, cell) in enumerate(zip(self.columns, cells, strict=True)):
                table[i, c] = self._cell(line, name, cell.strip())
        return table

    def _cell(self, line: int, name: str, text: str) -> int:
        words = self.known[name].words
        if text in words:
            return words[text]
        if not _INTEGER.fullmatch(text) or len(text) > DIGITS:
            also = f" or one of {', '.join(words)}" if words else ""
            self.fail(line, f"{name}={_problem(text)}{also}")
        return int(text, 16 if text[:2].lower() == "0x" else 10)


def _problem(text: str) -> str:
    what = f"more than {DIGITS} digits" if _INTEGER.fullmatch(text) else "not an integer"
    return f"{shortened(text)!r}: {what}"
