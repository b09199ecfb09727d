# SPDX-License-Identifier: Apache-2.0
"""In which cycles the channels around a replayed block are active."""

from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

#: channels in the order of the harness's options; new ones come last, so that seeds keep their cycles
CHANNELS = ("request", "result", "address", "data", "write_address", "write_data", "response")
#: how far memory may leave the order of requests, as the harness counts
ORDERS = ("request", "id", "beat")


def _always() -> NDArray[np.uint8]:
    return np.ones(1, np.uint8)


@dataclass(frozen=True)
class Traffic:
    """In which cycles each channel is active: patterns of 0 and 1, repeated without end.

    ``request``: a new request may be offered (once offered it stays); ``result``: the consumer is ready;
    ``address``, ``write_address``, ``write_data``: the memory takes what an AXI port offers; ``data``,
    ``response``: it may offer a new beat of read data or write response. Each clock has its own place in
    ``request`` and ``result``, each AXI port in the others. ``order`` in which memory answers: that of the
    requests; of the requests of each ``"id"``, bursts of others in between; or other ids' beats, too
    (``"beat"``). The replay's seed chooses.
    """

    request: NDArray[np.uint8] = field(default_factory=_always)
    result: NDArray[np.uint8] = field(default_factory=_always)
    address: NDArray[np.uint8] = field(default_factory=_always)
    data: NDArray[np.uint8] = field(default_factory=_always)
    write_address: NDArray[np.uint8] = field(default_factory=_always)
    write_data: NDArray[np.uint8] = field(default_factory=_always)
    response: NDArray[np.uint8] = field(default_factory=_always)
    order: Literal["request", "id", "beat"] = "request"

    def __post_init__(self) -> None:
        for name in CHANNELS:
            pattern = np.ascontiguousarray(getattr(self, name), np.uint8)
            if not pattern.any():
                raise ValueError(f"traffic pattern {name}: never active")
            object.__setattr__(self, name, pattern)
        if self.order not in ORDERS:
            raise ValueError(f"traffic order {self.order!r}: must be one of {', '.join(ORDERS)}")

    @property
    def patterns(self) -> list[NDArray[np.uint8]]:
        """The patterns in the order of :data:`CHANNELS`."""
        return [getattr(self, name) for name in CHANNELS]

    @classmethod
    def random(
        cls, seed: int, order: Literal["request", "id", "beat"] = "request", **idle: float
    ) -> "Traffic":
        """Channels idle at random, each in the given share of its cycles; a seed fixes every cycle."""
        rng = np.random.default_rng(seed)
        # coprime lengths: the combination hardly ever repeats
        lengths = dict(zip(CHANNELS, (65_537, 65_539, 65_543, 65_551, 65_557, 65_563, 65_579), strict=True))
        patterns = {
            name: (rng.random(lengths[name]) >= idle[name]).astype(np.uint8)
            for name in CHANNELS if idle.get(name)
        }  # fmt: skip
        unknown = sorted(set(idle) - set(CHANNELS))
        if unknown:
            raise ValueError(f"traffic channel {unknown[0]!r}: must be one of {', '.join(CHANNELS)}")
        return cls(**patterns, order=order)

    @classmethod
    def spaced(cls, cycles: int) -> "Traffic":
        """A request every ``cycles`` cycles at most, all else always active."""
        return cls((np.arange(cycles) == 0).astype(np.uint8))
