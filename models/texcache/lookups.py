# SPDX-License-Identifier: Apache-2.0
"""Look-up streams of the texture cache, for the analyses that need no golden model; checks of their input."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from configs import UserError
from configs.texcache.schema import Config
from models.kernels import kernel
from models.texcache.address import (
    FOOTPRINT,
    SLOT_TEXEL,
    Geometry,
    bank_of,
    geometry,
    is_small,
    looked_up,
    set_of,
    texels,
)


class Lookups(NamedTuple):
    """Look-ups in the order in which the cache makes them, arrays of shape [lookups]."""

    line: NDArray[np.int64]  # line address
    level: NDArray[np.uint8]
    side: NDArray[np.uint8]  # half of the banks, by parity (models.texcache.address.side_of), else 0
    footprint: NDArray[np.int64]  # index of the footprint

    def take(self, which: NDArray[np.int64] | slice) -> "Lookups":
        """Some of the look-ups."""
        return Lookups(self.line[which], self.level[which], self.side[which], self.footprint[which])

    def rows(self, cfg: Config) -> NDArray[np.int64]:
        """Index of each look-up's set among all ``banks * sets`` sets of ``cfg``, bank by bank."""
        row = np.empty(len(self.line), np.int64)
        _list_rows(geometry(cfg), self.line, self.level, self.side, row)
        return row


def lookups(cfg: Config, footprints: NDArray[Any], lut: NDArray[np.uint32]) -> Lookups:
    """The look-up stream of FOOTPRINT array ``footprints`` [n] under table ``lut`` [textures, levels].

    Depends on layout, line size, look-up mode and banking, not on banks, sets and ways. Raises
    :class:`UserError` for footprints or tables that do not fit ``cfg``.
    """
    geo, table = geometry(cfg), check_lut(cfg, lut)
    check_footprints(cfg, footprints)
    most = 4 * len(footprints)
    stream = Lookups(
        np.empty(most, np.int64), np.empty(most, np.uint8), np.empty(most, np.uint8), np.empty(most, np.int64)
    )
    count = _list_lookups(geo, table, footprints, stream)
    return stream.take(slice(count))


@kernel
def _list_lookups(geo: Geometry, lut: NDArray[np.uint32], footprints: NDArray[Any], stream: Lookups) -> int:
    count = 0
    for i in range(len(footprints)):
        four = texels(geo, lut, footprints[i])
        chosen = looked_up(geo, four.address)
        for slot in range(4):
            if chosen[slot]:
                stream.line[count] = four.address[SLOT_TEXEL[slot]] >> geo.offset_bits
                stream.side[count] = four.side[SLOT_TEXEL[slot]]
                stream.level[count] = footprints[i].level
                stream.footprint[count] = i
                count += 1
    return count


@kernel
def _list_rows(
    geo: Geometry,
    line: NDArray[np.int64],
    level: NDArray[np.uint8],
    side: NDArray[np.uint8],
    row: NDArray[np.int64],
) -> None:
    for i in range(len(line)):
        bank = bank_of(geo, line[i], int(side[i]), is_small(geo, level[i]))
        row[i] = (bank << geo.set_bits) + set_of(geo, line[i])


def check_footprints(cfg: Config, footprints: NDArray[Any]) -> None:
    """Raises :class:`UserError` naming the first footprint that ``cfg`` cannot be asked for."""
    if footprints.dtype != FOOTPRINT:
        raise UserError(f"footprints of type {footprints.dtype}: convert them to {FOOTPRINT}")
    index = _first_illegal(cfg.textures, cfg.levels, 2 * cfg.max_side, footprints)
    if index >= 0:
        fields = dict(zip(footprints.dtype.names or (), footprints[index].item(), strict=True))
        raise UserError(
            f"footprint {index}, {fields}: "
            f"{cfg.name} takes tex 0..{cfg.textures - 1}, level 0..{cfg.levels - 1}, mode 0..2, "
            f"u and v {-2 * cfg.max_side}..{2 * cfg.max_side - 1}"
        )


@kernel
def _first_illegal(textures: int, levels: int, reach: int, footprints: NDArray[Any]) -> int:
    for i in range(len(footprints)):
        f = footprints[i]
        legal = f.tex < textures and f.level < levels and f.mode_u < 3 and f.mode_v < 3
        if not (legal and -reach <= f.u < reach and -reach <= f.v < reach):
            return i
    return -1


def check_lut(cfg: Config, lut: NDArray[np.uint32]) -> NDArray[np.uint32]:
    """``lut`` as contiguous uint32 [textures, levels]. Raises :class:`UserError` for wrong shape or range."""
    if lut.shape != (cfg.textures, cfg.levels):
        raise UserError(f"look-up table of shape {lut.shape}: {cfg.name} needs {(cfg.textures, cfg.levels)}")
    if lut.size and (int(lut.min()) < 0 or int(lut.max()) >> cfg.cache.line_bits):
        raise UserError(
            f"look-up table holds {lut.min()}..{lut.max()}: line addresses have {cfg.cache.line_bits} bits"
        )
    return np.ascontiguousarray(lut, dtype=np.uint32)
