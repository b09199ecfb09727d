# SPDX-License-Identifier: Apache-2.0
"""Material files of OBJ files: colour, opacity and image of each material."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from configs import UserError
from utils.errors import shortened
from utils.files import is_file
from workloads.scenes.loader_part import GREY, MOST_TEXT, ImageFile, check_count, check_size, find_file
from workloads.scenes.scene import CLAMP, REPEAT

_UTF16 = (b"\xff\xfe", b"\xfe\xff")
MOST_LINE = 1 << 20  # characters of a line
MOST_FILES = 64  # of a line mtllib
MOST_KINDS = 20  # of lines left out that are named
#: options of map_Kd, and how many words follow them: at least and at most
_OPTIONS = {
    "-blendu": (1, 1), "-blendv": (1, 1), "-bm": (1, 1), "-boost": (1, 1), "-cc": (1, 1), "-clamp": (1, 1),
    "-colorspace": (1, 1), "-imfchan": (1, 1), "-mm": (2, 2), "-o": (1, 3), "-s": (1, 3), "-t": (1, 3),
    "-texres": (1, 1), "-type": (1, 1),
}  # fmt: skip
_NO_IMAGE = ("newmtl", "ka", "kd", "ks", "ke", "tf", "ns", "ni", "d", "tr", "illum", "sharpness", "map_kd")


@dataclass
class Material:
    """One ``colour``, or an ``image`` of which the corner at ``offset`` + ``scale`` * uv is seen."""

    image: ImageFile | None = None
    colour: tuple[int, int, int] = GREY
    transparent: bool = False
    wrap: int = REPEAT
    scale: tuple[float, float] = (1.0, 1.0)
    offset: tuple[float, float] = (0.0, 0.0)


def text_lines(path: Path) -> Iterator[tuple[int, str]]:
    """Number and text of each line that is not empty and no comment; a backslash at its end continues a line.

    A line is UTF-8, or Latin-1 where that is no UTF-8; a file that begins with the mark of UTF-16 is that.
    Raises :class:`UserError` for a file or a line that is too long.
    """
    check_size(path, MOST_TEXT)
    with path.open("rb") as file:
        wide = file.read(2) in _UTF16
    encoding, errors = ("utf-16", "replace") if wide else ("utf-8-sig", "surrogateescape")
    with path.open(encoding=encoding, errors=errors) as file:
        number = 1
        while line := file.readline(MOST_LINE + 1):
            pieces, length = [line], len(line)
            while line.endswith("\\\n") and length <= MOST_LINE:
                line = file.readline(MOST_LINE + 1)
                pieces.append(line)
                length += len(line)
            if length > MOST_LINE:
                raise UserError(f"{path}:{number}: a line has more than {MOST_LINE:,} characters")
            text = " ".join(_decoded(piece).removesuffix("\n").removesuffix("\\") for piece in pieces)
            if text.strip() and not text.lstrip().startswith("#"):
                yield number, text
            number += len(pieces)


def _decoded(line: str) -> str:
    """A line, as Latin-1 if its bytes are no UTF-8."""
    if line.isascii():
        return line
    try:
        line.encode()
    except UnicodeEncodeError:
        return line.encode(errors="surrogateescape").decode("latin-1")
    return line


def readings(name: str) -> list[str]:
    """A name that may end in a comment, or have a # of its own: all of it first, then ever less."""
    pieces = name.split(" #", maxsplit=3)
    return [" #".join(pieces[:count]).strip() for count in range(len(pieces), 0, -1)]


def read_materials(scene: Path, line: int, words: list[str]) -> tuple[dict[str, Material], list[str]]:
    """The materials of the files that a line ``mtllib`` of ``scene`` names, by name, and notes.

    The line names several files, or one with blanks. Raises :class:`UserError` for files that are malformed.
    """
    names = readings(" ".join(words))
    choices = [several for name in names for several in ([name], name.split(maxsplit=MOST_FILES))]
    paths = [[find_file(scene.parent, name) for name in several if name] for several in choices]
    materials: dict[str, Material] = {}
    notes: list[str] = []
    chosen = [some for rule in (all, any) for some in paths if rule(map(is_file, some))]
    for library in chosen[0] if chosen else paths[-2]:
        if is_file(library):
            materials |= _read(library, scene.parent, notes)
        else:
            notes.append(f"line {line}: its material file {shortened(str(library), 200)} does not exist")
    return materials, notes


def _read(library: Path, folder: Path, notes: list[str]) -> dict[str, Material]:
    """The materials of one file; images lie beside it, or in the scene's ``folder``."""
    materials: dict[str, Material] = {}
    material = Material()
    ignored: dict[str, None] = {}
    for number, line in text_lines(library):
        word = line.split()[0]
        key, value, where = word.lower(), line.strip().removeprefix(word).strip(), f"{library}:{number}"
        if key == "newmtl":
            material = materials[" ".join(value.split())] = Material()
            check_count(library, 0, len(materials))
        elif key == "kd":
            material.colour = _colour(value.partition("#")[0], where)
        elif key in ("d", "tr"):
            material.transparent = 0 < _opacity(value.partition("#")[0], key, where) < 1
        elif key == "map_kd":
            _map(material, (library.parent, folder), value, where)
            if material.image is None:
                notes.append(f"{where}: map_Kd names no image; drawn in the colour of the material")
        elif key not in _NO_IMAGE and len(ignored) < MOST_KINDS:
            ignored[shortened(word)] = None
    if ignored:
        notes.append(f"{library.name}: only map_Kd is drawn; left out: {shortened(', '.join(ignored), 200)}")
    return materials


def _opacity(text: str, key: str, where: str) -> float:
    """Opacity 0..1 of a line ``d [-halo] value`` or ``Tr value``. Raises :class:`UserError`."""
    value = _numbers(text.removeprefix("-halo").split())
    if len(value) != 1:
        raise UserError(f"{where}: {key} {shortened(text)}: write {key} and a number from 0 to 1")
    return value[0] if key == "d" else 1 - value[0]


def _numbers(words: list[str]) -> list[float]:
    """Finite numbers, none if a word is no such number."""
    try:
        values = [float(word) for word in words]
    except ValueError:
        return []
    return values if all(map(math.isfinite, values)) else []


def _colour(text: str, where: str) -> tuple[int, int, int]:
    """RGB 0..255 of numbers from 0 to 1, three or one for all. Raises :class:`UserError`."""
    values = _numbers(text.split())
    if len(values) not in (1, 3):
        raise UserError(f"{where}: Kd {shortened(text)}: write Kd r g b with numbers from 0 to 1")
    red, green, blue = np.broadcast_to(np.rint(np.clip(values, 0, 1) * 255), 3).astype(int).tolist()
    return red, green, blue


def _map(material: Material, folders: tuple[Path, ...], value: str, where: str) -> None:
    """Sets the image of a material and where it lies. Raises :class:`UserError` for unknown options."""
    options: dict[str, list[str]] = {}
    name = value
    while name.startswith("-") and not _existing(folders, name):
        option, *words = name.split()
        if option.lower() not in _OPTIONS:
            raise UserError(f"{where}: map_Kd has no option {shortened(option)}: {' '.join(_OPTIONS)}")
        least, most = _OPTIONS[option.lower()]
        if len(words) < least:
            raise UserError(f"{where}: map_Kd {option}: a value is missing behind it")
        count = least
        while count < most and _numbers(words[count : count + 1]):
            count += 1
        options[option.lower()] = words[:count]
        name = name.split(maxsplit=count + 1)[count + 1] if len(words) > count else ""
    material.image = None
    names = readings(name)
    path = next(filter(None, (_existing(folders, reading) for reading in names)), None)
    if path is None and names[-1] and not names[-1].startswith("#"):
        path = folders[0] / names[-1]
    if path is not None:
        material.image = ImageFile(path, path.stem, where, path)
    material.wrap = CLAMP if options.get("-clamp", ["off"])[0].lower() == "on" else REPEAT
    material.scale = _pair(options, "-s", 1.0, where)
    material.offset = _pair(options, "-o", 0.0, where)


def _existing(folders: tuple[Path, ...], name: str) -> Path | None:
    paths = (find_file(folder, name) for folder in folders)
    return next((path for path in paths if is_file(path)), None)


def _pair(options: dict[str, list[str]], option: str, default: float, where: str) -> tuple[float, float]:
    """The first two numbers of an option. Raises :class:`UserError` if they are none."""
    words = options.get(option, [str(default)])
    values = _numbers(words)
    if not values:
        raise UserError(f"{where}: map_Kd {option} {shortened(' '.join(words))}: write {option} u v")
    return values[0], values[1] if len(values) > 1 else default
