# SPDX-License-Identifier: Apache-2.0
"""Speed of the golden model of a cache that loads and stores, beside pycachesim: with the same writes."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray

from bench import oracle
from bench.timing import ROUNDS, Row, Say, fastest, rows, silent, timed
from models.memory import Memory
from tb.common.components.packing import Columns
from workloads.traces.requests import records

FIFO = {"policy": "round-robin", "invalid_first": False}  # of a SIMT cache


@dataclass(frozen=True)
class RequestModel:
    """Measures a model, made of a configuration and a memory, that counts what pycachesim counts as well.

    Its requests are ``columns(cfg, pattern, count)`` as records of ``kind``; ``accesses`` says which of them
    are stores, their byte addresses and the bytes of each. pycachesim (C) is fed one by one, as it must be to
    keep their order. ``fifo``: both replace first in, first out, since pycachesim's LRU overlooks stores.
    """

    model: Callable[[Any, Memory], Any]
    kind: Any
    columns: Callable[[Any, str, int], Columns]
    accesses: Callable[[Any, NDArray[Any]], oracle.Accesses]
    counter: str = "writes"
    statistic: str = "EVICT_count"
    remark: str = "hits and lines written"
    fifo: bool = False

    def __call__(
        self, cfg: Any, pattern: str, count: int, rounds: int = ROUNDS, say: Say = silent
    ) -> list[Row]:
        """Requests per second; see :class:`bench.benchmark.Measure`."""
        say("compiling")
        if self.fifo:
            cfg = cfg.with_(cache=FIFO)
        asked = records(self.kind, self.columns(cfg, pattern, count))
        accesses = self.accesses(cfg, asked)
        few, lines = min(2000, len(asked)), dict[str, int]()

        def pycachesim() -> None:
            simulator, cache = oracle.simulator(cfg.cache, "FIFO" if self.fifo else "LRU")
            oracle.feed(simulator, accesses)
            lines["pycachesim"] = cache.stats()[self.statistic]

        def model() -> None:
            machine = self.model(cfg, Memory())
            machine.replay(asked)
            lines["golden model"] = machine.counters[self.counter]

        def one_by_one() -> None:
            machine = self.model(cfg, Memory())
            for row in range(few):
                machine.replay(asked[row : row + 1])

        ways = {
            "pycachesim": (pycachesim, len(accesses.addresses), self.remark),
            "golden model": (model, len(asked), "the same, with all data"),
            "golden model, one by one": (one_by_one, few, ""),
        }
        taken = fastest({name: timed(way) for name, (way, _, _) in ways.items()}, rounds, say)
        assert lines["pycachesim"] == lines["golden model"], lines
        return rows([(name, work, taken[name], remark) for name, (_, work, remark) in ways.items()])
