# SPDX-License-Identifier: Apache-2.0
"""Model files as scenes: OBJ with its MTL and images, glTF and GLB.

Cameras come from the file (glTF), from a ``cameras.json`` beside it (which wins), or frame the model. Images
become textures with power-of-two sides; parts without an image get a texture of their colour, 1 x 1.
"""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from configs import UserError
from configs.files import is_file
from workloads.scenes import built_in
from workloads.scenes.loader_cameras import framing, read_cameras
from workloads.scenes.loader_gltf import read_gltf
from workloads.scenes.loader_obj import read_obj
from workloads.scenes.loader_part import Part
from workloads.scenes.scene import BLEND, LARGEST, OPAQUE, Camera, Mesh, Scene
from workloads.textures import Texture, from_pixels
from workloads.textures.images import fitted, load_image
from workloads.textures.mipmaps import Rgba

MOST_NOTES = 3  # of images that were resized
SUFFIXES = (".obj", ".gltf", ".glb")


def open_scene(source: Path | str, cameras: Path | None = None, others: Iterable[str] = ()) -> Scene:
    """A built-in scene by name, or a model file by path, seen by the ``cameras`` of a file if it is given.

    Raises :class:`UserError`, which names ``others``, too, for an unknown name.
    """
    path = Path(source)
    scene = load_scene(path) if path.suffix or is_file(path) else built_in(str(source), others)
    return scene if cameras is None else replace(scene, cameras=read_cameras(cameras))


def load_scene(path: Path | str) -> Scene:
    """Any OBJ, glTF or GLB file as a scene, in the file's own order of drawing.

    Raises :class:`UserError` for files that are missing or no models, for missing images, and for models that
    have no texture coordinates at all.
    """
    path = Path(path)
    if path.suffix.lower() not in SUFFIXES:
        raise UserError(f"scene {path}: a model file's name ends in one of {', '.join(SUFFIXES)}")
    if not is_file(path):
        kind = "is a folder; name the model file in it" if path.is_dir() else "no such file"
        raise UserError(f"scene {path}: {kind}")
    read = read_obj if path.suffix.lower() == ".obj" else read_gltf
    parts, notes, cameras = read(path)
    assembly = _Assembly(path, notes)
    for part in parts:
        assembly.add(part)
    return assembly.scene(cameras)


class _Assembly:
    """Meshes and textures of a file under construction."""

    def __init__(self, path: Path, notes: list[str]) -> None:
        self.path = path
        self.meshes: list[Mesh] = []
        self.textures: list[Texture] = []
        self.notes = notes
        self._known: dict[Any, int] = {}
        self._mapped = 0

    def add(self, part: Part) -> None:
        """Adds a part. Raises :class:`UserError` for corners that cannot be drawn, and for a bad image."""
        self._check(part)
        look, image, coordinates = part.look, part.image, part.uv
        if coordinates is None:
            coordinates = np.zeros((len(part.positions), 3, 2))
            if image is not None:
                self.notes.append(f"{part.name}: an image but no texture coordinates; drawn in one colour")
                image = None
        else:
            self._mapped += 1
        texture = self._colour(part.colour) if image is None else self._image(part, image)
        draw = look.draw
        if draw is None:
            draw = BLEND if self.textures[texture].has_alpha else OPAQUE
        self.meshes.append(
            Mesh(texture, part.positions, coordinates, look.wrap_u, look.wrap_v, draw, look.two_sided)
        )

    def _check(self, part: Part) -> None:
        for what, values in (("a corner", part.positions), ("texture coordinates", part.uv)):
            if values is None:
                continue
            wrong = np.argwhere(~(np.abs(values) < LARGEST))  # not a number, too
            if len(wrong):
                triangle, corner, _ = wrong[0]
                at = ", ".join(f"{value:g}" for value in values[triangle, corner])
                raise UserError(
                    f"scene {self.path}: {part.name}, triangle {triangle}: {what} at ({at}); "
                    f"all numbers must be below {LARGEST:g}"
                )

    def _image(self, part: Part, image: Path | Image.Image) -> int:
        """The number of the texture of an image."""
        key: Any = image if isinstance(image, Path) else part.look.image
        if key in self._known:
            return self._known[key]
        try:
            if isinstance(image, Path):
                name, picture = image.stem, load_image(image)
            else:
                name, picture = part.look.name, fitted(image, part.look.name)
        except UserError as error:
            raise UserError(f"{part.where}: {error}") from None
        return self._numbered(key, name, picture.pixels, picture.note)

    def _colour(self, colour: tuple[int, int, int]) -> int:
        """The number of the texture of a colour."""
        name = "#" + "".join(f"{value:02x}" for value in colour)
        return self._numbered(name, name, np.array([[[*colour, 255]]], np.uint8), "")

    def _numbered(self, key: Any, name: str, pixels: Rgba, note: str) -> int:
        if key not in self._known:
            self._known[key] = len(self.textures)
            self.textures.append(from_pixels(name, pixels, note))
        return self._known[key]

    def scene(self, cameras: tuple[Camera, ...]) -> Scene:
        """The finished scene; ``cameras`` are the file's own."""
        if not self.meshes:
            raise UserError(f"scene {self.path}: has no triangles")
        if not self._mapped:
            raise UserError(
                f"scene {self.path}: no part has texture coordinates; unwrap the model (UV) before export"
            )
        beside = self.path.parent / "cameras.json"
        if is_file(beside):
            cameras = read_cameras(beside)
        if not cameras:
            cameras = (framing(np.concatenate([mesh.positions for mesh in self.meshes])),)
        resized = [one.note for one in self.textures if one.note]
        if len(resized) > MOST_NOTES:
            resized[MOST_NOTES:] = [f"{len(resized) - MOST_NOTES} more images resized to powers of two"]
        notes = [*self.notes, *resized]
        return Scene(self.path.stem, tuple(self.meshes), tuple(self.textures), cameras, notes=tuple(notes))
