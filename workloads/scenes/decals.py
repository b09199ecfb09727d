# SPDX-License-Identifier: Apache-2.0
"""A wall of decals."""

import numpy as np

from workloads.scenes.batches import Batches
from workloads.scenes.scene import CLAMP, OVERLAY, Camera, Scene
from workloads.scenes.shapes import quad

WIDE, HIGH = 16.0, 9.0
#: textures of the decals and how often each is drawn, relative to the others
_DECALS = {
    "splat": 10, "letters": 6, "chelsea": 2, "coffee": 2, "astronaut": 2, "checker": 3,
    "gradient": 2, "crate": 2, "blades": 4, "door": 1, "tiles": 1, "metal": 1,
}  # fmt: skip


def decals() -> Scene:
    """A wall under layers of posters, signs and paint: many small quads of many textures over each other."""
    rng = np.random.default_rng(3)
    batches = Batches()
    batches.add("wall", "concrete", quad((-WIDE / 2, HIGH, 0), (WIDE, 0, 0), (0, -HIGH, 0), (2.7, 1.5)))
    batches.add("street", "gravel", quad((-WIDE / 2, 0, 0), (WIDE, 0, 0), (0, 0, 9), (6, 3.4)))
    names, weights = list(_DECALS), np.array(list(_DECALS.values()), float)
    for number in range(640):
        name = str(rng.choice(names, p=weights / weights.sum()))
        size = float(rng.uniform(0.25, 0.7) if name == "splat" else rng.uniform(0.35, 1.25))
        x, y = rng.uniform(-WIDE / 2 + 1, WIDE / 2 - 1), rng.uniform(0.9, HIGH - 0.9)
        part = quad((-size / 2, size / 2, 0), (size, 0, 0), (0, -size, 0))
        turn = float(rng.normal() * (3 if name == "splat" else 0.15))
        batches.add(
            number,
            name,
            part.turned(turn, axis=2).moved((x, y, 0.001)),
            draw=OVERLAY,
            wrap_u=CLAMP,
            wrap_v=CLAMP,
        )
    cameras = (
        Camera.towards((-2.5, 2.6, 8.0), (0.8, 4.0, 0), near=0.1, far=60.0),
        Camera.towards((-7.4, 1.7, 1.6), (3, 3.4, 0), near=0.05, far=60.0),
        Camera.towards((2.2, 4.4, 2.2), (2.6, 4.6, 0), near=0.05, far=60.0),
    )
    return Scene("decals", batches.meshes(), batches.textures, cameras)
