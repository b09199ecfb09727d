# SPDX-License-Identifier: Apache-2.0
"""Bounds of what is stored in a tile, and the tiles that cannot pass by them."""

from typing import Any

from configs.depth import D16, D24X8, EQUAL, GEQUAL, GREATER, LEQUAL, LESS, NEVER, PIXELS
from models.kernels import kernel
from models.zcache.state import State


@kernel
def code(depth: int, depth_format: int, bits: int) -> int:
    """The top ``bits`` bits of the depth that a word holds."""
    width = 24 if depth_format == D24X8 else 16 if depth_format == D16 else 32
    return (int(depth) & ((1 << width) - 1)) >> (width - bits)


@kernel
def note_codes(state: State, word: Any) -> None:
    """The lowest and the highest code of the covered pixels of a word that is taken."""
    bits = state.settings.bound_bits
    word.low, word.high = (1 << bits) - 1, 0
    for pixel in range(PIXELS):
        if word.mask >> pixel & 1:
            new = code(word.depth[pixel], word.format, bits)
            word.low, word.high = min(word.low, new), max(word.high, new)


@kernel
def counts(state: State, number: int) -> bool:
    """Whether a tile's bounds do."""
    return bool(state.now.bounding and number < state.settings.bounds and number < state.now.surface)


@kernel
def learn(state: State, word: Any, line: Any) -> None:
    """T1's first cycle of an access without error, what it stores being in its line."""
    if not counts(state, word.number):
        return
    bound, bits = state.bound[word.number], state.settings.bound_bits
    low, high = (1 << bits) - 1, 0
    for pixel in range(PIXELS):
        stored = code(line.data[pixel], word.format, bits)
        low, high = min(low, stored), max(high, stored)
    bound.learnt, bound.format, bound.low, bound.high = 1, word.format, low, high


@kernel
def cannot_pass(state: State, word: Any) -> bool:
    """Whether no pixel of a tile can, whatever exactly is stored."""
    if not counts(state, word.number):
        return False
    bound, function = state.bound[word.number], word.func
    if bound.learnt and bound.format != word.format:
        return False
    low, high = int(bound.low), int(bound.high)
    if not bound.learnt:
        low = high = code(state.blank[0], word.format, state.settings.bound_bits)
    above, below = word.low > high, word.high < low
    if function == NEVER:
        return True
    if function == EQUAL:
        return bool(above or below)
    if function in (LESS, LEQUAL):
        return bool(above)
    return bool(below) if function in (GREATER, GEQUAL) else False
