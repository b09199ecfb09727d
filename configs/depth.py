# SPDX-License-Identifier: Apache-2.0
"""What the blocks of a depth pipeline have in common: tiles of 4x4 pixels, compare functions, formats."""

from configs.ports import Field as Bits

SIDE = 4  # pixels of a tile's side
PIXELS = SIDE * SIDE
OPS = ("tile", "flush", "clear", "base")
TILE, FLUSH, CLEAR, BASE = range(4)
FUNCTIONS = ("never", "less", "equal", "lequal", "greater", "notequal", "gequal", "always")
NEVER, LESS, EQUAL, LEQUAL, GREATER, NOTEQUAL, GEQUAL, ALWAYS = range(8)
FORMATS = ("d24x8", "d32", "d16")
D24X8, D32, D16 = range(3)
_ARGUMENTS = {
    0: "; of clear, the value; of base, the address of tile 0",
    1: "; of base, the tiles of a row",
    2: "; of base, the tiles of the surface",
}


def state_fields() -> tuple[Bits, ...]:
    """The state that travels with a tile."""
    return (
        Bits("test", 1, doc="0: no test, all covered pixels pass, memory is not touched"),
        Bits("func", 3, doc="how a pixel's depth compares with the stored one", names=FUNCTIONS),
        Bits("write", 1, doc="depths that pass are stored"),
        Bits("format", 2, doc="what a depth is: the low 24, 32 or 16 bits of its word", names=FORMATS),
    )


def place_fields(coordinate_bits: int) -> tuple[Bits, ...]:
    """Where a tile lies, in tiles."""
    return (
        Bits("x", coordinate_bits, doc="column of the tile"),
        Bits("y", coordinate_bits, doc="row of the tile"),
    )


def tile_fields(coordinate_bits: int) -> tuple[Bits, ...]:
    """The fields of a stream of tiles, and of the barriers between them."""
    return (
        Bits("op", 2, doc=", ".join(f"{n} {name}" for n, name in enumerate(OPS)), names=OPS),
        *place_fields(coordinate_bits),
        Bits("mask", PIXELS, doc="pixels that are covered, a row of 4 after the other"),
        *state_fields(),
        *(Bits(f"depth{n}", 32, doc=f"of pixel {n}{_ARGUMENTS.get(n, '')}") for n in range(PIXELS)),
    )
