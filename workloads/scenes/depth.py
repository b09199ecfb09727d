# SPDX-License-Identifier: Apache-2.0
"""Scenes as a depth pipeline sees them: batches of points, lines and triangles with their depth state."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from configs import UserError
from configs.depth import ALWAYS, D24X8, LESS
from configs.raster.schema import LINES, POINTS, TRIANGLES
from models.rasterizer import CULL_BACK, DEPTH_TEST, DEPTH_WRITE
from workloads.scenes import primitives
from workloads.scenes.scene import Camera, DrawList, Scene


@dataclass(frozen=True, eq=False)
class Batch:
    """What is drawn with one state.

    ``runs``: corners of each list, strip or fan, in world space [k, 3], or in clip space [k, 4] (then the
    camera has no part in it). ``near``, ``far``: window depth at those planes, 0..1, in either order.
    ``kills``: its shader discards pixels. ``culled``: triangles of a list seen from behind are left out.
    """

    topology: int
    runs: Sequence[NDArray[np.float64]]
    func: int = LESS
    test: bool = True
    write: bool = True
    near: float = 0.0
    far: float = 1.0
    kills: bool = False
    culled: bool = False


@dataclass(frozen=True, eq=False)
class DepthScene:
    """Batches in drawing order, seen by ``cameras`` (one per view).

    ``format``: what the depth buffer holds; ``clear``: what it is before, 0..1. ``batches`` makes what one
    camera sees from it and the picture's width / height.
    """

    name: str
    cameras: tuple[Camera, ...]
    batches: Callable[[Camera, float], Sequence[Batch]]
    format: int = D24X8
    clear: float = 1.0
    notes: tuple[str, ...] = field(default=())

    def draw(self, view: int, aspect: float) -> list[Batch]:
        """All batches of a view, in clip space. Raises :class:`UserError` for views that there are not."""
        if not 0 <= view < len(self.cameras):
            raise UserError(f"view {view}: scene {self.name} has views 0..{len(self.cameras) - 1}")
        camera = self.cameras[view]
        matrix = camera.matrix(aspect)
        return [_projected(batch, matrix) for batch in self.batches(camera, aspect)]


def _projected(batch: Batch, matrix: NDArray[np.float64]) -> Batch:
    runs = [
        run if run.shape[1] == 4 else np.concatenate([run, np.ones((len(run), 1))], axis=1) @ matrix.T
        for run in batch.runs
    ]
    return Batch(**{**vars(batch), "runs": runs})


def of_meshes(scene: Scene, discards: bool = False) -> DepthScene:
    """A textured scene: its triangles in drawing order, those with the same state in a batch.

    Blended triangles are tested and do not write; overlays are not tested. No texture is sampled here: a
    mesh that kills pixels by their alpha raises :class:`UserError`, unless the caller sees to ``discards``.
    """
    if not discards and any(mesh.kill for mesh in scene.meshes):
        raise UserError(
            f"scene {scene.name}: a mesh discards pixels by their alpha (kill), and depth blocks sample no "
            "texture; take the renderer"
        )

    def batches(camera: Camera, aspect: float) -> list[Batch]:
        return batches_of(scene.draw_list(camera, aspect))

    return DepthScene(scene.name, scene.cameras, batches, clear=scene.clear, notes=scene.notes)


def batches_of(drawing: DrawList) -> list[Batch]:
    """The primitives of a draw list in clip space, those in a row with the same depth state in a batch.

    Strips and fans come as triangles.
    """
    topology, corners = np.full(len(drawing.primitive), TRIANGLES), np.full(len(drawing.primitive), 3)
    for primitive, name, count in ((primitives.POINTS, POINTS, 1), (primitives.LINES, LINES, 2)):
        topology[drawing.primitive == primitive], corners[drawing.primitive == primitive] = name, count
    state = np.column_stack([drawing.flags, drawing.compare, topology, corners]).astype(int)
    starts = np.flatnonzero((np.diff(state, axis=0, prepend=-1) != 0).any(axis=1))
    batches = []
    for first, last in zip(starts, [*starts[1:], len(state)], strict=True):
        flags, compare, kind, count = state[first].tolist()
        test = bool(flags & DEPTH_TEST)
        batches.append(
            Batch(
                kind, [drawing.clip_space[first:last, :count].reshape(-1, 4)], compare if test else ALWAYS,
                test=test, write=bool(flags & DEPTH_WRITE), culled=bool(flags & CULL_BACK),
            )
        )  # fmt: skip
    return batches
