# SPDX-License-Identifier: Apache-2.0
"""Trace files of ``dcache``: a column for each field of its requests (:mod:`workloads.traces.requests`)."""

from collections.abc import Mapping

from configs.dcache.schema import LANES, LOAD, Config
from configs.simt import WORD_BYTES
from workloads.traces.requests import Default


def defaults(cfg: Config) -> Mapping[str, Default]:
    """Fields that a trace may leave out: loads of lane 0, or whole words of 0, by warp 0."""
    others: dict[str, Default] = {f"addr{lane}": 0 for lane in range(1, LANES)}
    others |= {f"data{lane}": 0 for lane in range(LANES)}
    others |= {f"strobe{lane}": (1 << WORD_BYTES) - 1 for lane in range(LANES)}
    return {"op": LOAD, "warp": 0, "mask": 1, **others}
