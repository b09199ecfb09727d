# SPDX-License-Identifier: Apache-2.0
"""What the dcache templates need beyond the configuration: parts of addresses, lanes, words in beats."""

from configs.dcache.schema import LANES, Config
from configs.ports import Stream


def tag_of(cfg: Config, address: str) -> str:
    """The tag of a byte address."""
    return f"{address}[{cfg.cache.address_bits - 1}:{cfg.cache.offset_bits + cfg.cache.set_bits}]"


def set_of(cfg: Config, address: str) -> str:
    """The set of a byte address."""
    return f"{address}[{cfg.cache.offset_bits + cfg.cache.set_bits - 1}:{cfg.cache.offset_bits}]"


def row_of(cfg: Config, address: str) -> str:
    """The place of a byte address's beat in the RAM of a way."""
    return f"{address}[{cfg.cache.offset_bits + cfg.cache.set_bits - 1}:{beat_low(cfg)}]"


def line_tag(cfg: Config, line: str) -> str:
    """The tag of a line."""
    return f"{line}[{cfg.cache.line_bits - 1}:{cfg.cache.set_bits}]"


def line_set(cfg: Config, line: str) -> str:
    """The set of a line."""
    return f"{line}[{cfg.cache.set_bits - 1}:0]"


def beat_low(cfg: Config) -> int:
    """The lowest bit of a byte address that tells beats apart."""
    return cfg.cache.offset_bits - cfg.beat_bits


def lanes_of(stream: Stream, vector: str, name: str) -> str:
    """A field of all lanes."""
    field, low = stream.field(f"{name}0"), stream.offset(f"{name}0")
    return f"{vector}[{low + LANES * field.width - 1}:{low}]"


def number_of(onehot: str, count: int) -> str:
    """The number of the only bit that is set; 0 if none is."""
    masks = [sum(1 << n for n in range(count) if n >> bit & 1) for bit in range(count.bit_length() - 1)]
    return "{" + ", ".join(f"|({onehot} & {count}'h{mask:x})" for mask in reversed(masks)) + "}"


def sum_of(vector: str) -> str:
    """How many lanes of a vector are 1, in four bits."""
    return " + ".join(f"{{3'd0, {vector}[{lane}]}}" for lane in range(LANES))


def _place_of(cfg: Config, address: str, zeros: int) -> str:
    return f"{{{address}[{beat_low(cfg) - 1}:2], {zeros}'d0}}"


def word_of(cfg: Config, vector: str, address: str) -> str:
    """The word at a byte address in a beat."""
    return vector if cfg.beat_words == 1 else f"{vector}[{_place_of(cfg, address, 5)} +: 32]"


def in_beat(cfg: Config, value: str, bits: int, address: str) -> str:
    """A word, or its bytes, at its place in a beat, all else 0."""
    if cfg.beat_words == 1:
        return value
    wide = f"{{{bits * (cfg.beat_words - 1)}'d0, {value}}}"
    return f"{wide} << {_place_of(cfg, address, bits.bit_length() - 1)}"


def mask_of(cfg: Config, strobe: str) -> str:
    """The bits of a beat whose bytes ``strobe`` names."""
    last = cfg.axi.strobe_bits - 1
    return "{" + ", ".join(f"{{8{{{strobe}[{byte}]}}}}" for byte in range(last, -1, -1)) + "}"
