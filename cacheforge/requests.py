# SPDX-License-Identifier: Apache-2.0
"""A block that answers requests in order, in the library."""

import importlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import models
from cacheforge.result import Run, share
from models.memory import Memory
from workloads.traces.columns import Columns, of_stream
from workloads.traces.npz_table import Arrays, read_columns
from workloads.traces.requests import (
    Default,
    MadeOf,
    Requests,
    load_trace,
    records,
    reference_hits,
    requests_from_arrays,
)


def hit_rate(*counters: Mapping[str, int]) -> float:
    """Hits among hits and misses of a model's counters, or of several together."""
    hits, misses = (sum(counts[name] for counts in counters) for name in ("hits", "misses"))
    return share(hits, hits + misses)


@dataclass(frozen=True)
class RequestRoom:
    """What the library asks of a block, of what the block has: the type of its requests, its model (of a
    configuration and a memory), patterns by name with the columns of one, what a trace may leave out, and
    what it makes of references of other programs' traces, if it takes them.
    """

    request: np.dtype[Any]
    model: Callable[..., Any]
    patterns: Mapping[str, Any]
    pattern_columns: Callable[[Any, str, int], dict[str, Any]]
    defaults: Callable[[Any], Mapping[str, Default]]
    references: MadeOf | None = None
    rates: Callable[[Any], dict[str, float]] = lambda model: {"hit rate": hit_rate(model.counters)}

    TRAFFIC = (Requests,)

    @property
    def PATTERNS(self) -> tuple[str, ...]:
        """Names of the patterns."""
        return tuple(self.patterns)

    def pattern(self, cfg: Any, name: str, n: int, _seed: int) -> Requests:
        """About ``n`` requests; these patterns draw nothing."""
        return Requests(self.pattern_columns(cfg, name, n), name=name)

    def trace(self, cfg: Any, path: Path) -> Requests:
        """A trace file."""
        return load_trace(path, cfg, cfg.streams["req"], self.defaults(cfg), self.references)

    def columns(self, cfg: Any) -> Columns:
        """The columns of :meth:`accesses`."""
        return of_stream(cfg.streams["req"], optional=self.defaults(cfg))

    def accesses(self, cfg: Any, arrays: Arrays) -> Requests:
        """The arrays of a trace file."""
        return requests_from_arrays(arrays, cfg.streams["req"], self.defaults(cfg))

    def run(self, cfg: Any, traffic: Requests, seed: int) -> Run:
        """The golden model's results."""
        requests = read_columns(traffic.columns, of_stream(cfg.streams["req"]))
        model = self.model(cfg, Memory(seed, traffic.base, traffic.image))
        results = model.replay(records(self.request, requests))
        hits = reference_hits(traffic, results["hit"]) if self.references else None
        return Run(cfg, results, model.counters, self.rates(model), references=hits)


def room_of(block: str) -> RequestRoom:
    """The room of a block whose model and traffic have the usual names: ``models/<block>``."""
    room = f"{models.__name__}.{block}"  # in a package of pip another name than here
    model, traffic = importlib.import_module(room), importlib.import_module(f"{room}.traffic")
    name = "".join(part.capitalize() for part in block.split("_")) + "Model"
    return RequestRoom(
        model.REQUEST, getattr(model, name), traffic.PATTERNS, traffic.columns, traffic.defaults,
        traffic.of_references,
    )  # fmt: skip
