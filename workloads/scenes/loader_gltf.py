# SPDX-License-Identifier: Apache-2.0
"""What trimesh does not tell about a glTF file: wrap modes of samplers, alpha modes, all cameras.

The JSON is read here as well; materials are renamed to their numbers before trimesh sees the file, so that
its materials can be matched with the JSON's.
"""

import json
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from configs import UserError
from workloads.scenes.scene import BLEND, CLAMP, MIRROR, OPAQUE, REPEAT, Camera

_GLB, _JSON = 0x46546C67, 0x4E4F534A
_WRAP = {10497: REPEAT, 33071: CLAMP, 33648: MIRROR}  # glTF 2.0, 5.26 (the values are OpenGL's)


class Look(NamedTuple):
    """How a material is drawn; ``image`` is the number of its base colour image, ``name`` the image's."""

    image: int | None = None
    name: str = ""
    wrap_u: int = REPEAT
    wrap_v: int = REPEAT
    draw: int = OPAQUE
    two_sided: bool = False


class Gltf(NamedTuple):
    """``data``: the file with numbered materials, for trimesh; ``looks`` and ``cameras`` from its JSON."""

    data: bytes
    looks: list[Look]
    cameras: tuple[Camera, ...]


def read_gltf(path: Path) -> Gltf:
    """Reads a ``.gltf`` or ``.glb`` file. Raises :class:`UserError` if it is not one."""
    content = path.read_bytes()
    try:
        text, rest = _split_glb(content) if path.suffix.lower() == ".glb" else (content, b"")
        tree: dict[str, Any] = json.loads(text.decode("utf-8"))
        looks = [_look(tree, material) for material in tree.get("materials", [])]
        cameras = tuple(_cameras(tree))
        for number, material in enumerate(tree.get("materials", [])):
            material["name"] = str(number)
    except UserError:
        raise
    except (ValueError, KeyError, IndexError, TypeError, AttributeError, struct.error) as error:
        raise UserError(f"{path}: is not a glTF 2.0 file ({type(error).__name__}: {error})") from None
    data = json.dumps(tree).encode()
    return Gltf(_join_glb(data, rest) if path.suffix.lower() == ".glb" else data, looks, cameras)


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


def _cameras(tree: dict[str, Any]) -> Iterator[Camera]:
    """Perspective cameras of the default scene, in the order in which its nodes list them."""
    if "scenes" not in tree or not tree.get("cameras"):
        return
    pending = [
        (node, np.eye(4), 0) for node in reversed(tree["scenes"][tree.get("scene", 0)].get("nodes", []))
    ]
    while pending:
        number, parent, depth = pending.pop()
        if depth > len(tree["nodes"]):
            raise ValueError("nodes form a loop")
        node = tree["nodes"][number]
        world = parent @ _matrix(node)
        pending += [(child, world, depth + 1) for child in reversed(node.get("children", []))]
        if "camera" in node and "perspective" in tree["cameras"][node["camera"]]:
            lens = tree["cameras"][node["camera"]]["perspective"]
            near = float(lens["znear"])
            yield Camera(
                eye=_triple(world[:3, 3]),
                look=_triple(-world[:3, 2]),
                up=_triple(world[:3, 1]),
                fov_y=float(np.degrees(lens["yfov"])),
                near=near,
                far=float(lens.get("zfar", near * 1e5)),
            )


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
