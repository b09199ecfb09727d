# SPDX-License-Identifier: Apache-2.0
"""Speed of the golden model beside pycachesim, on the same look-ups of both halves, with the same hits.

The golden model starts from samples: it splits them into footprints of either half, wraps coordinates,
computes addresses, chooses banks, reads texels and returns a record per request. pycachesim (C) is a plain
cache for each half: it starts from line addresses, computed beforehand, in Python lists, and counts hits. So
does the core of the golden model where it is given these.
"""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bench import oracle
from bench.benchmark import Benchmark
from bench.timing import ROUNDS, Row, Say, fastest, rows, silent, timed
from configs.trilinear.schema import HALVES, TABLE, Config
from models import lru
from models.memory import Memory
from models.trilinear import REQUEST, RESULT, TrilinearModel
from workloads.traces.requests import records
from workloads.trilinear.samples import columns

SINGLE = 200  # one in so many samples goes through the model alone
ROOM = 4096  # records that are used again and again


@dataclass
class Sides:
    """What is compared: each method does all of its work once and keeps the hits that it counted.

    ``lines``: of each half the lines looked up, [lookups], in the order of the requests.
    """

    cfg: Config
    requests: NDArray[Any]
    hits: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        tables = int((self.requests["op"] == TABLE).sum())  # they come first
        self.few = self.requests[: tables + max(1, (len(self.requests) - tables) // SINGLE)]
        self.room = np.empty(ROOM, RESULT)
        half = self.cfg.half
        self.sets = half.banks * half.cache.sets
        results = TrilinearModel(self.cfg, Memory()).replay(self.requests, values=False)
        self.lines = []
        for name in HALVES:
            found = results[name]
            asked = found["valid"] == 1
            line, bank, index = (found[field][asked].astype(np.int64) for field in ("line", "bank", "set"))
            self.lines.append(oracle.placed(line, bank * half.cache.sets + index, self.sets))
        self.addresses = [(lines * half.cache.line_bytes).tolist() for lines in self.lines]

    def pycachesim(self) -> None:
        """The line addresses of each half through a cache of all its sets."""
        half = self.cfg.half
        self.hits["pycachesim"] = sum(
            oracle.hits(half.cache, addresses, half.banks) for addresses in self.addresses
        )

    def core(self) -> None:
        """The line addresses through the set-associative core alone."""
        ways = self.cfg.half.cache.ways
        self.hits["core"] = sum(
            lru.count_hits(lru.new_orders(self.sets, ways), lines) for lines in self.lines
        )

    def model(self) -> None:
        """The requests through the model."""
        self.hits["model"] = _hits(self._after(self.requests))

    def ways(self) -> None:
        """The same without the texels' values, into records that are there: hits, ways and victims."""
        machine = TrilinearModel(self.cfg, Memory())
        for first in range(0, len(self.requests), ROOM):
            part = self.requests[first : first + ROOM]
            machine.replay(part, values=False, out=self.room[: len(part)])
        self.hits["ways"] = _hits(machine)

    def one_by_one(self) -> None:
        """Some requests, each alone."""
        machine = TrilinearModel(self.cfg, Memory())
        for row in range(len(self.few)):
            machine.replay(self.few[row : row + 1])
        self.hits["one by one"] = _hits(machine)

    def check(self) -> None:
        """Raises AssertionError unless all sides counted the same hits."""
        for side in ("core", "ways", "model"):
            assert self.hits[side] == self.hits["pycachesim"], self.hits
        assert self.hits["one by one"] == _hits(self._after(self.few)), self.hits

    @property
    def whole(self) -> int:
        """Look-ups of all requests."""
        return sum(map(len, self.lines))

    @property
    def part(self) -> int:
        """Look-ups of those that go alone."""
        machine = self._after(self.few)
        return sum(half.counters["lookups"] for half in machine.halves.values())

    def _after(self, requests: NDArray[Any]) -> TrilinearModel:
        machine = TrilinearModel(self.cfg, Memory())
        machine.replay(requests)
        return machine


def _hits(machine: TrilinearModel) -> int:
    return sum(half.counters["hits"] for half in machine.halves.values())


def measure(cfg: Config, pattern: str, count: int, rounds: int = ROUNDS, say: Say = silent) -> list[Row]:
    """Look-ups per second."""
    say("making samples, compiling")
    sides = Sides(cfg, records(REQUEST, columns(cfg, pattern, count)))
    ways = (sides.pycachesim, sides.core, sides.ways, sides.model, sides.one_by_one)
    taken = fastest({way.__name__: timed(way) for way in ways}, rounds, say)
    sides.check()
    each = {name: len(sides.requests) / taken[name] for name in ("ways", "model")}
    one_by_one = len(sides.few) / taken["one_by_one"]
    return rows(
        [
            ("pycachesim", sides.whole, taken["pycachesim"], "line addresses to hits, one cache a half"),
            ("golden model, lines alone", sides.whole, taken["core"], "line addresses to hits"),
            (
                "golden model, ways", sides.whole, taken["ways"],
                f"{each['ways']:,.0f} requests/s, with victims",
            ),
            ("golden model", sides.whole, taken["model"], f"{each['model']:,.0f} requests/s, with texels"),
            (
                "golden model, one by one", sides.part, taken["one_by_one"],
                f"{one_by_one:,.0f} calls of replay()/s",
            ),
        ]
    )  # fmt: skip


BENCHMARK = Benchmark(
    "golden model", "look-ups", preset="base", patterns=("trilinear", "minified", "thrashing"),
    count=300_000, measure=measure,
)  # fmt: skip
