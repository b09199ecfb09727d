# SPDX-License-Identifier: Apache-2.0
"""glTF files made from numpy arrays, all numbers in one buffer of the file's own."""

import base64
import io
import json
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

Change = Callable[[dict[str, Any]], Any]
TYPES = {"i1": 5120, "u1": 5121, "i2": 5122, "u2": 5123, "u4": 5125, "f4": 5126}
KINDS = {1: "SCALAR", 2: "VEC2", 3: "VEC3", 4: "VEC4", 16: "MAT4"}
SQUARE = np.array([(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)], "f4")  # area 1, faces +z
CORNERS = np.array([0, 1, 2, 0, 2, 3], "u2")


def png(colour: tuple[int, int, int]) -> str:
    """An image of 4 x 4 as a data URI."""
    file = io.BytesIO()
    Image.new("RGB", (4, 4), colour).save(file, "PNG")
    return "data:image/png;base64," + base64.b64encode(file.getvalue()).decode()


class Model:
    """A file under construction; ``tree`` is its JSON, with one image and material to begin with."""

    def __init__(self) -> None:
        self.data = b""
        self.tree: dict[str, Any] = {
            "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": []}], "nodes": [], "meshes": [],
            "accessors": [], "bufferViews": [], "images": [{"uri": png((200, 10, 10))}],
            "textures": [{"source": 0}],
            "materials": [{"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}],
        }  # fmt: skip

    def view(self, data: bytes, **more: Any) -> int:
        """A view of new bytes of the buffer."""
        self.data += bytes(-len(self.data) % 4)
        self.tree["bufferViews"].append(
            {"buffer": 0, "byteOffset": len(self.data), "byteLength": len(data), **more}
        )
        self.data += data
        return len(self.tree["bufferViews"]) - 1

    def accessor(self, values: NDArray[Any], view: int | None = None, **more: Any) -> int:
        """An accessor of ``values`` [n] or [n, width], in a view of its own by default."""
        values = np.asarray(values)
        width = values.shape[1] if values.ndim > 1 else 1
        stored = self.view(np.ascontiguousarray(values).tobytes()) if view is None else view
        self.tree["accessors"].append(
            {
                "bufferView": stored, "componentType": TYPES[values.dtype.str[1:]], "count": len(values),
                "type": KINDS[width], **more,
            }
        )  # fmt: skip
        return len(self.tree["accessors"]) - 1

    def mesh(self, *primitives: dict[str, Any], **more: Any) -> int:
        """A mesh, each primitive of material 0 unless it says otherwise."""
        self.tree["meshes"].append(
            {"primitives": [{"material": 0, **primitive} for primitive in primitives], **more}
        )
        return len(self.tree["meshes"]) - 1

    def square(self, **more: Any) -> dict[str, Any]:
        """A primitive: the square, its texture coordinates those of its corners."""
        attributes = {"POSITION": self.accessor(SQUARE), "TEXCOORD_0": self.accessor(SQUARE[:, :2])}
        return {"attributes": attributes, "indices": self.accessor(CORNERS), **more}

    def node(self, root: bool = True, **node: Any) -> int:
        """A node, of the scene unless it is below another."""
        self.tree["nodes"].append(node)
        number = len(self.tree["nodes"]) - 1
        if root:
            self.tree["scenes"][0]["nodes"].append(number)
        return number

    def extend(self, name: str, required: bool = True) -> None:
        """Names an extension as used."""
        for key in ("extensionsUsed", *(["extensionsRequired"] if required else [])):
            self.tree.setdefault(key, []).append(name)

    def write(self, folder: Path, *others: dict[str, Any], change: Change = lambda tree: None) -> Path:
        """The file after ``change`` of its JSON, with its buffer as a data URI, and other buffers."""
        uri = "data:application/octet-stream;base64," + base64.b64encode(self.data).decode()
        tree = {**self.tree, "buffers": [{"byteLength": len(self.data), "uri": uri}, *others]}
        change(tree)
        path = folder / "m.gltf"
        path.write_text(json.dumps(tree))
        return path

    def glb(self, length: int | None = None) -> bytes:
        """A GLB file of it, of whose buffer only the first ``length`` bytes are there."""
        text = json.dumps({**self.tree, "buffers": [{"byteLength": len(self.data)}]}).encode()
        text += b" " * (-len(text) % 4)
        data = self.data[:length]
        data += bytes(-len(data) % 4)
        chunks = struct.pack("<2I", len(text), 0x4E4F534A) + text
        chunks += struct.pack("<2I", len(data), 0x4E4942) + data
        return struct.pack("<3I", 0x46546C67, 2, 12 + len(chunks)) + chunks


def triangle(corner: float = 1.0, last: int = 2) -> Model:
    """A textured triangle, drawn by a node: accessors 0 to 2, 36, 24 and 6 bytes, and material 0.

    ``corner``: x of the second vertex; ``last``: the third index.
    """
    model = Model()
    attributes = {
        "POSITION": model.accessor(np.array([(0, 0, 0), (corner, 0, 0), (0, 1, 0)], "f4")),
        "TEXCOORD_0": model.accessor(np.array([(0, 0), (1, 0), (0, 1)], "f4")),
    }
    indices = model.accessor(np.array([0, 1, last], "u2"))
    model.node(mesh=model.mesh({"attributes": attributes, "indices": indices}))
    return model


def one_square(**node: Any) -> Model:
    """The square, drawn by a node."""
    model = Model()
    model.node(mesh=model.mesh(model.square()), **node)
    return model
