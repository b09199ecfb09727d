# SPDX-License-Identifier: Apache-2.0
"""What a block's trace adapter hands to ``python -m tb trace``, and the files made of it.

The adapter is one function in ``tb/<block>/trace.py``: ``run(cfg, path, seed, rtl_dir, progress) -> Report``.
"""

import json
import zipfile
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tb.common.replay.compare import Mismatch
from utils.files import atomic_path, write_atomic

#: told what is being done, how far it is, and how far it will go (0: unknown)
Progress = Callable[[str, int, int], None]
CSV_ROWS = 200_000  # up to so many accesses results.csv is written unasked
BLOCK_ROWS = 20_000
FILES = ("results", "tiles", "depth")  # names without suffix


@dataclass(frozen=True)
class Table:
    """A table of the summary."""

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[Any]]

    def records(self) -> list[dict[str, Any]]:
        """The rows by column."""
        return [dict(zip(self.columns, row, strict=True)) for row in self.rows]


@dataclass(frozen=True)
class Report:
    """A trace after model and RTL: what happened access by access, in sum, and whether the two agree.

    ``columns``: arrays whose first axis is the access; a second axis becomes numbered columns of the CSV.
    ``figures``: the headline numbers, None where there is none. ``more``: arrays of further files, by file.
    """

    name: str
    accesses: int
    cycles: int
    columns: dict[str, NDArray[Any]]
    figures: dict[str, int | float | None]
    tables: list[Table]
    mismatches: list[Mismatch] = field(default_factory=list)
    more: dict[str, dict[str, NDArray[Any]]] = field(default_factory=dict)

    @property
    def equal(self) -> bool:
        """Whether the RTL did something, and exactly what the model says."""
        return self.accesses > 0 and not self.mismatches


def rate(part: int, whole: int) -> float | None:
    """A share; there is none of nothing."""
    return part / whole if whole else None


def write_files(report: Report, folder: Path, csv: bool | None, about: dict[str, Any]) -> list[str]:
    """Write ``results.npz``, ``results.csv``, the same of what there is more, and ``summary.json``; returns
    their names.

    ``csv`` None leaves out what would have more than CSV_ROWS rows. Files of an earlier run are removed, as
    they would not belong to the rest.
    """
    remove_former(folder)
    names = []
    for name, arrays in {"results": report.columns, **report.more}.items():
        names.append(f"{name}.npz")
        write_npz(folder / names[-1], arrays)
        lengths = {len(array) if array.ndim else 0 for array in arrays.values()}
        if len(lengths) == 1 and (csv is True or (csv is None and max(lengths) <= CSV_ROWS)):
            names.append(f"{name}.csv")
            write_csv(folder / names[-1], arrays)
    summary = {
        **about,
        "verdict": "equal" if report.equal else "different",
        "accesses": report.accesses,
        "cycles": report.cycles,
        "figures": report.figures,
        "tables": {table.title: table.records() for table in report.tables},
        "mismatches": [asdict(item) for item in report.mismatches],
        "files": names,
    }
    write_atomic(folder / "summary.json", json.dumps(summary, indent=1) + "\n")
    return [*names, "summary.json"]


def remove_former(folder: Path) -> None:
    """Remove what an earlier run wrote there."""
    for name in FILES:
        for suffix in (".npz", ".csv"):
            (folder / f"{name}{suffix}").unlink(missing_ok=True)


def write_failure(folder: Path, message: str, about: dict[str, Any]) -> None:
    """Write the summary of a run that has no results, and remove those of an earlier one."""
    remove_former(folder)
    summary = {**about, "verdict": "failed", "failure": message}
    write_atomic(folder / "summary.json", json.dumps(summary, indent=1) + "\n")


def write_npz(path: Path, columns: dict[str, NDArray[Any]]) -> None:
    """Like ``numpy.savez_compressed``, with the fastest compression: five times quicker, hardly larger."""
    with (
        atomic_path(path) as temporary,
        zipfile.ZipFile(temporary, "w", zipfile.ZIP_DEFLATED, True, 1) as file,
    ):
        for name, column in columns.items():
            with file.open(f"{name}.npy", "w", force_zip64=True) as member:
                np.lib.format.write_array(member, np.asarray(column, order="C"), allow_pickle=False)


def write_csv(path: Path, columns: dict[str, NDArray[Any]]) -> None:
    """One line per access, numbers in decimal; ``name0``, ``name1``, ... where a column has a second axis."""
    flat: dict[str, NDArray[Any]] = {}
    for name, column in columns.items():
        if column.ndim == 1:
            flat[name] = column
        else:
            flat |= {f"{name}{i}": column[:, i] for i in range(column.shape[1])}
    count = len(next(iter(flat.values())))
    with atomic_path(path) as temporary, temporary.open("w", newline="\n") as file:
        file.write(",".join(flat) + "\n")
        for start in range(0, count, BLOCK_ROWS):
            block = [map(str, column[start : start + BLOCK_ROWS].tolist()) for column in flat.values()]
            file.writelines(",".join(row) + "\n" for row in zip(*block, strict=True))
