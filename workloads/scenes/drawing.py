# SPDX-License-Identifier: Apache-2.0
"""From a draw list to what texture units are given: quads, tested for depth before texturing or after it."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from configs import UserError
from models.depth import EARLY, WHEN, cleared, run_test, states
from models.rasterizer import rasterize_quads
from models.sampler import BILINEAR, sample
from workloads.scenes.scene import DrawList
from workloads.textures import Texture

ONE = 1 << 16  # a coordinate of 1.0


class Drawn(NamedTuple):
    """SCREEN_QUAD [n] of which ``valid`` pixels are textured, and those of them that are ``shown`` [n]."""

    quads: NDArray[Any]
    shown: NDArray[np.uint8]


def check_depth(depth: str) -> None:
    """Raises :class:`UserError` for a time of the depth test that there is not."""
    if depth not in WHEN:
        raise UserError(f"depth {depth!r}: choose one of {', '.join(WHEN)}")


def draw(
    drawing: DrawList, textures: Sequence[Texture], size: tuple[int, int], tile: int, depth: str, clear: int
) -> Drawn:
    """Draws on a screen of ``size`` in tiles of ``tile`` pixels (0: none), with depth cleared to ``clear``.

    ``depth`` "early": what passes is textured, "late": what is covered. Either way what passes and is not
    killed by its alpha is shown. Raises :class:`UserError`.
    """
    check_depth(depth)
    sides = np.array([texture.side for texture in textures], np.int64)[drawing.texture]
    late = depth != EARLY or bool(drawing.kill.any())
    quads = rasterize_quads(
        drawing.clip_space, drawing.uv, sides, drawing.flags, *size, tile,
        compare=drawing.compare, clear=clear, late=late,
    )  # fmt: skip
    if not late:
        return Drawn(quads, quads["valid"].copy())
    killed = _killed(drawing, textures, quads)
    passed = run_test(quads, states(drawing.flags, drawing.compare), killed, cleared(*size, clear))
    if depth == EARLY:  # the test was put off for the alpha alone
        textured = passed != 0
        quads, passed, killed = quads[textured], passed[textured], killed[textured]
        quads["valid"] = passed
    return Drawn(quads, passed & ~killed)


def pixels_of(masks: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """``masks`` [n] of a bit per pixel as [n, 4]."""
    return (masks[:, None] >> np.arange(4) & 1).astype(bool)


def _killed(drawing: DrawList, textures: Sequence[Texture], quads: NDArray[Any]) -> NDArray[np.uint8]:
    """Pixels whose alpha is below what their triangle asks for, masks [n].

    The alpha is that of a bilinear sample at the level of the quad, whatever the unit under test samples, so
    that a scene has the same holes for all.
    """
    killed = np.zeros(len(quads), np.uint8)
    tested = np.flatnonzero(drawing.kill[quads["prim"]])
    kind = np.column_stack([drawing.texture, drawing.wrap])[quads["prim"][tested]]
    for texture, mode_u, mode_v in np.unique(kind, axis=0):
        here = tested[(kind == (texture, mode_u, mode_v)).all(axis=1)]
        uv = np.clip(np.rint(quads["uv"][here] * ONE), -(1 << 31), (1 << 31) - 1)
        lod = np.repeat(quads["lod"][here], 4)
        modes = int(mode_u), int(mode_v)
        colours = sample(textures[texture].levels, uv.reshape(-1, 2), lod, modes=modes, filtering=BILINEAR)
        below = colours[:, 3].reshape(-1, 4) < drawing.kill[quads["prim"][here], None]
        killed[here] = below @ (1 << np.arange(4))
    return killed
