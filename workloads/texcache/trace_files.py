# SPDX-License-Identifier: Apache-2.0
"""Trace files of the texture cache, in either format."""

import itertools
from pathlib import Path

from configs import UserError
from configs.texcache.schema import Config
from workloads.texcache.trace import Trace
from workloads.texcache.trace_csv import read_csv, write_csv
from workloads.texcache.trace_npz import read_npz, write_npz
from workloads.traces.columns import by_suffix, reader
from workloads.traces.npz_table import read_arrays
from workloads.traces.opening import lines, plain_name


def load_trace(path: Path | str, cfg: Config) -> Trace:
    """Reads a trace file (``.csv`` or ``.npz``) for ``cfg``.

    Raises :class:`UserError` naming file, line or array, field and rule for what is not as documented.
    """
    path = Path(path)
    return reader(path, {".csv": read_csv, ".npz": read_npz})(path, cfg)


def textures_of(path: Path | str) -> int | None:
    """For how many textures a trace file says that it is; None where it does not, or cannot be read."""
    path = Path(path)
    try:
        if plain_name(path).suffix == ".npz":
            return int(read_arrays(path, {"textures"})["textures"])
        heads = itertools.takewhile(lambda line: line[0] in "#\n", (line for _, line in lines(path)))
        fields = next(words[1:] for words in map(str.split, heads) if words[:1] == ["#trace"])
        return next(int(field[9:]) for field in fields if field.startswith("textures="))
    except (UserError, ValueError, KeyError, TypeError, StopIteration):
        return None  # who reads the file says what is wrong with it


def save_trace(path: Path | str, trace: Trace) -> None:
    """Writes ``trace`` as ``.csv`` (without image and meta) or ``.npz`` (everything), atomically.

    Raises :class:`UserError` for another name, and for a trace of nothing.
    """
    path = Path(path)
    if not len(trace):
        raise UserError(f"{path}: no accesses to write")
    by_suffix(path, {".csv": write_csv, ".npz": write_npz})(path, trace)
