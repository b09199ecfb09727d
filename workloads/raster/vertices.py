# SPDX-License-Identifier: Apache-2.0
"""A view of a scene as words of ``vtx``, with the barriers that a depth cache needs around them."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from configs import UserError
from configs.depth import BASE, CLEAR, D16, D24X8, FLUSH, SIDE
from configs.raster.schema import BEGIN, PASS, RESTART, Config
from configs.raster.schema import VERTEX as CORNER
from configs.renderer.schema import Config as RendererConfig
from configs.zcache.schema import Config as CacheConfig
from models.raster import VERTEX
from workloads.raster.clipping import Run, window_runs
from workloads.scenes.depth import Batch, DepthScene

DEPTH_MAX = (1 << 32) - 1


@dataclass(frozen=True, eq=False)
class VertexFrame:
    """One view of a scene: VERTEX ``words`` [n], and of each the number of its batch, -1 of barriers.

    ``kills`` [batches]: those whose shader discards pixels. The surface has ``width`` x ``height`` pixels of
    ``format``, at byte address ``base``, ``pitch`` tiles a row.
    """

    name: str
    width: int
    height: int
    format: int
    base: int
    words: NDArray[Any]
    batch: NDArray[np.int64]
    kills: NDArray[np.bool_]
    notes: tuple[str, ...] = field(default=())

    @property
    def pitch(self) -> int:
        """Tiles of a row."""
        return -(-self.width // SIDE)

    @property
    def rows(self) -> int:
        """Rows of tiles."""
        return -(-self.height // SIDE)


def vertex_frame(
    scene: DepthScene, width: int = 640, height: int = 480, view: int = 0, base: int = 0
) -> VertexFrame:
    """Clips and snaps one view of ``scene``; the surface is cleared at first and flushed in the end.

    Raises :class:`UserError` for impossible scenes and for a view that shows nothing.
    """
    words, batch, kills = [], [], []
    for number, drawn in enumerate(scene.draw(view, width / height)):
        runs = window_runs(drawn, width, height)
        kills.append(drawn.kills)
        if runs:
            words.append(_batch_words(drawn, runs, scene.format, width, height))
            batch.append(np.full(len(words[-1]), number))
    if not words:
        raise UserError(f"scene {scene.name}, view {view}: nothing to see from {scene.cameras[view]}")
    pitch, rows = -(-width // SIDE), -(-height // SIDE)
    before = [
        _barrier(BASE, base, pitch, pitch * rows),
        _barrier(CLEAR, cleared(scene.clear, scene.format)),
    ]
    return VertexFrame(
        scene.name, width, height, scene.format, base,
        np.concatenate([*before, *words, _barrier(FLUSH)]),
        np.concatenate([[-1, -1], *batch, [-1]]), np.array(kills), scene.notes,
    )  # fmt: skip


def fixed_point(depth: NDArray[np.float64] | float) -> NDArray[np.uint32]:
    """Depth 0..1 in units of 2^-32, the largest for 1."""
    return np.asarray(np.clip(np.rint(np.asarray(depth) * 2.0**32), 0, DEPTH_MAX).astype(np.uint32))


def cleared(depth: float, format: int) -> int:
    """The word of a pixel in ``format`` that is as far away as ``depth``, 0..1."""
    word = int(fixed_point(depth))
    return word >> 8 if format == D24X8 else word >> 16 if format == D16 else word


def _barrier(command: int, z: int = 0, x: int = 0, y: int = 0) -> NDArray[Any]:
    word = np.zeros(1, VERTEX)
    word["op"], word["command"], word["x"], word["y"], word["z"] = PASS, command, x, y, z
    return word


def _batch_words(batch: Batch, runs: list[Run], format: int, width: int, height: int) -> NDArray[Any]:
    """A begin, then the runs with a restart between them."""
    begin = np.zeros(1, VERTEX)
    begin["op"], begin["topology"], begin["x"], begin["y"] = BEGIN, batch.topology, width, height
    begin["test"], begin["func"], begin["write"] = batch.test, batch.func, batch.write
    begin["format"] = format
    restart = np.zeros(1, VERTEX)
    restart["op"] = RESTART
    parts = [begin]
    for run in runs:
        corners = np.zeros(len(run), VERTEX)
        corners["op"] = CORNER
        corners["x"], corners["y"] = run[:, 0].astype(np.int32), run[:, 1].astype(np.int32)
        corners["z"] = fixed_point(batch.near + (batch.far - batch.near) * run[:, 2])
        parts += [corners, restart]
    return np.concatenate(parts[:-1])


def check_choice(value: str, choices: tuple[str, ...], what: str) -> None:
    """Raises :class:`UserError` unless ``value`` is empty or one of those ``choices``."""
    if value and value not in choices:
        choice = f"choose one of {', '.join(choices)}" if choices else "depth blocks have none to choose"
        raise UserError(f"{what} {value!r}: {choice}")


def check_window(cfg: Config | CacheConfig | RendererConfig, width: int, height: int) -> None:
    """Raises :class:`UserError` for a picture that is larger than any surface of ``cfg``."""
    side = SIDE << cfg.coordinate_bits
    if max(width, height) > side:
        raise UserError(f"picture of {width}x{height}: {cfg.name} has surfaces to {side}x{side}")
