# SPDX-License-Identifier: Apache-2.0
"""Primitives of glTF meshes: vertices, decompressed, morphed and skinned, and their assembly."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from utils.errors import shortened, shown
from workloads.scenes.loader_gltf_file import GltfFile, Tree
from workloads.scenes.primitives import LINES, POINTS, TRIANGLES, fan, lines, points, strip
from workloads.scenes.shapes import Part

try:
    import DracoPy
except ImportError:  # an extra of the library
    DracoPy = None

DRACO = "KHR_draco_mesh_compression"
_POINTS, _LINES, _LINE_LOOP, _LINE_STRIP, _TRIANGLES, _STRIP, _FAN = range(7)  # glTF 2.0, 3.7.2.1
WHOLE = {_LINES: 2, _TRIANGLES: 3}  # vertices of a primitive of a list
Array = NDArray[np.float64]


class Vertices(NamedTuple):
    """Vertices ``positions`` [v, 3] and ``uv`` [v, 2], and the ``indices`` [m] of the corners of a
    ``mode``.
    """

    positions: Array
    uv: Array | None
    indices: NDArray[np.int64]
    mode: int


class _Attributes:
    """The attributes of a primitive, from accessors or decompressed."""

    def __init__(self, file: GltfFile, primitive: Tree, where: str) -> None:
        self.file, self.where = file, where
        self.accessors: Tree = primitive["attributes"]
        packing = primitive.get("extensions", {}).get(DRACO, {})
        self.packed: Tree = packing.get("attributes", {})
        self.mesh: Any = self._decompressed(packing.get("bufferView")) if packing else None

    def _decompressed(self, number: Any) -> Any:
        if DracoPy is None:
            self.file.fail(self.where, f"{DRACO} needs the package DracoPy: pip install DracoPy")
        data, _ = self.file.view(number, self.where)
        try:
            return DracoPy.decode(bytes(data))
        except Exception as error:  # whatever the decoder makes of other bytes
            self.file.fail(self.where, f"{DRACO}: cannot be decoded ({shortened(str(error))})")

    def raw(self, name: str, kind: str) -> NDArray[Any]:
        """The elements [v, width] of an attribute, as they are stored."""
        where = f"{self.where}.{name}"
        if name not in self.packed:
            return self.file.raw(self.accessors[name], where, kind)
        self.file.entry("accessors", self.accessors[name], where)
        stored = self.mesh.get_attribute_by_unique_id(self.packed[name])
        if stored is None:
            self.file.fail(where, f"{DRACO} has no attribute {shown(self.packed[name])}")
        return np.asarray(stored["data"]).reshape(len(self.mesh.points), -1)

    def values(self, name: str, kind: str) -> Array:
        """The elements as numbers."""
        return self.file.decoded(self.raw(name, kind), self.accessors[name])


def read_vertices(
    file: GltfFile, primitive: Tree, where: str, uv_name: str, weights: Any, joints: Array | None
) -> Vertices:
    """The vertices of a primitive, with texture coordinates ``uv_name`` if it has them.

    ``weights``: of its morph targets; ``joints`` [j, 4, 4]: where each moves the vertices that it holds.
    Raises :class:`UserError`.
    """
    mode = primitive.get("mode", _TRIANGLES)
    if mode not in range(_FAN + 1):
        file.fail(where, f"mode is {shown(mode)}; it must be 0 to {_FAN}")
    attributes = _Attributes(file, primitive, where)
    if "POSITION" not in attributes.accessors:
        file.fail(where, "has no POSITION")
    positions = attributes.values("POSITION", "VEC3")
    uv = attributes.values(uv_name, "VEC2") if uv_name in attributes.accessors else None
    if uv is not None and len(uv) != len(positions):
        file.fail(where, f"{uv_name} has {len(uv)} elements, POSITION {len(positions)}")
    for weight, target in zip(weights, primitive.get("targets", []), strict=False):
        if "POSITION" in target:
            positions = positions + float(weight) * file.values(target["POSITION"], where, "VEC3")
        if uv is not None and uv_name in target:
            uv = uv + float(weight) * file.values(target[uv_name], where, "VEC2")
    if joints is not None:
        positions = _skinned(positions, attributes, joints)
    if attributes.mesh is not None and len(getattr(attributes.mesh, "faces", ())):
        index, mode = np.asarray(attributes.mesh.faces, np.int64).reshape(-1), _TRIANGLES
    elif "indices" in primitive:
        index = _index(file, primitive["indices"], where, len(positions))
    else:
        index = np.arange(len(positions))
    return Vertices(positions, uv, index, mode)


def _skinned(positions: Array, attributes: _Attributes, joints: Array) -> Array:
    """Vertices [v, 3] moved by the mean of their ``joints`` [j, 4, 4]."""
    moved = np.zeros((len(positions), 3, 4))
    total = np.zeros(len(positions))
    count = 0
    while f"JOINTS_{count}" in attributes.accessors:
        which = attributes.raw(f"JOINTS_{count}", "VEC4")
        weights = attributes.values(f"WEIGHTS_{count}", "VEC4")
        if which.max() >= len(joints):
            attributes.file.fail(attributes.where, f"joint {which.max()}, but its skin has {len(joints)}")
        for column in range(4):
            moved += weights[:, column, None, None] * joints[which[:, column], :3]
            total += weights[:, column]
        count += 1
    held = total > 0
    moved[held] /= total[held, None, None]
    moved[~held] = np.eye(3, 4)
    return np.einsum("vij,vj->vi", moved[:, :, :3], positions) + moved[:, :, 3]


def _index(file: GltfFile, number: Any, where: str, count: int) -> NDArray[np.int64]:
    """The indices of the corners, each below ``count``."""
    index = file.raw(number, f"{where}.indices", "SCALAR")[:, 0]
    if index.dtype.kind != "u":
        file.fail(where, "indices are no unsigned integers")
    wrong = np.flatnonzero(index >= count)
    if len(wrong):
        file.fail(where, f"index {wrong[0]} is {index[wrong[0]]}, but there are {count} vertices")
    return index.astype(np.int64)


def assembled(vertices: Vertices, uv: Array) -> tuple[int, Part]:
    """The primitive (POINTS, LINES or TRIANGLES) that a mode is drawn as, and its corners, [n, 3, 3] and
    [n, 3, 2]; ``uv`` [v, 2]. Vertices at the end that form no whole primitive are left out.
    """
    index, mode = vertices.indices, vertices.mode
    if mode == _LINE_LOOP:
        index = np.append(index, index[:1])
    if mode in (_LINE_LOOP, _LINE_STRIP):
        index = np.stack([index[:-1], index[1:]], axis=1).reshape(-1)
    corners, coordinates = vertices.positions[index], uv[index]
    if mode == _POINTS:
        return POINTS, points(corners, coordinates)
    if mode in (_LINES, _LINE_LOOP, _LINE_STRIP):
        return LINES, lines(corners, coordinates)
    if mode == _TRIANGLES:
        whole = len(index) // 3 * 3
        return TRIANGLES, Part(corners[:whole].reshape(-1, 3, 3), coordinates[:whole].reshape(-1, 3, 2))
    assemble = strip if mode == _STRIP else fan
    return TRIANGLES, assemble(corners, coordinates)
