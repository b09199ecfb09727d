# SPDX-License-Identifier: Apache-2.0
"""The two sides of ``mmu``, instructions and data: streams, record types, what the pins of each must show."""

from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from configs import Stream
from configs.mmu.schema import Config
from models import records
from models.dcache import REQUEST as ACCESS
from models.icache import REQUEST as FETCH
from tb.common.components.packing import Columns, unpack_words
from tb.common.components.requests import FILL, lines_of
from tb.common.components.transactions import Observation
from tb.dcache import items as dcache
from tb.icache import items as icache

SIDES = ("icache", "dcache")
CHANNELS = tuple(f"{side}_{channel}" for side in SIDES for channel in ("evt", "res"))
READS = {"icache": lines_of, "dcache": dcache.reads_of}
TYPES: dict[str, np.dtype[Any]] = {"icache": FETCH, "dcache": ACCESS}
COLUMNS: dict[str, Callable[[NDArray[Any], NDArray[Any]], Columns]] = {
    "icache_res": icache.result_columns,
    "icache_evt": icache.event_columns,
    "dcache_res": dcache.result_columns,
    "dcache_evt": dcache.event_columns,
}


def fill_channels(cfg: Config) -> dict[str, str]:
    """Channels of addresses on memory's port, of the sides that read in the order of their requests."""
    ordered = {"icache": not cfg.icache.early, "dcache": not cfg.dcache.nonblocking}
    return {side: f"{side}_{FILL}" for side in SIDES if ordered[side]}


def side_of(axi_id: int) -> str:
    """Whose burst has this id."""
    return SIDES[axi_id & 1]


@dataclass
class Side:
    """What one side has taken and not answered."""

    name: str
    streams: dict[str, Stream]
    open: deque[Observation] = field(default_factory=deque)  # taken, and not predicted
    count: int = 0  # requests that were predicted
    in_flight: int = 0  # taken, and not answered

    def requests(self, taken: Iterable[Observation]) -> NDArray[Any]:
        """The requests [n] of transfers."""
        words = [transfer.word for transfer in taken]
        return records(TYPES[self.name], unpack_words(self.streams[f"{self.name}_req"], words))

    def lose(self) -> None:
        """Requests that were not answered never will be."""
        self.open.clear()
        self.in_flight = 0
