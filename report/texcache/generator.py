# SPDX-License-Identifier: Apache-2.0
"""The paper's generator: addresses at random within a range, and what range gives 92.5 %."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import lru_cache
from typing import Any

import numpy as np

from models.lut import allocate
from models.texcache import TexcacheModel
from models.memory import Memory
from report.charts import Mark, Series, line_chart
from report.page import Figure, Section
from report.tables import Column, Table, percent_tick, size
from report.texcache.metrics import Rates, rates_of
from report.texcache.summary import Book
from report.texcache.words import COMMAND, mean, pct
from workloads.patterns import random_range
from workloads.textures import NAMES, texture

TARGET = 0.925
RANGES = tuple(1024 * kilobytes for kilobytes in (1, 2, 4, 6, 7, 8, 9, 10, 12, 16, 24, 32, 64, 128, 256, 1024))
STEPS = 20_000
WAYS_OF_COUNTING = {
    "fetched": "per texel, one after the other",
    "texel": "per texel",
    "lookup": "per look-up (row)",
    "footprint": "per footprint",
}


@dataclass(frozen=True)
class Place:
    """Mean hit rates over the 20 textures for addresses within ``bytes``."""

    bytes: int
    rates: Rates
    least: float
    most: float


def curve(book: Book) -> tuple[Place, ...]:
    """The model's hit rates by range, mean over the textures, as long as the measured runs."""
    return _curve(book.base, book.results.index["seed"], book.progress)
