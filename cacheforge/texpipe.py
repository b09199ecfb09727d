# SPDX-License-Identifier: Apache-2.0
"""``texpipe`` in the library: the quads of ``texunit``, and exactly what the pipelined units make of them."""

from collections import Counter

import numpy as np

from cacheforge.result import Run, share
from cacheforge.texunit import PATTERNS, TRAFFIC, accesses, check_traffic, columns, scene, trace
from configs.texpipe.schema import Config
from models.memory import Memory
from models.texpipe import RESULT, TexpipeModel
from workloads.texunit.quad_trace import QuadTrace
from workloads.texunit.quads import QuadFrame

__all__ = ["PATTERNS", "TRAFFIC", "accesses", "columns", "run", "scene", "trace"]


def run(cfg: Config, traffic: QuadFrame | QuadTrace, seed: int) -> Run:
    """The golden model's results: one model for each unit; beside them BEAT [pixels], unit by unit."""
    check_traffic(cfg, traffic)
    memory, results = Memory(seed, traffic.base, traffic.image), np.zeros(len(traffic.quads), RESULT)
    beats, counters = [], Counter[str]()
    for mine, work in traffic.split(cfg.units):
        model = TexpipeModel(cfg, memory)
        results[mine], made = model.replay(*work)
        beats.append(made)
        counters.update(model.counts)
    rates = {"hit rate": share(counters["hits"], counters["lookups"])}
    return Run(cfg, results, dict(counters), rates, np.concatenate(beats))
