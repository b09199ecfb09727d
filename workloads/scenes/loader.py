# SPDX-License-Identifier: Apache-2.0
"""Model files as scenes: OBJ with its MTL and images, glTF and GLB, read by trimesh.

Cameras come from the file (glTF), from a ``cameras.json`` beside it (which wins), or frame the model. Images
become square textures with power-of-two sides; parts without an image get a texture of their colour, 1 x 1.
"""

import io
from pathlib import Path
from typing import Any

import numpy as np
import trimesh
from numpy.typing import NDArray
from PIL import Image

from configs import UserError
from workloads.scenes import built_in
from workloads.scenes.loader_cameras import framing, read_cameras
from workloads.scenes.loader_gltf import Gltf, Look, read_gltf
from workloads.scenes.scene import BLEND, Mesh, Scene
from workloads.textures import Texture, from_pixels
from workloads.textures.images import square
from workloads.textures.mipmaps import Rgba

SUFFIXES = (".obj", ".gltf", ".glb")


def open_scene(source: Path | str) -> Scene:
    """A built-in scene by name, or a model file by path. Raises :class:`UserError`."""
    path = Path(source)
    return load_scene(path) if path.suffix or path.is_file() else built_in(str(source))


def load_scene(path: Path | str) -> Scene:
    """Any OBJ, glTF or GLB file as a scene, in the file's own order of drawing.

    Raises :class:`UserError` for files that are missing or no models, for missing images, and for models that
    have no texture coordinates at all.
    """
    path = Path(path)
    if path.suffix.lower() not in SUFFIXES:
        raise UserError(f"scene {path}: a model file's name ends in one of {', '.join(SUFFIXES)}")
    if not path.is_file():
        raise UserError(f"scene {path}: no such file")
    gltf = read_gltf(path) if path.suffix.lower() != ".obj" else None
    if gltf is None:
        _check_materials(path)
    loaded = _trimesh(path, gltf)
    assembly = _Assembly(path, gltf.looks if gltf else [])
    for node in _drawing_order(loaded, gltf is None):
        matrix, name = loaded.graph.get(node)
        geometry = loaded.geometry[name]
        if isinstance(geometry, trimesh.Trimesh) and len(geometry.faces):
            assembly.add(name, geometry, np.asarray(matrix))
    return assembly.scene(gltf)


def _trimesh(path: Path, gltf: Gltf | None) -> Any:
    """The file as trimesh's scene, with vertices and faces left as they are."""
    data = io.BytesIO(gltf.data if gltf else path.read_bytes())
    try:
        with np.errstate(invalid="ignore"):
            return trimesh.load_scene(
                data,
                file_type=path.suffix[1:].lower(),
                resolver=trimesh.resolvers.FilePathResolver(str(path.resolve())),
                process=False,
            )
    except Exception as error:  # whatever a malformed file makes of the parser
        raise UserError(
            f"scene {path}: cannot be read as a model ({type(error).__name__}: {error})"
        ) from None


def _drawing_order(loaded: Any, reverse: bool) -> list[str]:
    """Nodes with geometry in the order of the file, whose groups trimesh's OBJ reader takes from the end."""
    names = reversed(loaded.geometry) if reverse else loaded.geometry
    order = {name: number for number, name in enumerate(names)}
    return sorted(loaded.graph.nodes_geometry, key=lambda node: order[loaded.graph[node][1]])


def _check_materials(path: Path) -> None:
    """Raises :class:`UserError` for material files and images that an OBJ file names and that are missing."""
    for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
        words = line.split(None, 1)
        if not words or words[0] != "mtllib":
            continue
        library = path.parent / words[1].strip() if len(words) > 1 else path.parent
        if not library.is_file():
            raise UserError(f"scene {path}: its material file {library} does not exist")
        for number, entry in enumerate(library.read_text(encoding="utf-8", errors="replace").splitlines(), 1):
            key, *name = entry.split(None, 1)[:2] or [""]
            if key.lower() == "map_kd":
                _check_image(library.parent / "".join(name).strip(), f"{library}:{number}")


def _check_image(path: Path, where: str) -> None:
    if not path.is_file():
        hint = " (options of map_Kd are not supported)" if path.name.startswith("-") else ""
        raise UserError(f"{where}: image {path} does not exist{hint}")
    try:
        with Image.open(path) as image:
            image.verify()
    except (OSError, ValueError, SyntaxError) as error:
        raise UserError(f"{where}: image {path} cannot be read ({error})") from None


class _Assembly:
    """Meshes and textures of a file under construction."""

    def __init__(self, path: Path, looks: list[Look]) -> None:
        self.path = path
        self.looks = looks
        self.meshes: list[Mesh] = []
        self.textures: list[Texture] = []
        self.notes: list[str] = []
        self._known: dict[Any, int] = {}
        self._mapped = 0

    def add(self, name: str, geometry: Any, matrix: NDArray[np.float64]) -> None:
        """Adds the triangles of a trimesh geometry, moved by ``matrix``."""
        material = getattr(geometry.visual, "material", None)
        uv = getattr(geometry.visual, "uv", None)
        look, image = self._look(name, material)
        faces = np.asarray(geometry.faces)
        if np.linalg.det(matrix[:3, :3]) < 0:  # mirrored: what was in front stays in front
            faces = faces[:, ::-1]
        positions = np.asarray(geometry.vertices, float)[faces] @ matrix[:3, :3].T + matrix[:3, 3]
        coordinates = np.zeros((len(faces), 3, 2))
        if uv is not None and len(uv) == len(geometry.vertices):
            self._mapped += 1
            coordinates = np.asarray(uv, float)[faces] * (1, -1) + (0, 1)  # rows count from the top
        elif image is not None:
            self.notes.append(f"{name}: has an image but no texture coordinates; drawn in one colour")
            image = None
        texture = self._texture(image, material, look)
        if not self.looks and self.textures[texture].has_alpha:
            look = look._replace(draw=BLEND)
        self.meshes.append(
            Mesh(texture, positions, coordinates, look.wrap_u, look.wrap_v, look.draw, look.two_sided)
        )

    def _look(self, name: str, material: Any) -> tuple[Look, Any]:
        """How a material is drawn, and its image if it has one."""
        image = getattr(material, "baseColorTexture", None)
        if image is None:
            image = getattr(material, "image", None)
        number = getattr(material, "name", None)
        if not self.looks or not isinstance(number, str) or not number.isdigit():
            return Look(two_sided=True), image  # OBJ says nothing about sides
        look = self.looks[int(number)]
        if look.image is not None and image is None:
            raise UserError(f"scene {self.path}: image {look.name} of {name} is missing or cannot be read")
        return look, image

    def _texture(self, image: Any, material: Any, look: Look) -> int:
        """The number of the texture of an image or, without one, of a colour."""
        if image is None:
            colour = np.array(getattr(material, "main_color", (200, 200, 200, 255)), np.uint8)
            name = "#" + "".join(f"{value:02x}" for value in colour[:3])
            return self._numbered(name, name, colour.reshape(1, 1, 4), "")
        file = str(image.info.get("file_path", ""))
        key = file if look.image is None else look.image
        if key in self._known:
            return self._known[key]
        name = look.name or Path(file).stem
        try:
            picture = square(image, Path(file).name or name)
        except (OSError, ValueError, SyntaxError) as error:
            raise UserError(f"scene {self.path}: image {file or name} cannot be read ({error})") from None
        return self._numbered(key, name, picture.pixels, picture.note)

    def _numbered(self, key: Any, name: str, pixels: Rgba, note: str) -> int:
        if key not in self._known:
            self._known[key] = len(self.textures)
            self.textures.append(from_pixels(name, pixels, note))
        return self._known[key]

    def scene(self, gltf: Gltf | None) -> Scene:
        """The finished scene."""
        if not self.meshes:
            raise UserError(f"scene {self.path}: has no triangles")
        if not self._mapped:
            raise UserError(
                f"scene {self.path}: no part has texture coordinates; unwrap the model (UV) before export"
            )
        beside = self.path.parent / "cameras.json"
        cameras = read_cameras(beside) if beside.is_file() else (gltf.cameras if gltf else ())
        if not cameras:
            cameras = (framing(np.concatenate([mesh.positions for mesh in self.meshes])),)
        notes = [*self.notes, *(one.note for one in self.textures if one.note)]
        return Scene(self.path.stem, tuple(self.meshes), tuple(self.textures), cameras, notes=tuple(notes))
