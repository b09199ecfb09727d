# SPDX-License-Identifier: Apache-2.0
"""Small helpers for the section's sentences."""

from collections.abc import Sequence

from report.tables import NBSP
from report.zcache.results import AHEAD, Results


def traffic(found: Results, scenes: Sequence[str]) -> str:
    """What the runs in RTL consisted of."""
    width, height = found.index["size"]
    run = found.run(found.scenes[0], AHEAD)
    what = f"{len(scenes)} view{'s' * (len(scenes) > 1)} of {found.own['source']}" if found.own else ""
    return (
        f"{what or f'{len(scenes)} scenes'}, {width} × {height} pixels, a clear, all tiles, a flush; a tile "
        f"each {run['pace']} cycles at most, shaded in {run['delay']}; memory answers after "
        f"{run['latency_of_memory']} cycles; {run['in_flight']} tiles in flight, {run['reads']} reads under "
        "way"
    )


def points(share: float, digits: int = 2) -> str:
    """A difference of shares, in points."""
    return f"{100 * share:+.{digits}f}"


def cut(share: float, digits: int = 2) -> str:
    """A reduction, as a change."""
    return f"{-100 * share:+.{digits}f}{NBSP}%"
