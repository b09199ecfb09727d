# SPDX-License-Identifier: Apache-2.0
"""Hits of many texture caches from few passes over a trace (see :mod:`models.stack`).

A footprint whose look-ups repeat those of the footprint before leaves every stack as it finds it, so a run of
them costs two: the second stands for all that follow. Exact, and most of the work on magnified textures.
"""

from collections.abc import Callable, Hashable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from configs.texcache.schema import Config
from models.kernels import kernel
from models.stack import histogram
from models.texcache.lookups import Lookups, lookups

Lut = NDArray[np.uint32] | Callable[[Config], NDArray[np.uint32]]


class Totals(NamedTuple):
    """Look-ups of a trace and how many of them hit."""

    lookups: int
    hits: int


class Stream(NamedTuple):
    """Look-ups with how often each happened in succession; arrays of shape [n]."""

    lookups: Lookups
    weight: NDArray[np.int64]


def sweep(cfgs: Sequence[Config], footprints: NDArray[Any], lut: Lut) -> list[Totals]:
    """Look-ups and hits of each configuration on a cold cache; configurations that can share passes do.

    ``lut`` is the look-up table, or a function that gives the table of a configuration: needed as soon as
    line sizes differ, for the table holds line addresses. Configurations with equal layout, line and look-up
    mode must have equal tables. Results are in the order of ``cfgs``.
    """
    totals: dict[int, Totals] = {}
    for same_stream in _grouped(range(len(cfgs)), lambda i: _stream_key(cfgs[i])):
        first = cfgs[same_stream[0]]
        stream = run_lengths(lookups(first, footprints, lut(first) if callable(lut) else lut))
        count = int(stream.weight.sum())
        for same_sets in _grouped(
            same_stream, lambda i: (cfgs[i].banks, cfgs[i].cache.sets, cfgs[i].small_side)
        ):
            cfg, most_ways = cfgs[same_sets[0]], max(cfgs[i].cache.ways for i in same_sets)
            rows, sets = stream.lookups.rows(cfg), cfg.banks * cfg.cache.sets
            depths = histogram(rows, stream.lookups.line, stream.weight, sets, most_ways)
            for i in same_sets:
                totals[i] = Totals(count, int(depths[: cfgs[i].cache.ways].sum()))
    return [totals[i] for i in range(len(cfgs))]


def _stream_key(cfg: Config) -> Hashable:
    how = cfg.layout, cfg.line_texels, cfg.lookup, cfg.banking
    return *how, cfg.max_side, cfg.textures, cfg.cache.address_bits


def _grouped(indices: Sequence[int], key: Callable[[int], Hashable]) -> list[list[int]]:
    groups: dict[Hashable, list[int]] = {}
    for i in indices:
        groups.setdefault(key(i), []).append(i)
    return list(groups.values())


def run_lengths(stream: Lookups) -> Stream:
    """Shortens runs of footprints with equal look-ups to the first two, the second weighted with the rest."""
    keep = np.empty(len(stream.line), np.int64)
    weight = np.empty(len(stream.line), np.int64)
    count = _run_lengths(stream, keep, weight)
    return Stream(stream.take(keep[:count]), weight[:count])


@kernel
def _run_lengths(stream: Lookups, keep: NDArray[np.int64], weight: NDArray[np.int64]) -> int:
    count, begin, previous, length, run = 0, 0, 0, 0, 0
    while begin < len(stream.line):
        end = begin + 1
        while end < len(stream.line) and stream.footprint[end] == stream.footprint[begin]:
            end += 1
        same = end - begin == length and stream.level[begin] == stream.level[previous]
        for i in range(length if same else 0):
            same = same and stream.line[begin + i] == stream.line[previous + i]
        run = run + 1 if same else 0
        for i in range(begin, end):
            if run < 2:
                keep[count] = i
                weight[count] = 1
                count += 1
            else:
                weight[count - (end - i)] += 1
        previous, length, begin = begin, end - begin, end
    return count
