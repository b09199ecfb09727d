# SPDX-License-Identifier: Apache-2.0
"""Material files of OBJ files: colour and image of each material."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from configs import UserError
from configs.errors import shortened
from configs.files import is_file
from workloads.scenes.loader_part import GREY

_UTF16 = (b"\xff\xfe", b"\xfe\xff")


@dataclass
class Material:
    """The file of an ``image``, named ``where``, or one ``colour``."""

    image: Path | None = None
    where: str = ""
    colour: tuple[int, int, int] = GREY


def text_lines(path: Path) -> Iterator[tuple[int, str]]:
    """Number and text of each line that is not empty and no comment; a backslash at its end continues a line.

    A line is UTF-8, or Latin-1 where that is no UTF-8; a file that begins with the mark of UTF-16 is that.
    """
    data = path.read_bytes()
    if data.startswith(_UTF16):
        data = data.decode("utf-16", errors="replace").encode()
    began, text = 0, ""
    for number, line in enumerate([*data.removeprefix(b"\xef\xbb\xbf").splitlines(), b""], 1):
        began = began if text else number
        text += _decoded(line)
        if text.endswith("\\"):
            text = f"{text[:-1]} "
            continue
        if text.strip() and not text.lstrip().startswith("#"):
            yield began, text
        text = ""


def _decoded(line: bytes) -> str:
    try:
        return line.decode()
    except UnicodeDecodeError:
        return line.decode("latin-1")


def read_materials(scene: Path, line: int, words: list[str]) -> dict[str, Material]:
    """What the files contain that a line ``mtllib`` of ``scene`` names: several, or one with blanks.

    Raises :class:`UserError` for files and images that are missing.
    """
    whole, several = ([_beside(scene.parent, name) for name in names] for names in ([" ".join(words)], words))
    found: dict[str, Material] = {}
    for library in several if any(map(is_file, several)) else whole:
        if not is_file(library):
            raise UserError(f"scene {scene}:{line}: its material file {library} does not exist")
        found |= _read(library, scene.parent)
    return found


def _beside(folder: Path, name: str) -> Path:
    """A file by the name that one in ``folder`` gives it, which may be written as on Windows."""
    path = folder / name
    return path if is_file(path) else folder / name.replace("\\", "/")


def _read(library: Path, folder: Path) -> dict[str, Material]:
    """The materials of one file; images lie beside it, or in the scene's ``folder``."""
    found: dict[str, Material] = {}
    material = Material()
    for number, line in text_lines(library):
        key, value = line.split()[0].lower(), line.strip().partition(line.split()[0])[2].strip()
        if key == "newmtl":
            material = found[" ".join(value.split())] = Material()
        elif key == "kd":
            material.colour = _colour(value, f"{library}:{number}")
        elif key == "map_kd":
            material.where = f"{library}:{number}"
            material.image = _image((library.parent, folder), value, material.where)
    return found


def _colour(text: str, where: str) -> tuple[int, int, int]:
    """RGB 0..255 of numbers from 0 to 1, three or one for all. Raises :class:`UserError`."""
    try:
        values = np.array([float(word) for word in text.split()])
    except ValueError:
        values = np.zeros(0)
    if len(values) not in (1, 3) or not np.isfinite(values).all():
        raise UserError(f"{where}: Kd {shortened(text)}: write Kd r g b with numbers from 0 to 1")
    red, green, blue = np.broadcast_to(np.rint(np.clip(values, 0, 1) * 255), 3).astype(int).tolist()
    return red, green, blue


def _image(folders: tuple[Path, ...], name: str, where: str) -> Path:
    paths = [_beside(folder, name) for folder in folders]
    for path in paths:
        if is_file(path):
            return path
    hint = " (options of map_Kd are not supported)" if name.startswith("-") else ""
    raise UserError(f"{where}: image {paths[0]} does not exist{hint}")
