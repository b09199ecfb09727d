# SPDX-License-Identifier: Apache-2.0
"""What the texpipe templates need beyond the configuration: streams of one unit, what goes with a pixel."""

from dataclasses import replace

from configs.ports import Field, Stream
from configs.texpipe.schema import BANKS, PRIMS, Config

PRIM_BITS = PRIMS.bit_length() - 1  # of a primitive's number
ASKING = 8  # pixels whose lines are still to be asked for


def stream(cfg: Config, name: str) -> Stream:
    """Stream ``name`` of any unit, without the unit's number."""
    return replace(cfg.all_streams[f"{name}0"], name=name)


def word(cfg: Config) -> int:
    """Bits of what goes from the rasterizer to the texture unit: a primitive or a quad, and which it is."""
    return 1 + max(stream(cfg, "prim").width, stream(cfg, "quad").width)


def quad() -> Stream:
    """A quad on its way to its level."""
    return Stream(
        "quad", "out", (Field("prim", PRIM_BITS, doc="number of its primitive"), Field("valid", 4), *_uv())
    )


def levelled(cfg: Config) -> Stream:
    """A quad with its level, the place of that mip, and its primitive's number."""
    fraction = (Field("fraction", 8, doc="of the level, if two are mixed"),) * cfg.trilinear
    return Stream("quad", "out", (*quad().fields, Field("lod", 4), Field("offset", 18), *fraction))


def _uv() -> tuple[Field, ...]:
    return tuple(Field(f"{axis}{n}", 32, True) for n in range(4) for axis in "uv")


def _ends() -> tuple[Field, ...]:
    return (
        Field("number", 2, doc="pixel of the quad"),
        Field("last", 1, doc="last pixel of its quad"),
        Field("none", 1, doc="the quad has no valid pixel: nothing to sample"),
    )


def _levels(cfg: Config) -> tuple[Field, ...]:
    """With a trilinear filter: a pixel is one beat, or two, on its level and on the next one."""
    return (
        Field("more", 1, doc="the next beat is of the same pixel, on the next level"),
        Field("fraction", 8, doc="of the level, in the second of two beats; else 0"),
    ) * cfg.trilinear


def pixel(cfg: Config) -> Stream:
    """What the coordinate stage hands on: the texels of a pixel by their places in the mip."""
    places = tuple(Field(name, cfg.max_log2) for name in ("x0", "y0", "x1", "y1"))
    return Stream(
        "pixel", "out",
        (
            *places, Field("weight_u", 8), Field("weight_v", 8), *_ends(), *_levels(cfg),
            Field("prim", PRIM_BITS, doc="number of its primitive"),
            Field("offset", 18, doc="of the mip, in tiles of 16 texels"),
            Field("tiles", 4, doc="log2 of the mip's tiles in a row"),
        ),
    )  # fmt: skip


def sample(cfg: Config) -> Stream:
    """What goes with a pixel past the cache: where its texels are in the lines, and what becomes of them.

    The lowest four bits of a texel's place tell its bank and its bytes there.
    """
    places = tuple(Field(name, 4) for name in ("x0", "y0", "x1", "y1"))
    return Stream(
        "sample", "out",
        (
            *places, Field("weight_u", 8), Field("weight_v", 8), *_ends(), *_levels(cfg), Field("format", 2),
            Field("slot", cfg.slot_bits, doc="of its colour table"),
        ),
    )  # fmt: skip


_ERROR = Field("error", 1, doc="a line came with an AXI error")


def marks(cfg: Config) -> Stream:
    """What goes with a pixel in the filter."""
    return Stream("marks", "out", (*_ends(), *_levels(cfg), _ERROR))


def sampled(cfg: Config) -> Stream:
    """A pixel as it leaves the filter, on one level."""
    return Stream("sampled", "out", (Field("texel", 32), *marks(cfg).fields))


def coloured() -> Stream:
    """A sampled pixel."""
    return Stream("coloured", "out", (Field("texel", 32), *_ends(), _ERROR))


def lookups(cfg: Config) -> Stream:
    """The lines of a pixel, by bank."""
    banks = range(BANKS)
    used = tuple(Field(f"valid{b}", 1) for b in banks)
    return Stream("ask", "out", (*used, *(Field(f"line{b}", cfg.cache.line_bits) for b in banks)))


def beat(cfg: Config) -> Stream:
    """The bundle that follows the look-ups of a pixel through the FIFOs."""
    banks = range(BANKS)
    return Stream(
        "beat", "out",
        (
            Field("valid", BANKS, doc="banks looked up"),
            Field("fill", BANKS, doc="of them: a line comes from memory"),
            *(Field(f"set{b}", cfg.cache.set_bits) for b in banks),
            *(Field(f"way{b}", cfg.cache.way_bits) for b in banks),
            Field("sample", sample(cfg).width),
        ),
    )  # fmt: skip


def set_of(cfg: Config, line: str) -> str:
    """The set of a line address: three groups of bits above the lowest three, exclusive or.

    The lowest three tell banks apart, mostly; a level's rows, a power of two apart, spread over the sets.
    """
    s, top = cfg.cache.set_bits, cfg.cache.line_bits
    groups = [(low, min(low + s, top)) for low in range(3, 3 + 3 * s, s) if low < top]
    return " ^ ".join(_padded(f"{line}[{end - 1}:{low}]", end - low, s) for low, end in groups)


def _padded(bits: str, count: int, size: int) -> str:
    return bits if count == size else f"{{{size - count}'d0, {bits}}}"


def tag_of(cfg: Config, line: str) -> str:
    """The tag of a line address: all but the group of bits that the set gives back."""
    return f"{{{line}[{cfg.cache.line_bits - 1}:{cfg.cache.set_bits + 3}], {line}[2:0]}}"


def line_of(cfg: Config, tag: str, index: str) -> str:
    """The line address that :func:`set_of` and :func:`tag_of` make ``index`` and ``tag`` of."""
    s, top = cfg.cache.set_bits, cfg.cache.tag_bits
    terms = [index]
    for low in (3, 3 + s):
        end = min(low + s, top)
        if low < top:
            terms.append(_padded(f"{tag}[{end - 1}:{low}]", end - low, s))
    return f"{{{tag}[{top - 1}:3], {' ^ '.join(terms)}, {tag}[2:0]}}"
