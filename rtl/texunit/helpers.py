# SPDX-License-Identifier: Apache-2.0
"""What the texunit templates need beyond the configuration: streams of one unit, tokens."""

from dataclasses import replace

from configs.ports import Field, Stream
from configs.texunit.schema import Config


def stream(cfg: Config, name: str) -> Stream:
    """Stream ``name`` of any unit, without the unit's number."""
    return replace(cfg.all_streams[f"{name}0"], name=name)


def corners() -> Stream:
    """The coordinates of a quad's four pixels."""
    return Stream("uv", "out", tuple(Field(f"{axis}{n}", 32) for n in range(4) for axis in "uv"))


def texel_words() -> Stream:
    """The texels of a pixel, or the pixels of a quad."""
    return Stream("texels", "out", tuple(Field(f"texel{n}", 32) for n in range(4)))


def pixel(cfg: Config) -> Stream:
    """What the coordinate stage hands on: the texels of a pixel by their places in the mip."""
    bits = cfg.max_log2
    places = tuple(Field(name, bits) for name in ("x0", "y0", "x1", "y1"))
    return Stream("pixel", "out", (*places, *_shared()))


def texels(cfg: Config) -> Stream:
    """What the address stage hands on: byte addresses of the pixel's texels."""
    addresses = tuple(Field(f"address{i}", cfg.cache.address_bits) for i in range(4))
    return Stream("texels", "out", (*addresses, *_shared()[:5]))


def passing() -> Stream:
    """What goes with the texels of a pixel until they are filtered."""
    return Stream("pixel", "out", _shared()[:5])


def marks() -> Stream:
    """What goes with a pixel in the filter."""
    return Stream("marks", "out", (*_shared()[2:5], Field("error", 1, doc="a line came with an AXI error")))


def _shared() -> tuple[Field, ...]:
    return (
        Field("weight_u", 8),
        Field("weight_v", 8),
        Field("number", 2, doc="pixel of the quad"),
        Field("last", 1, doc="last pixel of its quad"),
        Field("none", 1, doc="the quad has no valid pixel: nothing to sample"),
        Field("offset", 18, doc="of the mip, in units of 16 texels"),
        Field("tiles", 4, doc="log2 of the mip's tiles in a row"),
    )
