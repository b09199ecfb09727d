# SPDX-License-Identifier: Apache-2.0
"""Views: scenes seen by one of their cameras, as measurements name, repeat and keep them."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from configs import UserError
from utils.keys import digest
from workloads.scenes import SCENES, about
from workloads.scenes.loader import open_scene
from workloads.scenes.scene import Scene


@dataclass(frozen=True)
class View:
    """Camera ``number`` of a scene ``source``, or of the file ``cameras``; ``name`` is its own in a report.

    ``uv``: the projection for parts without texture coordinates (:mod:`workloads.scenes.projection`).

    ``content`` stands for all that files decide, empty for a built-in scene; ``about`` says what it is like.
    """

    name: str
    source: str
    number: int = 0
    cameras: str = ""
    content: str = ""
    about: str = ""
    uv: str = ""

    def open(self) -> Scene:
        """The scene. Raises :class:`UserError`, also if its files were edited since the view was made."""
        scene = _opened(self.source, self.cameras, self.uv)
        if self.content and self.content != _view_content(scene, self.number):
            raise UserError(f"{self.source}: its files were edited while it was measured; run it again")
        return scene


@lru_cache(maxsize=1)  # views of one scene are measured one after the other
def _opened(source: str, cameras: str, uv: str) -> Scene:
    return open_scene(source, Path(cameras) if cameras else None, uv=uv)


def built_in_view(name: str, scenes: Mapping[str, Callable[[], object]] = SCENES) -> View:
    """The first view of a built-in scene, one of ``scenes``. Raises :class:`UserError` for an unknown one."""
    if name not in scenes:
        raise UserError(f"--scenes: unknown scene {name!r}: choose among {', '.join(scenes)}")
    return View(name, name, about=about(scenes[name]))


def views_of(source: str, wanted: str = "", cameras: str = "", uv: str = "") -> tuple[View, ...]:
    """Views of a scene: ``wanted`` numbers, separated by commas, or all. Raises :class:`UserError`."""
    scene = _opened(source, cameras, uv)
    words = [word for word in wanted.split(",") if word] if wanted not in ("", "all") else None
    if words is not None and not all(word.isdecimal() for word in words):
        raise UserError(f"--view {wanted}: write it as numbers, e.g. 0,2, or all")
    numbers = range(len(scene.cameras)) if words is None else sorted({int(word) for word in words})
    triangles = sum(len(mesh.positions) for mesh in scene.meshes)
    size = f"{triangles:,} triangles, {len(scene.textures)} textures"
    return tuple(
        View(
            f"{file_name(scene.name)}-{number}", source, number, cameras,
            _view_content(scene, number), f"View {number} of {Path(source).name}: {size}.",
            uv,
        )
        for number in numbers
    )  # fmt: skip


def file_name(source: str) -> str:
    """A name for files and anchors made from a scene's name or file."""
    return re.sub(r"[^A-Za-z0-9._-]+", "-", Path(source).stem)


def _view_content(scene: Scene, number: int) -> str:
    return digest([_content(scene), repr(scene.camera(number))])


@lru_cache(maxsize=1)
def _content(scene: Scene) -> str:
    parts: list[Any] = [repr((scene.background, scene.clear))]
    for mesh in scene.meshes:
        parts += [mesh.positions, mesh.uv, mesh.lit(), mesh.beginnings()]
        parts.append(repr((mesh.texture, mesh.wrap_u, mesh.wrap_v, mesh.draw, mesh.flags)))
        parts.append(repr((mesh.compare, mesh.kill, mesh.primitive)))
    parts += [texture.levels[0] for texture in scene.textures]
    return digest(parts)
