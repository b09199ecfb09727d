# SPDX-License-Identifier: Apache-2.0
"""Reads what ``python -m tb measure BLOCK`` wrote, and refuses what is missing or damaged.

``index.json`` lists workloads and runs that belong together. Each has a ``.json`` with its figures and where
they come from, and an ``.npz`` with its arrays beside it.
"""

import hashlib
import io
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from configs import UserError
from utils.files import read_checked

FORMAT = 3
Figures = dict[str, Any]  # of a run
Sums = Mapping[str, tuple[object, object]]
AGAIN = "run make report, which measures it again"
# The headers of arrays are Python literals, and CPython 3.11 parses those in one thread at a time only: a
# switch of threads in between is a SystemError now and then (github.com/python/cpython/issues/106905).
PARSING = Lock()


class Arrays(Mapping[str, NDArray[Any]]):
    """The arrays of an ``.npz`` file in memory, each unpacked when first asked for, in any thread."""

    def __init__(self, content: bytes, prefix: str = "") -> None:
        self._file = np.load(io.BytesIO(content), allow_pickle=False)
        self._prefix = prefix
        self._known: dict[str, NDArray[Any]] = {}

    def __getitem__(self, name: str) -> NDArray[Any]:
        if name not in self._known:
            unpacked = io.BytesIO(self._file.zip.read(f"{self._prefix}{name}.npy"))
            with PARSING:
                self._known[name] = npy.read_array(unpacked, allow_pickle=False)
        return self._known[name]

    def __iter__(self) -> Iterator[str]:
        return (name.removeprefix(self._prefix) for name in self._file.files if name.startswith(self._prefix))

    def __len__(self) -> int:
        return sum(1 for _ in self)


def check_sums(path: Path, sums: Sums, what: str = "") -> None:
    """Raises :class:`UserError` that begins with ``what`` if a number of a file's is not the same in its two
    places.
    """
    for name, (first, second) in sums.items():
        if first != second:
            raise UserError(f"{path}: {what}{name} is {first} in one place and {second} in another; {AGAIN}")


def read_content(path: Path, digest: str) -> bytes:
    """The bytes of a file whose SHA-256 must be ``digest``. Raises :class:`UserError`."""
    if not path.is_file():
        raise UserError(f"{path}: missing; run make report")
    content = path.read_bytes()
    if hashlib.sha256(content).hexdigest() != digest:
        raise UserError(f"{path}: the file is not what was measured (its checksum differs); {AGAIN}")
    return content


def read_json(path: Path) -> Any:
    """The contents of a JSON file with a checksum. Raises :class:`UserError`."""
    if not path.is_file():
        raise UserError(f"{path}: missing; run make report")
    try:
        return read_checked(path)
    except ValueError as error:
        raise UserError(f"{path}: the file is not what was measured ({error}); {AGAIN}") from None


def read_index(folder: Path, block: str) -> dict[str, Any]:
    """The index of a block's results. Raises :class:`UserError` if there is none, or of another format."""
    path = folder / "index.json"
    if not path.is_file():
        raise UserError(f"{path}: no measured results there; run make report BLOCK={block}")
    index: dict[str, Any] = read_json(path)
    if index.get("format") != FORMAT or index.get("block") != block:
        raise UserError(f"{path}: not a measurement of {block} in format {FORMAT}; run make report")
    return index


class Runs:
    """A block's runs by workload and role, each with its ``path``; their figures add up.

    ``sums``: figures of a run by name that must be the same in two places. Raises :class:`UserError`.
    """

    def __init__(self, folder: Path, block: str, sums: Callable[[Figures], Sums]) -> None:
        self.folder, self.index = folder, read_index(folder, block)
        self.runs: dict[tuple[str, str], Figures] = {}
        for entry in self.index["runs"]:
            path = folder / entry["file"]
            run = {**read_json(path), "path": path}
            try:
                pairs = sums(run)
            except (KeyError, TypeError, ZeroDivisionError) as error:
                raise UserError(f"{path}: does not add up, {error!r}; {AGAIN}") from None
            check_sums(path, pairs, "does not add up, ")
            self.runs[entry["workload"], entry["role"]] = run

    @property
    def scenes(self) -> list[str]:
        """Measured scenes."""
        return list(self.index["scenes"])

    @property
    def own(self) -> dict[str, Any]:
        """Name of a user's scene and notes on it; empty for the built-in ones."""
        notes: dict[str, Any] = self.index.get("own", {})
        return notes

    def of(self, role: str) -> list[Figures]:
        """A role's run of each scene that has one."""
        return [self.runs[scene, role] for scene in self.scenes if (scene, role) in self.runs]

    def arrays(self, run: Figures) -> Arrays:
        """Pictures and maps of a run. Raises :class:`UserError` for damaged ones."""
        return Arrays(read_content(run["path"].with_suffix(".npz"), run["sha256"]))


def provenance(index: Mapping[str, Any]) -> dict[str, str]:
    """Where the results come from, for the page."""
    return {
        "Configuration": f"{index['base_name']}, hash {index['hash']}",
        "Measured by": index["command"],
        "Seed": str(index["seed"]),
        "Measured with": ", ".join(f"{name} {number}" for name, number in index["versions"].items()),
        "Runs": f"{len(index['runs'])} runs, {len(index['workloads'])} workloads",
    }
