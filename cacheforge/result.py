# SPDX-License-Identifier: Apache-2.0
"""What a golden model makes of traffic."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from configs import BlockConfig
from utils.notebook import table


@dataclass(frozen=True, eq=False)
class Run:
    """What became of n accesses.

    ``results`` [n]: the model's record of each access, in the order of the traffic (``RESULT`` of
    ``models/<block>``). ``counters``: those of the RTL that do not count cycles. ``rates``: shares by name,
    NaN of nothing. ``queries`` [m]: of a block whose accesses ask its cache several times, each of these.
    ``references`` [r]: of references of another program, whether all words that each touches hit.
    """

    cfg: BlockConfig
    results: NDArray[Any]
    counters: dict[str, int]
    rates: dict[str, float]
    queries: NDArray[Any] | None = None
    references: NDArray[np.bool_] | None = None

    @property
    def hit_rate(self) -> float:
        """The first of ``rates``: the share of look-ups that hit."""
        return next(iter(self.rates.values()))

    def __repr__(self) -> str:
        name, rate = next(iter(self.rates.items()))
        return (
            f"<Run {self.cfg.block} {self.cfg.name}: {len(self.results):,} accesses, {name} {_percent(rate)}>"
        )

    def _repr_html_(self) -> str:
        rates = {name: _percent(rate) for name, rate in self.rates.items()}
        counters = {name: f"{count:,}" for name, count in self.counters.items()}
        return table(repr(self), rates | counters)


class Verilog(dict[str, str]):
    """Texts of files by name; its repr is a line."""

    def __repr__(self) -> str:
        lines = sum(text.count("\n") for text in self.values())
        return f"<Verilog: {len(self)} files, {lines:,} lines>"


def _percent(part: float) -> str:
    return "undefined" if math.isnan(part) else f"{part:.1%}".replace("%", " %")


def share(part: int, whole: int) -> float:
    """``part`` of ``whole``, NaN of nothing."""
    return part / whole if whole else float("nan")
