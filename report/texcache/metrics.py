# SPDX-License-Identifier: Apache-2.0
"""Numbers of one measured run: hit rates in every way of counting, misses by kind, cycles and latency."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from configs.texcache.schema import TEXEL_BYTES
from models.belady import optimal_hits
from models.classify import classify
from models.texaddress import SLOT_TEXEL
from models.texlookups import lookups
from report.texcache.results import Run

#: look-up slot that serves each texel: its own if it was looked up, else that of its left neighbour
OWN_SLOT = tuple(SLOT_TEXEL.index(texel) for texel in range(4))
LEFT_SLOT = tuple(SLOT_TEXEL.index(texel & ~1) for texel in range(4))


def texel_hits(result: NDArray[Any]) -> NDArray[np.bool_]:
    """Whether the line of each of the four texels was present when it was looked up, shape [n, 4]."""
    valid, hit = result["valid"].astype(bool), result["hit"].astype(bool)
    return np.where(valid[:, OWN_SLOT], hit[:, OWN_SLOT], hit[:, LEFT_SLOT])


def footprint_hits(result: NDArray[Any]) -> NDArray[np.bool_]:
    """Whether all look-ups of a footprint hit, shape [n]."""
    answer: NDArray[np.bool_] = (result["hit"] == result["valid"]).all(axis=1)
    return answer


@dataclass(frozen=True)
class Rates:
    """Hit rates of a run, each the share of its own unit; ``fetched`` counts misses per texel delivered.

    ``texel``: texels whose line was present. ``lookup``: tag look-ups that hit (a row of the footprint, or the
    part of it in one line). ``footprint``: footprints that hit entirely. ``fetched``: 1 - misses / texels, what
    a cache reports that serves one texel after another, so that a line's second texel always hits.
    """

    texel: float
    lookup: float
    footprint: float
    fetched: float


def rates(run: Run) -> Rates:
    """The four hit rates of a run."""
    result = run.result
    looked, hits = int(result["valid"].sum()), int(result["hit"].sum())
    return Rates(
        texel=float(texel_hits(result).mean()),
        lookup=hits / looked,
        footprint=float(footprint_hits(result).mean()),
        fetched=1 - (looked - hits) / (4 * len(result)),
    )


@dataclass(frozen=True)
class Speed:
    """Cycles of a run, from the first request to the last result, and what they mean."""

    cycles: int
    pixels: int
    pixels_per_clock: float
    footprints_per_clock: float
    latency_mean: float
    latency_median: float
    latency_99: float
    latency_max: int


def speed(run: Run) -> Speed:
    """Throughput and latency; latency counts from a request's acceptance to its result, in cycles."""
    cycles = int(run.t_result[-1] - run.t_request[0]) + 1
    wait = run.latency
    return Speed(
        cycles=cycles,
        pixels=run.pixels,
        pixels_per_clock=run.pixels / cycles,
        footprints_per_clock=len(wait) / cycles,
        latency_mean=float(wait.mean()),
        latency_median=float(np.median(wait)),
        latency_99=float(np.quantile(wait, 0.99)),
        latency_max=int(wait.max()),
    )


def misses(run: Run) -> int:
    """Look-ups that missed: lines read from memory."""
    return int(run.result["valid"].sum()) - int(run.result["hit"].sum())


def bytes_per_pixel(run: Run) -> float:
    """Bytes read from memory per pixel."""
    return misses(run) * run.cfg.line_bytes / run.pixels


def bytes_without_cache(run: Run) -> float:
    """Bytes per pixel if each texel were read by itself."""
    return 4 * TEXEL_BYTES * len(run.result) / run.pixels


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
        return self.compulsory + self.capacity + self.conflict

    @property
    def excess(self) -> float:
        """Misses above the optimum in the same sets, as a share of the optimum."""
        return self.total / self.optimal - 1


def miss_kinds(run: Run) -> Misses:
    """Sort a run's misses, and compute the optima. Model only, over the run's own look-ups."""
    stream = lookups(run.cfg, run.footprints, run.lut)
    hits = run.result["hit"][run.result["valid"].astype(bool)]
    if len(hits) != len(stream.line):
        raise ValueError(f"{run.name}: {len(hits)} measured look-ups, {len(stream.line)} by the model")
    cfg, lines = run.cfg, run.cfg.banks * run.cfg.sets * run.cfg.ways
    kinds = classify(stream.line, hits, lines).totals
    same = optimal_hits(stream.rows(cfg), stream.line, cfg.banks * cfg.sets, cfg.ways)
    full = optimal_hits(np.zeros(len(hits), np.int64), stream.line, 1, lines)
    return Misses(
        lookups=len(hits),
        compulsory=kinds["compulsory"],
        capacity=kinds["capacity"],
        conflict=kinds["conflict"],
        optimal=len(hits) - int(same.sum()),
        optimal_full=len(hits) - int(full.sum()),
    )


def by_level(run: Run) -> NDArray[np.int64]:
    """Look-ups and hits per mip level, shape [levels, 2]."""
    level = run.footprints["level"]
    columns = [np.bincount(level, run.result[name].sum(axis=1), run.cfg.levels) for name in ("valid", "hit")]
    return np.stack(columns, axis=1).astype(np.int64)


def by_set(run: Run) -> NDArray[np.int64]:
    """Look-ups and misses per bank and set, shape [banks, sets, 2]."""
    cfg, result = run.cfg, run.result
    valid = result["valid"].astype(bool)
    place = result["bank"][valid].astype(np.int64) * cfg.sets + result["set"][valid]
    looked = np.bincount(place, minlength=cfg.banks * cfg.sets)
    missed = np.bincount(place, 1 - result["hit"][valid].astype(np.int64), cfg.banks * cfg.sets)
    return np.stack([looked, missed], axis=1).astype(np.int64).reshape(cfg.banks, cfg.sets, 2)
