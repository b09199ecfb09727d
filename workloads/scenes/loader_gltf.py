# SPDX-License-Identifier: Apache-2.0
"""glTF and GLB files by trimesh, and what it does not tell: wrap modes of samplers, alpha modes, cameras.

The JSON is read here as well; materials are renamed to their numbers before trimesh sees the file, so that
its materials can be matched with the JSON's.
"""

import io
import json
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import trimesh
from numpy.typing import NDArray
from PIL import Image

from configs import UserError
from configs.errors import shortened
from workloads.scenes.loader_cameras import checked
from workloads.scenes.loader_gltf_check import beside, check_gltf
from workloads.scenes.loader_part import GREY, Look, Part
from workloads.scenes.scene import BLEND, CLAMP, MIRROR, OPAQUE, REPEAT, Camera

_GLB, _JSON = 0x46546C67, 0x4E4F534A
_WRAP = {10497: REPEAT, 33071: CLAMP, 33648: MIRROR}  # glTF 2.0, 5.26 (the values are OpenGL's)


def read_gltf(path: Path) -> tuple[list[Part], list[str], tuple[Camera, ...]]:
    """Parts, notes and cameras of a ``.gltf`` or ``.glb`` file. Raises :class:`UserError`."""
    content, binary = path.read_bytes(), path.suffix.lower() == ".glb"
    try:
        text, chunks = _split_glb(content) if binary else (content, b"")
        tree: dict[str, Any] = json.loads(text.decode("utf-8-sig"))
        check_gltf(path, tree, chunks[8:])
        looks = [_look(tree, material) for material in tree.get("materials", [])]
        cameras = tuple(_cameras(path, tree))
        for number, material in enumerate(tree.get("materials", [])):
            material["name"] = str(number)
    except UserError:
        raise
    except Exception as error:  # whatever other JSON makes of the lines above
        problem = f"{type(error).__name__}: {shortened(str(error))}"
        raise UserError(f"{path}: is not a glTF 2.0 file ({problem})") from None
    data = json.dumps(tree).encode()
    loaded = _trimesh(path, _join_glb(data, chunks) if binary else data)
    return list(_parts(path, loaded, looks)), [], cameras


class _Files(trimesh.resolvers.FilePathResolver):
    """Files by their URIs."""

    def get(self, name: str) -> bytes:
        """The contents of one."""
        return beside(Path(self.file_path), name).read_bytes()


def _trimesh(path: Path, data: bytes) -> Any:
    """The file as trimesh's scene, with vertices and faces left as they are."""
    try:
        with np.errstate(all="ignore"):
            return trimesh.load_scene(
                io.BytesIO(data),
                file_type=path.suffix[1:].lower(),
                resolver=_Files(str(path.resolve())),
                process=False,
            )
    except Exception as error:  # whatever a malformed file makes of the parser
        raise UserError(
            f"scene {path}: cannot be read as a model ({type(error).__name__}: {shortened(str(error))})"
        ) from None


def _parts(path: Path, loaded: Any, looks: list[Look]) -> Iterator[Part]:
    """The meshes, moved to their places, in the order of the file."""
    order = {name: number for number, name in enumerate(loaded.geometry)}
    with np.errstate(all="ignore"):
        places = [loaded.graph.get(node) for node in loaded.graph.nodes_geometry]
    for matrix, name in sorted(places, key=lambda place: order[place[1]]):
        geometry = loaded.geometry[name]
        if not isinstance(geometry, trimesh.Trimesh) or not len(geometry.faces):
            continue
        faces = np.asarray(geometry.faces)
        with np.errstate(all="ignore"):
            if np.linalg.det(matrix[:3, :3]) < 0:  # mirrored: what was in front stays in front
                faces = faces[:, ::-1]
            positions = np.asarray(geometry.vertices, float)[faces] @ matrix[:3, :3].T + matrix[:3, 3]
        uv = getattr(geometry.visual, "uv", None)
        if uv is not None and len(uv) == len(geometry.vertices):
            uv = np.asarray(uv, float)[faces] * (1, -1) + (0, 1)  # trimesh counts rows from the bottom
        else:
            uv = None
        look, image, colour = _material(path, name, geometry, looks)
        yield Part(name, positions, uv, look, image, f"scene {path}", colour)


def _material(
    path: Path, name: str, geometry: Any, looks: list[Look]
) -> tuple[Look, Image.Image | None, tuple[int, int, int]]:
    """How a mesh is drawn, its image if it has one, its colour."""
    material = getattr(geometry.visual, "material", None)
    image = getattr(material, "baseColorTexture", None)
    red, green, blue = (int(value) for value in getattr(material, "main_color", GREY)[:3])
    number = getattr(material, "name", None)
    if not isinstance(number, str) or not number.isdigit():
        return Look(), image, (red, green, blue)
    look = looks[int(number)]
    if look.image is not None and image is None:
        raise UserError(f"scene {path}: image {look.name} of {name} is missing or cannot be read")
    return look, image, (red, green, blue)


def _split_glb(content: bytes) -> tuple[bytes, bytes]:
    """The JSON of a GLB file, and all the chunks behind it."""
    magic, version, _, length, kind = struct.unpack_from("<5I", content)
    if magic != _GLB or version != 2 or kind != _JSON or 20 + length > len(content):
        raise ValueError("no GLB header of version 2")
    return content[20 : 20 + length], content[20 + length :]


def _join_glb(text: bytes, rest: bytes) -> bytes:
    text += b" " * (-len(text) % 4)
    return struct.pack("<5I", _GLB, 2, 20 + len(text) + len(rest), len(text), _JSON) + text + rest


def _look(tree: dict[str, Any], material: dict[str, Any]) -> Look:
    texture = material.get("pbrMetallicRoughness", {}).get("baseColorTexture")
    sampler: dict[str, Any] = {}
    image, name = None, ""
    if texture is not None:
        entry = tree["textures"][texture["index"]]
        image = entry.get("source", -1 - texture["index"])  # some extensions name their own source
        listed = tree["images"][image] if image >= 0 else {}
        name = listed.get("name") or Path(listed.get("uri", "")[:200]).stem or f"image{max(image, 0)}"
        sampler = tree["samplers"][entry["sampler"]] if "sampler" in entry else {}
    wraps = [sampler.get(name, 10497) for name in ("wrapS", "wrapT")]
    for value in wraps:
        if value not in _WRAP:
            raise ValueError(f"unknown wrap mode {value} of a sampler")
    return Look(
        image=image,
        name=name,
        wrap_u=_WRAP[wraps[0]],
        wrap_v=_WRAP[wraps[1]],
        draw=OPAQUE if material.get("alphaMode", "OPAQUE") == "OPAQUE" else BLEND,
        two_sided=bool(material.get("doubleSided", False)),
    )


def _cameras(path: Path, tree: dict[str, Any]) -> Iterator[Camera]:
    """Perspective cameras of the default scene, in the order in which its nodes list them."""
    if "scenes" not in tree or not tree.get("cameras"):
        return
    pending = [(node, np.eye(4)) for node in reversed(tree["scenes"][tree.get("scene", 0)].get("nodes", []))]
    while pending:
        number, parent = pending.pop()
        node = tree["nodes"][number]
        world = parent @ _matrix(node)
        pending += [(child, world) for child in reversed(node.get("children", []))]
        if "camera" in node and "perspective" in tree["cameras"][node["camera"]]:
            lens = tree["cameras"][node["camera"]]["perspective"]
            near = float(lens["znear"])
            camera = Camera(
                eye=_triple(world[:3, 3]),
                look=_triple(-world[:3, 2]),
                up=_triple(world[:3, 1]),
                fov_y=float(np.degrees(lens["yfov"])),
                near=near,
                far=float(lens.get("zfar", near * 1e5)),
            )
            yield checked(camera, f"{path}: cameras.{node['camera']}")


def _matrix(node: dict[str, Any]) -> NDArray[np.float64]:
    """A node's transform relative to its parent."""
    if "matrix" in node:
        return np.array(node["matrix"], float).reshape(4, 4).T
    x, y, z, w = node.get("rotation", (0, 0, 0, 1))
    rotation = np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
        ]
    )
    matrix = np.eye(4)
    matrix[:3, :3] = rotation * np.asarray(node.get("scale", (1, 1, 1)), float)
    matrix[:3, 3] = node.get("translation", (0, 0, 0))
    return matrix


def _triple(values: NDArray[np.float64]) -> tuple[float, float, float]:
    return float(values[0]), float(values[1]), float(values[2])
