# SPDX-License-Identifier: Apache-2.0
"""Speed of trace replay through both ports beside the bare Verilated model: see :mod:`bench.replays`."""

from typing import Any, NamedTuple

import numpy as np

from bench import replays
from bench.benchmark import Benchmark
from bench.timing import ROUNDS, Row, Say, silent
from configs.dcache.schema import LANES
from configs.dcache.schema import Config as DcacheConfig
from configs.icache.schema import Config as IcacheConfig
from configs.mmu.schema import Config
from models.memory import Memory
from tb.common.components.packing import Columns, pack_lanes
from tb.common.replay.machine import Replay
from tb.common.replay.work import Work
from tb.mmu.prediction import predict
from tb.mmu.replay import PERF, ROLES, check, replay, requesters
from workloads.dcache.patterns import columns as accesses
from workloads.icache.patterns import columns as fetches
from workloads.mmu.trace import FIRST_OF_DCACHE, Side

SEED = 1  # of memory
#: what each cache is asked, by name
PATTERNS = {"copy": ("warps", "copy"), "stencil": ("calls", "stencil")}


class Asked(NamedTuple):
    """Requests of both caches in turn, as ``sides`` and, by field, as the ``columns`` of a trace."""

    sides: tuple[Side, Side]
    columns: Columns


def asked(cfg: Config, pattern: str, count: int) -> Asked:
    """About ``count`` requests, half of them fetches. Data lie behind the code, in the second quarter of the
    addresses: what is stored is not fetched, and not in the window of the shared RAM.
    """
    inner_fetches, inner_accesses = PATTERNS[pattern]
    icache, dcache = cfg.icache, cfg.dcache
    assert isinstance(icache, IcacheConfig) and isinstance(dcache, DcacheConfig)
    of_each = [fetches(icache, inner_fetches, count // 2), accesses(dcache, inner_accesses, count // 2)]
    for lane in range(LANES):
        of_each[1][f"addr{lane}"] = of_each[1][f"addr{lane}"] | 1 << cfg.axi.address_bits - 2
    sizes = [len(columns["op"]) for columns in of_each]
    order = np.argsort(np.concatenate([np.arange(size) for size in sizes]), kind="stable")
    rows = np.empty(sum(sizes), np.int64)
    rows[order] = np.arange(len(rows))
    sides = Side(rows[: sizes[0]], of_each[0]), Side(rows[sizes[0] :], of_each[1])
    whole: dict[str, Any] = {}
    for side, first in zip(sides, (0, FIRST_OF_DCACHE), strict=True):
        for field, column in side.columns.items():
            whole.setdefault(field, np.zeros(len(rows), np.int64))
            whole[field][side.rows] = column + (first if field == "op" else 0)
    return Asked(sides, whole)


def packed(cfg: Config, sides: tuple[Side, Side]) -> list[Work]:
    """The requests of each port as the library takes them."""
    return [
        Work(pack_lanes(cfg.streams[one.port.request], side.columns, len(side.rows)))
        for one, side in zip(requesters(cfg), sides, strict=True)
    ]


def bare_run(cfg: Config, work: list[Work]) -> dict[str, int]:
    """Run packed requests and throw away what comes out; the RTL's own counters."""
    line_bytes = max(one.line_bytes for one in requesters(cfg))
    bare = Replay(cfg, Memory(SEED), line_bytes, roles=ROLES)
    for _ in bare.run(*work):
        pass
    return bare.counters(PERF)


def measure(cfg: Config, pattern: str, count: int, rounds: int = ROUNDS, say: Say = silent) -> list[Row]:
    """Requests of both caches per second; see :class:`bench.benchmark.Measure`."""
    say("building")
    sides, columns = asked(cfg, pattern, count)
    work, model = packed(cfg, sides), predict(cfg, sides, Memory(SEED))
    whole = replay(cfg, columns, sides, model, Memory(SEED)).rtl
    bare = bare_run(cfg, work)
    assert {name: whole.counters[name] for name in bare} == bare, f"{cfg.name}, {pattern}: the runs differ"

    def compared() -> None:
        predicted = predict(cfg, sides, Memory(SEED))
        replayed = replay(cfg, columns, sides, predicted, Memory(SEED))
        wrong = check(cfg, columns, predicted, replayed)
        assert not wrong, wrong[0].text

    return replays.compare(
        lambda: bare_run(cfg, work),
        lambda: replay(cfg, columns, sides, model, Memory(SEED)),
        compared, len(columns["op"]), whole.cycles, rounds, say,
    )  # fmt: skip


BENCHMARK = Benchmark(
    "trace replay", "requests", preset="paper", patterns=tuple(PATTERNS), count=20_000, measure=measure
)
