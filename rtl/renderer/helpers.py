# SPDX-License-Identifier: Apache-2.0
"""What the renderer templates need beyond the configuration: which pixels of a tile a quad has, and where."""

from configs.depth import SIDE
from configs.renderer.schema import QUADS, Config


def pixels(quad: int) -> tuple[int, ...]:
    """Pixels of the tile that a quad has: upper left, upper right, lower left, lower right."""
    first = quad // 2 * 2 * SIDE + quad % 2 * 2
    return first, first + 1, first + SIDE, first + SIDE + 1


def quads_of(cfg: Config, unit: int) -> tuple[int, ...]:
    """Quads of a tile that a texture unit samples."""
    return tuple(range(unit, QUADS, cfg.texunit.units))


def unit_of(cfg: Config, quad: int) -> int:
    """The texture unit that samples a quad."""
    return quad % cfg.texunit.units
