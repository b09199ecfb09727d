# SPDX-License-Identifier: Apache-2.0
"""Trace files of a block whose requests say it all: a column for each field of its request stream.

The description of the stream is that of the file: names, ranges, signs and words. ``docs/traces.md`` has the
rules that all trace files share.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from configs import Stream, UserError
from models import records as records
from workloads.traces import npz_table as npz
from workloads.traces.columns import Columns as Known
from workloads.traces.columns import of_stream, reader
from workloads.traces.csv_table import CsvTable
from workloads.traces.opening import plain_name
from workloads.traces.references import References, holds_references, read_references

VERSION = CsvTable.version
OTHERS = ("version", "name", "base", "image")
#: fields by name, a value for each of n requests
Columns = dict[str, NDArray[Any]]


class Made(NamedTuple):
    """Requests [n] that references of another program's trace make: ``columns`` by field, those references
    that were ``taken``, and of each request the number of its reference, ``owner`` [n].
    """

    columns: Columns
    taken: References
    owner: NDArray[np.int64]


#: the requests that references make of a configuration
MadeOf = Callable[[Any, References], Made]
#: what a field is where a file has no column of it: a value, or one for each of n requests
Default = int | Callable[[int], NDArray[Any]]


@dataclass(frozen=True, eq=False)
class Requests:
    """n requests: ``columns`` [n] by field of the stream.

    ``image``: words of memory from byte address ``base`` on, None where contents do not matter (then memory
    is a hash of seed and address). ``figures``: what else is to be said of the file. ``lines`` [n]: where it
    says each of them, if it is one of lines. ``owner`` [n]: the numbers of the references of another program
    that the requests serve, none where the file is one of ours.
    """

    columns: dict[str, NDArray[Any]]
    base: int = 0
    image: NDArray[np.uint32] | None = None
    name: str = "trace"
    figures: dict[str, int] = field(default_factory=dict)
    lines: Sequence[int] = ()
    owner: NDArray[np.int64] | None = None

    def __len__(self) -> int:
        return len(next(iter(self.columns.values())))

    def __repr__(self) -> str:
        return f"<Requests {self.name}: {len(self):,}>"


def counting(bits: int) -> Callable[[int], NDArray[np.int64]]:
    """A default that counts up and wraps around: ids."""
    return lambda count: np.arange(count) & (1 << bits) - 1


def load_requests(
    path: Path | str, stream: Stream, machine: str, defaults: Mapping[str, Default] | None = None
) -> Requests:
    """Reads a trace file (``.csv`` or ``.npz``) of requests; fields in ``defaults`` need no column.

    ``machine`` names the configuration in messages. Raises :class:`UserError` naming file, line or array,
    field and rule.
    """
    path, defaults = Path(path), defaults or {}
    read = reader(path, {".csv": _read_csv, ".npz": _read_npz})
    return _completed(read(path, of_stream(stream, optional=defaults), machine), defaults)


def load_trace(
    path: Path, cfg: Any, stream: Stream, defaults: Mapping[str, Default], made_of: MadeOf | None = None
) -> Requests:
    """The requests of a file of ours or, if ``made_of`` is given, of one that holds references of other
    programs. Raises :class:`UserError` as :func:`load_requests` and :func:`load_references` do.
    """
    if made_of and holds_references(path):
        return load_references(path, partial(made_of, cfg), cfg.cache.address_bits, defaults)
    return load_requests(path, stream, cfg.name, defaults)


def load_references(
    path: Path, made_of: Callable[[References], Made], address_bits: int, defaults: Mapping[str, Default]
) -> Requests:
    """Reads a file of references (:mod:`workloads.traces.references`), of which ``made_of`` makes requests.

    Of addresses the lowest ``address_bits`` count. Raises :class:`UserError` naming file, line and rule.
    """
    references = read_references(path)
    if not len(references.label):
        raise UserError(f"{path}: has no references")
    try:
        made = made_of(references)
    except UserError as error:
        raise UserError(f"{path}: {error}") from None
    count = len(made.taken.label)
    figures = {
        "references": count, "references left out": len(references.label) - count,
        f"addresses cut to {address_bits} bits": made.taken.beyond(address_bits),
    }  # fmt: skip
    trace = Requests(made.columns, name=plain_name(path).stem, figures=figures, owner=made.owner)
    return _completed(trace, defaults)


def reference_hits(trace: Requests, hit: NDArray[Any]) -> NDArray[np.bool_] | None:
    """Of each reference of another program, whether all words that it touches hit; None for a trace of ours.

    ``hit`` [n]: of each request, a bit for each of its lanes in the column ``mask``, if it has one.
    """
    if trace.owner is None:
        return None
    missed = trace.columns.get("mask", np.int64(1)) & ~hit.astype(np.int64) != 0
    return np.bincount(trace.owner, missed) == 0


def requests_from_arrays(
    arrays: npz.Arrays, stream: Stream, defaults: Mapping[str, Default] | None = None, name: str = "trace"
) -> Requests:
    """The arrays of an ``.npz`` file as requests. Raises :class:`UserError` naming array and rule."""
    defaults = defaults or {}
    return _completed(_from_arrays(arrays, of_stream(stream, optional=defaults), name), defaults)


def _completed(trace: Requests, defaults: Mapping[str, Default]) -> Requests:
    count = len(trace)
    for name, default in defaults.items():
        if name not in trace.columns:
            trace.columns[name] = default(count) if callable(default) else np.full(count, default)
    return trace


def _read_csv(path: Path, columns: Known, machine: str) -> Requests:
    reader = CsvTable(path, machine, columns)
    reader.read()
    return Requests(reader.values(), name=plain_name(path).stem, lines=reader.numbers)


def _read_npz(path: Path, columns: Known, machine: str) -> Requests:
    arrays = npz.read_arrays(path)
    try:
        return _from_arrays(arrays, columns, plain_name(path).stem)
    except UserError as error:
        raise UserError(f"{path}: {error} ({machine})") from None


def _from_arrays(arrays: npz.Arrays, columns: Known, name: str) -> Requests:
    npz.check_names(arrays, columns, OTHERS)
    npz.check_version(arrays, VERSION)
    base, words = npz.image(arrays)
    return Requests(
        npz.read_columns(npz.spread(arrays, columns), columns), base, words, npz.text(arrays, "name", name)
    )
