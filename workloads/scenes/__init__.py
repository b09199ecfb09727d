# SPDX-License-Identifier: Apache-2.0
"""The built-in scenes: procedural, the same on every machine, textured with the built-in set.

``SCENES`` maps each name to the function that builds it; the function's docstring says what it is like.
"""

from collections.abc import Callable, Iterable

from configs import UserError
from workloads.scenes.corridors import corridors
from workloads.scenes.decals import decals
from workloads.scenes.objects import objects
from workloads.scenes.scene import Scene
from workloads.scenes.terrain import terrain

SCENES: dict[str, Callable[[], Scene]] = {
    "corridors": corridors,
    "terrain": terrain,
    "objects": objects,
    "decals": decals,
}


def built_in(name: str, others: Iterable[str] = ()) -> Scene:
    """A built-in scene. Raises :class:`UserError` for an unknown name; ``others`` are known to who asks."""
    if name not in SCENES:
        choices = ", ".join([*SCENES, *others])
        raise UserError(f"unknown scene {name!r}: choose one of {choices}, or give an OBJ or glTF file")
    return SCENES[name]()


def about(maker: Callable[[], object]) -> str:
    """What a built-in scene is like: the first paragraph of its maker's own words."""
    return " ".join((maker.__doc__ or "").split("\n\n")[0].split())
