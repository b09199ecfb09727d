# SPDX-License-Identifier: Apache-2.0
"""Trace files of ``zcache``: a column for each field of ``tile``, and ``kill`` if there is a port ``shade``.

:mod:`workloads.traces.requests` has what all such files share.
"""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from configs import Stream
from configs.depth import LEQUAL, PIXELS, TILE
from configs.zcache.schema import Config
from models.raster import columns
from workloads.traces.requests import Columns, Default, load_requests
from workloads.traces.writing import save_columns
from workloads.zcache.tiles import TileFrame


def stream(cfg: Config) -> Stream:
    """What a row of a file is: a word of ``tile``, and of ``shade`` if there is that port (0 of barriers)."""
    tile = cfg.streams["tile"]
    return replace(tile, fields=(*tile.fields, *cfg.streams["shade"].fields)) if cfg.given else tile


def defaults(cfg: Config) -> Mapping[str, Default]:
    """Fields that a trace may leave out: whole tiles that are tested and stored."""
    whole: dict[str, Default] = {"op": TILE, "mask": (1 << PIXELS) - 1}
    state: dict[str, Default] = {"test": 1, "func": LEQUAL, "write": 1, "format": 0}
    depths: dict[str, Default] = {f"depth{n}": 0 for n in range(PIXELS)}
    return {**whole, **state, **depths, **({"kill": 0} if cfg.given else {})}


def tile_columns(cfg: Config, frame: TileFrame) -> dict[str, NDArray[Any]]:
    """The words of a frame by field; without a port ``shade`` killed pixels are not in the mask.

    That is the same to a cache without bounds: it looks at both in the test alone, and there at pixels that
    are left. Bounds are asked before the shader, of all pixels in the mask: then it is other traffic.
    """
    fields = columns(frame.tiles)
    fields.pop("prim")
    if cfg.given:
        return {**fields, "kill": frame.kill}
    return {**fields, "mask": (fields["mask"] & ~frame.kill).astype(np.uint16)}


def load_tiles(path: Path | str, cfg: Config) -> Columns:
    """The columns of a trace file, all of :func:`stream`.

    Raises :class:`configs.UserError` naming file, line or array, and rule.
    """
    return load_requests(path, stream(cfg), cfg.name, defaults(cfg)).columns


def save_tiles(path: Path, cfg: Config, frame: TileFrame) -> None:
    """Writes a frame's words. Raises :class:`configs.UserError` for a name that no trace file has."""
    save_columns(path, tile_columns(cfg, frame), frame.vertices.name)
