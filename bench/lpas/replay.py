# SPDX-License-Identifier: Apache-2.0
"""Speed of trace replay through all PEs beside the bare Verilated model, and of the golden model, which goes
cycle by cycle, too: see :mod:`bench.replays`.
"""

from typing import Any

from numpy.typing import NDArray

from bench import replays
from bench.benchmark import Benchmark
from bench.timing import ROUNDS, Row, Say, silent
from configs.lpas.schema import Config
from models.lpas import REQUEST
from models.memory import Memory
from tb.common.replay.machine import Replay
from tb.common.replay.work import Work
from tb.lpas.replay import check, predict, replay, roles, works
from workloads.lpas.accesses import columns
from workloads.traces.requests import records

SEED = 1  # of memory


def requests(cfg: Config, pattern: str, count: int) -> NDArray[Any]:
    """A pattern as REQUEST array [n], n about ``count``."""
    return records(REQUEST, columns(cfg, pattern, count))


def bare_run(cfg: Config, packed: list[Work]) -> dict[str, int]:
    """Run packed requests and throw away what comes out; the RTL's counters."""
    bare = Replay(cfg, Memory(SEED), cfg.cache.line_bytes, roles=roles(cfg))
    for _ in bare.run(*packed):
        pass
    return bare.counters()


def measure(cfg: Config, pattern: str, count: int, rounds: int = ROUNDS, say: Say = silent) -> list[Row]:
    """Requests per second; see :class:`bench.benchmark.Measure`."""
    say("building")
    asked = requests(cfg, pattern, count)
    packed, _ = works(cfg, asked)
    whole = replay(cfg, asked, Memory(SEED))
    predict(cfg, asked[:1], Memory(SEED))  # compiles
    same = bare_run(cfg, packed), predict(cfg, asked, Memory(SEED)).counters
    assert whole.counters == same[0] == same[1], f"{cfg.name}, {pattern}: the runs differ"

    def compared() -> None:
        model = predict(cfg, asked, Memory(SEED))
        wrong = check(cfg, asked, model, replay(cfg, asked, Memory(SEED)))
        assert not wrong, wrong[0].text

    return replays.compare(
        lambda: bare_run(cfg, packed),
        lambda: replay(cfg, asked, Memory(SEED)),
        compared, len(asked), whole.cycles, rounds, say,
        {"golden model": lambda: predict(cfg, asked, Memory(SEED))},
    )  # fmt: skip


BENCHMARK = Benchmark(
    "trace replay", "requests", preset="paper", patterns=("own", "scatter", "histogram"), count=1_000_000,
    measure=measure,
)  # fmt: skip
