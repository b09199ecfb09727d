# SPDX-License-Identifier: Apache-2.0
"""OBJ files, read strictly: every error names file and line.

Faces are grouped by material, in the order in which the materials come up, and those with texture coordinates
apart from those without. Normals, lines, curves and vertex colours have no part in what a texture cache sees.
"""

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NoReturn

import numpy as np
from numpy.typing import NDArray

from configs import UserError
from configs.errors import shortened
from workloads.scenes.loader_mtl import Material, read_materials, text_lines
from workloads.scenes.loader_part import Look, Part
from workloads.scenes.scene import Camera

NO_UV = -1
MOST = (1 << 31) - 1  # of what there may be in a file
LOOK = Look(draw=None, two_sided=True)  # the file says nothing about sides, the image about transparency


@dataclass
class _Group:
    """Triangles of one material: numbers of vertex and texture coordinate of each corner, and the lines."""

    corners: list[tuple[int, int]] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)


def read_obj(path: Path) -> tuple[list[Part], list[str], tuple[Camera, ...]]:
    """The parts of an OBJ file in the order of drawing, notes on what may be a mistake, and no cameras.

    Raises :class:`UserError` for what is not OBJ, and for material files and images that are missing.
    """
    reader = _Reader(path)
    for number, line in text_lines(path):
        reader.take(number, line)
    return list(reader.parts()), list(reader.notes()), ()


class _Reader:
    """One file, as far as it has been read.

    ``groups``: by the material's name, and by whether all corners have texture coordinates.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.vertices: list[list[float]] = []
        self.uv: list[list[float]] = []
        self.groups: dict[tuple[str, bool], _Group] = {}
        self.materials: dict[str, Material] = {}
        self.material = ""

    def take(self, number: int, line: str) -> None:
        """One line; what this reader has no use for is passed over."""
        key, *words = line.split()
        if key == "v":
            self.vertices.append(self._numbers(number, "v x y z", words, 3, 3))
        elif key == "vt":
            self.uv.append([*self._numbers(number, "vt u v", words, 1, 2), 0.0][:2])
        elif key == "f":
            self._face(number, words)
        elif key == "usemtl":
            self.material = " ".join(words)
        elif key == "mtllib":
            self.materials |= read_materials(self.path, number, words)

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

    def _face(self, line: int, words: list[str]) -> None:
        if len(words) < 3:
            self._fail(line, f"f {shortened(' '.join(words))}: a face has at least three corners")
        corners = [self._corner(line, word) for word in words]
        mapped = all(uv != NO_UV for _, uv in corners)
        group = self.groups.setdefault((self.material, mapped), _Group())
        for second, third in itertools.pairwise(corners[1:]):  # a fan
            group.corners += (corners[0], second, third)
            group.lines.append(line)

    def _corner(self, line: int, word: str) -> tuple[int, int]:
        vertex, _, rest = word.partition("/")
        uv = rest.partition("/")[0]
        try:
            return _index(vertex, len(self.vertices)), _index(uv, len(self.uv)) if uv else NO_UV
        except ValueError:
            self._fail(
                line,
                f"face corner {shortened(word)}: write v, v/vt, v//vn or v/vt/vn with numbers from 1 on or "
                "back from -1",
            )

    def parts(self) -> Iterator[Part]:
        """The groups with their materials."""
        for (name, mapped), group in self.groups.items():
            corners = np.array(group.corners, np.int64).reshape(-1, 3, 2)
            positions = self._values(group, "v", self.vertices, corners[..., 0])
            uv = None
            if mapped:  # rows count from the top
                uv = self._values(group, "vt", self.uv, corners[..., 1]) * (1, -1) + (0, 1)
            material = self.materials.get(name, Material())
            shown = name or self.path.stem
            if not mapped and (name, True) in self.groups:
                shown += f", {len(group.lines)} triangles of {self._triangles(name)}"
            yield Part(shown, positions, uv, LOOK, material.image, material.where, material.colour)

    def _triangles(self, name: str) -> int:
        return sum(len(self.groups[name, mapped].lines) for mapped in (False, True))

    def _values(
        self, group: _Group, key: str, values: list[list[float]], indices: NDArray[np.int64]
    ) -> NDArray[np.float64]:
        wrong = np.argwhere(indices >= len(values))
        if len(wrong):
            triangle, corner = wrong[0]
            number = indices[triangle, corner] + 1
            self._fail(
                group.lines[triangle], f"a face names {key} number {number}; the file has {len(values)}"
            )
        return np.array(values)[indices]

    def notes(self) -> Iterator[str]:
        """What may be a mistake."""
        for name in dict.fromkeys(name for name, _ in self.groups):
            if name not in self.materials:
                what = f"material {name}: no material file has it" if name else "faces before any usemtl"
                yield f"{what}; drawn in grey"


def _index(text: str, count: int) -> int:
    """A number from 0 on, of one that counts from 1 on, or back from ``count``. Raises ValueError."""
    number = int(text)
    if number == 0 or not -count <= number <= MOST:
        raise ValueError(text)
    return number - 1 if number > 0 else count + number
