# SPDX-License-Identifier: Apache-2.0
"""The program that a command line names, and memory before it runs."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from configs import UserError
from configs.lpas.schema import Config
from workloads.lpas.assembler import TILED, Place, Program, read_program
from workloads.lpas.golden import memory_size
from workloads.lpas.images import DEFAULT, SIDE, Grey

SOURCES = Path(__file__).parent / "sources"
SUFFIX = ".pe"
#: built-in programs
PROGRAMS = {
    "cooccurrence": "the source's application: PE 15 loads the image, all count, PE 15 sums and squares",
    "cooccurrence-lines": "the same, but each PE's cache fetches its rows by lines",
    "conflict": "eight PEs store to one cache again and again: who waits",
    "ping-pong": "two PEs hand a word to and fro",
    "pollers": "three PEs poll a cache of their row, a far one never gets at it: local priority hangs",
}
ROWS_OF_A_PE = 4


@dataclass(frozen=True)
class Loaded:
    """``words`` uint16: memory before. ``image``: what lies in it, if the program has one."""

    program: Program
    words: NDArray[np.uint16]
    image: Grey | None


def load_program(cfg: Config, name: str, image: str = "") -> Loaded:
    """A built-in program or a file; ``image``: a texture's name or a file. Raises :class:`UserError`."""
    path = SOURCES / f"{name}{SUFFIX}" if name in PROGRAMS else Path(name)
    if path.suffix != SUFFIX:
        raise UserError(f"unknown program '{name}': {', '.join(PROGRAMS)}, or a file in {SUFFIX}")
    return prepare(cfg, read_program(path), image)


def prepare(cfg: Config, program: Program, image: str = "") -> Loaded:
    """Memory for ``program``. Raises :class:`UserError` for what does not fit ``cfg``."""
    if program.pes not in (None, cfg.pes):
        raise UserError(f"{program.name}: needs {program.pes} PEs, {cfg.name} has {cfg.pes}")
    words = np.zeros(memory_size(cfg), np.uint16)
    if program.image is None and image:
        raise UserError(f"{program.name}: has no .image, so IMAGE={image} has no place")
    grey = Grey(image or DEFAULT) if program.image else None
    places = np.array(list(program.words), np.int64)
    pixels = image_words(program.image) if program.image else np.zeros(0, np.int64)
    for line, directive, last in program.reaches:
        if last >= len(words):
            raise UserError(
                f"{program.name}:{line}: {directive}: word {last:#x} is beyond the memory of {cfg.name}, "
                f"which has {len(words):#x}"
            )
    words[places] = list(program.words.values())
    if grey:
        words[pixels] = grey.pixels
    return Loaded(program, words, grey)


def image_words(place: Place) -> NDArray[np.int64]:
    """Word address [64, 64] of each pixel.

    Tiled: rows 4k to 4k + 3 in the lines of cache k (of 4x4 caches of 32 lines of 16 words), row 4k + i,
    column x in line 4i + x / 16, word x % 16.
    """
    y, x = np.indices((SIDE, SIDE))
    if place.layout != TILED:
        return place.address + SIDE * y + x
    line = 4 * (y % ROWS_OF_A_PE) + x // 16
    return place.address + (line << 8 | (y // ROWS_OF_A_PE) << 4 | x % 16)
