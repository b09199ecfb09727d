# SPDX-License-Identifier: Apache-2.0
"""Golden model of ``trilinear``: predicts every request exactly, written from ``docs/trilinear.md``.

A half is a ``texcache``, so its footprints go through that one's model: :meth:`TrilinearModel.replay` says
which footprints each half gets, and what of both is the sample's.
"""

from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from configs.errors import UserError
from configs.trilinear.schema import HALVES, INVALIDATE, OPS, TABLE, TEXELS, TRILINEAR, Config
from models.kernels import kernel
from models.memory import Memory
from models.texcache import FOOTPRINT, TexcacheModel
from models.texcache import RESULT as LOOKED_UP

REQUEST = np.dtype(
    [
        *(("op", "u1"), ("tex", "u2"), ("level", "u1"), ("mode_u", "u1"), ("mode_v", "u1")),
        *(("u0", "i4"), ("v0", "i4"), ("u1", "i4"), ("v1", "i4"), ("line", "u4"), ("id", "u4")),
    ]
)
#: What became of a request. ``texel``: four of its level, four of the next one, 0 where there are none;
#: ``needs``: bit 0 the half of even levels, bit 1 that of odd ones; what each looked up, zeros if it did not.
RESULT = np.dtype(
    [("texel", "u4", 2 * TEXELS), ("err", "u1"), ("needs", "u1"), *((half, LOOKED_UP) for half in HALVES)]
)
#: counters of the RTL that do not count cycles
COUNTED = ("samples", "pairs")


def needs(cfg: Config, requests: NDArray[Any]) -> NDArray[np.uint8]:
    """Which halves REQUEST array [n] needs, bit 0 even, bit 1 odd: none for what is no sample.

    The smallest level has no next one: a trilinear sample of it is a bilinear one.
    """
    samples = requests["op"] <= TRILINEAR
    pairs = (requests["op"] == TRILINEAR) & (requests["level"] < cfg.last_level)
    finer = 1 << (requests["level"] & 1)
    found: NDArray[np.uint8] = np.where(pairs, 3, np.where(samples, finer, 0)).astype(np.uint8)
    return found


def footprints(requests: NDArray[Any], rows: NDArray[np.int64], half: int) -> NDArray[Any]:
    """FOOTPRINT array [m] of half 0 (even) or 1 (odd) for the samples ``rows`` [m], which need it."""
    found = np.empty(len(rows), FOOTPRINT)
    _split(half, requests, rows, found)
    return found


@kernel
def _split(half: int, requests: NDArray[Any], rows: NDArray[np.int64], found: NDArray[Any]) -> None:
    for k in range(len(rows)):
        sample, one = requests[rows[k]], found[k]
        one.tex, one.mode_u, one.mode_v = sample.tex, sample.mode_u, sample.mode_v
        if sample.level & 1 == half:  # the finer level is this half's
            one.level, one.u, one.v = sample.level, sample.u0, sample.v0
        else:
            one.level, one.u, one.v = sample.level + 1, sample.u1, sample.v1


@kernel
def _join(
    half: int, requests: NDArray[Any], rows: NDArray[np.int64], found: NDArray[Any], results: NDArray[Any],
    part: NDArray[Any],
) -> None:  # fmt: skip
    """Puts what a half ``found`` [m] into the results of ``rows`` [m], whose field for it is ``part`` [n]."""
    for k in range(len(rows)):
        row = rows[k]
        part[row] = found[k]
        first = 0 if requests[row].level & 1 == half else TEXELS
        for texel in range(TEXELS):
            results[row].texel[first + texel] = found[k].texel[texel]
        results[row].err |= found[k].err


class TrilinearModel:
    """The cache ``cfg`` over ``memory``, its table all 0. Raises :class:`UserError` for what does not fit."""

    def __init__(self, cfg: Config, memory: Memory) -> None:
        self.cfg, self.memory = cfg, memory
        table = np.zeros((cfg.half.textures, cfg.half.levels), np.uint32)
        self.halves = {name: TexcacheModel(cfg.half, memory, table) for name in HALVES}
        self.counters = dict.fromkeys(COUNTED, 0)  # since the last reset

    def replay(
        self, requests: NDArray[Any], *, values: bool = True, out: NDArray[Any] | None = None
    ) -> NDArray[Any]:
        """REQUEST array [n] in order; returns the RESULT array [n]. Goes on from the present state.

        Without ``values`` memory is not read and all texels are 0. ``out``: a RESULT array [n] to write to
        and return. Raises :class:`UserError` if it is none, and for an unknown ``op``.
        """
        if (requests["op"] >= len(OPS)).any():
            raise UserError(f"op of {self.cfg.name}: must be 0 to {len(OPS) - 1}")
        if out is None:
            results = np.zeros(len(requests), RESULT)
        elif out.dtype != RESULT or out.shape != requests.shape:
            raise UserError(f"out: {len(requests)} requests need as many of RESULT, not {out.shape}")
        else:
            results = out
            results.view(np.uint8)[...] = 0
        results["needs"] = needs(self.cfg, requests)
        ends = np.flatnonzero(results["needs"] == 0)  # between these, footprints go to the halves at once
        for first, last in pairwise([0, *(ends + 1), len(requests)]):
            self._samples(requests[first:last], results[first:last], values)
            if last and not results["needs"][last - 1]:
                self._control(requests[last - 1])
        self.counters["samples"] += int((results["needs"] > 0).sum())
        self.counters["pairs"] += int((results["needs"] == 3).sum())
        return results

    def _samples(self, requests: NDArray[Any], results: NDArray[Any], values: bool) -> None:
        for half, (name, model) in enumerate(self.halves.items()):
            rows = np.flatnonzero(results["needs"] >> half & 1)
            if len(rows):
                looked_up = model.replay(footprints(requests, rows, half), values=values)
                _join(half, requests, rows, looked_up, results, results[name])

    def _control(self, request: Any) -> None:
        if request["op"] == TABLE:
            self.set_table(request)
        elif request["op"] == INVALIDATE:
            for model in self.halves.values():
                model.invalidate()

    def set_table(self, request: Any) -> None:
        """An entry of the table is written: it outlives a reset."""
        half = HALVES[request["level"] & 1]
        self.halves[half].set_lut(int(request["tex"]), int(request["level"]), int(request["line"]))

    def reset(self) -> None:
        """Forgets all lines and sets the counters to zero; the table stays."""
        for model in self.halves.values():
            model.reset()
        self.counters = dict.fromkeys(COUNTED, 0)
