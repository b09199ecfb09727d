# SPDX-License-Identifier: Apache-2.0
"""``simple`` in the library: loads and stores."""

from collections.abc import Iterable
from pathlib import Path

from cacheforge.result import Run, share
from configs.simple.schema import Config
from models.memory import Memory
from models.simple import REQUEST, SimpleModel
from workloads.simple.patterns import PATTERNS as MAKERS
from workloads.simple.patterns import columns as pattern_columns
from workloads.simple.trace import defaults
from workloads.traces.columns import of_stream
from workloads.traces.npz_table import Arrays, read_columns
from workloads.traces.requests import Requests, load_requests, records, requests_from_arrays

PATTERNS = tuple(MAKERS)
TRAFFIC = (Requests,)


def columns(cfg: Config) -> Iterable[str]:
    """Names of the columns of an access."""
    return of_stream(cfg.streams["req"])


def pattern(cfg: Config, name: str, n: int, seed: int) -> Requests:
    """About ``n`` requests; these patterns draw nothing from ``seed``."""
    return Requests(pattern_columns(cfg, name, n), name=name)


def trace(cfg: Config, path: Path) -> Requests:
    """A trace file."""
    return load_requests(path, cfg.streams["req"], cfg.name, defaults(cfg))


def accesses(cfg: Config, arrays: Arrays) -> Requests:
    """The arrays of a trace file."""
    return requests_from_arrays(arrays, cfg.streams["req"], defaults(cfg))


def run(cfg: Config, traffic: Requests, seed: int) -> Run:
    """The golden model's results."""
    asked = read_columns(traffic.columns, of_stream(cfg.streams["req"]))
    model = SimpleModel(cfg, Memory(seed, traffic.base, traffic.image))
    results, counters = model.replay(records(REQUEST, asked)), model.counters
    rate = share(counters["hits"], counters["hits"] + counters["misses"])
    return Run(cfg, results, counters, {"hit rate": rate})
