# SPDX-License-Identifier: Apache-2.0
"""Many small objects."""

import numpy as np

from workloads.scenes.batches import Batches
from workloads.scenes.scene import CLAMP, Camera, Scene
from workloads.scenes.shapes import Part, box, cylinder, quad, sphere, torus

EXTENT = 26.0
_FACES = ("crate", "letters", "checker", "chelsea", "coffee", "astronaut", "gradient", "noise")


def objects() -> Scene:
    """A yard full of crates, barrels, balls, rings and signs, drawn in no useful order: much overdraw."""
    rng = np.random.default_rng(7)
    batches = Batches()
    batches.add("floor", "concrete", quad((0, 0, 0), (EXTENT, 0, 0), (0, 0, EXTENT), (6, 6)))
    batches.add("wall", "brick", quad((0, 6, 0), (EXTENT, 0, 0), (0, -6, 0), (9, 2)))
    batches.add("wall", "brick", quad((0, 6, EXTENT), (0, 0, -EXTENT), (0, -6, 0), (9, 2)))
    for number in range(620):
        x, z = rng.uniform(0.8, EXTENT - 0.8, 2)
        name, part, options = _object(rng)
        turned = part.turned(float(rng.uniform(0, 2 * np.pi)))
        batches.add(number, name, turned.moved((x, 0, z)), **options)
    cameras = (
        Camera.towards((EXTENT - 1, 3.4, EXTENT - 1), (8, 0.4, 8), near=0.1, far=90.0),
        Camera.towards((EXTENT / 2, 1.2, EXTENT - 0.5), (EXTENT / 2, 0.6, 0), near=0.05, far=90.0),
        Camera.towards((EXTENT / 2, 20, EXTENT / 2 + 12), (EXTENT / 2, 0, EXTENT / 2), near=0.5, far=90.0),
    )
    return Scene("objects", batches.meshes(), batches.textures, cameras)


def _object(rng: np.random.Generator) -> tuple[str, Part, dict[str, int]]:
    """Texture, shape and options of a random object."""
    size = float(rng.uniform(0.35, 0.8))
    which = rng.random()
    if which < 0.45:
        return str(rng.choice(_FACES)), box((size, size, size)), {}
    if which < 0.65:
        return str(rng.choice(["metal", "wood"])), cylinder(0.4 * size, 1.3 * size), {}
    if which < 0.8:
        return (
            str(rng.choice(["marble", "tiles", "gradient"])),
            sphere(0.5 * size).moved((0, size / 2, 0)),
            {},
        )
    if which < 0.92:
        return str(rng.choice(["checker", "brick", "metal"])), torus(0.45 * size, 0.16 * size), {}
    sign = quad((-0.5, 1.7, 0), (1, 0, 0), (0, -1, 0))
    return (
        str(rng.choice(["letters", "door", "astronaut"])),
        sign,
        {"two_sided": True, "wrap_u": CLAMP, "wrap_v": CLAMP},
    )
