# SPDX-License-Identifier: Apache-2.0
"""Trace files of ``trilinear``: a column for each field of its requests."""

from collections.abc import Mapping

from configs.trilinear.schema import TRILINEAR, Config
from workloads.traces.requests import Default, counting


def defaults(cfg: Config) -> Mapping[str, Default]:
    """Fields that a trace may leave out: trilinear samples that repeat at the edges."""
    return {
        "op": TRILINEAR, "tex": 0, "mode_u": 0, "mode_v": 0, "u1": 0, "v1": 0, "line": 0,
        "id": counting(cfg.id_bits),
    }  # fmt: skip
