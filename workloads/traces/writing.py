# SPDX-License-Identifier: Apache-2.0
"""Writes trace files that are a column for each field (:mod:`workloads.traces.requests` reads them)."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from utils.files import atomic_path
from workloads.traces.columns import by_suffix
from workloads.traces.requests import VERSION


def save_columns(path: Path, columns: Mapping[str, NDArray[Any]], name: str) -> None:
    """Writes ``columns`` [n] as ``.npz`` or ``.csv`` (without ``name``), atomically.

    Raises :class:`configs.UserError` for other names.
    """
    by_suffix(path, {".npz": _write_npz, ".csv": _write_csv})(path, columns, name)


def _write_npz(path: Path, columns: Mapping[str, NDArray[Any]], name: str) -> None:
    arrays: dict[str, Any] = {"version": VERSION, "name": name, **columns}
    with atomic_path(path) as temporary:
        np.savez_compressed(temporary, **arrays)


def _write_csv(path: Path, columns: Mapping[str, NDArray[Any]], _name: str) -> None:
    with atomic_path(path) as temporary, temporary.open("w", newline="\n") as file:
        file.write(f"#trace version={VERSION}\n{','.join(columns)}\n")
        rows = zip(*(column.tolist() for column in columns.values()), strict=True)
        file.writelines(",".join(map(str, row)) + "\n" for row in rows)
