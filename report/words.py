# SPDX-License-Identifier: Apache-2.0
"""Numbers inside sentences."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from report.tables import NBSP, minus


def mean(values: Iterable[float]) -> float:
    """Arithmetic mean."""
    return float(np.mean(list(values)))


def pct(value: float, digits: int = 1) -> str:
    """A percentage inside a sentence."""
    return f"{100 * value:.{digits}f}{NBSP}%"


def span(values: Sequence[float], digits: int = 2) -> str:
    """``low to high``, or one number where both are the same."""
    low, high = f"{min(values):.{digits}f}", f"{max(values):.{digits}f}"
    return low if low == high else f"{low} to {high}"


def spread(values: Sequence[float], digits: int = 1) -> str:
    """``low to high`` as percentages."""
    low, high = f"{100 * min(values):.{digits}f}", f"{100 * max(values):.{digits}f}"
    return f"{low}{NBSP}%" if low == high else f"{low} to {high}{NBSP}%"


def counted(number: int, noun: str) -> str:
    """``1 picture``, ``4 pictures``."""
    return f"{number:,} {noun}{'s' * (number != 1)}"


def points(share: float, digits: int = 2) -> str:
    """A difference of shares, in points."""
    return minus(f"{100 * share:+.{digits}f}")


def cut(share: float, digits: int = 2) -> str:
    """A reduction, as a change."""
    return minus(f"{-100 * share:+.{digits}f}{NBSP}%")


#: what a value in a sentence may be written as, beside the forms of columns
FORMS: dict[str, Callable[[Any], str]] = {
    "pct": pct,
    "pct0": lambda value: pct(value, 0),
    "pct2": lambda value: pct(value, 2),
    "span": span,
    "span1": lambda values: span(values, 1),
    "span3": lambda values: span(values, 3),
    "spread": spread,
    "points1": lambda value: points(value, 1),
    "cut": cut,
    "cut1": lambda value: cut(value, 1),
    "names": ", ".join,
}
