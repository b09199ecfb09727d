# SPDX-License-Identifier: Apache-2.0
"""Trace files of ``icache``: a column for each field of its requests (:mod:`workloads.traces.requests`)."""

from collections.abc import Mapping

from configs.icache.schema import FETCH, Config
from workloads.traces.requests import Default


def defaults(cfg: Config) -> Mapping[str, Default]:
    """Fields that a trace may leave out: fetches of block 0 and warp 0."""
    return {"op": FETCH, "block": 0, "warp": 0, "sign": 0}
