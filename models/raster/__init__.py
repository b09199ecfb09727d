# SPDX-License-Identifier: Apache-2.0
"""Golden model of ``raster``: every word of ``tile``, vertex by vertex or a whole scene at once.

:func:`models.raster.assembly.rasterize` is the model, written from ``docs/raster.md``;
:mod:`models.raster.cycles` says when each word comes.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from configs import UserError
from configs.depth import FORMATS
from configs.raster.schema import BEGIN, TOPOLOGIES, Config
from models.raster.assembly import rasterize
from models.raster.records import STATE, TILE, VERTEX, WORK, Machine, columns

__all__ = ["COUNTED", "TILE", "VERTEX", "WORK", "RasterModel", "columns", "setup_cycles"]

#: counters of the RTL that hang on no waiting: as they are when all has been set up and walked
COUNTED = ("vertices", "primitives", "empty", "tiles", "pixels", "visited", "setup_cycles")
QUOTIENT_BITS = 84  # of a gradient, before it is cut to 60


def setup_cycles(cfg: Config) -> int:
    """Cycles of set-up of a line or triangle that is not empty."""
    return 9 + QUOTIENT_BITS // (cfg.radix.bit_length() - 1)


class RasterModel:
    """The rasterizer ``cfg``, fed with any number of words of ``vtx`` at a time."""

    def __init__(self, cfg: Config) -> None:
        self.cfg = cfg
        self._machine = Machine(
            cfg.walk == "serpentine", cfg.emit == "visited", setup_cycles(cfg),
            np.zeros(1, STATE), np.zeros((3, 3), np.int64),
        )  # fmt: skip
        self.reset()

    def reset(self) -> None:
        """Forgets all vertices and what the last begin said; counters are 0."""
        self._machine.state[0] = np.zeros((), STATE)
        self._machine.state[0]["width"] = self._machine.state[0]["height"] = 1
        self.counters = dict.fromkeys(COUNTED, 0)  # since the last reset

    @property
    def held(self) -> int:
        """Vertices collected for a primitive that is not complete."""
        return int(self._machine.state[0]["held"])

    def feed(self, words: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
        """VERTEX array [n] in order; returns the TILE array of what comes out, and what each did, WORK [n].

        Raises :class:`UserError` for a begin that says what there is not.
        """
        self._check(words[words["op"] == BEGIN])
        work = np.empty(len(words), WORK)
        tiles = rasterize(self._machine, words, work)
        drawn = work[work["primitive"] == 1]
        counts = {
            "vertices": (words["op"] == 1).sum(),
            "primitives": len(drawn),
            "empty": (drawn["words"] == 0).sum(),
            "tiles": drawn["words"].sum(),
            "pixels": drawn["pixels"].sum(),
            "visited": drawn["visited"].sum(),
            "setup_cycles": drawn["setup"].sum(),
        }
        for name, value in counts.items():
            self.counters[name] += int(value)
        return tiles, work

    def _check(self, begins: NDArray[Any]) -> None:
        side = 4 << self.cfg.coordinate_bits
        limits = {"topology": len(TOPOLOGIES), "format": len(FORMATS), "x": side + 1, "y": side + 1}
        for name, limit in limits.items():
            wrong = begins[name][(begins[name] >= limit) | (begins[name] < (name in "xy"))]
            if len(wrong):
                raise UserError(
                    f"begin: {name}={wrong[0]}: {self.cfg.name} has {int(name in 'xy')} to {limit - 1}"
                )
