# SPDX-License-Identifier: Apache-2.0
"""Short replays that show most faults of ``texpipe`` within milliseconds: for mutants."""

from functools import partial

from configs import MemoryTiming
from configs.texpipe.schema import Config
from tb.common.replay.machine import Check
from tb.texpipe.replay import verified
from tb.texunit import quick
from tb.texunit.items import Distribution
from tb.texunit.quick import Kind, checks_of

PATIENCE = 3000
#: half of the primitives have the texture of the one before: tables that are kept
work = partial(quick.work, prims=16, again=0.5)


def checks(cfg: Config, seed: int) -> dict[str, Check]:
    """By name; each compares texels and look-ups with the model. Raises ``ReplayError`` if the RTL stops."""
    fast, far, slow = MemoryTiming(latency=1), MemoryTiming(latency=60), MemoryTiming(latency=20, gap=2)
    upright = Distribution(log2=(4, 11), lods=(-9, 12), filters=(0,), walk=0, squash=(1, 5))
    tiny = Distribution(log2=(0, 3), edges=0.5, full=0.3)
    kinds = {
        "any": Kind(Distribution(), 12, False, False, far),
        "tiny": Kind(tiny, 12, True, True, MemoryTiming(latency=2)),
        "minified": Kind(Distribution(log2=(0, 11), lods=(-3, 12)), 12, True, False, slow),
        "three bytes": Kind(Distribution(formats=(1,), log2=(0, 5)), 12, False, True, fast),
        "tables": Kind(Distribution(formats=(2, 3), log2=(0, 5)), 12, False, True, far),
        "upright": Kind(upright, 20, False, False, fast),
        "filtered": Kind(Distribution(log2=(2, 6), filters=(1,), lods=(-2, 0.5)), 60, False, False, far),
    }
    return checks_of(cfg, seed, kinds, partial(verified, patience=PATIENCE), work)
