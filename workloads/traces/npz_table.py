# SPDX-License-Identifier: Apache-2.0
"""Arrays of a numpy archive, read strictly: every error names file, array and rule."""

import zipfile
from collections.abc import Container, Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from configs import UserError
from utils.errors import shortened
from workloads.traces.columns import Column, Columns, required
from workloads.traces.opening import DAMAGE, MOST_BYTES, MOST_ROWS, seekable, too_large

Arrays = Mapping[str, NDArray[Any]]

_ARRAY = b"\x93NUMPY"  # how a file of a single array begins


def read_arrays(path: Path, names: Container[str] | None = None) -> dict[str, NDArray[Any]]:
    """All arrays of an archive, or those of some ``names``.

    Raises :class:`UserError`, before it unpacks more than ``MOST_BYTES``.
    """
    arrays: dict[str, NDArray[Any]] = {}
    what = ""
    with seekable(path) as file:
        if not zipfile.is_zipfile(file):
            file.seek(0)
            kind = "holds a single array" if file.read(len(_ARRAY)) == _ARRAY else "is no numpy archive"
            raise UserError(f"{path}: {kind}; write it with numpy.savez, or as text under a name in .csv")
        file.seek(0)
        try:
            with np.load(file, allow_pickle=False) as archive:
                size = sum(member.file_size for member in archive.zip.infolist())
                if size > MOST_BYTES:
                    raise too_large(path, size)
                for what in (name for name in archive.files if names is None or name in names):
                    arrays[what] = archive[what]
                    if not isinstance(arrays[what], np.ndarray):
                        raise ValueError("no array of numpy's")
        except DAMAGE as error:
            problem = f"is damaged ({shortened(str(error))})"
            if "allow_pickle" in problem:
                problem = "holds Python objects; write integers"
            raise UserError(f"{path}: array {shortened(what)} {problem}") from None
    return arrays


def check_names(arrays: Arrays, columns: Iterable[str], others: Iterable[str]) -> None:
    """Raises :class:`UserError` for an array that is neither a column nor one of ``others``."""
    columns, others = list(columns), list(others)
    for name in arrays:
        if name not in (*columns, *others):
            known = f"columns are {', '.join(columns)}; other arrays {', '.join(others)}"
            raise UserError(f"unknown array {shortened(name)!r}: {known}")


def integers(arrays: Arrays, name: str, low: int, high: int, shape: tuple[int, ...] = ()) -> NDArray[Any]:
    """An array [n, *shape] of integers within low..high."""
    values = arrays[name]
    if values.dtype.kind == "U":
        raise UserError(f"array {name} holds text: needs integers, {low} to {high}")
    if values.dtype.kind not in "iu" or values.ndim != 1 + len(shape) or values.shape[1:] != shape:
        form = f"of shape [n, {', '.join(map(str, shape))}]" if shape else "in one dimension"
        raise UserError(f"array {name} of {values.dtype} {values.shape}: needs integers {form}")
    wrong = np.argwhere((values < low) | (values > high))
    if len(wrong):
        place = tuple(int(index) for index in wrong[0])
        at = place if shape else place[0]
        raise UserError(f"array {name}: value {values[place]} at {at}: must be {low}..{high}")
    return values


def spread(arrays: Arrays, columns: Iterable[str]) -> Arrays:
    """``arrays`` with the single values of ``columns`` repeated, as many as the other columns have.

    Raises :class:`UserError` for columns of several lengths, or of more than ``MOST_ROWS``.
    """
    listed = {name: arrays[name] for name in columns if name in arrays}
    lengths = {name: len(array) for name, array in listed.items() if array.ndim}
    first = next(iter(lengths), "")
    for name, length in lengths.items():
        if not length:
            raise UserError(f"array {name} is empty: there is nothing to do")
        if length > MOST_ROWS:
            raise UserError(f"array {name} has {length:,} values: a trace has at most {MOST_ROWS:,} accesses")
        if length != lengths[first]:
            raise UserError(f"array {name} has {length} values, {first} has {lengths[first]}")
    for name, array in listed.items():
        if not array.ndim and array.dtype.kind not in "iu":
            raise UserError(f"array {name} is a single {array.dtype}: needs an integer, or a column of them")
    single = {name: np.full(lengths.get(first, 1), array) for name, array in listed.items() if not array.ndim}
    return {**arrays, **single}


def column(arrays: Arrays, source: Column) -> NDArray[Any]:
    """The array [n] of a column, its values as the column says."""
    if source.words and arrays[source.name].dtype.kind == "U":
        words = ", ".join(f"{value} {word}" for word, value in source.words.items())
        raise UserError(f"array {source.name} holds text: needs integers ({words})")
    return integers(arrays, source.name, source.low, source.high)


def read_columns(arrays: Arrays, columns: Columns) -> dict[str, NDArray[Any]]:
    """The arrays of ``columns`` that there are; all those required must be, all of one length."""
    needed = required(columns)
    missing = [name for name in needed if name not in arrays]
    if missing:
        raise UserError(f"column {missing[0]} is missing: a trace needs {', '.join(needed)}")
    values = {name: column(arrays, source) for name, source in columns.items() if name in arrays}
    if not values:
        raise UserError(f"no array of a column: a trace needs some of {', '.join(columns)}")
    same_length(values, [*needed, *values][0])
    return values


def same_length(arrays: Arrays, first: str) -> None:
    """Raises :class:`UserError` unless all arrays are as long as ``first``, which is not empty."""
    if not len(arrays[first]):
        raise UserError(f"array {first} is empty: there is nothing to do")
    for name, array in arrays.items():
        if len(array) != len(arrays[first]):
            raise UserError(f"array {name} has {len(array)} values, {first} has {len(arrays[first])}")


def check_version(arrays: Arrays, version: int) -> None:
    """Raises :class:`UserError` for a file of another version."""
    stated = number(arrays, "version", version)
    if stated != version:
        raise UserError(f"version={stated}: this program reads version {version}")


def number(arrays: Arrays, name: str, default: int) -> int:
    """A single integer, ``default`` where it is missing."""
    value = arrays.get(name)
    if value is None:
        return default
    if value.shape != () or value.dtype.kind not in "iu":
        raise UserError(f"array {name} of {value.dtype} {value.shape}: needs a single integer")
    return int(value)


def text(arrays: Arrays, name: str, default: str) -> str:
    """A single text, ``default`` where it is missing."""
    value = arrays.get(name)
    if value is None:
        return default
    if value.shape != () or value.dtype.kind != "U":
        raise UserError(f"array {name} of {value.dtype} {value.shape}: needs a single text")
    return str(value)


def image(arrays: Arrays) -> tuple[int, NDArray[np.uint32] | None]:
    """``base`` and ``image``: 32-bit words of memory from a byte address on."""
    base = number(arrays, "base", 0)
    if "image" not in arrays:
        if "base" in arrays:
            raise UserError(f"base={base}: there is no array image that begins there")
        return 0, None
    if base < 0 or base % 4:
        raise UserError(f"base={base}: the image begins at a multiple of 4 bytes")
    return base, integers(arrays, "image", 0, (1 << 32) - 1).astype(np.uint32)
