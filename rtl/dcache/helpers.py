# SPDX-License-Identifier: Apache-2.0
"""What the dcache templates need beyond the configuration: parts of addresses, lanes, words in beats."""

from configs.dcache.schema import LANES, Config
from configs.ports import Stream

ONLY = "1'd0"  # number of the only set


def tag_of(cfg: Config, address: str) -> str:
    """The tag of a byte address."""
    return f"{address}[{cfg.cache.address_bits - 1}:{cfg.cache.offset_bits + cfg.cache.set_bits}]"


def set_of(cfg: Config, address: str) -> str:
    """The set of a byte address."""
    if not cfg.cache.set_bits:
        return ONLY
    return f"{address}[{cfg.cache.offset_bits + cfg.cache.set_bits - 1}:{cfg.cache.offset_bits}]"


def row_of(cfg: Config, address: str) -> str:
    """The place of a byte address's beat in the RAM of a way."""
    return f"{address}[{cfg.cache.offset_bits + cfg.cache.set_bits - 1}:{beat_low(cfg)}]"


def line_tag(cfg: Config, line: str) -> str:
    """The tag of a line."""
    return f"{line}[{cfg.cache.line_bits - 1}:{cfg.cache.set_bits}]"


def line_set(cfg: Config, line: str) -> str:
    """The set of a line."""
    return f"{line}[{cfg.cache.set_bits - 1}:0]" if cfg.cache.set_bits else ONLY


def with_set(cfg: Config, index: str, above: str = "", below: str = "") -> str:
    """What stands above a set's number, this, what stands below: a number without bits is left out."""
    parts = [part for part in (above, index if cfg.cache.set_bits else "", below) if part]
    return f"{{{', '.join(parts)}}}" if len(parts) > 1 else parts[0]


def next_set(cfg: Config, index: str) -> str:
    """The set behind one: there may be no other."""
    return f"{index} + 1'b1" if cfg.cache.set_bits else ONLY


def is_last_set(cfg: Config, index: str) -> str:
    """Whether it is the last set."""
    return f"(&{index})" if cfg.cache.set_bits else "1'b1"


def place_bits(cfg: Config) -> int:
    """Bits of a line's place in the cache: its way above its set, so that places are as many as lines."""
    sets = cfg.cache.set_bits
    return sets if sets and cfg.cache.ways == 1 else cfg.cache.way_bits + sets


def place(cfg: Config, index: str, way: str) -> str:
    """A line's place."""
    if not cfg.cache.set_bits:
        return way
    return f"{{{way}, {index}}}" if cfg.cache.ways > 1 else index


def place_set(cfg: Config, row: str) -> str:
    """The set of a place."""
    return line_set(cfg, row)


def place_way(cfg: Config, row: str) -> str:
    """The way of a place."""
    if cfg.cache.ways == 1:
        return "1'd0"
    return f"{row}[{place_bits(cfg) - 1}:{cfg.cache.set_bits}]"


def way_of(cfg: Config, vector: str, way: str, bits: str) -> str:
    """The part of a vector, so many ``bits`` for each way, that is a way's."""
    return f"{vector}[{way}*{bits} +: {bits}]" if cfg.cache.ways > 1 else vector


def beat_low(cfg: Config) -> int:
    """The lowest bit of a byte address that tells beats apart."""
    return cfg.cache.offset_bits - cfg.beat_bits


def lanes_of(stream: Stream, vector: str, name: str) -> str:
    """A field of all lanes."""
    field, low = stream.field(f"{name}0"), stream.offset(f"{name}0")
    return f"{vector}[{low + LANES * field.width - 1}:{low}]"


def number_of(onehot: str, count: int) -> str:
    """The number of the only bit that is set; 0 if none is."""
    bits = max(1, (count - 1).bit_length())
    masks = [sum(1 << n for n in range(count) if n >> bit & 1) for bit in range(bits)]
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
