# SPDX-License-Identifier: Apache-2.0
"""Golden model of ``texcache``: predicts every footprint exactly, one by one or a whole trace at once.

:func:`access` is the model; the scoreboard calls it footprint by footprint through
:meth:`TexcacheModel.access`, trace replay and report run it over arrays by :meth:`TexcacheModel.replay`.

Source: Han et al. 2019, sections 3.2 to 3.5, and ``docs/fidelity.md`` for what the paper leaves open.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from configs import UserError
from configs.texcache.schema import Config
from models import lru
from models.kernels import inlined, kernel
from models.lru import find_line
from models.memory import Contents, Memory, read_word
from models.texcache.address import (
    FOOTPRINT,
    SLOT_TEXEL,
    Geometry,
    Texels,
    bank_of,
    geometry,
    is_small,
    looked_up,
    set_of,
    tag_of,
    texels,
)
from models.texcache.lookups import check_footprints, check_lut
from models.texcache.lut import allocate
from models.texcache.timing import beat_of, fifo_latency, hit_latency, idle_latency

__all__ = [
    "COUNTERS",
    "FOOTPRINT",
    "RESULT",
    "TexcacheModel",
    "access",
    "allocate",
    "fifo_latency",
    "hit_latency",
    "idle_latency",
]

#: What happened to one footprint. ``texel`` is indexed by texel; all other arrays by look-up slot, in the
#: order L0 L1 R0 R1 (lines of texels 0, 2, 1, 3), with zeros in slots that are not looked up. ``victim`` is
#: the tag of the valid line that was replaced (0 when ``evict`` is 0), ``line`` the line address looked up.
RESULT = np.dtype(
    [
        ("valid", "u1", 4),
        ("hit", "u1", 4),
        ("bank", "u1", 4),
        ("set", "u2", 4),
        ("way", "u1", 4),
        ("evict", "u1", 4),
        ("victim", "u4", 4),
        ("line", "u4", 4),
        ("texel", "u4", 4),
        ("beats", "u1"),
        ("err", "u1"),
    ]
)


class Tally(NamedTuple):
    """What the look-ups of a footprint have come to so far; ``beat`` and ``busy`` as of :func:`beat_of`."""

    lookups: int
    hits: int
    evictions: int
    errors: int
    err: int  # 1 if a line has an error
    beat: int
    busy: int


@inlined
def look_up(
    geo: Geometry,
    contents: Contents,
    sets: NDArray[Any],
    four: Texels,
    small: bool,
    slot: int,
    so_far: Tally,
    out: Any,
) -> Tally:
    """Slot ``slot`` asks for the line of its texel of ``four``, of a ``small`` level or not; updates sets,
    writes the slot's part of the record ``out``, which was all zeros.
    """
    line = four.address[SLOT_TEXEL[slot]] >> geo.offset_bits
    bank, index = bank_of(geo, line, four.side[SLOT_TEXEL[slot]], small), set_of(geo, line)
    cache_set = sets[(bank << geo.set_bits) + index]
    lookup = find_line(contents, cache_set, tag_of(geo, line), line)
    if lookup.evicted:
        out.evict[slot], out.victim[slot] = 1, lookup.victim
    out.valid[slot], out.hit[slot], out.bank[slot] = 1, lookup.hit, bank
    out.set[slot], out.way[slot], out.line[slot] = index, lookup.way, line
    beat, busy = beat_of(so_far.beat, so_far.busy, bank)
    return Tally(
        so_far.lookups + 1,
        so_far.hits + lookup.hit,
        so_far.evictions + lookup.evicted,
        so_far.errors + lookup.failed,
        so_far.err | lookup.err,
        beat,
        busy,
    )


@inlined
def access(
    geo: Geometry,
    lut: NDArray[np.uint32],
    contents: Contents,
    sets: NDArray[Any],
    footprint: Any,
    values: bool,
    out: Any,
) -> Tally:
    """One footprint: looks its lines up in slot order, writes the record ``out``.

    Texels are read with ``values``. The four look-ups stand one by one: in a loop the processor has to guess
    which slot comes next, and registers do not suffice (a sixth of the time, at random a tenth).
    """
    four = texels(geo, lut, footprint)
    chosen, small = looked_up(geo, four.address), is_small(geo, footprint.level)
    clear(out)
    tally = Tally(0, 0, 0, 0, 0, 1, 0)
    tally = look_up(geo, contents, sets, four, small, 0, tally, out)
    if chosen[1]:
        tally = look_up(geo, contents, sets, four, small, 1, tally, out)
    if chosen[2]:
        tally = look_up(geo, contents, sets, four, small, 2, tally, out)
    if chosen[3]:
        tally = look_up(geo, contents, sets, four, small, 3, tally, out)
    if values:
        for texel in range(4):
            out.texel[texel] = read_word(contents, four.address[texel])
    out.beats, out.err = tally.beat, tally.err
    return tally


@inlined
def clear(out: Any) -> None:
    """The record ``out``, all zeros: a few wide stores."""
    for slot in range(4):
        out.valid[slot], out.hit[slot], out.bank[slot], out.set[slot], out.way[slot] = 0, 0, 0, 0, 0
        out.evict[slot], out.victim[slot], out.line[slot], out.texel[slot] = 0, 0, 0, 0
    out.beats, out.err = 0, 0


class Counts(NamedTuple):
    """What :data:`COUNTERS` have counted: of footprints, and, from ``lookups`` on, of look-ups."""

    footprints: int
    footprint_hits: int
    lookups: int
    hits: int
    misses: int
    evictions: int
    errors: int  # fills that ended in an error response


COUNTERS = Counts._fields
NONE = Counts(0, 0, 0, 0, 0, 0, 0)


@inlined
def added(counts: Counts, tally: Tally) -> Counts:
    """``counts`` with one more footprint."""
    return Counts(
        counts.footprints + 1,
        counts.footprint_hits + (tally.lookups == tally.hits),
        counts.lookups + tally.lookups,
        counts.hits + tally.hits,
        counts.misses + tally.lookups - tally.hits,
        counts.evictions + tally.evictions,
        counts.errors + tally.errors,
    )


@inlined
def count(counts: NDArray[np.int64], new: Counts) -> None:
    """``new`` comes on top of ``counts`` [COUNTERS]."""
    for k in range(len(counts)):
        counts[k] += new[k]


class TexcacheState(NamedTuple):
    """The cache's memory: its table [textures, levels], the sets of all banks [banks * sets]
    (:mod:`models.lru`; a flag: the line has an error), what was counted [COUNTERS].
    """

    lut: NDArray[np.uint32]
    sets: NDArray[Any]
    counts: NDArray[np.int64]


@kernel
def _replay(
    geo: Geometry,
    contents: Contents,
    state: TexcacheState,
    footprints: NDArray[Any],
    values: bool,
    results: NDArray[Any],
) -> None:
    new = NONE
    for i in range(len(footprints)):
        tally = access(geo, state.lut, contents, state.sets, footprints[i], values, results[i])
        new = added(new, tally)
    count(state.counts, new)


class TexcacheModel:
    """The texture cache ``cfg`` over ``memory`` with its look-up table ``lut`` [textures, levels].

    The table holds line addresses and is copied. Assumes that memory does not change under cached lines.
    Raises :class:`UserError` for a table or footprints that do not fit the configuration.
    """

    def __init__(self, cfg: Config, memory: Memory, lut: NDArray[np.uint32]) -> None:
        self.cfg = cfg
        self.memory = memory
        self._geometry = geometry(cfg)
        self.state = TexcacheState(
            check_lut(cfg, lut).copy(),
            lru.new_sets(cfg.banks * cfg.cache.sets, cfg.cache.ways),
            np.zeros(len(COUNTERS), np.int64),
        )

    @property
    def lut(self) -> NDArray[np.uint32]:
        """The look-up table [textures, levels]."""
        return self.state.lut

    def access(self, footprint: Any) -> Any:
        """One FOOTPRINT record (or tuple); returns its RESULT record."""
        footprints = np.empty(1, FOOTPRINT)
        footprints[0] = footprint
        return self.replay(footprints)[0]

    def replay(
        self, footprints: NDArray[Any], *, values: bool = True, out: NDArray[Any] | None = None
    ) -> NDArray[Any]:
        """FOOTPRINT array [n] in order; returns the RESULT array [n]. Goes on from the present state.

        Without ``values`` memory is not read and all texels are 0. ``out``: a RESULT array [n] to write to
        and return: one that is used again saves a quarter of the time.
        Raises :class:`UserError` if it is none.
        """
        check_footprints(self.cfg, footprints)
        if out is None:
            out = np.empty(len(footprints), RESULT)
        elif out.dtype != RESULT or out.shape != footprints.shape:
            raise UserError(f"out: {len(footprints)} footprints need as many of RESULT, not {out.shape}")
        _replay(self._geometry, self.memory.contents, self.state, footprints, values, out)
        return out

    def invalidate(self) -> None:
        """Drops all lines and with them their errors; victims begin with way 0 again. Counters go on."""
        lru.clear(self.state.sets)

    def reset(self) -> None:
        """Invalidates and sets the counters to zero; the look-up table stays."""
        self.invalidate()
        self.state.counts[:] = 0

    def set_lut(self, tex: int, level: int, line: int) -> None:
        """Writes one entry of the look-up table. Cached lines stay."""
        if not (
            0 <= tex < self.cfg.textures
            and 0 <= level < self.cfg.levels
            and 0 <= line < 1 << self.cfg.cache.line_bits
        ):
            raise UserError(
                f"look-up table entry tex={tex}, level={level}, line={line}: outside {self.cfg.name}"
            )
        self.lut[tex, level] = line

    @property
    def counters(self) -> dict[str, int]:
        """COUNTERS since the last reset."""
        return dict(zip(COUNTERS, self.state.counts.tolist(), strict=True))
