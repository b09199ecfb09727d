# SPDX-License-Identifier: Apache-2.0
"""Collects the parts of a scene into meshes, one per object or sector and texture, as an engine does."""

from collections.abc import Hashable
from typing import Any

import numpy as np

from workloads.scenes.scene import Camera, Mesh
from workloads.scenes.shapes import Part, join
from workloads.textures import Texture, texture


class Batches:
    """Parts by (group, texture, options); every such batch becomes one mesh, in order of first appearance."""

    def __init__(self) -> None:
        self._names: list[str] = []
        self._parts: dict[Hashable, list[Part]] = {}
        self._options: dict[Hashable, tuple[Hashable, str, dict[str, Any]]] = {}

    def add(self, group: Hashable, name: str, part: Part, **options: Any) -> None:
        """Adds ``part`` with texture ``name`` to a batch; ``options`` are those of :class:`Mesh`."""
        if name not in self._names:
            self._names.append(name)
        key = (group, name, tuple(sorted(options.items())))
        self._parts.setdefault(key, []).append(part)
        self._options[key] = (group, name, options)

    def meshes(self, near_to_far: Camera | None = None) -> tuple[Mesh, ...]:
        """The batches as meshes; groups nearest to a camera first, if one is given."""
        joined = {key: join(parts) for key, parts in self._parts.items()}
        made = {
            key: Mesh(self._names.index(name), *joined[key], **options)
            for key, (_, name, options) in self._options.items()
        }
        if near_to_far is None:
            return tuple(made.values())
        eye = np.asarray(near_to_far.eye)
        distance: dict[Hashable, float] = {}
        for key, (group, _, _) in self._options.items():
            here = float(np.linalg.norm(joined[key].positions - eye, axis=-1).min())
            distance[group] = min(here, distance.get(group, here))
        return tuple(made[key] for key in sorted(made, key=lambda key: distance[self._options[key][0]]))

    @property
    def textures(self) -> tuple[Texture, ...]:
        """The textures that were named, in order of first use."""
        return tuple(texture(name) for name in self._names)
