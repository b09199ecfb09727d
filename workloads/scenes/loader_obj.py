# SPDX-License-Identifier: Apache-2.0
"""OBJ files, read strictly: every error names file and line.

Elements are grouped by material, in the order in which the materials come up, those with texture coordinates
apart from those without, and lines and points apart from faces. Normals and vertex colours have no part in
the traffic of a texture cache.
"""

import math
from array import array
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import NoReturn

import numpy as np
from numpy.typing import NDArray

from configs import UserError
from utils.errors import shortened
from workloads.scenes.loader_mtl import MOST_KINDS, Material, read_materials, readings, text_lines
from workloads.scenes.loader_part import Look, Part, check_count
from workloads.scenes.polygons import triangulated
from workloads.scenes.primitives import LINES, POINTS, TRIANGLES
from workloads.scenes.scene import BLEND, Camera

NO_UV = -1
MOST = (1 << 31) - 1  # of what there may be in a file
#: elements: the primitive, and the rule of the number of its corners
_ELEMENTS = {
    "f": (TRIANGLES, 3, "a face has at least three corners"),
    "fo": (TRIANGLES, 3, "a face has at least three corners"),
    "l": (LINES, 2, "a line has at least two corners"),
    "p": (POINTS, 1, "a point element has at least one corner"),
}
#: lines without a part in the triangles and their textures
_NO_PART = (
    "vn", "g", "o", "s", "mg", "lod", "bevel", "c_interp", "d_interp", "usemap", "maplib", "shadow_obj",
    "trace_obj",
)  # fmt: skip


@dataclass
class _Group:
    """Elements of one material and kind: of each corner the numbers of vertex and texture coordinate (two
    words), of each element the number of corners and the line.
    """

    corners: "array[int]" = field(default_factory=lambda: array("q"))
    sizes: "array[int]" = field(default_factory=lambda: array("q"))
    lines: "array[int]" = field(default_factory=lambda: array("q"))


def read_obj(path: Path) -> tuple[list[Part], list[str], tuple[Camera, ...]]:
    """The parts of an OBJ file in the order of drawing, notes on what may be a mistake, and no cameras.

    Raises :class:`UserError` for what is not OBJ.
    """
    reader = _Reader(path)
    for number, line in text_lines(path):
        reader.take(number, line)
    parts = list(reader.parts())
    return parts, list(reader.notes()), ()


class _Reader:
    """One file, as far as it has been read.

    ``groups``: by the material's name, by whether all corners have texture coordinates, and by the primitive.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.vertices = array("d")
        self.uv = array("d")
        self.groups: dict[tuple[str, bool, int], _Group] = {}
        self.materials: dict[str, Material] = {}
        self.material = ""
        self.remarks: list[str] = []
        self.ignored: Counter[str] = Counter()
        self.count = 0  # triangles, lines and points

    def take(self, number: int, line: str) -> None:
        """One line; lines that this reader has no use for are counted."""
        key, *words = line.split()
        key = key.lower()
        if key in ("usemtl", "mtllib"):  # names may have a #
            if key == "usemtl":
                self.material = " ".join(words)
            else:
                materials, notes = read_materials(self.path, number, words)
                self.materials |= materials
                self.remarks += notes
            return
        if "#" in line:
            words = line.partition("#")[0].split()[1:]
        if key == "v":
            self.vertices.extend(self._numbers(number, "v x y z", words, 3, 3))
        elif key == "vt":
            self.uv.extend([*self._numbers(number, "vt u v", words, 1, 2), 0.0][:2])
        elif key in _ELEMENTS:
            self._element(number, key, words)
        elif key not in _NO_PART:
            self.ignored[key if len(self.ignored) < MOST_KINDS else "other words"] += 1

    def _fail(self, line: int, message: str) -> NoReturn:
        raise UserError(f"scene {self.path}:{line}: {message}")

    def _numbers(self, line: int, form: str, words: list[str], least: int, most: int) -> list[float]:
        try:
            values = [float(word) for word in words[:most]]
        except ValueError:
            values = []
        if len(values) < least or not all(map(math.isfinite, values)):
            entry = shortened(" ".join([form.split()[0], *words]))
            self._fail(line, f"{entry}: write {form} with finite numbers")
        return values

    def _element(self, line: int, key: str, words: list[str]) -> None:
        primitive, least, rule = _ELEMENTS[key]
        if len(words) < least:
            self._fail(line, f"{shortened(' '.join([key, *words]))}: {rule}")
        corners = [self._corner(line, word) for word in words]
        mapped = all(uv != NO_UV for _, uv in corners)
        group = self.groups.setdefault((self.material, mapped, primitive), _Group())
        for corner in corners:
            group.corners.extend(corner)
        group.sizes.append(len(corners))
        group.lines.append(line)
        self.count += len(corners) + 1 - least
        check_count(self.path, self.count, len(self.groups))

    def _corner(self, line: int, word: str) -> tuple[int, int]:
        vertex, _, rest = word.partition("/")
        uv = rest.partition("/")[0]
        try:
            return (
                _index(vertex, len(self.vertices) // 3),
                _index(uv, len(self.uv) // 2) if uv else NO_UV,
            )
        except ValueError:
            self._fail(
                line,
                f"face corner {shortened(word)}: write v, v/vt, v//vn or v/vt/vn with numbers from 1 on or "
                "back from -1",
            )

    def parts(self) -> Iterator[Part]:
        """The groups with their materials."""
        vertices = np.array(self.vertices).reshape(-1, 3)
        coordinates = np.array(self.uv).reshape(-1, 2)
        for (name, mapped, primitive), group in self.groups.items():
            material = self._material(name) or Material()
            corners = np.array(group.corners, np.int64).reshape(-1, 2)
            sizes = np.array(group.sizes, np.int64)
            points = self._values(group, "v", vertices, corners[:, 0])
            chosen = _assembled(primitive, points, sizes)
            uv = None
            if mapped:
                uv = self._values(group, "vt", coordinates, corners[:, 1])
                uv = (uv * material.scale + material.offset) * (1, -1) + (0, 1)  # rows count from the top
                uv = uv[chosen]
            shown = shortened(name) or self.path.stem
            if not mapped and primitive == TRIANGLES and (name, True, primitive) in self.groups:
                others = self.groups[name, True, primitive].sizes
                shown += f", {len(chosen)} triangles of {len(chosen) + sum(others) - 2 * len(others)}"
            draw = BLEND if material.transparent else None  # None: the alpha of the image decides
            look = Look(material.wrap, material.wrap, draw, two_sided=True)  # the file names no sides
            yield Part(shown, points[chosen], uv, look, material.image, material.colour, primitive)

    def _material(self, name: str) -> Material | None:
        """The material of a line ``usemtl name``, which may end in a comment, as may its definition."""
        return next((self._readings[wanted] for wanted in readings(name) if wanted in self._readings), None)

    @cached_property
    def _readings(self) -> dict[str, Material]:
        """The materials by all that their names may be."""
        first = reversed(self.materials.items())
        return {name: material for key, material in first for name in readings(key)} | self.materials

    def _values(
        self, group: _Group, key: str, values: NDArray[np.float64], indices: NDArray[np.int64]
    ) -> NDArray[np.float64]:
        wrong = np.flatnonzero(indices >= len(values))
        if len(wrong):
            line = group.lines[int(np.searchsorted(np.cumsum(group.sizes), wrong[0], side="right"))]
            self._fail(line, f"a face names {key} number {indices[wrong[0]] + 1}; the file has {len(values)}")
        return values[indices]

    def notes(self) -> Iterator[str]:
        """Possible mistakes, and lines that were left out."""
        yield from self.remarks
        for name in dict.fromkeys(name for name, *_ in self.groups):
            if self._material(name) is None:
                unknown = f"material {shortened(name)}: no material file has it" if name else ""
                yield f"{unknown or 'faces before any usemtl'}; drawn in grey"
        if self.ignored:
            counts = (f"{count} of {shortened(key, 20)}" for key, count in self.ignored.items())
            yield f"lines left out: {shortened(', '.join(counts), 200)}"


def _assembled(primitive: int, points: NDArray[np.float64], sizes: NDArray[np.int64]) -> NDArray[np.int64]:
    """Numbers [n, 3] of the corners of triangles, points or lines, of elements with so many ``sizes``."""
    if primitive == TRIANGLES:
        return triangulated(points, sizes)
    number = np.arange(len(points))
    if primitive == POINTS:
        return number[:, None] + np.zeros(3, np.int64)
    first = np.delete(number, np.cumsum(sizes) - 1)  # of a line of n corners, n - 1 begin a piece
    return first[:, None] + np.array((0, 1, 1))


def _index(text: str, count: int) -> int:
    """A number from 0 on, of one that counts from 1 on, or back from ``count``. Raises ValueError."""
    number = int(text)
    if number == 0 or not -count <= number <= MOST:
        raise ValueError(text)
    return number - 1 if number > 0 else count + number
