# SPDX-License-Identifier: Apache-2.0
"""Requests and results of ``trilinear`` by field, as the ports have them; samples at random."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from configs.texcache.schema import Config as TexcacheConfig
from configs.trilinear.schema import BILINEAR, HALVES, INVALIDATE, TABLE, TEXELS, TRILINEAR, Config
from models.trilinear import REQUEST
from tb.common.components.packing import Columns
from tb.texcache.sequences import Distribution as Footprints
from tb.texcache.sequences import random_table


def result_columns(requests: NDArray[Any], results: NDArray[Any]) -> Columns:
    """The fields of port ``res`` for RESULT array [n]."""
    texels = {f"texel{n}": results["texel"][:, n] for n in range(2 * TEXELS)}
    return {**texels, "err": results["err"], "id": requests["id"]}


#: what a texture cache shows of RESULTs [n] of its own: words, and of which each is
Shown = Callable[[TexcacheConfig, NDArray[Any]], tuple[list[int], NDArray[np.int64]]]


def shown_by(
    half: TexcacheConfig, name: str, shown: Shown, results: NDArray[Any]
) -> tuple[list[int], NDArray[np.int64]]:
    """What a half shows of RESULT array [n]: words, and for each the row that it belongs to."""
    rows = np.flatnonzero(results["needs"] >> HALVES.index(name) & 1)
    words, owner = shown(half, results[name][rows])
    return words, rows[owner]


def table_requests(cfg: Config, table: NDArray[np.uint32]) -> NDArray[Any]:
    """REQUEST array that writes ``table`` [textures, levels], line addresses, entry by entry."""
    requests = np.zeros(table.size, REQUEST)
    tex, level = np.indices(table.shape)
    requests["op"], requests["tex"], requests["level"] = TABLE, tex.reshape(-1), level.reshape(-1)
    requests["line"] = table.reshape(-1)
    requests["id"] = np.arange(table.size) & ((1 << cfg.id_bits) - 1)
    return requests


@dataclass(frozen=True)
class Distribution:
    """What random requests look like.

    ``finer``: footprints of the finer level, of which those of the next level are the halves. ``single``,
    ``tables``, ``invalidations``: shares of bilinear samples and of changes. ``apart``: share of samples
    whose footprint in the next level is anywhere else.
    """

    finer: Footprints = field(default_factory=Footprints)
    single: float = 0.2
    tables: float = 0.02
    invalidations: float = 0.01
    apart: float = 0.2

    def draw(self, cfg: Config, rng: np.random.Generator, count: int) -> NDArray[Any]:
        """REQUEST array [count]."""
        drawn, kind = np.zeros(count, REQUEST), rng.random(count)
        shares = np.cumsum([self.tables, self.invalidations, self.single])
        ops = [kind < share for share in shares]
        drawn["op"] = np.select(ops, [TABLE, INVALIDATE, BILINEAR], TRILINEAR)
        here, there = (self.finer.draw(cfg.half, rng, count) for _ in range(2))
        for name in ("tex", "level", "mode_u", "mode_v"):
            drawn[name] = here[name]
        apart = rng.random(count) < self.apart
        for axis in "uv":
            drawn[f"{axis}0"] = here[axis]
            drawn[f"{axis}1"] = np.where(apart, there[axis], here[axis] >> 1)
        table = random_table(cfg.half, rng)
        drawn["line"] = table[drawn["tex"], drawn["level"]]
        drawn["id"] = rng.integers(1 << cfg.id_bits, size=count)
        return drawn
