# SPDX-License-Identifier: Apache-2.0
"""Depth tested before texturing or after it: what the later test costs in texture traffic."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from configs import UserError
from models.depth import EARLY, LATE
from report.pages import Page
from report.results import AGAIN

PLACES = {EARLY: "before texturing", LATE: "after texturing"}
Counts = Mapping[str, int]  # by name: what is asked for first, among the others MISSES, BYTES and CYCLES
MISSES, BYTES, CYCLES = "misses", "bytes read", "cycles"


def when_tested(depth: str) -> str:
    """When depth is tested, inside a sentence."""
    return f"depth tested {PLACES[depth]}"


def provenance(depth: str) -> dict[str, str]:
    """When depth is tested, for the page's foot."""
    return {"Depth test": f"{depth}, {PLACES[depth]} (DEPTH={depth})"}


@dataclass(frozen=True)
class Pair:
    """A scene's counts with both tests. Raises :class:`UserError` if the late one textures less."""

    scene: str
    early: Counts
    late: Counts

    def __post_init__(self) -> None:
        first = next(iter(self.early))
        if self.late[first] < self.early[first]:
            raise UserError(f"{self.scene}: fewer {first} with the late depth test; {AGAIN}")

    def more(self, what: str) -> float:
        """Share that the late test adds."""
        return self.late[what] / self.early[what] - 1


def draw_pairs(page: Page, pairs: Sequence[Pair], traffic: str, pictures: str) -> None:
    """The chapter; ``pictures`` is a sentence on how those of the two tests compare."""
    rows = [
        {"scene": pair.scene, "what": what, "early": pair.early[what], "late": pair.late[what],
         "more": pair.more(what)}
        for pair in pairs for what in pair.early
    ]  # fmt: skip
    first = next(iter(pairs[0].early))
    added = {name: [pair.more(name) for pair in pairs] for name in (first, MISSES, BYTES, CYCLES)}
    page.draw("depth-traffic", rows, name=first, first=added[first], misses=added[MISSES], bytes=added[BYTES],
              cycles=added[CYCLES], pictures=pictures, in_both=traffic)  # fmt: skip
