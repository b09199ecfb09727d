# SPDX-License-Identifier: Apache-2.0
"""Sequence items of the texture cache: arrays of footprints, and writes of the look-up table."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from configs.texcache.schema import Config
from models.texcache import FOOTPRINT
from tb.common.components.packing import pack_words, unpack_words
from tb.common.components.stream import StreamItem

#: fields of a request that make up a footprint
FIELDS = FOOTPRINT.names or ()


class FootprintItem(StreamItem):
    """FOOTPRINT array [n], up to thousands; ids count from ``first_id``; ``gaps`` idle cycles before each."""

    def __init__(
        self, cfg: Config, footprints: NDArray[Any], first_id: int = 0, gaps: Sequence[int] | None = None
    ) -> None:
        self.footprints = footprints
        ids = (first_id + np.arange(len(footprints), dtype=np.int64)) & ((1 << cfg.id_bits) - 1)
        columns = {name: footprints[name] for name in FIELDS}
        super().__init__("footprints", pack_words(cfg.streams["req"], {**columns, "id": ids}), gaps)


class LutItem(StreamItem):
    """Writes of the look-up table: line addresses ``base`` [n] of (``tex``, ``level``) [n]."""

    def __init__(
        self, cfg: Config, tex: Any, level: Any, base: Any, gaps: Sequence[int] | None = None
    ) -> None:
        columns = {"tex": np.atleast_1d(tex), "level": np.atleast_1d(level), "base": np.atleast_1d(base)}
        super().__init__("lut", pack_words(cfg.streams["lut"], columns), gaps)


def requests(cfg: Config, words: Sequence[int]) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """Footprints and ids of request words [n], as the monitor saw them."""
    columns = unpack_words(cfg.streams["req"], words)
    footprints = np.zeros(len(words), FOOTPRINT)
    for name in FIELDS:
        footprints[name] = columns[name]
    return footprints, columns["id"]


def footprint(tex: int = 0, level: int = 0, u: int = 0, v: int = 0, mode_u: int = 0, mode_v: int = 0) -> Any:
    """One footprint as a tuple in the order of FOOTPRINT; for directed tests."""
    return tex, level, mode_u, mode_v, u, v


def footprints(*entries: Any) -> NDArray[Any]:
    """A FOOTPRINT array of tuples from :func:`footprint`."""
    return np.array(list(entries), FOOTPRINT)
