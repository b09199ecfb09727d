# SPDX-License-Identifier: Apache-2.0
"""Trace files of ``raster``: a column for each field of ``vtx`` (:mod:`workloads.traces.requests`)."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from configs import UserError
from configs.depth import FLUSH, LEQUAL
from configs.raster.schema import BEGIN, TRIANGLES, VERTEX, Config
from models.raster import VERTEX as WORD
from workloads.traces.requests import Default, load_requests, records
from workloads.traces.writing import save_columns


def defaults(_cfg: Config) -> Mapping[str, Default]:
    """Fields that a trace may leave out: corners of triangles that are tested and stored."""
    state: Mapping[str, Default] = {"test": 1, "func": LEQUAL, "write": 1, "format": 0}
    return {"op": VERTEX, "topology": TRIANGLES, **state, "command": FLUSH, "z": 0}


def load_vertices(path: Path | str, cfg: Config) -> NDArray[Any]:
    """The VERTEX array of a trace file. Raises :class:`UserError` naming file, line or array, and rule."""
    words = records(WORD, load_requests(path, cfg.streams["vtx"], cfg.name, defaults(cfg)).columns)
    begins = words[words["op"] == BEGIN]
    side = 4 << cfg.coordinate_bits
    for axis in "xy":
        if len(begins) and not 1 <= begins[axis].min() <= begins[axis].max() <= side:
            raise UserError(
                f"{path}: {axis} of a begin, the window's side, must be 1 to {side} in {cfg.name}"
            )
    return words


def save_vertices(path: Path, words: NDArray[Any], name: str) -> None:
    """Writes VERTEX ``words``. Raises :class:`UserError` for a name that no trace file has."""
    save_columns(path, {field: words[field] for field in WORD.names or ()}, name)
