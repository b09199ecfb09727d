# SPDX-License-Identifier: Apache-2.0
"""Columns of trace files: what the streams of a configuration say of their fields."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeVar

from configs import Field, Stream, UserError
from utils.files import is_file, is_folder
from workloads.traces.opening import plain_name

T = TypeVar("T")
SUFFIXES = (".csv", ".npz")


@dataclass(frozen=True)
class Column:
    """A column of integers ``low`` to ``high``, for some of which a word may stand; ``required`` or not.

    ``doc``: its meaning. ``shape``: of the array in an ``.npz`` file.
    """

    name: str
    low: int
    high: int
    words: Mapping[str, int] = field(default_factory=dict)
    required: bool = True
    doc: str = ""
    shape: str = "[n]"

    def __str__(self) -> str:
        words = ", ".join(f"{value} {word}" for word, value in self.words.items())
        meaning = "; ".join(filter(None, (self.doc, "" if self.doc.startswith("0 ") else words)))
        optional = "" if self.required else ", optional"
        return f"{self.name} {self.shape} {self.low}..{self.high}{optional}: {meaning}"


#: by name, in the order in which a file's description lists them
Columns = Mapping[str, Column]


def of_field(source: Field, name: str | None = None, *, required: bool = True) -> Column:
    """The column of a stream's field, under another ``name`` if given."""
    words = {word: value for value, word in enumerate(source.names)}
    return Column(name or source.name, *source.legal, words, required, source.doc)


def of_stream(stream: Stream, names: Iterable[str] | None = None, optional: Iterable[str] = ()) -> Columns:
    """Columns of a stream's fields, of those in ``names`` in that order or of all. Raises KeyError."""
    chosen = [declared.name for declared in stream.fields] if names is None else list(names)
    left_out = set(optional)
    return {name: of_field(stream.field(name), required=name not in left_out) for name in chosen}


def limited(columns: Columns, **limits: int) -> Columns:
    """``columns`` with values below a limit, where only the file says it."""
    return {**columns, **{name: replace(columns[name], high=limit - 1) for name, limit in limits.items()}}


def required(columns: Columns) -> list[str]:
    """Names of the columns that a file must have."""
    return [name for name, column in columns.items() if column.required]


def reader(path: Path, ways: Mapping[str, Callable[..., T]]) -> Callable[..., T]:
    """The way to read a trace file, packed or not. Raises :class:`UserError` if there is none."""
    if not is_file(path):
        kind = "is a folder; name the trace file in it" if is_folder(path) else "no such file"
        raise UserError(f"trace {path}: {kind}")
    return by_suffix(plain_name(path), ways)


def by_suffix(path: Path, ways: Mapping[str, Callable[..., T]]) -> Callable[..., T]:
    """The way to read or write a trace file. Raises :class:`UserError` for a name that ends otherwise."""
    check_name(path)
    return ways[path.suffix]


def check_name(path: Path) -> None:
    """Raises :class:`UserError` for a name that no trace file has."""
    if path.suffix not in SUFFIXES:
        raise UserError(f"{path}: a trace file's name ends in .csv or .npz (docs/traces.md describes both)")
