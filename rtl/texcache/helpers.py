# SPDX-License-Identifier: Apache-2.0
"""What the texcache templates need beyond the configuration: layouts as bit permutations, the beat bundle."""

from configs.ports import Field, Stream
from configs.texcache.schema import Config

TEXEL_OF_SLOT = (0, 2, 1, 3)
"""Slot order is look-up order: left of row 0, left of row 1, right of row 0, right of row 1."""


def layout_bits(layout: str, bits: int) -> list[tuple[str, int]]:
    """Bits of a texel's offset in a level of ``2**bits`` squared texels, least significant first.

    Each entry is a coordinate bit, ``("x", i)`` or ``("y", i)``: every layout is a permutation of them.
    """
    x = [("x", i) for i in range(bits)]
    y = [("y", i) for i in range(bits)]
    if layout == "tile4x4" and bits >= 2:
        return x[:2] + y[:2] + x[2:] + y[2:]
    if layout == "morton" and bits >= 3:
        lines = [bit for pair in zip(x[3:], y, strict=False) for bit in pair]
        return x[:3] + lines + y[len(x[3:]) :]
    return x + y


def side_bit(cfg: Config, level: int) -> tuple[str, int] | None:
    """With banks by parity: the coordinate bit that chooses the half of the banks for the lines of ``level``.

    A line holds the lowest bits of the offset. The next one, the lowest of the line's address, is a bit of
    its row or of its column and chooses within the half; the lowest bit of the other one chooses the half. A
    level with a single row or column of lines has none.
    """
    outside = layout_bits(cfg.layout, cfg.levels - 1 - level)[cfg.place_bits :]
    return next((bit for bit in outside if bit[0] != outside[0][0]), None)


def side_bits(cfg: Config) -> list[tuple[str, int]]:
    """All bits that :func:`side_bit` names."""
    return sorted({bit for level in range(cfg.levels) if (bit := side_bit(cfg, level))})


def concat(bits: list[tuple[str, int]], width: int) -> str:
    """A Verilog concatenation of ``bits`` (least significant first), zero-extended to ``width`` bits."""
    runs: list[tuple[str, int, int]] = []  # (signal, high, low)
    for signal, index in bits:
        if runs and runs[-1][0] == signal and runs[-1][1] == index - 1:
            runs[-1] = (signal, index, runs[-1][2])
        else:
            runs.append((signal, index, index))
    parts = [
        f"{name}[{high}:{low}]" if high > low else f"{name}[{low}]" for name, high, low in reversed(runs)
    ]
    zeros = [f"{width - len(bits)}'d0"] if width > len(bits) else []
    return "{" + ", ".join(zeros + parts) + "}"


def row_bits(cfg: Config) -> int:
    """Bits of a line's place in the RAM of its single-port cache."""
    return cfg.cache.set_bits + max(1, cfg.cache.way_bits)


def row(cfg: Config, index: str, way: str) -> str:
    """A line's place there, from its set and its way."""
    return f"{{{index}, {way}}}" if cfg.cache.set_bits else way


def beat(cfg: Config) -> Stream:
    """The bundle that follows one beat of look-ups through the pipeline, in slot order."""
    slots = cfg.slots

    def each(name: str, width: int, doc: str) -> list[Field]:
        return [Field(f"{name}{slot}", width, doc=doc) for slot in range(slots)]

    served = Field("served", slots, doc="texels (in slot order) that this beat delivers")
    last = Field("last", 1, doc="last beat of the footprint")
    several = not cfg.parity  # beats in a footprint
    fields = (
        Field("valid", slots, doc="slots looked up in this beat"),
        Field("fill", slots, doc="slots that missed: a line comes from memory"),
        *([served] if several else []),
        *each("bank", max(1, cfg.bank_bits), "single-port cache"),
        *(each("set", cfg.cache.set_bits, "set") if cfg.cache.set_bits else []),
        *each("way", max(1, cfg.cache.way_bits), "way"),
        *each("offset", cfg.place_bits, "texel in its line"),
        Field("id", cfg.id_bits),
        *([last] if several else []),
    )
    return Stream("beat", "out", fields)
