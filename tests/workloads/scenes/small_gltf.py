# SPDX-License-Identifier: Apache-2.0
"""A textured triangle as glTF, its numbers in a buffer of 66 bytes, to be changed by tests."""

import base64
import json
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

Change = Callable[[dict[str, Any]], Any]


def numbers(corner: float = 1.0, last: int = 2) -> bytes:
    """Positions, texture coordinates and indices; ``corner``: x of the second vertex."""
    positions = np.array([(0, 0, 0), (corner, 0, 0), (0, 1, 0)], "<f4")
    uv = np.array([(0, 0), (1, 0), (0, 1)], "<f4")
    return positions.tobytes() + uv.tobytes() + np.array([0, 1, last], "<u2").tobytes()


def tree(data: bytes) -> dict[str, Any]:
    """The JSON; ``data`` as part of it."""
    uri = "data:application/octet-stream;base64," + base64.b64encode(data).decode()
    return {
        "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": [{"mesh": 0}],
        "meshes": [
            {
                "primitives": [
                    {"attributes": {"POSITION": 0, "TEXCOORD_0": 1}, "indices": 2, "material": 0}
                ]
            }
        ],
        "materials": [{"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}],
        "textures": [{"source": 0}], "images": [{"uri": "t.png"}],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"},
            {"bufferView": 1, "componentType": 5126, "count": 3, "type": "VEC2"},
            {"bufferView": 2, "componentType": 5123, "count": 3, "type": "SCALAR"},
        ],
        "bufferViews": [
            {"buffer": 0, "byteOffset": 0, "byteLength": 36},
            {"buffer": 0, "byteOffset": 36, "byteLength": 24},
            {"buffer": 0, "byteOffset": 60, "byteLength": 6},
        ],
        "buffers": [{"byteLength": 66, "uri": uri}],
    }  # fmt: skip


def write(folder: Path, change: Change = lambda tree: None, data: bytes | None = None) -> Path:
    """The file, after ``change``, and its image."""
    made = tree(numbers() if data is None else data)
    change(made)
    Image.new("RGB", (8, 8), (200, 10, 10)).save(folder / "t.png")
    path = folder / "m.gltf"
    path.write_text(json.dumps(made))
    return path


def glb(made: dict[str, Any], data: bytes) -> bytes:
    """A GLB file of a JSON whose first buffer is ``data``."""
    text = json.dumps(made).encode()
    text += b" " * (-len(text) % 4)
    data += bytes(-len(data) % 4)
    chunks = struct.pack("<2I", len(text), 0x4E4F534A) + text + struct.pack("<2I", len(data), 0x4E4942) + data
    return struct.pack("<3I", 0x46546C67, 2, 12 + len(chunks)) + chunks
