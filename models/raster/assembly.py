# SPDX-License-Identifier: Apache-2.0
"""Words of ``vtx`` in order: vertices become primitives, and those words of ``tile``."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from configs.raster.schema import (
    BEGIN,
    FAN,
    LINE_STRIP,
    LINES,
    PASS,
    POINTS,
    RESTART,
    STRIP,
    TRIANGLES,
)
from models.kernels import allocating
from models.raster.lines import draw_line, draw_point
from models.raster.records import TILE, Machine, X, Y, Z, start_word, with_room
from models.raster.triangles import area_of, draw_triangle

SHORT = 2  # cycles of set-up of a point and a passed word
FLAT = 4  # of a triangle of area 0, and of a line without a length


@allocating
def rasterize(machine: Machine, words: NDArray[Any], work: NDArray[Any]) -> NDArray[Any]:
    """VERTEX ``words`` [n] in order, their WORK into ``work`` [n]; returns the TILE array that they give."""
    out = np.empty(max(64, 4 * len(words)), TILE)
    count = 0
    for i in range(len(words)):
        word, done = words[i], work[i]
        done.setup, done.walk, done.primitive, done.words, done.pixels, done.visited = 0, 0, 0, 0, 0, 0
        before = count
        if word.op == BEGIN:
            begin(machine.state[0], word)
        elif word.op == RESTART:
            machine.state[0].held = 0
        elif word.op == PASS:
            out = with_room(out, count, 1)
            pass_on(machine, word, out[count])
            count += 1
            done.setup, done.walk = SHORT, 1
        elif completes(machine, word):
            out, count = draw(machine, done, out, count)
            machine.state[0].prim += 1
        done.words = count - before
    return out[:count].copy()


@allocating
def begin(state: Any, word: Any) -> None:
    """What follows is of another kind."""
    state.topology = word.topology
    state.test, state.func, state.write, state.format = word.test, word.func, word.write, word.format
    state.width, state.height = word.x, word.y
    state.held, state.prim = 0, 0


@allocating
def pass_on(machine: Machine, word: Any, out: Any) -> None:
    """A word that goes by: its command and three arguments."""
    start_word(out, machine.state[0], 0, 0)
    out.op = word.command
    out.test, out.func, out.write, out.format, out.prim = 0, 0, 0, 0, 0
    out.depth[0] = word.z
    out.depth[1], out.depth[2] = np.uint32(word.x), np.uint32(word.y)


@allocating
def completes(machine: Machine, word: Any) -> bool:
    """Takes a vertex; whether it completes a primitive, whose corners ``machine.corners`` then are.

    Two vertices of a strip, the first and the last one of a fan, stay for the next primitive.
    """
    state, corners = machine.state[0], machine.corners
    corner = corners[state.held]
    corner[X], corner[Y], corner[Z] = word.x, word.y, word.z
    state.held += 1
    if state.topology == POINTS:
        needed = 1
    elif state.topology in (LINES, LINE_STRIP):
        needed = 2
    else:
        needed = 3
    return state.held == needed


@allocating
def keep(state: Any, corners: NDArray[np.int64]) -> None:
    """After a primitive: which of its vertices begin the next one."""
    last = corners[state.held - 1].copy()
    if state.topology == STRIP:
        corners[0] = corners[1]
        corners[1] = last
        state.held = 2
    elif state.topology == FAN:
        corners[1] = last
        state.held = 2
    elif state.topology == LINE_STRIP:
        corners[0] = last
        state.held = 1
    else:
        state.held = 0


@allocating
def draw(machine: Machine, done: Any, out: NDArray[Any], count: int) -> tuple[NDArray[Any], int]:
    """Draws the primitive that is complete, into ``out`` from ``count`` on."""
    state, before = machine.state[0], count
    corners = machine.corners.copy()
    keep(state, machine.corners)
    done.primitive = 1
    done.setup = FLAT
    if state.topology == POINTS:
        done.setup = SHORT
        out, count = draw_point(machine, corners[0], out, count)
        done.walk, done.pixels = 1, count - before
    elif state.topology in (LINES, LINE_STRIP):
        a, b = corners[0], corners[1]
        if a[X] != b[X] or a[Y] != b[Y]:
            done.setup = machine.setup
            out, count, done.pixels, done.walk = draw_line(machine, a, b, out, count)
    elif area_of(corners) != 0:
        done.setup = machine.setup
        out, count, done.pixels, done.walk = draw_triangle(machine, corners, out, count)
    done.visited = done.walk if state.topology >= TRIANGLES else count - before
    return out, count
