# SPDX-License-Identifier: Apache-2.0
"""When a side of a handshake waits: settable distributions of runs and pauses."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Pacing:
    """Runs of active cycles with pauses between them, both of geometric length.

    ``run``: mean length of a run in cycles (or transfers, for a driver); ``pause``: mean length of a pause in
    cycles, 0 for none; ``longest``: pauses are cut to this. ``patient``: be ready only once valid has been
    seen, as AXI allows; of who is ready.
    """

    run: float = 1.0
    pause: float = 0.0
    longest: int = 1000
    patient: bool = False

    def __post_init__(self) -> None:
        if self.run < 1 or self.pause < 0 or 0 < self.pause < 1:
            raise ValueError(f"{self}: run must be at least 1, pause 0 or at least 1")

    def gaps(self, rng: np.random.Generator, count: int) -> list[int]:
        """Idle cycles before each of ``count`` transfers."""
        if not self.pause:
            return [0] * count
        lengths = np.minimum(rng.geometric(1 / self.pause, count), self.longest)
        begins = rng.random(count) < 1 / self.run
        return [int(gap) for gap in lengths * begins]

    def ready(self, rng: np.random.Generator) -> Iterator[bool]:
        """Whether to be ready, cycle by cycle, without end."""
        while True:
            if not self.pause:
                yield True
                continue
            for _ in range(int(rng.geometric(1 / self.run))):
                yield True
            for _ in range(min(int(rng.geometric(1 / self.pause)), self.longest)):
                yield False


ALWAYS = Pacing()
PATIENT = Pacing(patient=True)


@dataclass(frozen=True)
class MemoryPacing:
    """What the memory adds to its configured timing.

    ``jitter``: up to so many more cycles of latency per burst, uniform; ``address``: readiness for addresses
    to read; ``beat``: pauses between data beats read; ``write_address``, ``write_beat``: readiness for what
    is to be written; ``answer``: pauses between the answers to writes.
    """

    jitter: int = 0
    address: Pacing = ALWAYS
    beat: Pacing = ALWAYS
    write_address: Pacing = ALWAYS
    write_beat: Pacing = ALWAYS
    answer: Pacing = ALWAYS

    @property
    def steady(self) -> bool:
        """Whether the configured timing holds exactly."""
        return self == MemoryPacing()


STEADY = MemoryPacing()
PATIENT_MEMORY = MemoryPacing(address=PATIENT, write_address=PATIENT, write_beat=PATIENT)


def random_pacing(rng: np.random.Generator) -> Pacing:
    """Full rate half of the time, else anything from nearly full to slow."""
    if rng.random() < 0.5:
        return ALWAYS
    return Pacing(float(rng.integers(1, 20)), float(rng.integers(1, 10)))


def random_memory_pacing(rng: np.random.Generator, jitter: int) -> MemoryPacing:
    """Less than ``jitter`` more cycles of latency half of the time, and random paces."""
    more = int(rng.integers(jitter)) if rng.random() < 0.5 else 0
    return MemoryPacing(more, random_pacing(rng), random_pacing(rng))


#: options of knobs that all blocks have: see ``tb/<block>/knobs.py``
PACES = {"full": ALWAYS, "bursts": Pacing(12, 5), "slow": Pacing(1, 6)}


def memory_paces(jitter: int) -> dict[str, MemoryPacing]:
    """Options of the knob "memory"."""
    stalls = MemoryPacing(0, Pacing(2, 4), Pacing(3, 3))
    return {"exact": STEADY, "jitter": MemoryPacing(jitter), "stalls": stalls}


def request_knobs(distributions: dict[str, Any], *, writes: bool = True) -> dict[str, dict[str, Any]]:
    """The knobs of a block that answers requests in order, with these ``distributions`` of them.

    ``writes``: whether it writes to memory.
    """
    stalls = [Pacing(2, 4)] * (5 if writes else 2)
    return {
        "distribution": distributions,
        "request": PACES,
        "result": PACES,
        "memory": {"exact": STEADY, "jitter": MemoryPacing(60), "stalls": MemoryPacing(9, *stalls)},
        "beside": {name: name for name in ("nothing", "errors", "reset")},
    }
