# SPDX-License-Identifier: Apache-2.0
"""The built-in scenes for depth blocks: procedural, of different primitives, depth ranges and functions.

Each keeps what it draws in world space; the camera comes with the view. ``DEPTH_SCENES`` maps each name to
the function that builds it; the function's docstring says what it is like.
"""

from collections.abc import Callable
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from configs.depth import D16, D24X8, D32, EQUAL, GREATER, LEQUAL, LESS
from configs.raster.schema import FAN, LINE_STRIP, LINES, POINTS, STRIP, TRIANGLES
from workloads.scenes import SCENES
from workloads.scenes.depth import Batch, DepthScene, of_meshes
from workloads.scenes.scene import Camera
from workloads.scenes.shapes import Part, box, cards, cylinder, join, sphere, torus
from workloads.scenes.views import View
from workloads.textures.noise import fractal

Runs = list[NDArray[np.float64]]


def wires() -> DepthScene:
    """Wires and dust: three knotted line strips, a floor of crossing lines, 24,000 points; LESS, 24 bits."""
    rng = np.random.default_rng(21)
    knots: Runs = []
    for number in range(3):
        a = np.linspace(0, 2 * np.pi, 1400)
        radius = 3.2 + np.cos((5 + 2 * number) * a) + 0.25 * np.cos(90 * a)
        height = 3.4 + 1.3 * np.sin((5 + 2 * number) * a) + 0.25 * np.sin(90 * a)
        turn = (2 + number % 2) * a + number
        knots.append(np.stack([radius * np.cos(turn), height, radius * np.sin(turn)], axis=1))
    ruled = np.linspace(-12, 12, 97)
    ends = np.array([-12.0, 12.0])
    floor = np.stack([np.repeat(ruled, 2), np.zeros(194), np.tile(ends, 97)], axis=1)
    floor = np.concatenate([floor, floor[:, ::-1]])
    arm, away = rng.integers(0, 4, 24_000), rng.gamma(3.0, 1.3, 24_000)
    angle = arm * np.pi / 2 + 0.7 * away + rng.normal(0, 0.25, 24_000)
    lift = 3.4 + rng.normal(0, 0.8, 24_000)
    dust = np.stack([away * np.cos(angle), lift, away * np.sin(angle)], axis=1)
    batches = [Batch(LINES, [floor]), Batch(LINE_STRIP, knots), Batch(POINTS, [dust])]
    camera = Camera.towards((7.0, 6.2, 9.0), (0, 2.6, 0), near=0.5, far=60.0)
    return DepthScene("wires", (camera,), lambda _camera, _aspect: batches, D24X8)


def shore() -> DepthScene:
    """A shore: terrain in triangle strips from near to far, four sheets of blended water; LEQUAL, 24 bits."""
    rng = np.random.default_rng(22)
    cells = 128
    z, x = np.mgrid[0 : cells + 1, 0 : cells + 1] * (256.0 / cells)
    hills = np.pad(fractal(rng, cells, 3, 5, 0.5).astype(float), ((0, 1), (0, 1)), mode="edge") * 46 - 19
    ground = strips(np.stack([x, hills, z], axis=-1))[::-1]
    wave, across = np.mgrid[0:25, 0:25] * (256.0 / 24)
    water: Runs = []
    for level in range(4):
        swell = 0.4 * np.sin(wave / 17 + level) * np.sin(across / 23)
        water += strips(np.stack([across, swell - 0.9 * (3 - level), wave], axis=-1))
    batches = [Batch(STRIP, ground, LEQUAL), Batch(STRIP, water, LEQUAL, write=False)]
    camera = Camera.towards((120.0, 17.0, 250.0), (136.0, 1.0, 150.0), near=0.5, far=600.0)
    return DepthScene("shore", (camera,), lambda _camera, _aspect: batches, D24X8)


def garden() -> DepthScene:
    """A garden: solid models in no useful order, then foliage whose shader discards pixels; LESS, 16 bits."""
    rng = np.random.default_rng(23)
    models, leaves = [box((40, 0.1, 40)).moved((0, -0.1, 0))], []
    shapes = (box((1.2, 1.8, 1.2)), sphere(0.8).moved((0, 0.8, 0)), torus(0.9, 0.3), cylinder(0.5, 2.2))
    for number in range(170):
        x, z = rng.uniform(-13, 13, 2)
        turned = shapes[number % 4].turned(float(rng.uniform(0, 2 * np.pi)))
        models.append(turned.moved((x, 0, z)))
    for _ in range(300):
        x, z = rng.uniform(-14, 14, 2)
        tall = float(rng.uniform(0.7, 2.6))
        bush = cards(0.9 * tall, tall, 3).turned(float(rng.uniform(0, np.pi)))
        leaves.append(bush.moved((x, 0, z)))
    batches = [
        Batch(TRIANGLES, [_corners(join(models))], LESS, culled=True),
        Batch(TRIANGLES, [_corners(join(leaves))], LESS, kills=True),
    ]
    camera = Camera.towards((9.0, 3.2, 15.0), (-1.0, 0.6, 0.0), near=0.2, far=60.0)
    return DepthScene("garden", (camera,), lambda _camera, _aspect: batches, D16)


def tents() -> DepthScene:
    """Tents: fans, reversed depth with GREATER, a second pass with EQUAL, near things in a range of their
    own; 32 bits.
    """
    rng = np.random.default_rng(24)
    far_away: Runs = [_disc((0, 0, 0), 90, 40)]
    for _ in range(260):
        x, z = rng.uniform(-45, 45, 2)
        sides, radius, height = int(rng.integers(5, 13)), *rng.uniform((1.0, 1.5), (2.6, 6.0))
        far_away.append(_tent((x, height, z), radius, sides))
    near_by: Runs = []
    for number in range(7):
        near_by.append(_tent((-1.2 + 0.4 * number, 2.25 + 0.05 * (number % 2), 50.0), 0.16, 9, 0.3))
    batches = [
        Batch(FAN, near_by, GREATER, near=1.0, far=0.5),
        Batch(FAN, far_away, GREATER, near=0.5, far=0.0),
        Batch(FAN, far_away, EQUAL, write=False, near=0.5, far=0.0),
        Batch(FAN, near_by, EQUAL, write=False, near=1.0, far=0.5),
    ]
    camera = Camera.towards((0.0, 3.2, 52.0), (0.0, 1.6, 20.0), near=0.1, far=200.0)
    return DepthScene("tents", (camera,), lambda _camera, _aspect: batches, D32, clear=0.0)


def strips(points: NDArray[np.float64]) -> Runs:
    """The rows between the points [r, c, 3] as triangle strips."""
    return [np.stack([a, b], axis=1).reshape(-1, 3) for a, b in pairwise(points)]


def _corners(part: Part) -> NDArray[np.float64]:
    return part.positions.reshape(-1, 3)


def _disc(centre: tuple[float, float, float], radius: float, sides: int) -> NDArray[np.float64]:
    """A level disc as a fan."""
    return _tent(centre, radius, sides, 0.0)


def _tent(
    top: tuple[float, float, float], radius: float, sides: int, height: float | None = None
) -> NDArray[np.float64]:
    """A cone's mantle as a fan around its top, down to the ground unless ``height`` is given."""
    x, y, z = top
    angle = 2 * np.pi * np.arange(sides + 1) / sides
    angle[-1] = 0.0  # the fan closes where it began
    level = 0.0 if height is None else y - height
    rim = [x + radius * np.cos(angle), np.full(sides + 1, level), z + radius * np.sin(angle)]
    return np.concatenate([[top], np.stack(rim, axis=1)])


DEPTH_SCENES: dict[str, Callable[[], DepthScene]] = {
    "wires": wires,
    "shore": shore,
    "garden": garden,
    "tents": tents,
}
ALL_SCENES: dict[str, Callable[[], object]] = {**DEPTH_SCENES, **SCENES}  # that depth blocks draw


def open_view(view: View) -> DepthScene:
    """A view's scene, one of ALL_SCENES or a user's. Raises :class:`configs.UserError`."""
    return DEPTH_SCENES[view.source]() if view.source in DEPTH_SCENES else of_meshes(view.open())
