# SPDX-License-Identifier: Apache-2.0
"""glTF 2.0 and GLB files: their JSON, buffers and accessors, each checked when it is read."""

import base64
import json
import struct
from functools import cache
from pathlib import Path
from typing import Any, NoReturn
from urllib.parse import unquote, unquote_to_bytes

import numpy as np
from numpy.typing import NDArray

from configs import UserError
from utils.errors import shortened, shown
from utils.files import is_file
from workloads.scenes.loader_part import MOST_BYTES, MOST_JSON, MOST_TRIANGLES, check_size, find_file

Tree = dict[str, Any]
_GLB, _JSON, _BINARY = 0x46546C67, 0x4E4F534A, 0x004E4942
_COMPONENTS = {5120: "i1", 5121: "u1", 5122: "<i2", 5123: "<u2", 5125: "<u4", 5126: "<f4"}
_WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}
MOST_ELEMENTS = 3 * MOST_TRIANGLES  # of an accessor


class GltfFile:
    """One file: its JSON ``tree``, and the contents of the entries.

    All errors are :class:`UserError`, naming file and entry. What is no glTF at all raises whatever Python
    does with it.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        binary = path.suffix.lower() == ".glb"
        check_size(path, MOST_BYTES if binary else MOST_JSON)
        text, self._own = _split_glb(path.read_bytes()) if binary else (path.read_bytes(), b"")
        if len(text) > MOST_JSON:
            self.fail("JSON", f"has {len(text) >> 20} MiB; at most {MOST_JSON >> 20} MiB are read")
        self.tree: Tree = json.loads(text.decode("utf-8-sig"))
        version = str(self.tree.get("asset", {}).get("version", "2.0"))
        if not version.startswith("2."):
            self.fail("asset", f"version {shortened(version)}: glTF 2.0 is read")
        self.buffer = cache(self._buffer)

    def fail(self, where: str, problem: str) -> NoReturn:
        """Raises the error of an entry."""
        raise UserError(f"{self.path}: {where}: {problem}")

    def entry(self, kind: str, number: Any, where: str) -> Tree:
        """Entry ``number`` of ``kind``, which ``where`` names."""
        entries = self.tree.get(kind, [])
        if isinstance(number, bool) or not isinstance(number, int) or not 0 <= number < len(entries):
            self.fail(where, f"names number {shown(number)} of {kind}; the file has {len(entries)}")
        entry: Tree = entries[number]
        return entry

    def whole(self, entry: Tree, key: str, where: str, default: int | None = None, least: int = 0) -> int:
        """A whole number of an entry."""
        value = entry.get(key, default)
        if isinstance(value, bool) or not isinstance(value, int) or value < least:
            self.fail(where, f"{key} is {shown(value)}; it must be a whole number from {least} on")
        return value

    def numbers(self, entry: Tree, key: str, where: str, default: Any) -> NDArray[np.float64]:
        """Finite numbers of an entry, as many as ``default`` has."""
        values = np.array(entry.get(key, default), float)
        if values.shape != np.shape(default) or not np.isfinite(values).all():
            self.fail(where, f"{key}: needs {np.size(default)} numbers")
        return values

    def content(self, uri: str, where: str) -> Path | bytes:
        """The file that a ``uri`` names, percent-encoded or not, or the bytes of a data URI.

        The file need not exist.
        """
        if not uri.startswith("data:"):
            plain = find_file(self.path.parent, uri)
            return plain if is_file(plain) else find_file(self.path.parent, unquote(uri))
        head, _, body = uri.partition(",")
        try:
            raw = unquote_to_bytes(body)
            return base64.b64decode(b"".join(raw.split()), validate=True) if head.endswith(";base64") else raw
        except ValueError as error:
            self.fail(where, f"its data URI is no base64 ({error})")

    def _buffer(self, number: int) -> bytes:
        """The bytes of a buffer."""
        where = f"buffers.{number}"
        buffer = self.tree["buffers"][number]
        length = self.whole(buffer, "byteLength", where)
        data: Path | bytes = self._own
        source = "the file's own buffer"
        if "uri" in buffer:
            data, source = self.content(buffer["uri"], where), "its data"
        elif number or not self._own:
            self.fail(where, "has no uri, and no bytes in the file")
        if isinstance(data, Path):
            source = shortened(str(data), 200)
            if not is_file(data):
                self.fail(where, f"{source} does not exist")
            if min(length, data.stat().st_size) > MOST_BYTES:
                self.fail(where, f"byteLength is {length}; at most {MOST_BYTES:,} bytes are read")
            with data.open("rb") as file:
                data = file.read(min(length, MOST_BYTES))
        if length > len(data):
            self.fail(where, f"byteLength is {length}, but {source} ends after {len(data)} bytes")
        return data[:length]

    def view(self, number: Any, where: str) -> tuple[memoryview, int]:
        """The bytes of a buffer view, and its ``byteStride``, 0 if it has none."""
        view = self.entry("bufferViews", number, where)
        where = f"bufferViews.{number}"
        packed = view.get("extensions", {}).keys() & {"EXT_meshopt_compression", "KHR_meshopt_compression"}
        self.entry("buffers", view.get("buffer"), where)
        if packed and "uri" not in self.tree["buffers"][view["buffer"]]:
            self.fail(where, f"is compressed ({min(packed)}), which is not read; export it without")
        data = self.buffer(view["buffer"])
        start = self.whole(view, "byteOffset", where, 0)
        end = start + self.whole(view, "byteLength", where)
        if end > len(data):
            self.fail(where, f"bytes {start} to {end} of a buffer of {len(data)}")
        return memoryview(data)[start:end], self.whole(view, "byteStride", where, 0)

    def raw(self, number: Any, where: str, kind: str) -> NDArray[Any]:
        """The elements of an accessor of ``kind`` ("VEC3"), [count, width], in the type of its components.

        An accessor without a view is zero but for its sparse elements.
        """
        accessor = self.entry("accessors", number, where)
        where = f"accessors.{number}"
        if accessor.get("type") != kind or accessor.get("componentType") not in _COMPONENTS:
            stored = f"{shown(accessor.get('type'))} of {shown(accessor.get('componentType'))}"
            self.fail(where, f"is {stored}; it must be {kind} of a component type of glTF 2.0")
        count = self.whole(accessor, "count", where, least=1)
        if count > MOST_ELEMENTS:
            self.fail(where, f"count is {count}; at most {MOST_ELEMENTS:,} elements are read")
        component = np.dtype(_COMPONENTS[accessor["componentType"]])
        if "bufferView" in accessor:
            values = self._elements(accessor, where, component, _WIDTHS[kind], count)
        else:
            values = np.zeros((count, _WIDTHS[kind]), component)
        sparse = accessor.get("sparse")
        if sparse is None:
            return values
        return self._replaced(values, sparse, f"{where}.sparse")

    def _elements(
        self, place: Tree, where: str, component: np.dtype[Any], width: int, count: int
    ) -> NDArray[Any]:
        """``count`` elements [count, width] of the view that an accessor or a part of one names."""
        data, stride = self.view(place.get("bufferView"), where)
        size = component.itemsize * width
        if 0 < stride < size:
            self.fail(where, f"byteStride of its view is {stride}, but an element has {size} bytes")
        stride, start = stride or size, self.whole(place, "byteOffset", where, 0)
        end = start + (count - 1) * stride + size
        if end > len(data):
            self.fail(where, f"{count} elements end at byte {end} of a view of {len(data)}")
        return np.ndarray((count, width), component, data, start, (stride, component.itemsize))

    def _replaced(self, values: NDArray[Any], sparse: Tree, where: str) -> NDArray[Any]:
        """``values`` with those that ``sparse`` gives in their places."""
        count = self.whole(sparse, "count", where, least=1)
        places = sparse["indices"]
        component = np.dtype(_COMPONENTS[places["componentType"]])
        which = self._elements(places, f"{where}.indices", component, 1, min(count, MOST_ELEMENTS))[:, 0]
        if component.kind != "u" or count > len(values) or which.max() >= len(values):
            self.fail(where, f"{count} elements, the last index {which.max()}, but there are {len(values)}")
        values = values.copy()
        width = values.shape[1]
        values[which] = self._elements(sparse["values"], f"{where}.values", values.dtype, width, count)
        return values

    def values(self, number: Any, where: str, kind: str) -> NDArray[np.float64]:
        """The elements of an accessor as numbers; integers that are ``normalized`` lie in -1..1 or 0..1."""
        return self.decoded(self.raw(number, where, kind), number)

    def decoded(self, values: NDArray[Any], number: int) -> NDArray[np.float64]:
        """``values`` [count, width] of accessor ``number`` as numbers."""
        if not self.tree["accessors"][number].get("normalized", False) or values.dtype.kind == "f":
            return values.astype(float)
        return np.maximum(values / np.iinfo(values.dtype).max, -1.0)


def _split_glb(content: bytes) -> tuple[bytes, bytes]:
    """The JSON of a GLB file, and its own buffer, if there is one."""
    magic, version, _, length, kind = struct.unpack_from("<5I", content)
    if magic != _GLB or version != 2 or kind != _JSON or 20 + length > len(content):
        raise ValueError("no GLB header of version 2")
    own = b""
    if len(content) >= 28 + length:
        size, kind = struct.unpack_from("<2I", content, 20 + length)
        own = content[28 + length : 28 + length + size] if kind == _BINARY else b""
    return content[20 : 20 + length], own
