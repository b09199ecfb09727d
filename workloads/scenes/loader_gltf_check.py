# SPDX-License-Identifier: Apache-2.0
"""Whether what a glTF file says of itself is so: numbers of entries, sizes of buffers, indices of corners."""

import base64
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import numpy as np

from configs import UserError
from configs.files import is_file
from workloads.textures.images import open_image

_COMPONENTS = {5120: "i1", 5121: "u1", 5122: "<i2", 5123: "<u2", 5125: "<u4", 5126: "<f4"}
_WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT2": 4, "MAT3": 9, "MAT4": 16}


def check_gltf(path: Path, tree: dict[str, Any], binary: bytes) -> None:
    """Raises :class:`UserError` naming the entry that is wrong; ``binary``: a GLB file's own buffer.

    What is no glTF at all raises whatever Python does with it.
    """
    check = _Check(path, tree, binary)
    for kind, method in (
        ("scenes", check.scene), ("nodes", check.node), ("buffers", check.buffer),
        ("bufferViews", check.view), ("accessors", check.accessor), ("images", check.image),
        ("meshes", check.mesh),
    ):  # fmt: skip
        for number, entry in enumerate(tree.get(kind, [])):
            method(f"{kind}.{number}", entry)
    check.loops()


def beside(path: Path, uri: str) -> Path:
    """The file that ``uri`` names in a file ``path``: percent-encoded, as it should be, or not."""
    plain = path.parent / uri
    return plain if is_file(plain) else path.parent / unquote(uri)


class _Check:
    """One file; ``data`` holds the contents of its buffers so far."""

    def __init__(self, path: Path, tree: dict[str, Any], binary: bytes) -> None:
        self.path, self.tree, self.binary = path, tree, binary
        self.data: list[bytes] = []

    def need(self, good: bool, where: str, problem: str) -> None:
        """Every error names file and entry."""
        if not good:
            raise UserError(f"{self.path}: {where}: {problem}")

    def entry(self, kind: str, number: Any, where: str) -> Any:
        """Entry ``number`` of ``kind``."""
        count = len(self.tree.get(kind, []))
        good = isinstance(number, int) and not isinstance(number, bool) and 0 <= number < count
        self.need(good, where, f"names number {number} of {kind}; the file has {count}")
        return self.tree[kind][number]

    def scene(self, where: str, scene: dict[str, Any]) -> None:
        """Its nodes are there."""
        for number in scene.get("nodes", []):
            self.entry("nodes", number, where)

    def node(self, where: str, node: dict[str, Any]) -> None:
        """What it refers to is there, and its numbers are numbers."""
        for number in node.get("children", []):
            self.entry("nodes", number, where)
        for key, kind in (("mesh", "meshes"), ("camera", "cameras")):
            if key in node:
                self.entry(kind, node[key], where)
        for key, count in (("matrix", 16), ("rotation", 4), ("scale", 3), ("translation", 3)):
            values = np.array(node.get(key, [0] * count), float)
            good = values.shape == (count,) and bool(np.isfinite(values).all())
            self.need(good, where, f"{key}: needs {count} numbers")

    def loops(self) -> None:
        """No node is below itself."""
        children = [node.get("children", []) for node in self.tree.get("nodes", [])]
        parents = np.bincount([child for below in children for child in below], minlength=len(children))
        free = [number for number, count in enumerate(parents) if not count]
        for number in free:  # grows
            for child in children[number]:
                parents[child] -= 1
                if not parents[child]:
                    free.append(child)
        self.need(len(free) == len(children), "nodes", "form a loop")

    def buffer(self, where: str, buffer: dict[str, Any]) -> None:
        """It is as long as it says."""
        uri = buffer.get("uri")
        data, source = self.binary, "the file's own buffer"
        if uri is not None and uri.startswith("data:"):
            data, source = base64.b64decode(uri.partition(",")[2]), "its data"
        elif uri is not None:
            file = beside(self.path, uri)
            self.need(is_file(file), where, f"{file} does not exist")
            data, source = file.read_bytes(), str(file)
        length = buffer["byteLength"]
        good = 0 <= length <= len(data)
        self.need(good, where, f"byteLength is {length}, but {source} ends after {len(data)} bytes")
        self.data.append(data[:length])

    def view(self, where: str, view: dict[str, Any]) -> None:
        """It lies within its buffer."""
        self.entry("buffers", view["buffer"], where)
        start, length = view.get("byteOffset", 0), view["byteLength"]
        end, size = start + length, len(self.data[view["buffer"]])
        self.need(0 <= start <= end <= size, where, f"bytes {start} to {end} of a buffer of {size}")

    def accessor(self, where: str, accessor: dict[str, Any]) -> None:
        """It lies within its view; one without a view is left to extensions."""
        if "bufferView" not in accessor:
            return
        view = self.entry("bufferViews", accessor["bufferView"], where)
        size, stride, start = self._layout(where, accessor, view)
        count = accessor["count"]
        self.need(count >= 1, where, f"count is {count}")
        end, length = start + (count - 1) * stride + size, view["byteLength"]
        good = start >= 0 and stride > 0 and end <= length
        self.need(good, where, f"{count} elements end at byte {end} of a view of {length}")

    def _layout(self, where: str, accessor: dict[str, Any], view: dict[str, Any]) -> tuple[int, int, int]:
        """Bytes of an element, from one to the next, and before the first."""
        component, kind = accessor["componentType"], accessor["type"]
        self.need(component in _COMPONENTS and kind in _WIDTHS, where, f"unknown type {kind} of {component}")
        size = np.dtype(_COMPONENTS[component]).itemsize * _WIDTHS[kind]
        return size, view.get("byteStride", size), accessor.get("byteOffset", 0)

    def image(self, where: str, image: dict[str, Any]) -> None:
        """A file is there and can be read."""
        if "bufferView" in image:
            self.entry("bufferViews", image["bufferView"], where)
        elif not image["uri"].startswith("data:"):
            try:
                open_image(beside(self.path, image["uri"]))
            except UserError as error:
                raise UserError(f"{self.path}: {where}: {error}") from None

    def mesh(self, where: str, mesh: dict[str, Any]) -> None:
        """The corners of its triangles are there."""
        for number, primitive in enumerate(mesh["primitives"]):
            here = f"{where}.primitives.{number}"
            if "material" in primitive:
                self.entry("materials", primitive["material"], here)
            counts = {
                name: self.entry("accessors", accessor, f"{here}.{name}")["count"]
                for name, accessor in primitive["attributes"].items()
            }
            self.need("POSITION" in counts, here, "has no POSITION")
            for name, count in counts.items():
                good = count == counts["POSITION"]
                self.need(good, here, f"{name} has {count} elements, POSITION {counts['POSITION']}")
            if "indices" in primitive:
                self._indices(here, self.entry("accessors", primitive["indices"], here), counts["POSITION"])

    def _indices(self, where: str, accessor: dict[str, Any], count: int) -> None:
        if "bufferView" not in accessor:
            return
        view = self.tree["bufferViews"][accessor["bufferView"]]
        size, stride, start = self._layout(where, accessor, view)
        kind = np.dtype(_COMPONENTS[accessor["componentType"]])
        self.need(kind.kind == "u" and size == kind.itemsize, where, "indices are no unsigned integers")
        values = np.ndarray(
            accessor["count"], kind, self.data[view["buffer"]], view.get("byteOffset", 0) + start, (stride,)
        )
        wrong = np.flatnonzero(values >= count)
        if len(wrong):
            first = wrong[0]
            self.need(False, where, f"index {first} is {values[first]}, but there are {count} vertices")
