# SPDX-License-Identifier: Apache-2.0
"""``trilinear`` in the library: samples of two mip levels."""

from cacheforge.requests import RequestRoom, hit_rate
from models.trilinear import REQUEST, TrilinearModel
from workloads.trilinear.samples import PATTERNS, columns
from workloads.trilinear.trace import defaults


def rates(model: TrilinearModel) -> dict[str, float]:
    """Look-ups that hit, of both halves and of each."""
    counted = {name: half.counters for name, half in model.halves.items()}
    shares = {"look-up hit rate, both": hit_rate(*counted.values())}
    return shares | {f"look-up hit rate, {name}": hit_rate(counts) for name, counts in counted.items()}


ROOM = RequestRoom(REQUEST, TrilinearModel, dict.fromkeys(PATTERNS), columns, defaults, rates=rates)
