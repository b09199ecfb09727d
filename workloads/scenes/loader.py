# SPDX-License-Identifier: Apache-2.0
"""Model files as scenes: OBJ with its MTL and images, glTF and GLB.

Cameras come from the file (glTF), from a ``cameras.json`` beside it (which wins), or frame the model. Images
become textures with power-of-two sides; parts without an image get a texture of their colour, 1 x 1.
"""

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from configs import UserError
from utils.errors import shortened
from utils.files import is_file, is_folder
from workloads.scenes import built_in
from workloads.scenes.loader_cameras import framing, read_cameras
from workloads.scenes.loader_gltf import read_gltf
from workloads.scenes.loader_obj import read_obj
from workloads.scenes.loader_part import ImageFile, Part, check_count
from workloads.scenes.projection import Projection
from workloads.scenes.scene import BLEND, LARGEST, OPAQUE, Camera, Mesh, Scene
from workloads.textures import Texture, from_pixels
from workloads.textures import texture as built_in_texture
from workloads.textures.images import fitted, open_image
from workloads.textures.mipmaps import Rgba

MOST_NOTES, MOST_OF_A_KIND = 20, 3
CHECKER = "checker"  # the built-in texture in place of a missing image
SUFFIXES = (".obj", ".gltf", ".glb")


def open_scene(
    source: Path | str, cameras: Path | None = None, others: Iterable[str] = (), uv: str = ""
) -> Scene:
    """A built-in scene by name, or a model file by path, seen by the ``cameras`` of a file if it is given.

    ``uv`` "box" or "planar": a projection for parts of a model without texture coordinates. Raises
    :class:`UserError`, which names ``others``, too, for an unknown name.
    """
    path = Path(source)
    if path.suffix or is_file(path):
        scene = load_scene(path, uv)
    else:
        scene = built_in(str(source), others)
        if uv:
            raise UserError(f"uv={uv}: scene {source} has texture coordinates; leave uv out")
    return scene if cameras is None else replace(scene, cameras=read_cameras(cameras))


def load_scene(path: Path | str, uv: str = "") -> Scene:
    """Any OBJ, glTF or GLB file as a scene, in the file's own order of drawing.

    ``uv``: see :func:`open_scene`. Raises :class:`UserError` for files that are missing, too large or no
    models. A model without any texture coordinates is not ``mapped``, and texture blocks refuse it.
    """
    path = Path(path)
    if path.suffix.lower() not in SUFFIXES:
        raise UserError(f"scene {path}: a model file's name ends in one of {', '.join(SUFFIXES)}")
    if not is_file(path):
        kind = "is a folder; name the model file in it" if is_folder(path) else "no such file"
        raise UserError(f"scene {path}: {kind}")
    read = read_obj if path.suffix.lower() == ".obj" else read_gltf
    parts, notes, cameras = read(path)
    parts = [part for part in parts if len(part.positions)]
    if not parts:
        raise UserError("; ".join((f"scene {path}: has no triangles", *notes[:MOST_OF_A_KIND])))
    check_count(path, sum(len(part.positions) for part in parts))
    assembly = _Assembly(path, notes)
    for part in parts:
        assembly.check(part)
    projection = Projection.of(uv, [part.positions for part in parts]) if uv else None
    for part in parts:
        assembly.add(part, projection)
    return assembly.scene(cameras, projection)


class _Assembly:
    """Meshes and textures of a file under construction."""

    def __init__(self, path: Path, notes: list[str]) -> None:
        self.path = path
        self.meshes: list[Mesh] = []
        self.textures: list[Texture] = []
        self.notes = notes
        self._missing: list[str] = []
        self._numbers: dict[Hashable, int] = {}
        self._mapped = 0
        self._projected = 0

    def add(self, part: Part, projection: Projection | None) -> None:
        """Adds a part. Raises :class:`UserError` for an image that cannot be read."""
        look, image, coordinates = part.look, part.image, part.uv
        if coordinates is None and projection is not None:
            coordinates = projection.coordinates(part.positions)
            image = image or _CHECKER
            self._projected += 1
        if coordinates is None:
            coordinates = np.zeros((len(part.positions), 3, 2))
            if image is not None:
                self.notes.append(f"{part.name}: an image but no texture coordinates; drawn in one colour")
                image = None
        else:
            self._mapped += 1
        texture = self._colour(part.colour) if image is None else self._image(image)
        draw = look.draw
        if draw is None:
            draw = BLEND if self.textures[texture].has_alpha else OPAQUE
        self.meshes.append(
            Mesh(
                texture, part.positions, coordinates, look.wrap_u, look.wrap_v, draw, look.two_sided,
                primitive=part.primitive,
            )
        )  # fmt: skip

    def check(self, part: Part) -> None:
        """Raises :class:`UserError` for corners that cannot be drawn."""
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

    def _image(self, image: ImageFile) -> int:
        """The number of the texture of an image."""
        if image.key in self._numbers:
            return self._numbers[image.key]
        if isinstance(image.content, Path) and not is_file(image.content):
            if image is not _CHECKER:
                self._missing.append(
                    f"{image.where}: image {shortened(str(image.content), 200)} does not exist; "
                    f"the built-in texture {CHECKER} instead"
                )
            return self._numbered(image.key, CHECKER, built_in_texture(CHECKER).levels[0], "")
        shown = image.content.name if isinstance(image.content, Path) else image.name
        try:
            picture = fitted(open_image(image.content, shown), shown)
        except UserError as error:
            raise UserError(f"{image.where}: {error}") from None
        return self._numbered(image.key, image.name, picture.pixels, picture.note)

    def _colour(self, colour: tuple[int, int, int]) -> int:
        """The number of the texture of a colour."""
        name = "#" + "".join(f"{value:02x}" for value in colour)
        return self._numbered(name, name, np.array([[[*colour, 255]]], np.uint8), "")

    def _numbered(self, key: Hashable, name: str, pixels: Rgba, note: str) -> int:
        if key not in self._numbers:
            self._numbers[key] = len(self.textures)
            self.textures.append(from_pixels(name, pixels, note))
        return self._numbers[key]

    def scene(self, cameras: tuple[Camera, ...], projection: Projection | None) -> Scene:
        """The finished scene; ``cameras`` are the file's own."""
        beside = self.path.parent / "cameras.json"
        if is_file(beside):
            cameras = read_cameras(beside)
        if not cameras:
            cameras = (framing(np.concatenate([mesh.positions for mesh in self.meshes])),)
        if projection is not None:
            self.notes.append(projection.note(self._projected, len(self.meshes), CHECKER))
        resized = [texture.note for texture in self.textures if texture.note]
        notes = [
            *_first(list(dict.fromkeys(self.notes)), "more notes", MOST_NOTES),
            *_first(self._missing, "more images do not exist"),
            *_first(resized, "more images resized to powers of two"),
        ]
        return Scene(
            self.path.stem, tuple(self.meshes), tuple(self.textures), cameras, notes=tuple(notes),
            mapped=self._mapped > 0,
        )  # fmt: skip


_CHECKER = ImageFile(CHECKER, CHECKER, "", Path())


def _first(notes: Sequence[str], more: str, most: int = MOST_OF_A_KIND) -> list[str]:
    """The first of ``notes``, and how many ``more`` there are."""
    rest = len(notes) - most
    return [*notes[:most], *([f"{rest} {more}"] if rest > 0 else [])]
