# SPDX-License-Identifier: Apache-2.0
"""Short replays that show most faults of ``texunit`` within milliseconds: for mutants."""

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from configs import MemoryTiming
from configs.texunit.schema import Config
from models.memory import Memory
from models.texunit import PRIM, QUAD
from tb.common.replay.machine import Check
from tb.common.replay.traffic import Traffic
from tb.texunit.items import Distribution
from tb.texunit.replay import verified
from workloads.texunit.quads import QuadStream

PRIMS = 8
PATIENCE = 1500


class Kind(NamedTuple):
    """Quads of ``distribution``, ``each`` for a primitive; ``errors``: some lines of textures fail."""

    distribution: Distribution
    each: int
    busy: bool
    errors: bool
    timing: MemoryTiming


def checks(cfg: Config, seed: int) -> dict[str, Check]:
    """By name; each compares texels and queries with the model. Raises ``ReplayError`` if the RTL stops."""
    fast, near, slow = MemoryTiming(latency=1), MemoryTiming(latency=5), MemoryTiming(latency=20, gap=2)
    upright = Distribution(log2=(4, 11), lods=(-9, 12), filters=(0,), walk=0, squash=(1, 5))
    tiny = Distribution(log2=(0, 3), edges=0.5, full=0.3)
    kinds = {
        "any": Kind(Distribution(), 12, False, False, near),
        "tiny": Kind(tiny, 12, True, True, MemoryTiming(latency=2)),
        "minified": Kind(Distribution(log2=(0, 11), lods=(-3, 12)), 12, True, False, slow),
        "three bytes": Kind(Distribution(formats=(1,)), 12, False, True, fast),
        "upright": Kind(upright, 20, False, False, fast),
        "filtered": Kind(Distribution(log2=(2, 6), filters=(1,), lods=(-2, 0.5)), 100, False, False, fast),
    }
    return checks_of(cfg, seed, kinds, partial(verified, patience=PATIENCE), partial(work, prims=PRIMS))


def work(
    cfg: Any, rng: np.random.Generator, distribution: Distribution, each: int, prims: int, again: float = 0
) -> tuple[list[QuadStream], set[int]]:
    """Random work for all units, ``each`` quads for each of ``prims`` primitives, and lines near its textures
    that may fail. ``again``: the share of primitives with the texture of the one before.
    """
    streams, near = [], set[int]()
    for _ in range(cfg.units):
        drawn = np.array([distribution.prim(cfg, rng) for _ in range(prims)], PRIM)
        for number in range(1, prims if again else 1):
            if rng.random() < again:
                for name in ("base", "format", "log2w", "log2h", "max_lod"):
                    drawn[number][name] = drawn[number - 1][name]
        quads = np.concatenate([distribution.quads(rng, prim, each) for prim in drawn]).astype(QUAD)
        streams.append(QuadStream(drawn, quads, np.repeat(np.arange(prims), each)))
        near |= {int(prim["base"]) + int(k) for prim in drawn for k in rng.integers(0, 300, 40)}
    return streams, near


def checks_of(
    cfg: Any,
    seed: int,
    kinds: Mapping[str, Kind],
    verified: Callable[..., Any],
    work: Callable[..., tuple[list[QuadStream], set[int]]],
) -> dict[str, Check]:
    """A check of each kind, by name, with ``verified`` and ``work`` of the block."""

    def check(seed: int, kind: Kind) -> Check:
        streams, near = work(cfg, np.random.default_rng(seed), kind.distribution, kind.each)
        memory = Memory(seed, poisoned=sorted(near) if kind.errors else ())

        def run(folder: Path, plusarg: str) -> str:
            _, _, wrong = verified(
                cfg, streams, memory, seed, rtl_dir=folder, traffic=traffic if kind.busy else Traffic(),
                timing=kind.timing, plusarg=plusarg,
            )  # fmt: skip
            return wrong[0].text if wrong else ""

        return run

    traffic = Traffic.random(seed, request=0.4, result=0.5, address=0.3, data=0.4)
    return {
        f"replay {number + 1}: {name}": check(seed + number, kind)
        for number, (name, kind) in enumerate(kinds.items())
    }
