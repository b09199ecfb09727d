# SPDX-License-Identifier: Apache-2.0
"""Golden model of ``texpipe``: predicts every sampled quad and what became of every line of every pixel.

:func:`sample_quad` is the model; the scoreboard calls it quad by quad through :meth:`TexpipeModel.quad`, a
frame runs through it by :meth:`TexpipeModel.replay`. Arithmetic, formats and layout are those of ``texunit``;
the cache is another: eight banks of true LRU, of which a beat asks each for a line at most, all at once. A
pixel is a beat; one that is mixed from two levels is two.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from configs import UserError
from configs.texpipe.schema import Config
from models import lru
from models.kernels import inlined, kernel
from models.lru import find_line
from models.memory import Contents, Memory
from models.sampler import between, bilinear, scaled, whole
from models.texpipe.banks import BANKS, bank_of, set_of
from models.texpipe.levels import level_of
from models.texunit import PRIM, QUAD, read_table, texel_at
from models.texunit.address import (
    COLOUR_BYTES,
    RGB8,
    TABLE_BYTES,
    TEXEL_BYTES,
    TILE,
    offset_table,
    texel_index,
)
from models.wrapping import wrap_four

__all__ = [
    "BANKS",
    "BEAT",
    "COUNTS",
    "PRIM",
    "QUAD",
    "RESULT",
    "Room",
    "TexpipeModel",
    "count",
    "room",
]

#: of a quad; ``fraction``: of its level, in 1/256, of those that are mixed; ``beats``: its own, at least one
RESULT = np.dtype(
    [
        ("texel", "u4", 4), ("valid", "u1"), ("err", "u1"), ("lod", "u1"), ("fraction", "u1"),
        ("beats", "u1"),
    ]
)  # fmt: skip
#: what became of the lines of a beat, by bank; 0 where none is asked for. ``victim``: the line replaced.
#: ``split``: texels in two lines, ``failed``: lines that memory answered with an error
BEAT = np.dtype(
    [
        ("valid", "u1", BANKS), ("hit", "u1", BANKS), ("way", "u1", BANKS), ("evict", "u1", BANKS),
        ("victim", "u4", BANKS), ("line", "u4", BANKS), ("pixel", "u1"), ("split", "u1"), ("failed", "u1"),
        ("err", "u1"),
    ]
)  # fmt: skip
COUNTS = ("quads", "pixels", "lookups", "hits", "misses", "evictions", "errors", "tables")
MOST_BEATS = 8  # of a quad: four pixels, two levels each
LINE_BYTES = 16


class Geometry(NamedTuple):
    """What the kernels need of a configuration."""

    set_bits: int
    address_mask: int
    rounding: bool
    trilinear: bool
    offsets: NDArray[np.int64]


#: a slot for a colour table: whether there is one that can be used again, its base, whether its colours have
#: 3 bytes, whether a line came with an error
SLOT = np.dtype([("known", "u1"), ("base", "u4"), ("three", "u1"), ("error", "u1"), ("colours", "u4", 256)])


class TexpipeState(NamedTuple):
    """The unit's memory: sets of all banks [8 * sets] (:mod:`models.lru`; a flag: the line has an error).

    ``slots`` SLOT [n] of colour tables; ``turn`` [3]: the slot that was used last, the one whose turn it is,
    how often a table was read. ``texels`` [4]: room for a pixel's.
    """

    sets: NDArray[Any]
    slots: NDArray[Any]
    turn: NDArray[np.int64]
    texels: NDArray[np.uint32]


LAST, NEXT, READ = range(3)


class Tally(NamedTuple):
    """What quads have come to so far: themselves, their pixels, of these those of two levels, and lines."""

    quads: int
    pixels: int
    mixed: int
    lookups: int
    hits: int
    evictions: int
    errors: int


NONE = Tally(0, 0, 0, 0, 0, 0, 0)


class Asked(NamedTuple):
    """What the texels of a beat have come to: the banks asked, a bit each, whether a line has an error, and
    lines.
    """

    banks: int
    err: int
    lookups: int
    hits: int
    evictions: int
    failed: int


@inlined
def look_up(
    geo: Geometry, contents: Contents, state: TexpipeState, bank: int, line: int, so_far: Asked, out: Any
) -> Asked:
    """Asks ``bank`` for ``line``, unless the pixel has asked for it already.

    Banks are independent: in which order a pixel's texels ask does not matter.
    """
    if so_far.banks >> bank & 1:
        return so_far
    cache_set = state.sets[(bank << geo.set_bits) + set_of(line, geo.set_bits)]
    lookup = find_line(contents, cache_set, line, line)
    if lookup.evicted:
        out.evict[bank], out.victim[bank] = 1, lookup.victim
    out.valid[bank], out.hit[bank], out.way[bank], out.line[bank] = 1, lookup.hit, lookup.way, line
    return Asked(
        so_far.banks | 1 << bank,
        so_far.err | lookup.err,
        so_far.lookups + 1,
        so_far.hits + lookup.hit,
        so_far.evictions + lookup.evicted,
        so_far.failed + lookup.failed,
    )


@inlined
def forget(out: Any) -> None:
    """The BEAT ``out`` asks for nothing."""
    for bank in range(BANKS):
        out.valid[bank], out.hit[bank], out.way[bank], out.evict[bank] = 0, 0, 0, 0
        out.victim[bank], out.line[bank] = 0, 0
    out.pixel, out.split, out.failed, out.err = 0, 0, 0, 0


class Mip(NamedTuple):
    """A level of a texture: log2 of its sides, the byte address of its first texel."""

    log2w: int
    log2h: int
    start: int


@inlined
def mip(geo: Geometry, prim: Any, level: int) -> Mip:
    """Level ``level`` of the texture of ``prim``."""
    kind = int(prim.format)
    start = int(prim.base) * LINE_BYTES + TABLE_BYTES[kind]
    start += geo.offsets[prim.log2w, prim.log2h, level] * TILE * TEXEL_BYTES[kind]
    return Mip(max(int(prim.log2w) - level, 0), max(int(prim.log2h) - level, 0), start)


class Texel(NamedTuple):
    """Column and row of a texel's tile, texels of the level before it."""

    column: int
    row: int
    place: int


@inlined
def texels_of(modes: tuple[int, int], x: int, y: int, mip: Mip) -> tuple[Texel, Texel, Texel, Texel]:
    """Texel (x, y), the one right of it, the two below these. A place is that of its column and its row."""
    left, right, upper, lower = wrap_four(modes, x, y, (mip.log2w, mip.log2h))
    width = 1 << mip.log2w
    a, b = texel_index(left, 0, width), texel_index(right, 0, width)
    c, d = texel_index(0, upper, width), texel_index(0, lower, width)
    left, right, upper, lower = left >> 2, right >> 2, upper >> 2, lower >> 2
    return (
        Texel(left, upper, a + c), Texel(right, upper, b + c), Texel(left, lower, a + d),
        Texel(right, lower, b + d),
    )  # fmt: skip


@inlined
def ask(
    geo: Geometry, contents: Contents, state: TexpipeState, kind: int, mip: Mip, texel: Texel, second: int,
    so_far: Asked, out: Any,
) -> Asked:  # fmt: skip
    """Asks for the line in which a texel begins, or, ``second`` 1, for the next one."""
    size = TEXEL_BYTES[kind]
    line = (texel.place * size >> 4) + second
    tile = (texel.place >> 4) * size  # its first line: a tile has as many as a texel has bytes
    bank = bank_of(kind, texel.column, texel.row, line - tile)
    line = (mip.start // LINE_BYTES + line) & (geo.address_mask // LINE_BYTES)
    return look_up(geo, contents, state, bank, line, so_far, out)


@inlined
def sample_pixel(
    geo: Geometry, contents: Contents, state: TexpipeState, prim: Any, quad: Any, pixel: int, mip: Mip,
    values: bool, out: Any,
) -> tuple[int, Asked]:  # fmt: skip
    """The colour of a pixel on level ``mip``, with ``values``, else 0; writes the BEAT ``out``."""
    forget(out)
    w, h, kind = mip.log2w, mip.log2h, int(prim.format)
    size = TEXEL_BYTES[kind]
    u, v = int(quad.uv[pixel, 0]), int(quad.uv[pixel, 1])
    x, y, fu, fv = whole(u, w), whole(v, h), 0, 0
    if prim.bilinear:
        x, y = scaled(u, w, geo.rounding), scaled(v, h, geo.rounding)
        x, y, fu, fv = x >> 8, y >> 8, x & 255, y & 255
    four = texels_of((prim.mode_u, prim.mode_v), x, y, mip)
    table_error = int(kind > RGB8 and state.slots[state.turn[LAST]].error != 0)
    tally = ask(geo, contents, state, kind, mip, four[0], 0, Asked(0, table_error, 0, 0, 0, 0), out)
    if prim.bilinear:  # one by one: not a loop, which takes half as long again
        tally = ask(geo, contents, state, kind, mip, four[1], 0, tally, out)
        tally = ask(geo, contents, state, kind, mip, four[2], 0, tally, out)
        tally = ask(geo, contents, state, kind, mip, four[3], 0, tally, out)
    if kind == RGB8:
        for k in range(4 if prim.bilinear else 1):
            if four[k].place * size & 15 > 13:  # it goes on in the next line
                out.split += 1
                tally = ask(geo, contents, state, kind, mip, four[k], 1, tally, out)
    out.pixel, out.err, out.failed = pixel, tally.err, tally.failed
    if not values:
        return 0, tally
    texels, colours = state.texels, state.slots[state.turn[LAST]].colours
    for k in range(4 if prim.bilinear else 1):
        address = (mip.start + four[k].place * size) & geo.address_mask
        texels[k] = texel_at(contents, colours, kind, address, geo.address_mask)
    colour = bilinear(texels, fu, fv, 128 if geo.rounding else 0) if prim.bilinear else int(texels[0])
    return colour, tally


@inlined
def sample_quad(
    geo: Geometry, contents: Contents, state: TexpipeState, prim: Any, quad: Any, values: bool, so_far: Tally,
    out: Any, beats: Any,
) -> Tally:  # fmt: skip
    """Samples one quad into the record ``out``; writes ``beats``, as many as ``out`` says.

    A pixel of a level with a fraction takes two, on it and on the next one; a quad without a valid pixel
    takes one that asks for nothing. Texels are read and filtered with ``values``, else 0.
    """
    level, fraction = level_of(prim, quad, geo.trilinear)
    out.lod, out.fraction, out.valid, out.err = level, fraction, quad.valid, 0
    finer, coarser = mip(geo, prim, level), mip(geo, prim, level + 1)
    count, pixels = 0, 0
    lookups, hits, evictions, errors = so_far.lookups, so_far.hits, so_far.evictions, so_far.errors
    for pixel in range(4):
        colour = 0
        if quad.valid >> pixel & 1:
            pixels += 1
            for second in range(2 if fraction else 1):
                sample, tally = sample_pixel(
                    geo, contents, state, prim, quad, pixel, coarser if second else finer, values,
                    beats[count],
                )  # fmt: skip
                colour = between(colour, sample, fraction, 128 if geo.rounding else 0) if second else sample
                out.err |= tally.err
                lookups += tally.lookups
                hits += tally.hits
                evictions += tally.evictions
                errors += tally.failed
                count += 1
        out.texel[pixel] = colour
    if not count:
        forget(beats[0])
    out.beats = max(count, 1)
    mixed = so_far.mixed + (pixels if fraction else 0)
    return Tally(so_far.quads + 1, so_far.pixels + pixels, mixed, lookups, hits, evictions, errors)


@kernel
def start_primitive(geo: Geometry, contents: Contents, state: TexpipeState, prim: Any) -> int:
    """A primitive begins: the cache is forgotten if asked for; a colour table is read unless it is there.

    It is there if a slot has one of the same base and format, with an error or not, and nothing was
    invalidated since it was read. Else slots take turns, but for the one that was used last. Returns how many
    of its lines came with an error.
    """
    slots, turn = state.slots, state.turn
    if prim.invalidate:
        lru.clear(state.sets)
        for number in range(len(slots)):
            slots[number].known = 0
    kind = int(prim.format)
    if kind <= RGB8:
        return 0
    size, base = COLOUR_BYTES[kind], int(prim.base)
    for number in range(len(slots)):
        slot = slots[number]
        if slot.known and slot.base == base and slot.three == (size == 3):
            turn[LAST] = number
            return 0
    number = turn[NEXT]
    if number == turn[LAST]:
        number = (number + 1) % len(slots)
    turn[LAST], turn[NEXT] = number, (number + 1) % len(slots)
    turn[READ] += 1
    slot = slots[number]
    slot.known, slot.base, slot.three = 1, base, size == 3
    errors = read_table(contents, kind, base, geo.address_mask, slot.colours)
    slot.error = errors > 0
    return errors


@kernel
def _replay(
    geo: Geometry, contents: Contents, state: TexpipeState, prims: Any, quads: Any, prim_of_quad: Any,
    values: bool, results: Any, beats: Any,
) -> tuple[int, int, Tally]:  # fmt: skip
    count, current, errors, tally = 0, -1, 0, NONE
    for i in range(len(quads)):
        while current < prim_of_quad[i]:
            current += 1
            errors += start_primitive(geo, contents, state, prims[current])
        tally = sample_quad(
            geo, contents, state, prims[current], quads[i], values, tally, results[i],
            beats[count : count + MOST_BEATS],
        )  # fmt: skip
        count += results[i].beats
    return count, errors, tally


class Room(NamedTuple):
    """Records for so many quads: RESULT [quads], BEAT [as many as they can take]."""

    results: NDArray[Any]
    beats: NDArray[Any]


def room(quads: int) -> Room:
    """Records that :meth:`TexpipeModel.replay` may write to again and again."""
    return Room(np.empty(quads, RESULT), np.empty(MOST_BEATS * (quads + 1), BEAT))


class TexpipeModel:
    """One texture unit in front of ``memory``, as after reset. ``counts``: the counters since then."""

    def __init__(self, cfg: Config, memory: Memory) -> None:
        self.cfg, self.memory = cfg, memory
        mask = (1 << cfg.cache.address_bits) - 1
        rounding = cfg.rounding == "nearest"
        self._geo = Geometry(cfg.cache.set_bits, mask, rounding, cfg.trilinear, offset_table())
        self.reset()

    def reset(self) -> None:
        """Nothing cached, nothing counted."""
        self.state = TexpipeState(
            lru.new_sets(BANKS * self.cfg.cache.sets, self.cfg.cache.ways),
            np.zeros(self.cfg.tables, SLOT),
            np.array([self.cfg.tables - 1, 0, 0]),
            np.zeros(4, np.uint32),
        )
        self.counts = dict.fromkeys(COUNTS + ("mixed",) * self.cfg.trilinear, 0)

    def start(self, prim: Any) -> None:
        """A primitive begins: a PRIM record."""
        self._prim = prim
        read = int(self.state.turn[READ])
        self.counts["errors"] += start_primitive(self._geo, self.memory.contents, self.state, prim)
        self.counts["tables"] += int(self.state.turn[READ]) - read

    def quad(self, quad: Any) -> tuple[Any, NDArray[Any]]:
        """RESULT record and BEAT array [beats] of a QUAD record."""
        result, beats = np.zeros(1, RESULT), np.zeros(MOST_BEATS, BEAT)
        tally = sample_quad(
            self._geo, self.memory.contents, self.state, self._prim, quad, True, NONE, result[0], beats
        )
        made = result[0]["beats"]
        self._add(tally)
        return result[0], beats[:made]

    def replay(
        self, prims: NDArray[Any], quads: NDArray[Any], prim_of_quad: NDArray[Any], *, values: bool = True,
        out: Room | None = None,
    ) -> tuple[NDArray[Any], NDArray[Any]]:  # fmt: skip
        """RESULT [n] and BEAT [beats] of QUAD array [n]; ``prim_of_quad`` [n] counts up through ``prims``.

        Without ``values`` no texel is read and all are 0. ``out``: what :func:`room` makes for ``n`` quads or
        more, to write to; what is returned is part of it then. Raises :class:`UserError` if it is too small.
        """
        space = room(len(quads)) if out is None else out
        if len(space.results) < len(quads):
            raise UserError(f"out: room for {len(space.results)} quads, {len(quads)} are asked for")
        read = int(self.state.turn[READ])
        made, errors, tally = _replay(
            self._geo, self.memory.contents, self.state, prims, quads, np.asarray(prim_of_quad, np.int64),
            values, space.results, space.beats,
        )  # fmt: skip
        if out is None:
            space.beats.resize(made, refcheck=False)  # gives back what was not needed
        results, beats = space.results[: len(quads)], space.beats[:made]
        self._add(tally)
        self.counts["errors"] += errors
        self.counts["tables"] += int(self.state.turn[READ]) - read
        return results, beats

    def _add(self, tally: Tally) -> None:
        made = tally._asdict() | {"misses": tally.lookups - tally.hits}
        for name in self.counts:
            self.counts[name] += made.get(name, 0)
