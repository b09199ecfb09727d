# SPDX-License-Identifier: Apache-2.0
"""Hypothesis strategies: small machines, tables and footprints that collide often."""

from typing import Any

import numpy as np
from hypothesis import settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from configs import load
from models.texcache import FOOTPRINT

SIDE = 32
TEXTURES = 3  # most that random footprints use

#: for tests of kernels: the first example may have to wait for the compiler
COMPILED = settings(deadline=None)

#: overrides of caches of the SIMT processor: their own ways and sets, others, one of each
SHAPES = st.sampled_from(["", "ways=1", "ways=3", "sets=1", "ways=6 sets=1", "ways=1 sets=1"]).map(str.split)


@st.composite
def machines(draw: st.DrawFn) -> Any:
    """A texcache of a few sets, every feature drawn; ways from three values, as each is compiled once."""
    values = {
        "banks": draw(st.sampled_from([1, 2, 4, 8])),
        "ways": draw(st.sampled_from([1, 2, 4])),
        "sets": draw(st.sampled_from([2, 4])),
        "line_bytes": draw(st.sampled_from([16, 32, 64])),
        "lookup": draw(st.sampled_from(["row", "texel"])),
        "layout": draw(st.sampled_from(["row-major", "tile4x4", "morton"])),
        "small_side": draw(st.sampled_from([1, 4, 8, 32])),
        "max_side": SIDE,
        "textures": 2,
        "axi.data_bits": 32,
    }
    if draw(st.integers(0, 3)) == 0:
        values |= {"banking": "parity", "banks": 4, "lookup": "row", "small_side": 1}
    return load("texcache", "paper", [f"{name}={value}" for name, value in values.items()])


def tables(cfg: Any) -> st.SearchStrategy[NDArray[np.uint32]]:
    """Look-up tables of any line addresses, close together or up to the end of the address space."""
    last = (1 << cfg.cache.line_bits) - 1
    line = st.one_of(st.integers(0, 64), st.integers(last - 64, last), st.integers(0, last))
    count = cfg.textures * cfg.levels
    lines = st.lists(line, min_size=count, max_size=count)
    return lines.map(lambda drawn: np.array(drawn, np.uint32).reshape(cfg.textures, cfg.levels))


def footprints(cfg: Any, most: int = 60) -> st.SearchStrategy[NDArray[Any]]:
    """FOOTPRINT arrays: mostly close to each other and to the edges, sometimes as far as coordinates go."""
    reach = 2 * cfg.max_side
    coordinate = st.one_of(
        st.integers(-2, 9), st.integers(cfg.max_side - 2, cfg.max_side + 1), st.integers(-reach, reach - 1)
    )
    mode = st.integers(0, 2)
    footprint = st.tuples(
        st.integers(0, cfg.textures - 1), st.integers(0, cfg.levels - 1), mode, mode, coordinate, coordinate
    )
    return st.lists(footprint, min_size=1, max_size=most).map(lambda drawn: np.array(drawn, FOOTPRINT))


def random_footprints(cfg: Any, count: int, seed: int) -> NDArray[Any]:
    """Half a walk in small steps, half jumps; all levels and modes, a few textures, beyond the edges too."""
    rng = np.random.default_rng(seed)
    result = np.zeros(count, FOOTPRINT)
    reach = 2 * cfg.max_side
    limits = {"tex": min(TEXTURES, cfg.textures), "level": cfg.levels, "mode_u": 3, "mode_v": 3}
    for name, high in limits.items():
        result[name] = rng.integers(0, high, count)
    walk = rng.integers(-2, 4, (2, count)).cumsum(axis=1)
    jump = rng.integers(-reach, reach, (2, count))
    near = np.arange(count) // 500 % 2 == 0
    for name, axis in (("u", 0), ("v", 1)):
        result[name] = np.where(near, (walk[axis] + reach) % (2 * reach) - reach, jump[axis])
    for name in ("tex", "level"):
        result[name][near] = result[name][near][0]
    return result
