# SPDX-License-Identifier: Apache-2.0
"""What ``zcache`` computes, without a cache: tiles one after the other on the words of memory."""

import operator
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from configs.depth import BASE, CLEAR, PIXELS, SIDE, TILE
from configs.zcache.schema import Config
from models.memory import Memory

FUNCTIONS = (
    lambda new, old: np.zeros(new.shape, bool), operator.lt, operator.eq, operator.le,
    operator.gt, operator.ne, operator.ge, lambda new, old: np.ones(new.shape, bool),
)  # fmt: skip
BITS = (0xFFFFFF, 0xFFFFFFFF, 0xFFFF)  # of a word that are a depth, by format


class Lines(Protocol):
    """A memory: the ``words`` of a line. :class:`models.memory.Memory` is one."""

    def line(self, address: int, words: int, /) -> NDArray[np.uint32]:
        """``address``: byte address / bytes of a line."""
        ...


class AccessOutcome(NamedTuple):
    """``passed`` [words]; ``lines``: those that were written, by line address, of 16 words each; ``surface``
    of the last base: its first line, tiles of a row, tiles.
    """

    passed: NDArray[np.int64]
    lines: dict[int, NDArray[np.uint32]]
    surface: tuple[int, int, int]


def functional(cfg: Config, words: NDArray[Any], memory: Lines, kill: ArrayLike = 0) -> AccessOutcome:
    """WORD array [n] in order, without errors of memory; ``kill`` [n] are the shader's words."""
    surface, passed, lines = (0, 1, 1), np.zeros(len(words), np.int64), dict[int, NDArray[np.uint32]]()
    top, pixels = 1 << cfg.tile_bits, np.arange(PIXELS)
    for at, (word, killed) in enumerate(zip(words, np.broadcast_to(kill, len(words)), strict=True)):
        base, pitch, tiles = surface
        if word["op"] == BASE:
            pitch, tiles = int(word["depth"][1]), int(word["depth"][2])
            surface = int(word["depth"][0]) >> 6, pitch % (2 << cfg.coordinate_bits), tiles % (2 * top)
        elif word["op"] == CLEAR:
            lines |= {(base + n) % (1 << 26): np.repeat(word["depth"][:1], PIXELS) for n in range(tiles)}
        elif word["op"] == TILE:
            live = int(word["mask"]) & ~int(killed)
            passed[at] = live
            if word["test"]:
                line = (base + (int(word["y"]) * pitch + int(word["x"])) % top) % (1 << 26)
                old, bits = lines.get(line, memory.line(line, PIXELS)), np.uint32(BITS[word["format"]])
                good = FUNCTIONS[word["func"]](word["depth"] & bits, old & bits) & (live >> pixels & 1 == 1)
                passed[at] = int((good << pixels).sum())
                if word["write"]:
                    lines[line] = np.where(good, (old & ~bits) | (word["depth"] & bits), old)
    return AccessOutcome(passed, lines, surface)


def depth_buffer(
    cfg: Config, words: NDArray[Any], memory: Memory, kill: ArrayLike = 0
) -> dict[str, NDArray[Any]]:
    """The surface of the last base after all words: ``depth`` [4 * rows, 4 * pitch], a word for each pixel,
    and its byte address, ``base`` ().
    """
    outcome = functional(cfg, words, memory, kill)
    base, pitch, tiles = outcome.surface
    rows, pitch = -(-tiles // max(pitch, 1)), max(pitch, 1)
    lines = (base + np.arange(rows * pitch)) % (1 << 26)
    stored = memory.read_many(lines[:, None] * PIXELS + np.arange(PIXELS))
    for row, line in enumerate(lines.tolist()):
        if line in outcome.lines:
            stored[row] = outcome.lines[line]
    depth = stored.reshape(rows, pitch, SIDE, SIDE).swapaxes(1, 2).reshape(rows * SIDE, pitch * SIDE)
    return {"depth": depth, "base": np.array(base << 6)}
