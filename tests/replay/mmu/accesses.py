# SPDX-License-Identifier: Apache-2.0
"""Accesses of both caches of ``mmu`` for the tests of traces."""

import numpy as np

import configs
from configs.mmu.schema import Config
from models.memory import Memory
from models.mmu.traffic import OPS, defaults, sides, stream
from tb.common.replay.requests import Columns
from tb.mmu.prediction import Predicted
from tb.mmu.replay import Replayed, replay
from workloads.traces.requests import Requests, requests_from_arrays

SEED = 3  # of memory and power-up state


def config(preset: str, *changes: str) -> Config:
    cfg: Config = configs.load("mmu", preset, changes)
    return cfg


def mixed(cfg: Config, count: int, seed: int, reach: int = 2048) -> Requests:
    """All operations at random, words that are fetched and stored in the same few lines, some shared RAM."""
    rng = np.random.default_rng(seed)
    often = {"fetch": 40, "load": 25, "store": 25}
    share = np.array([often.get(op, 0.6) for op in OPS])
    drawn = {"op": rng.choice(len(OPS), count, p=share / share.sum())}
    drawn |= {name: rng.integers(0, 2, count) for name in ("block", "warp")}
    drawn["pc"] = np.where(drawn["op"] == 0, rng.integers(0, reach, count), rng.integers(0, 4, count))
    drawn["mask"] = rng.integers(0, 256, count) & rng.integers(0, 256, count)
    for lane in range(8):
        shared = rng.random(count) < 0.1
        address = np.where(shared, cfg.data_ram.base, 0) + rng.integers(0, 256, count)
        drawn[f"addr{lane}"] = np.where(shared, address, rng.integers(0, reach, count))
        drawn[f"data{lane}"] = rng.integers(0, 1 << 32, count)
        drawn[f"strobe{lane}"] = rng.integers(0, 16, count)
    drawn["addr0"] = np.where(drawn["op"] == OPS.index("dcache_policy"), drawn["warp"], drawn["addr0"])
    return requests_from_arrays(drawn, stream(cfg), defaults(cfg))


def through(cfg: Config, columns: Columns, predicted: Predicted) -> Replayed:
    return replay(cfg, columns, sides(cfg, columns), predicted, Memory(SEED), SEED)
