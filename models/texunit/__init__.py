# SPDX-License-Identifier: Apache-2.0
"""Golden model of ``texunit``: predicts every sampled quad and every cache query exactly.

:func:`sample_quad` is the model; the scoreboard calls it quad by quad through :meth:`TexunitModel.quad`, a
frame runs through it by :meth:`TexunitModel.replay`. One thing it cannot know: the victim's way is half
decided by a counter of clock cycles, so the caller gives the ``phases`` at which queries were decided.

Source: "FuryGpu's Texture Units"; ``docs/fidelity.md`` for what it leaves open.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from configs import UserError
from configs.texunit.schema import Config, Units
from models import lru
from models.kernels import inlined, kernel
from models.memory import Contents, Memory, is_poisoned, read_word
from models.sampler import bilinear, scaled, whole
from models.texunit.address import COLOUR_BYTES, RGB8, TABLE_BYTES, TEXEL_BYTES, offset_table, texel_index
from models.wrapping import wrap_four

#: texture and sampler of the quads that follow; ``base``: a byte address / 16; ``trilinear``: not of texunit
PRIM = np.dtype(
    [
        ("base", "u4"), ("log2w", "u1"), ("log2h", "u1"), ("max_lod", "u1"), ("format", "u1"),
        ("mode_u", "u1"), ("mode_v", "u1"), ("bilinear", "u1"), ("trilinear", "u1"), ("invalidate", "u1"),
    ]
)  # fmt: skip
#: pixels UL, UR, LL, LR; ``valid`` has pixel 0 in bit 0, ``uv`` is s16.16
QUAD = np.dtype([("valid", "u1"), ("uv", "i4", (4, 2))])
RESULT = np.dtype([("texel", "u4", 4), ("valid", "u1"), ("err", "u1"), ("lod", "u1"), ("queries", "u1")])
QUERY = np.dtype(
    [
        ("line", "u4"), ("pixel", "u1"), ("repeat", "u1"), ("hit", "u1"), ("way", "u1"), ("evict", "u1"),
        ("victim", "u4"), ("err", "u1"),
    ]
)  # fmt: skip
MOST_QUERIES = 32  # of a quad: four pixels, four texels, two lines each
NO_LINE = -1
DECISION = 4  # cycles from taking a query to deciding its victim: the tags are read then


class Geometry(NamedTuple):
    """What the kernels need of a configuration."""

    set_bits: int
    address_mask: int
    rounding: bool
    offsets: NDArray[np.int64]


class TexunitState(NamedTuple):
    """The unit's memory.

    Sets (:func:`set_type`), the line of the last query [1], the colour table [256], whether it came with an
    error [1], and room for a pixel's texels [4].
    """

    sets: NDArray[Any]
    last: NDArray[np.int64]
    colours: NDArray[np.uint32]
    table_error: NDArray[np.uint8]
    texels: NDArray[np.uint32]


def set_type(ways: int) -> np.dtype[Any]:
    """Type of one set: per way its ``tag`` (NO_LINE where invalid), and the half that is ``older``: used
    longer ago. The ways are part of the type (:mod:`models.lru`).
    """
    return np.dtype([("tag", "i8", (ways,)), ("older", "i8")], align=True)


@kernel
def forget(sets: NDArray[Any]) -> None:
    """Nothing is cached."""
    for number in range(len(sets)):
        for way in range(len(sets[number].tag)):
            sets[number].tag[way] = NO_LINE
        sets[number].older = 0


def new_sets(count: int, ways: int) -> NDArray[Any]:
    """``count`` empty sets."""
    sets = np.zeros(count, set_type(ways))
    forget(sets)
    return sets


@inlined
def victim_way(cache_set: Any, phase: int) -> int:
    """The way of ``cache_set`` that a miss takes: the lowest free one, else that of the older half
    that the free-running counter, at ``phase``, says.
    """
    half = len(cache_set.tag) // 2
    way = cache_set.older * half + phase % half
    for candidate in range(len(cache_set.tag) - 1, -1, -1):
        if cache_set.tag[candidate] == NO_LINE:
            way = candidate
    return way


@kernel
def square_of(prim: Any, quad: Any) -> int:
    """Square of the longer step of a quad, in texels of level 0: 16 fraction bits, 33 in all.

    Differences along the lower row and the right column if both of their pixels are valid, else along the
    upper and the left one, unsigned 8.8, saturated.
    """
    right, lower, corner = quad.valid >> 1 & 1, quad.valid >> 2 & 1, quad.valid >> 3 & 1
    row = (2, 3) if lower and corner else (0, 1)
    column = (1, 3) if right and corner else (0, 2)
    longest = 0
    for first, second in (row, column):
        square = 0
        for axis in range(2):
            size = prim.log2w if axis == 0 else prim.log2h
            difference = abs(int(quad.uv[second, axis]) - int(quad.uv[first, axis])) << size
            fixed = min(difference >> 8, 0xFFFF)
            square += fixed * fixed
        longest = max(longest, square)
    return longest


@kernel
def lod_of(prim: Any, quad: Any) -> int:
    """Level of detail of a quad: half the logarithm of its square's integer part (16 bits, saturated)."""
    texels = min(square_of(prim, quad) >> 16, 0xFFFF)
    bits = 0
    while texels >> bits:
        bits += 1
    return min(bits // 2, int(prim.max_lod))


@inlined
def query(
    geo: Geometry, contents: Contents, state: TexunitState, line: int, phases: Any, number: int, out: Any
) -> bool:
    """Query ``number`` of the cache; fills ``out`` but its pixel, returns whether memory answered with an
    error. Its phase: as for :func:`sample_quad`.
    """
    out.line = line
    out.repeat, out.hit, out.way, out.evict, out.victim, out.err = 0, 0, 0, 0, 0, 0
    if line == state.last[0]:
        out.repeat = 1
        return False
    state.last[0] = line
    cache_set, tag = state.sets[line & ((1 << geo.set_bits) - 1)], line >> geo.set_bits
    way = lru.find(cache_set, tag)
    if way >= 0:
        out.hit, out.way = 1, way
        cache_set.older = way < len(cache_set.tag) // 2
        return False
    if is_poisoned(contents, line):
        out.err = 1
        state.last[0] = NO_LINE
        return True
    phase = phases[number] if number < len(phases) else number
    way = victim_way(cache_set, phase)
    out.way = way
    if cache_set.tag[way] != NO_LINE:
        out.evict, out.victim = 1, cache_set.tag[way]
    cache_set.tag[way] = tag
    return False


@inlined
def read_bytes(contents: Contents, address: int, count: int, mask: int) -> int:
    """Up to four bytes from a byte address, the first lowest; behind the last address comes the first."""
    skipped = address & 3
    value = int(read_word(contents, (address & mask) >> 2)) >> 8 * skipped
    if skipped + count > 4:
        value |= int(read_word(contents, (address + 4 & mask) >> 2)) << 8 * (4 - skipped)
    return value & (1 << 8 * count) - 1


@inlined
def sample_quad(
    geo: Geometry, contents: Contents, state: TexunitState, prim: Any, quad: Any, phases: Any, first: int,
    values: bool, out: Any, queries: Any,
) -> int:  # fmt: skip
    """Samples one quad into the record ``out``; fills ``queries`` and returns how many there were.

    ``first``: the number of its first query. Query n was decided when the free-running counter stood at
    ``phases[n]``, or at n if that is not known. Texels are read and filtered with ``values``, else 0.
    """
    level = lod_of(prim, quad)
    w, h = max(int(prim.log2w) - level, 0), max(int(prim.log2h) - level, 0)
    kind = int(prim.format)
    size = TEXEL_BYTES[kind]
    start = int(prim.base) * 16 + TABLE_BYTES[kind]
    start += geo.offsets[prim.log2w, prim.log2h, level] * 16 * size
    count, texels, failed = 0, state.texels, False
    for pixel in range(4):
        out.texel[pixel] = 0
        if not quad.valid >> pixel & 1:
            continue
        u, v = int(quad.uv[pixel, 0]), int(quad.uv[pixel, 1])
        x, y, fu, fv = whole(u, w), whole(v, h), 0, 0
        if prim.bilinear:
            x, y = scaled(u, w, geo.rounding), scaled(v, h, geo.rounding)
            x, y, fu, fv = x >> 8, y >> 8, x & 255, y & 255
        # a texel's place is that of its column and that of its row
        left, right, upper, lower = wrap_four((prim.mode_u, prim.mode_v), x, y, (w, h))
        left, right = texel_index(left, 0, 1 << w), texel_index(right, 0, 1 << w)
        upper, lower = texel_index(0, upper, 1 << w), texel_index(0, lower, 1 << w)
        for k in range(4 if prim.bilinear else 1):
            place = (right if k & 1 else left) + (lower if k & 2 else upper)
            address = (start + place * size) & geo.address_mask
            line = address >> 4
            queries[count].pixel = pixel
            failed |= query(geo, contents, state, line, phases, first + count, queries[count])
            count += 1
            if kind == RGB8 and address & 15 > 13:  # not a loop over one line or two: a seventh of the time
                line = line + 1 & (geo.address_mask >> 4)
                queries[count].pixel = pixel
                failed |= query(geo, contents, state, line, phases, first + count, queries[count])
                count += 1
            if values:
                texels[k] = texel_at(contents, state.colours, kind, address, geo.address_mask)
        if kind > RGB8:
            failed |= state.table_error[0] != 0
        if values and prim.bilinear:
            out.texel[pixel] = bilinear(texels, fu, fv, 128 if geo.rounding else 0)
        elif values:
            out.texel[pixel] = texels[0]
    out.valid, out.err, out.lod, out.queries = quad.valid, failed, level, count
    return count


@inlined
def texel_at(contents: Contents, colours: NDArray[np.uint32], kind: int, address: int, mask: int) -> int:
    """The colour of the texel at a byte address, or what the table ``colours`` [256] has for it."""
    value = read_bytes(contents, address, TEXEL_BYTES[kind], mask)
    if kind > RGB8:
        return int(colours[value])
    return value | 0xFF000000 if kind == RGB8 else value


@kernel
def read_table(contents: Contents, kind: int, base: int, mask: int, colours: NDArray[np.uint32]) -> int:
    """Fills ``colours`` [256] from a table at line ``base``; how many of its lines came with an error."""
    errors, size = 0, COLOUR_BYTES[kind]
    for line in range(TABLE_BYTES[kind] // 16):
        errors += is_poisoned(contents, (base + line) & (mask >> 4))
    for index in range(256):
        value = read_bytes(contents, base * 16 + index * size, size, mask)
        colours[index] = value if size == 4 else value | 0xFF000000
    return errors


@kernel
def start_primitive(geo: Geometry, contents: Contents, state: TexunitState, prim: Any) -> None:
    """What the unit does when a primitive begins: forgets, and reads the colour table."""
    state.last[0] = NO_LINE
    if prim.invalidate:
        forget(state.sets)
    kind = int(prim.format)
    if kind > RGB8:
        errors = read_table(contents, kind, int(prim.base), geo.address_mask, state.colours)
        state.table_error[0] = errors > 0


@kernel
def _replay(
    geo: Geometry, contents: Contents, state: TexunitState, prims: Any, quads: Any, prim_of_quad: Any,
    phases: Any, values: bool, results: Any, queries: Any,
) -> int:  # fmt: skip
    count, current = 0, -1
    for i in range(len(quads)):
        while current < prim_of_quad[i]:
            current += 1
            start_primitive(geo, contents, state, prims[current])
        count += sample_quad(
            geo, contents, state, prims[current], quads[i], phases, count, values, results[i],
            queries[count:],
        )  # fmt: skip
    return count


def table_lines(cfg: Units, prim: Any) -> list[int]:
    """Line addresses of a primitive's colour table, in the order in which they are read; none without one."""
    first = int(prim["base"])
    return [(first + n) % (1 << cfg.cache.line_bits) for n in range(TABLE_BYTES[prim["format"]] // 16)]


def table_errors(cfg: Units, memory: Memory, prim: Any) -> int:
    """Lines of a primitive's colour table that come with an error."""
    return len(memory.poisoned.intersection(table_lines(cfg, prim))) if memory.poisoned else 0


def count(results: NDArray[Any], queries: NDArray[Any]) -> dict[str, int]:
    """The performance counters that RESULT [n] and their QUERY [m] amount to; ``errors`` without tables."""
    counts = {"quads": results.size, "queries": len(queries)}
    counts["pixels"] = int(np.unpackbits(np.atleast_1d(results["valid"])[:, None], axis=1).sum())
    served = queries["repeat"] | queries["hit"]
    counts |= {"repeats": int(queries["repeat"].sum()), "hits": int(queries["hit"].sum())}
    counts |= {"misses": len(queries) - int(served.sum()), "evictions": int(queries["evict"].sum())}
    return counts | {"errors": int(queries["err"].sum())}


class Room(NamedTuple):
    """Records for so many quads: RESULT [quads], QUERY [as many as they can ask]."""

    results: NDArray[Any]
    queries: NDArray[Any]


def room(quads: int) -> Room:
    """Records that :meth:`TexunitModel.replay` may write to again and again."""
    return Room(np.empty(quads, RESULT), np.empty((quads + 1) * MOST_QUERIES, QUERY))


class TexunitModel:
    """One texture unit in front of ``memory``, as after reset."""

    def __init__(self, cfg: Config, memory: Memory) -> None:
        self.cfg, self.memory = cfg, memory
        mask = (1 << cfg.cache.address_bits) - 1
        self._geo = Geometry(cfg.cache.set_bits, mask, cfg.rounding == "nearest", offset_table())
        self.reset()

    def reset(self) -> None:
        """Nothing cached."""
        self.state = TexunitState(
            new_sets(self.cfg.cache.sets, self.cfg.cache.ways),
            np.full(1, NO_LINE, np.int64),
            np.zeros(256, np.uint32),
            np.zeros(1, np.uint8),
            np.zeros(4, np.uint32),
        )

    def start(self, prim: Any) -> None:
        """A primitive begins: a PRIM record."""
        self._prim = prim
        start_primitive(self._geo, self.memory.contents, self.state, prim)

    def quad(self, quad: Any, phases: NDArray[np.int64]) -> tuple[Any, NDArray[Any]]:
        """RESULT record and QUERY array [queries] of a QUAD record.

        ``phases`` [queries]: the free-running counter when query k was decided; where there are none the
        counter counts queries.
        """
        result, queries = np.zeros(1, RESULT), np.zeros(MOST_QUERIES, QUERY)
        count = sample_quad(
            self._geo, self.memory.contents, self.state, self._prim, quad, np.asarray(phases, np.int64), 0,
            True, result[0], queries,
        )  # fmt: skip
        return result[0], queries[:count]

    def replay(
        self,
        prims: NDArray[Any],
        quads: NDArray[Any],
        prim_of_quad: NDArray[Any],
        phases: NDArray[Any] | None = None,
        *,
        values: bool = True,
        out: Room | None = None,
    ) -> tuple[NDArray[Any], NDArray[Any]]:
        """RESULT [n] and QUERY [queries] of QUAD array [n]; ``prim_of_quad`` [n] counts up through ``prims``.

        ``phases`` [queries]; where there are none the counter counts queries. Without ``values`` no texel is
        read and all are 0. ``out``: what :func:`room` makes for ``n`` quads or more, to write to; what is
        returned is part of it then. Raises :class:`UserError` if it is too small.
        """
        made = room(len(quads)) if out is None else out
        if len(made.results) < len(quads):
            raise UserError(f"out: room for {len(made.results)} quads, {len(quads)} are asked for")
        given = np.asarray([] if phases is None else phases, np.int64)
        count = _replay(
            self._geo, self.memory.contents, self.state, prims, quads, np.asarray(prim_of_quad, np.int64),
            given, values, made.results, made.queries,
        )  # fmt: skip
        if out is None:
            made.queries.resize(count, refcheck=False)  # gives back what was not needed
        return made.results[: len(quads)], made.queries[:count]
