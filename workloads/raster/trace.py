# SPDX-License-Identifier: Apache-2.0
"""Trace files of ``raster``: a column for each field of its words (:mod:`workloads.traces.requests`)."""

from collections.abc import Mapping

from configs.raster.schema import VERTEX, Config
from workloads.traces.requests import Default


def defaults(cfg: Config) -> Mapping[str, Default]:
    """Fields that a trace may leave out: vertices, and 0."""
    return {"op": VERTEX} | {field.name: 0 for field in cfg.streams["vtx"].fields[1:]}
