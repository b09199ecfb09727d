# SPDX-License-Identifier: Apache-2.0
"""Hills with vegetation."""

import numpy as np
from numpy.typing import NDArray

from workloads.scenes.batches import Batches
from workloads.scenes.scene import BLEND, CLAMP, Camera, Scene
from workloads.scenes.shapes import Part, box, cards, quad, surface
from workloads.textures.noise import fractal

SIDE, CELLS, PATCH = 240.0, 96, 16  # metres, cells along one side, cells along one side of a patch


def terrain() -> Scene:
    """Hills of grass and gravel in patches, alpha-blended trees and tufts of grass on cards, a hut."""
    rng = np.random.default_rng(11)
    heights = _heights(rng)
    batches = Batches()
    _ground(batches, heights)
    _hut(batches, heights, 96.0, 124.0)
    for _ in range(420):
        x, z = rng.uniform(4, SIDE - 4, 2)
        if abs(x - 96) + abs(z - 124) > 14 and _steepness(heights, x, z) < 0.6:
            tall = rng.uniform(5, 9)
            part = (
                cards(tall * 0.9, tall)
                .turned(rng.uniform(0, np.pi))
                .moved((x, _height(heights, x, z) - 0.2, z))
            )
            batches.add("trees", "tree", part, wrap_u=CLAMP, wrap_v=CLAMP, draw=BLEND, two_sided=True)
    for _ in range(2600):
        x, z = 88 + rng.normal() * 26, 146 + rng.normal() * 22
        if 2 < x < SIDE - 2 and 2 < z < SIDE - 2 and not (88 < x < 104 and 116 < z < 132):
            size = rng.uniform(0.5, 1.1)
            part = (
                cards(size, size * 0.8)
                .turned(rng.uniform(0, np.pi))
                .moved((x, _height(heights, x, z) - 0.05, z))
            )
            batches.add("tufts", "blades", part, wrap_u=CLAMP, wrap_v=CLAMP, draw=BLEND, two_sided=True)
    cameras = (
        _camera(heights, (84, 168), (98, 118), 2.2),
        _camera(heights, (150, 150), (70, 90), 9.0),
        _camera(heights, (104, 140), (96, 126), 1.7),
    )
    return Scene("terrain", batches.meshes(cameras[0]), batches.textures, cameras)


def _heights(rng: np.random.Generator) -> NDArray[np.float64]:
    """Height of every corner of a cell, [CELLS + 1, CELLS + 1]; hills, flat around the hut."""
    hills = fractal(rng, 128, 3, 4, 0.45)[: CELLS + 1, : CELLS + 1].astype(float) * 34 - 12
    z, x = np.mgrid[0 : CELLS + 1, 0 : CELLS + 1] * (SIDE / CELLS)
    flat = np.clip((np.hypot(x - 96, z - 130) - 12) / 60, 0, 1)
    return np.asarray(hills * flat * flat * (3 - 2 * flat))


def _height(heights: NDArray[np.float64], x: float, z: float) -> float:
    """Height at a point, between the corners of its cell."""
    column, row = np.clip(np.array([x, z]) / (SIDE / CELLS), 0, CELLS - 1e-6)
    i, j = int(row), int(column)
    fx, fz = column - j, row - i
    top = heights[i, j] * (1 - fx) + heights[i, j + 1] * fx
    bottom = heights[i + 1, j] * (1 - fx) + heights[i + 1, j + 1] * fx
    return float(top * (1 - fz) + bottom * fz)


def _steepness(heights: NDArray[np.float64], x: float, z: float) -> float:
    here = _height(heights, x, z)
    return max(abs(_height(heights, x + 2, z) - here), abs(_height(heights, x, z + 2) - here)) / 2


def _ground(batches: Batches, heights: NDArray[np.float64]) -> None:
    """Patches of cells, each with a batch of grass and one of gravel where it is steep."""
    cell = SIDE / CELLS

    def point(s: NDArray[np.float64], t: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.stack([s * SIDE, heights, t * SIDE], axis=-1)

    whole = surface(point, CELLS, CELLS, (SIDE / 5, SIDE / 5))
    centre = whole.positions.mean(axis=1)
    column, row = (centre[:, 0] / cell).astype(int), (centre[:, 2] / cell).astype(int)
    steep = np.ptp(whole.positions[..., 1], axis=1) / cell > 0.42
    steep[0::2] = steep[1::2] = steep[0::2] | steep[1::2]
    for z in range(0, CELLS, PATCH):
        for x in range(0, CELLS, PATCH):
            inside = (column // PATCH == x // PATCH) & (row // PATCH == z // PATCH)
            for name, which in (("grass", inside & ~steep), ("gravel", inside & steep)):
                if which.any():
                    batches.add(("ground", x, z), name, Part(whole.positions[which], whole.uv[which]))


def _hut(batches: Batches, heights: NDArray[np.float64], x: float, z: float) -> None:
    """A brick hut with a wooden roof and a door."""
    ground = _height(heights, x, z) - 0.1
    batches.add("hut", "brick", box((7, 3.2, 6), 2).moved((x, ground, z)))
    for turn in (0.0, np.pi):
        roof = quad((-4, 2.4, 0), (8, 0, 0), (0, -2.7, 3.6), (3, 1.5)).turned(turn)
        batches.add("hut", "wood", roof.moved((x, ground + 3, z)), two_sided=True)
    for turn in (0.0, np.pi):  # the gable
        gable = Part(
            np.array([[[3.5, 0, 3], [3.5, 0, -3], [3.5, 2.3, 0]]]), np.array([[[0, 0], [2, 0], [1, -0.8]]])
        )
        batches.add("hut", "brick", gable.turned(turn).moved((x, ground + 3.2, z)), two_sided=True)
    door = quad((-0.7, 2.3, 3.02), (1.4, 0, 0), (0, -2.3, 0))
    batches.add("hut", "door", door.moved((x, ground, z)), wrap_u=CLAMP, wrap_v=CLAMP)


def _camera(
    heights: NDArray[np.float64], eye: tuple[float, float], target: tuple[float, float], above: float
) -> Camera:
    return Camera.towards(
        (eye[0], _height(heights, *eye) + above, eye[1]),
        (target[0], _height(heights, *target) + 1.8, target[1]),
        near=0.2,
        far=500.0,
    )
