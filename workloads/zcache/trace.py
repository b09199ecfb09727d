# SPDX-License-Identifier: Apache-2.0
"""Trace files of ``zcache``: a column for each field of its tiles (:mod:`workloads.traces.requests`)."""

from collections.abc import Mapping

from configs.zcache.schema import D24X8, LESS, PIXELS, TILE, Config
from workloads.traces.requests import Default


def defaults(cfg: Config) -> Mapping[str, Default]:
    """Fields that a trace may leave out: whole tiles of depth 0 that write what is less, at 24 bits."""
    state: dict[str, Default] = {
        "op": TILE, "mask": (1 << PIXELS) - 1, "test": 1, "func": LESS, "write": 1, "format": D24X8,
    }  # fmt: skip
    return state | {f"depth{pixel}": 0 for pixel in range(PIXELS)}
