# SPDX-License-Identifier: Apache-2.0
"""Trace files of the texture cache, in either format."""

from pathlib import Path

from configs import UserError
from configs.texcache.schema import Config
from workloads.texcache.trace import Trace
from workloads.texcache.trace_csv import read_csv, write_csv
from workloads.texcache.trace_npz import read_npz, write_npz
from workloads.traces.columns import by_suffix, reader


def load_trace(path: Path | str, cfg: Config) -> Trace:
    """Reads a trace file (``.csv`` or ``.npz``) for ``cfg``.

    Raises :class:`UserError` naming file, line or array, field and rule for what is not as documented.
    """
    path = Path(path)
    return reader(path, {".csv": read_csv, ".npz": read_npz})(path, cfg)


def save_trace(path: Path | str, trace: Trace) -> None:
    """Writes ``trace`` as ``.csv`` (without image and meta) or ``.npz`` (everything), atomically.

    Raises :class:`UserError` for another name, and for a trace of nothing.
    """
    path = Path(path)
    if not len(trace):
        raise UserError(f"{path}: no accesses to write")
    by_suffix(path, {".csv": write_csv, ".npz": write_npz})(path, trace)
