# SPDX-License-Identifier: Apache-2.0
"""Policies beside each other: misses and evictions as in the models; "LFU" is not what its name says."""

import numpy as np
import pytest

from configs import load
from configs.simt import POLICIES
from models.comparison import COMPARED, OPTIMUM, TRUE_LFU, Geometry, compared
from models.dcache import DcacheModel
from models.icache import IcacheModel
from models.memory import Memory
from workloads.simt import requests
from workloads.simt.programs import PROGRAMS, prepare


@pytest.mark.parametrize("invalid_first", [False, True])
@pytest.mark.parametrize("policy", POLICIES)
def test_misses_are_those_of_the_models(policy: str, invalid_first: bool) -> None:
    trace = prepare(PROGRAMS["fft"], 64).run()
    cache = {"policy": policy, "invalid_first": invalid_first}
    fetching = requests.wide(load("icache", "tiny")).with_(cache=cache)
    data = requests.wide(load("dcache", "tiny").with_(uncached_bits=0)).with_(cache=cache)
    icache, dcache = IcacheModel(fetching, Memory()), DcacheModel(data, Memory())
    icache.replay(requests.fetches(trace))
    dcache.replay(requests.accesses(trace))
    for model, addresses in ((icache, trace.addresses), (dcache, requests.words(trace))):
        misses, evictions = compared(addresses, Geometry.of(model.cfg.cache), invalid_first)
        assert misses[policy] == model.counters["misses"] > misses[OPTIMUM] > 0
        assert evictions[policy] == model.counters["evictions"] > evictions[OPTIMUM] > 0


def test_lfu_of_the_source_counts_no_uses() -> None:
    """A line twice, four others once, the line again: LRU and "LFU" have replaced it, true LFU has not."""
    lines = np.array([7, 7, 1, 2, 3, 4, 7])
    misses, evictions = compared(lines * 32, Geometry(1, 4, 32))
    assert evictions == {policy: count - 4 for policy, count in misses.items()}
    assert misses == dict.fromkeys(POLICIES, 6) | {TRUE_LFU: 5, OPTIMUM: 5}
    assert tuple(misses) == COMPARED
