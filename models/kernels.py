# SPDX-License-Identifier: Apache-2.0
"""How kernels are compiled and kept: ``@kernel`` on a function makes it one, ``@allocating`` one with arrays.

Compiled kernels stay in ``build/numba`` (or below ``NUMBA_CACHE_DIR``; of an installed package in
``~/.cache/cacheforge/numba``), under a key made of all that the kernel's module imports: numba itself only
looks at the file of the kernel, and would go on using a stale one after a change in a function that the
kernel calls from another file. A damaged file is compiled again. Kernels of others are kept where they would
be without us.

numba gives each function of the machine code a name made of the types of its arguments, and links by names.
For records it takes the number of the type in order of creation, which differs from process to process: two
kernels for different records, compiled by two processes and loaded by a third, then have one name, and one of
them runs in place of both (numba issue 10486 is of this family). Here a record is named by its layout.
"""

import hashlib
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import numba
import numpy
from numba.core import event
from numba.core.caching import IndexDataCacheFile
from numba.core.types import Record
from numpy.typing import NDArray

from utils.aside import announce
from utils.keys import digest, kept
from utils.sources import dependencies

F = TypeVar("F", bound=Callable[..., Any])
COMPILING = "compiling the golden model's kernels (once for each block, some 20 s)"


@cache
def _folder(outer: str, module: str) -> str:
    """Where kernels of ``module`` are kept; ``outer`` is numba's own setting, empty if there is none."""
    key = digest([numba.__version__, numpy.__version__, dependencies(module).code])
    folder = Path(outer or kept("numba")) / key
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return outer  # nothing can be written there: numba falls back to the user's own cache folder
    return str(folder)


def _name_records_by_layout() -> None:
    """Numba 0.68 makes the name of ``Record.mangling_args``; ``Record.name`` spells the layout out."""

    def mangling_args(record: Record) -> tuple[str, tuple[str]]:
        return "Record", (hashlib.sha256(record.name.encode()).hexdigest()[:24],)

    if "mangling_args" not in vars(Record):
        raise RuntimeError(f"models/kernels.py does not know how numba {numba.__version__} names records")
    setattr(Record, "mangling_args", property(mangling_args))  # noqa: B010


class _Checked(IndexDataCacheFile):
    """Numba's files of a kernel, each with a SHA-256 at its end: one that differs from it is not there."""

    def _dump(self, content: object) -> bytes:
        data: bytes = super()._dump(content)
        return data + hashlib.sha256(data).digest()

    def _load_data(self, name: str) -> Any:
        data = (Path(self._cache_path) / name).read_bytes()
        if hashlib.sha256(data[:-32]).digest() != data[-32:]:
            raise FileNotFoundError(name)
        return super()._load_data(name)

    def _load_index(self) -> Any:
        with suppress(Exception):  # numba unpickles whatever is in the file
            return super()._load_index()
        return {}

    def save(self, key: Any, data: Any) -> None:
        """Keep a compiled kernel, where there is room for it."""
        with suppress(OSError):
            super().save(key, data)


def _compiled(function: F, **options: Any) -> F:
    result: Any
    settings: Any = numba.config
    outer = settings.CACHE_DIR
    settings.CACHE_DIR = _folder(outer, function.__module__)
    try:
        result = numba.njit(cache=True, **options)(function)
        result._cache._cache_file.__class__ = _Checked
    except RuntimeError:  # there is no folder that it can be kept in
        result = numba.njit(**options)(function)
    finally:
        settings.CACHE_DIR = outer
    return result


def kernel(function: F) -> F:
    """Compile ``function`` with numba at its first call, and keep the result for other processes.

    It makes no arrays, so nothing counts references to those that it is given: counting them, atomically at
    each call that hands one on, took up to half of a model's time. numba refuses what would need memory
    (``NRT required but not enabled``): for that there is :func:`allocating`.
    """
    return _compiled(function, _nrt=False)


def inlined(function: F) -> F:
    """The same for one that others call in their innermost loop: it becomes part of each of them.

    To hand on a geometry, a memory and arrays, dozens of words, takes a third of the time of a cache's model.
    """
    return _compiled(function, _nrt=False, forceinline=True)


def allocating(function: F) -> F:
    """The same for one that makes arrays. If it returns some, only others like it may call it: a
    :func:`kernel` would never give them back.
    """
    return _compiled(function, _nrt=True)  # not what calls it has


class _Compiling(event.Listener):
    """Announces that a kernel is being compiled, and those that it calls with it."""

    nested = 0

    def on_start(self, event: Any) -> None:
        """A kernel is not kept: numba begins to compile it."""
        self.nested += 1
        if self.nested == 1:
            announce(COMPILING)

    def on_end(self, event: Any) -> None:
        """It is compiled, or refused."""
        self.nested -= 1
        if not self.nested:
            announce("")


_name_records_by_layout()
event.register("numba:compile", _Compiling())


@kernel
def copy(to: NDArray[Any], source: NDArray[Any]) -> None:
    """The elements of ``source`` into ``to``, as long; ``to[:] = source`` sets memory aside for overlaps."""
    for i in range(len(to)):
        to[i] = source[i]


@kernel
def ones(mask: int) -> int:
    """How many of the lowest eight bits are 1: pairs, then fours, then all are added side by side."""
    pairs = (mask & 0x55) + (mask >> 1 & 0x55)
    fours = (pairs & 0x33) + (pairs >> 2 & 0x33)
    return (fours & 15) + (fours >> 4 & 15)
