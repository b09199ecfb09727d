# SPDX-License-Identifier: Apache-2.0
"""Numbers of one measured run: hit rates in every way of counting, misses by kind, cycles and latency."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from models.belady import optimal_hits
from models.classify import classify
from models.texcache.address import SLOT_TEXEL
from models.texcache.lookups import lookups
from report.texcache.results import StoredRun

#: look-up slot that serves each texel: its own if it was looked up, else that of its left neighbour
OWN_SLOT = tuple(SLOT_TEXEL.index(texel) for texel in range(4))
LEFT_SLOT = tuple(SLOT_TEXEL.index(texel & ~1) for texel in range(4))

# A footprint's look-ups and hits as one byte: hits of slots 0..3 in bits 0..3, look-ups in bits 4..7.
_CODE = np.arange(256)
_HIT, _VALID = ((_CODE[:, None] >> (np.arange(4) + shift)) & 1 for shift in (0, 4))
LOOKUPS, HITS = _VALID.sum(axis=1), _HIT.sum(axis=1)
WHOLE = (_VALID == _HIT).all(axis=1)
TEXELS = np.where(_VALID[:, OWN_SLOT], _HIT[:, OWN_SLOT], _HIT[:, LEFT_SLOT]).sum(axis=1)


def codes(result: Mapping[str, NDArray[Any]]) -> NDArray[np.uint8]:
    """One byte per footprint: hits of the four slots in the low bits, look-ups in the high ones."""
    code = np.zeros(len(result["valid"]), np.uint8)
    for slot in range(4):
        code |= result["hit"][:, slot] << np.uint8(slot)
        code |= result["valid"][:, slot] << np.uint8(slot + 4)
    return code


def footprint_hits(result: Mapping[str, NDArray[Any]]) -> NDArray[np.bool_]:
    """True where all look-ups of a footprint hit, shape [n]."""
    return WHOLE[codes(result)]


@dataclass(frozen=True)
class Rates:
    """Hit rates of a run, each the share of its own unit.

    ``texel``: texels whose line was present. ``lookup``: tag look-ups that hit (a row of the footprint, or
    the part of it in one line). ``footprint``: footprints that hit entirely. ``fetched``: 1 - misses /
    texels, what a cache reports that serves one texel after another: a line's second texel always hits.
    """

    texel: float
    lookup: float
    footprint: float
    fetched: float


def rates(counts: NDArray[np.int64]) -> Rates:
    """The four hit rates from footprints counted by their code, shape [256]."""
    footprints, looked, hits = int(counts.sum()), int(counts @ LOOKUPS), int(counts @ HITS)
    return Rates(
        texel=int(counts @ TEXELS) / (4 * footprints),
        lookup=hits / looked,
        footprint=int(counts @ WHOLE) / footprints,
        fetched=1 - (looked - hits) / (4 * footprints),
    )


@dataclass(frozen=True)
class Speed:
    """Cycles of a run, from the first request to the last result, and what they mean."""

    cycles: int
    pixels: int
    pixels_per_clock: float
    footprints_per_clock: float
    latency_mean: float
    latency_99: int


def speed(run: StoredRun) -> Speed:
    """Throughput and latency; latency counts from a request's acceptance to its result, in cycles."""
    cycles = int(run.t_result[-1] - run.t_request[0]) + 1
    counts = np.bincount(run.latency)
    up_to, total = np.cumsum(counts), int(counts.sum())
    return Speed(
        cycles=cycles,
        pixels=run.pixels,
        pixels_per_clock=run.pixels / cycles,
        footprints_per_clock=total / cycles,
        latency_mean=float(counts @ np.arange(len(counts))) / total,
        latency_99=int(np.searchsorted(up_to, 0.99 * total)),
    )


@dataclass(frozen=True)
class Misses:
    """Misses of a run by kind, and those of better caches of the same size over the same traffic.

    ``optimal``: Belady's replacement in the same sets; ``optimal_full``: the same, fully associative.
    """

    lookups: int
    compulsory: int
    capacity: int
    conflict: int
    optimal: int
    optimal_full: int

    @property
    def total(self) -> int:
        """All misses."""
        return self.compulsory + self.capacity + self.conflict

    @property
    def excess(self) -> float:
        """Misses above the optimum in the same sets, as a share of the optimum."""
        return self.total / self.optimal - 1


def miss_kinds(run: StoredRun) -> Misses:
    """Sort a run's misses, and compute the optima. Model only, over the run's own look-ups."""
    stream = lookups(run.cfg, run.footprints, run.lut)
    hits = run.result["hit"][run.result["valid"] == 1]
    if len(hits) != len(stream.line):
        raise ValueError(f"{run.name}: {len(hits)} measured look-ups, {len(stream.line)} by the model")
    cfg, lines = run.cfg, run.cfg.banks * run.cfg.cache.sets * run.cfg.cache.ways
    kinds = classify(stream.line, hits, lines).totals
    same = optimal_hits(stream.rows(cfg), stream.line, cfg.banks * cfg.cache.sets, cfg.cache.ways)
    full = optimal_hits(np.zeros(len(hits), np.int64), stream.line, 1, lines)
    return Misses(
        lookups=len(hits),
        compulsory=kinds["compulsory"],
        capacity=kinds["capacity"],
        conflict=kinds["conflict"],
        optimal=len(hits) - int(same.sum()),
        optimal_full=len(hits) - int(full.sum()),
    )


def by_level(run: StoredRun, code: NDArray[np.uint8]) -> NDArray[np.int64]:
    """Footprints, look-ups, hits and footprints of more than one beat per mip level, shape [levels, 4]."""
    place = run.footprints["level"].astype(np.int64) << 8 | code
    counts = np.bincount(place, minlength=run.cfg.levels << 8).reshape(run.cfg.levels, 256)
    slow = np.bincount(run.footprints["level"][run.result["beats"] > 1], minlength=run.cfg.levels)
    return np.stack([counts.sum(axis=1), counts @ LOOKUPS, counts @ HITS, slow], axis=1)


def by_set(run: StoredRun) -> NDArray[np.int64]:
    """Look-ups and misses per bank and set, shape [banks, sets, 2]."""
    cfg, result = run.cfg, run.result
    looked = np.zeros((2, cfg.banks * cfg.cache.sets), np.int64)
    for slot in range(4):
        place = result["bank"][:, slot].astype(np.int64) * cfg.cache.sets + result["set"][:, slot]
        valid = result["valid"][:, slot] == 1
        missed = valid & (result["hit"][:, slot] == 0)
        for row, chosen in enumerate((valid, missed)):
            looked[row] += np.bincount(place[chosen], minlength=cfg.banks * cfg.cache.sets)
    return looked.T.reshape(cfg.banks, cfg.cache.sets, 2)
