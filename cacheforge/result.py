# SPDX-License-Identifier: Apache-2.0
"""Results of a golden model."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from configs import BlockConfig
from utils.notebook import table


@dataclass(frozen=True, eq=False)
class Run:
    """Results of n accesses.

    ``results`` [n]: the model's record of each access, in the order of the traffic (``RESULT`` of
    ``models/<block>``). ``counters``: the RTL's counters except those of cycles. ``rates``: shares by name,
    NaN if there was no access. ``queries`` [m]: each cache query of a block that makes several for an access.
    ``references`` [r]: for a trace of another program, 1 if all words that a reference touches hit.
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
    """``part`` of ``whole``, NaN if that is 0."""
    return part / whole if whole else float("nan")
