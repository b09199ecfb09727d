# SPDX-License-Identifier: Apache-2.0
"""Golden model of ``texcache``: predicts every footprint exactly, one by one or a whole trace at once.

:func:`access` is the model; the scoreboard calls it footprint by footprint through
:meth:`TexcacheModel.access`, trace replay and report run it over arrays by :meth:`TexcacheModel.replay`.

Source: Han et al. 2019, sections 3.2 to 3.5, and ``docs/fidelity.md`` for what the paper leaves open.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from configs import UserError
from configs.texcache.schema import Config
from models import lru
from models.kernels import inlined, kernel
from models.memory import Contents, Memory, is_poisoned, read_word
from models.texcache.address import (
    FOOTPRINT,
    SLOT_TEXEL,
    Geometry,
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

#: ``errors`` counts fills that ended in an error response; the others are per footprint or per look-up
COUNTERS = ("footprints", "footprint_hits", "lookups", "hits", "misses", "evictions", "errors")
_COUNTS = np.dtype([(name, "i8") for name in COUNTERS])


@inlined
def access(
    geo: Geometry,
    lut: NDArray[np.uint32],
    contents: Contents,
    sets: NDArray[Any],
    footprint: Any,
    values: bool,
    out: Any,
) -> tuple[int, int, int, int]:
    """One footprint: looks its lines up in slot order, updates ``sets``, writes the record ``out``.

    On a miss the least recently used way takes the line's tag at once and memory is asked. A later look-up of
    the line is therefore a hit, even while the line is on its way. Texels are read with ``values``.

    Returns look-ups, hits, evictions, errors.
    """
    four = texels(geo, lut, footprint)
    chosen, small = looked_up(geo, four.address), is_small(geo, footprint.level)
    for slot in range(4):  # all zeros first: a few wide stores
        out.valid[slot], out.hit[slot], out.bank[slot], out.set[slot], out.way[slot] = 0, 0, 0, 0, 0
        out.evict[slot], out.victim[slot], out.line[slot], out.texel[slot] = 0, 0, 0, 0
    lookups, hits, evictions, errors, err = 0, 0, 0, 0, np.uint8(0)
    beat, busy = 1, 0
    for slot in range(4):
        if slot == 2 and not (chosen[2] or chosen[3]):
            break  # three footprints of four are asked for by their left-hand texels
        if chosen[slot]:
            line = four.address[SLOT_TEXEL[slot]] >> geo.offset_bits
            bank, index = bank_of(geo, line, four.side[SLOT_TEXEL[slot]], small), set_of(geo, line)
            one = sets[(bank << geo.set_bits) + index]
            hit, way, victim = lru.access(one, tag_of(geo, line))
            if hit:
                hits += 1
            else:
                poisoned = is_poisoned(contents, line)
                one.flags[way] = poisoned
                errors += poisoned
                if victim != lru.EMPTY:
                    evictions += 1
                    out.evict[slot], out.victim[slot] = 1, victim
            beat, busy = beat_of(beat, busy, bank)
            lookups += 1
            err |= one.flags[way]
            out.valid[slot], out.hit[slot], out.bank[slot] = 1, hit, bank
            out.set[slot], out.way[slot], out.line[slot] = index, way, line
    if values:
        for texel in range(4):
            out.texel[texel] = read_word(contents, four.address[texel])
    out.beats = beat
    out.err = err
    return lookups, hits, evictions, errors


@kernel
def _replay(
    geo: Geometry,
    lut: NDArray[np.uint32],
    contents: Contents,
    sets: NDArray[Any],
    counts: NDArray[Any],
    footprints: NDArray[Any],
    values: bool,
    results: NDArray[Any],
) -> None:
    whole, lookups, hits, evictions, errors = 0, 0, 0, 0, 0
    for i in range(len(footprints)):
        found = access(geo, lut, contents, sets, footprints[i], values, results[i])
        whole += found[0] == found[1]
        lookups += found[0]
        hits += found[1]
        evictions += found[2]
        errors += found[3]
    count = counts[0]
    count.footprints += len(footprints)
    count.footprint_hits += whole
    count.lookups += lookups
    count.hits += hits
    count.misses += lookups - hits
    count.evictions += evictions
    count.errors += errors


class TexcacheModel:
    """The texture cache ``cfg`` over ``memory`` with its look-up table ``lut`` [textures, levels].

    The table holds line addresses and is copied. Assumes that memory does not change under cached lines.
    Raises :class:`UserError` for a table or footprints that do not fit the configuration.
    """

    def __init__(self, cfg: Config, memory: Memory, lut: NDArray[np.uint32]) -> None:
        self.cfg = cfg
        self.memory = memory
        self.lut = check_lut(cfg, lut).copy()
        self._geometry = geometry(cfg)
        self._sets = lru.new_sets(cfg.banks * cfg.cache.sets, cfg.cache.ways)
        self._counts = np.zeros(1, _COUNTS)

    def access(self, footprint: Any) -> Any:
        """One FOOTPRINT record (or tuple); returns its RESULT record."""
        one = np.empty(1, FOOTPRINT)
        one[0] = footprint
        return self.replay(one)[0]

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
        _replay(
            self._geometry, self.lut, self.memory.contents, self._sets, self._counts, footprints, values, out
        )
        return out

    def invalidate(self) -> None:
        """Drops all lines and with them their errors; victims begin with way 0 again. Counters go on."""
        lru.clear(self._sets)

    def reset(self) -> None:
        """Invalidates and sets the counters to zero; the look-up table stays."""
        self.invalidate()
        self._counts[:] = 0

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
        return {name: int(self._counts[0][name]) for name in COUNTERS}
