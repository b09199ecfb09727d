# SPDX-License-Identifier: Apache-2.0
"""Trace files of ``simple``: a column for each field of its requests (:mod:`workloads.traces.requests`)."""

from collections.abc import Mapping

from configs.simple.schema import LOAD, Config
from workloads.traces.requests import Default, counting


def defaults(cfg: Config) -> Mapping[str, Default]:
    """Fields that a trace may leave out: loads, or whole words of 0."""
    whole = (1 << cfg.word_bytes) - 1
    return {"op": LOAD, "value": 0, "strobe": whole, "id": counting(cfg.id_bits)}
