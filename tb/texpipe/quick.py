# SPDX-License-Identifier: Apache-2.0
"""Short replays that show most faults of ``texpipe`` within milliseconds: for mutants."""

from pathlib import Path

import numpy as np

from configs import MemoryTiming
from configs.texpipe.schema import Config
from models.memory import Memory
from models.texunit import PRIM, QUAD
from tb.common.replay.machine import Check
from tb.common.replay.traffic import Traffic
from tb.texpipe.replay import verified
from tb.texunit.items import Distribution
from workloads.texunit.quads import QuadStream

PRIMS = 16
PATIENCE = 3000
AGAIN = 0.5  # share of primitives with the texture of the one before: tables that are kept


def checks(cfg: Config, seed: int) -> dict[str, Check]:
    """By name; each compares texels and look-ups with the model. Raises ``ReplayError`` if the RTL stops."""
    busy = Traffic.random(seed, request=0.4, result=0.5, address=0.3, data=0.4)
    calm, fast, far = Traffic(), MemoryTiming(latency=1), MemoryTiming(latency=60)
    slow = MemoryTiming(latency=20, gap=2)
    upright = Distribution(log2=(4, 11), lods=(-9, 12), filters=(0,), walk=0, squash=(1, 5))
    kinds = {
        "any": (Distribution(), 12, calm, False, far),
        "tiny": (Distribution(log2=(0, 3), edges=0.5, full=0.3), 12, busy, True, MemoryTiming(latency=2)),
        "minified": (Distribution(log2=(0, 11), lods=(-3, 12)), 12, busy, False, slow),
        "three bytes": (Distribution(formats=(1,), log2=(0, 5)), 12, calm, True, fast),
        "tables": (Distribution(formats=(2, 3), log2=(0, 5)), 12, calm, True, far),
        "upright": (upright, 20, calm, False, fast),
        "filtered": (Distribution(log2=(2, 6), filters=(1,), lods=(-2, 0.5)), 60, calm, False, far),
    }
    return {
        f"replay {number + 1}: {name}": _check(cfg, seed + number, *kind)
        for number, (name, kind) in enumerate(kinds.items())
    }


def work(
    cfg: Config, rng: np.random.Generator, distribution: Distribution, each: int
) -> tuple[list[QuadStream], set[int]]:
    """Random work for all units, ``each`` quads a primitive, and lines near its textures that may fail."""
    streams, near = [], set[int]()
    for _ in range(cfg.units):
        prims = np.array([distribution.prim(cfg, rng) for _ in range(PRIMS)], PRIM)
        for number in range(1, PRIMS):
            if rng.random() < AGAIN:
                for name in ("base", "format", "log2w", "log2h", "max_lod"):
                    prims[number][name] = prims[number - 1][name]
        quads = np.concatenate([distribution.quads(rng, prim, each) for prim in prims]).astype(QUAD)
        streams.append(QuadStream(prims, quads, np.repeat(np.arange(PRIMS), each)))
        near |= {int(prim["base"]) + int(k) for prim in prims for k in rng.integers(0, 300, 40)}
    return streams, near


def _check(
    cfg: Config, seed: int, distribution: Distribution, each: int, traffic: Traffic, errors: bool,
    timing: MemoryTiming,
) -> Check:  # fmt: skip
    streams, near = work(cfg, np.random.default_rng(seed), distribution, each)
    memory = Memory(seed, poisoned=sorted(near) if errors else ())

    def run(folder: Path, plusarg: str) -> str:
        _, _, wrong = verified(
            cfg, streams, memory, seed, rtl_dir=folder, traffic=traffic, timing=timing,
            patience=PATIENCE, plusarg=plusarg,
        )  # fmt: skip
        return wrong[0].text if wrong else ""

    return run
