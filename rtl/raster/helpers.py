# SPDX-License-Identifier: Apache-2.0
"""What the raster templates need beyond the configuration: widths, bundles, places in a tile."""

from configs.depth import PIXELS, SIDE, state_fields
from configs.ports import Field, Stream
from configs.raster.schema import PLACE_BITS, Config

DIFFERENCE_BITS = PLACE_BITS + 1  # of two coordinates, signed
EDGE_BITS = 40  # of an edge function in units of 1/256 of its steps, signed
DEPTH_BITS = 60  # of a depth with 24 fraction bits, and of its gradients: modulo 2**60
QUOTIENT_BITS = 84  # that the dividers give, of which the low 60 are kept
AREA_BITS = 46  # of twice the area of a triangle, the dividers' largest divisor
PIXEL_BITS = 16  # of a pixel's column or row anywhere, signed


def corner() -> Stream:
    """A vertex."""
    axes = tuple(Field(axis, PLACE_BITS, signed=True) for axis in "xy")
    return Stream("corner", "in", (*axes, Field("z", 32)))


def state() -> Stream:
    """The state that travels with a primitive's tiles."""
    return Stream("state", "in", state_fields())


def place(cfg: Config) -> Stream:
    """Where a tile lies, in tiles."""
    bits = cfg.coordinate_bits
    return Stream("place", "in", (Field("x", bits), Field("y", bits)))


def digit_bits(cfg: Config) -> int:
    """Bits of a quotient that a divider gives in a cycle."""
    return cfg.radix.bit_length() - 1


def setup_cycles(cfg: Config) -> int:
    """Cycles of the set-up of a line or triangle."""
    return 9 + QUOTIENT_BITS // digit_bits(cfg)


def pixels() -> tuple[tuple[int, int, int], ...]:
    """Number, column and row of each pixel of a tile."""
    return tuple((n, n % SIDE, n // SIDE) for n in range(PIXELS))
