# SPDX-License-Identifier: Apache-2.0
"""More seeds until every bin is hit or a budget ends; the generator's weights move towards bins that are not.

The test ``steered`` takes one option of each knob (``tb/<block>/knobs.py``). After each of its jobs every
option that took part is credited with the rarity of the bins that the job hit: one that was hit often before
is worth little, a first hit most. Options are then drawn in proportion to the square of their mean credit,
with a floor, so that none is ever left out.
"""

import importlib
import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np

from ci.nightly.catalogue import Job, seed_of
from tb.common.coverage.data import Counts

TEST = "steered"
FLOOR = 0.25  # of the mean weight: what an option keeps at least
PRIOR = 1.0  # jobs that an untried option is taken to have done, with the best credit so far


def knobs(block: str) -> dict[str, list[str]]:
    """Names of the options of each knob."""
    by_knob: Mapping[str, Mapping[str, object]] = importlib.import_module(f"tb.{block}.knobs").KNOBS
    return {knob: list(options) for knob, options in by_knob.items()}


@dataclass
class Steering:
    """Weights of the options, from what the jobs so far have hit. The same results give the same draws."""

    block: str
    counts: Counts = field(default_factory=dict)
    credit: dict[tuple[str, str], list[float]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._knobs = knobs(self.block)

    def learn(self, job: Job, coverage: Counts) -> float:
        """Take in a job's coverage; returns its credit."""
        worth = 0.0
        for point, bins in coverage.items():
            counts = self.counts.setdefault(point, {})
            for name, count in bins.items():
                if count:
                    worth += 1 / (1 + counts.get(name, 0))
                    counts[name] = counts.get(name, 0) + 1
        for choice in job.steer:
            self.credit.setdefault(choice, []).append(worth)
        return worth

    def weights(self, knob: str) -> dict[str, float]:
        """Of the options of a knob; their mean is 1."""
        options = self._knobs[knob]
        if not self.credit:
            return dict.fromkeys(options, 1.0)
        best = max(float(np.mean(worths)) for worths in self.credit.values())
        means = []
        for option in options:
            worths = self.credit.get((knob, option), [])
            means.append((sum(worths) + PRIOR * best) / (len(worths) + PRIOR))
        share = np.array(means) ** 2
        weights = share / share.mean() * (1 - FLOOR) + FLOOR
        return dict(zip(options, weights.tolist(), strict=True))

    def draw(self, rng: np.random.Generator) -> tuple[tuple[str, str], ...]:
        """One option of each knob."""
        chosen = []
        for knob in self._knobs:
            weights = self.weights(knob)
            shares = np.array(list(weights.values()))
            chosen.append((knob, str(rng.choice(list(weights), p=shares / shares.sum()))))
        return tuple(chosen)


def rounds(
    steering: Steering, config: str, simulator: str, seed: int, count: int, width: int
) -> Iterator[list[Job]]:
    """Endless rounds of ``width`` jobs; call :meth:`Steering.learn` with their coverage in between."""
    rng = np.random.default_rng(seed)
    numbers = itertools.count(1_000_000 + seed * 10_000 + 1)
    while True:
        places = [seed_of(number) for number in itertools.islice(numbers, width)]
        yield [
            Job(steering.block, config, simulator, TEST, place, count, steer=steering.draw(rng))
            for place in places
        ]
