# SPDX-License-Identifier: Apache-2.0
"""Requests and results of ``dcache`` by field, as the ports have them; requests at random."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from configs.dcache.schema import CLEAN, FLUSH, INVALIDATE, LANES, LOAD, POLICY, STATUS, STORE, Config
from configs.simt import POLICIES
from models.dcache import READ, REQUEST, SINGLE, by_lane
from tb.common.components.packing import Columns
from tb.common.components.requests import Reads

ALL = (1 << LANES) - 1


def lanes(results: NDArray[Any], name: str) -> Columns:
    """A field [n, LANES] as the fields of its lanes."""
    return {f"{name}{lane}": results[name][:, lane] for lane in range(LANES)}


def result_columns(requests: NDArray[Any], results: NDArray[Any]) -> Columns:
    """The fields of port ``res`` for RESULT array [n]."""
    return {**lanes(results, "data"), "err": results["err"], "warp": requests["warp"]}


def event_columns(requests: NDArray[Any], results: NDArray[Any]) -> Columns:
    """The fields of port ``evt`` for RESULT array [n]."""
    same = {name: results[name] for name in ("hit", "evict", "write")}
    return {"op": requests["op"], **same, **lanes(results, "way"), **lanes(results, "victim")}


def reads_of(cfg: Config, requests: NDArray[Any], results: NDArray[Any]) -> Reads:
    """The reads of the lanes: the line of each, or the beat with its word past the cache."""
    rows, lane = np.nonzero(results["burst"] & READ)
    address = by_lane(requests, "addr")[rows, lane].astype(np.int64)
    single = results["burst"][rows, lane] & SINGLE > 0
    return rows, np.where(single, address & -cfg.axi.strobe_bits, address & -cfg.cache.line_bytes)


def lane_groups(cfg: Config, request: Any) -> list[list[int]]:
    """The lanes of an access that are looked up together, in order: docs/dcache.md, groups."""
    groups: dict[int, list[int]] = {}
    for lane in range(LANES):
        if request["mask"] >> lane & 1:
            line = int(request[f"addr{lane}"]) >> cfg.cache.offset_bits
            groups.setdefault(line if cfg.coalescing else -lane, []).append(lane)
    return list(groups.values())


@dataclass(frozen=True)
class Distribution:
    """What random requests look like.

    ``sets``: so many sets are used, all if 0; ``tags``: lines that compete for a set, beside the ways;
    ``again``: share of lanes that stay in the line of the one before; ``words``: of a line that are used, all
    if 0; ``stores``: share of stores; ``full``: share of accesses of all lanes; ``uncached``: share of lanes
    that go beside the cache, where there is such a window. Then shares of the other kinds of requests.
    """

    sets: int = 0
    tags: int = 2
    again: float = 0.6
    words: int = 0
    stores: float = 0.5
    full: float = 0.3
    uncached: float = 0.03
    cleans: float = 0.01
    flushes: float = 0.01
    invalidations: float = 0.005
    states: float = 0.02
    policies: float = 0.02

    def draw(self, cfg: Config, rng: np.random.Generator, count: int) -> NDArray[Any]:
        """REQUEST array [count]."""

        def below(limit: int, size: Any = count) -> NDArray[np.int64]:
            return rng.integers(limit, size=size)

        drawn, kind = np.zeros(count, REQUEST), rng.random(count)
        shares = (self.cleans, self.flushes, self.invalidations, self.states, self.policies)
        access = np.where(rng.random(count) < self.stores, STORE, LOAD)
        control = (CLEAN, FLUSH, INVALIDATE, STATUS, POLICY)
        drawn["op"] = np.select([kind < share for share in np.cumsum(shares)], control, access)
        drawn["warp"] = below(cfg.warps)
        drawn["mask"] = np.where(rng.random(count) < self.full, ALL, below(ALL + 1) & below(ALL + 1))
        addresses = self._addresses(cfg, rng, count)
        addresses[drawn["op"] == POLICY, 0] = below(len(POLICIES), int((drawn["op"] == POLICY).sum()))
        words, strobes = below(1 << 32, (count, LANES)), below(16, (count, LANES))
        strobes |= 15 * (rng.random((count, 1)) < 0.4)
        for lane in range(LANES):
            drawn[f"addr{lane}"], drawn[f"data{lane}"] = addresses[:, lane], words[:, lane]
            drawn[f"strobe{lane}"] = strobes[:, lane]
        return drawn

    def _addresses(self, cfg: Config, rng: np.random.Generator, count: int) -> NDArray[np.int64]:
        """Byte addresses [count, LANES]."""
        cache, size = cfg.cache, count * LANES
        window = int(rng.integers(1 << max(0, cache.tag_bits - 6))) << 6
        competing = max(1, cache.ways + self.tags)
        tags = (window + rng.integers(competing, size=size)) & ((1 << cache.tag_bits) - 1)
        lines = tags << cache.set_bits | rng.integers(min(self.sets or cache.sets, cache.sets), size=size)
        jumps = rng.random(size) >= self.again
        jumps[:1] = True
        lines = lines[np.maximum.accumulate(np.where(jumps, np.arange(size), 0))]
        bytes_ = min(4 * self.words or cache.line_bytes, cache.line_bytes)
        addresses = lines << cache.offset_bits | rng.integers(bytes_, size=size)
        if cfg.uncached_bits:
            top = ((1 << cfg.uncached_bits) - 1) << cache.address_bits - cfg.uncached_bits
            beside = rng.random(size) < self.uncached
            addresses = np.where(beside, addresses | top, addresses)
        return addresses.reshape(count, LANES)
