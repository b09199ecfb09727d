# SPDX-License-Identifier: Apache-2.0
"""Benchmarks of a block that answers requests (:mod:`tb.common.replay.requests`)."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from bench import replays, testbench
from bench.testbench import Log, Work
from bench.timing import ROUNDS, Row, Say, silent
from configs import BlockConfig
from models.memory import Memory
from tb.common.components import testcase
from tb.common.components.packing import pack_lanes, unpack_words
from tb.common.replay.library import Roles
from tb.common.replay.machine import Replay
from tb.common.replay.requests import Columns, Model, Requester
from tb.common.replay.work import Work as Packed

SEED = 1  # of memory


def bare_run(cfg: BlockConfig, ask: Requester, packed: Packed, patience: int | None = None) -> dict[str, int]:
    """Run packed requests and throw away what comes out; the RTL's counters."""
    bare = Replay(cfg, Memory(SEED), ask.line_bytes, roles=Roles((ask.port,)), patience=patience)
    for _ in bare.run(packed):
        pass
    return bare.counters()


def packed(cfg: BlockConfig, ask: Requester, columns: Columns) -> Packed:
    """Columns as the library takes them."""
    stream = cfg.streams[ask.port.request]
    return Packed(pack_lanes(stream, columns, len(columns[stream.fields[0].name])))


@dataclass(frozen=True)
class RequestReplay:
    """Measures the replay of requests: ``columns(cfg, pattern, count)``.

    ``patience``: cycles that a request may take, where some take long.
    """

    requester: Callable[[Any], Requester]
    predict: Callable[[Any, Columns, Memory], Model]
    columns: Callable[[Any, str, int], Columns]
    patience: int | None = None

    def __call__(
        self, cfg: Any, pattern: str, count: int, rounds: int = ROUNDS, say: Say = silent
    ) -> list[Row]:
        """See :class:`bench.benchmark.Measure`."""
        say("building")
        ask, columns = self.requester(cfg), self.columns(cfg, pattern, count)
        work, patience = packed(cfg, ask, columns), self.patience
        whole = ask.replay(cfg, columns, Memory(SEED), patience=patience)
        self.predict(cfg, {name: column[:1] for name, column in columns.items()}, Memory(SEED))  # compiles
        assert bare_run(cfg, ask, work, patience) == whole.counters, f"{cfg.name}, {pattern}: the runs differ"

        def compared() -> None:
            memory = Memory(SEED)
            model = self.predict(cfg, columns, memory)
            rtl = ask.replay(cfg, columns, memory, patience=patience)
            wrong = ask.check(cfg, columns, model, rtl)
            assert not wrong, wrong[0].text

        return replays.compare(
            lambda: bare_run(cfg, ask, work, patience),
            lambda: ask.replay(cfg, columns, Memory(SEED), patience=patience),
            compared, len(whole.t_result), whole.cycles, rounds, say,
        )  # fmt: skip


@dataclass(frozen=True)
class RequestTestbench:
    """Measures the testbench in a test that has the pattern's name.

    ``same``: counters that must agree, or sums of them like ``hits+misses``. They must not hang on what
    memory holds, which is each run's own.
    """

    requester: Callable[[Any], Requester]
    same: tuple[str, ...]

    def __call__(
        self, cfg: Any, pattern: str, count: int, rounds: int = ROUNDS, say: Say = silent
    ) -> list[Row]:
        """See :class:`bench.benchmark.Measure`."""
        test, ask = testcase.cases(cfg.block)[pattern], self.requester(cfg)
        port = ask.port

        def work(counted: dict[str, Any], _: Log | None = None) -> Work:
            return {name: sum(counted[one] for one in name.split("+")) for name in self.same}

        def script(log: Log) -> dict[str, Any]:
            return {"play": log.play(port.request), "result": port.result, "counters": port.counters}

        def bare_model(log: Log) -> Callable[[], Work]:
            columns = unpack_words(cfg.streams[port.request], log.words(port.request))
            requests = packed(cfg, ask, columns)
            return lambda: work(bare_run(cfg, ask, requests))

        return testbench.measure(cfg, test, count, work, script, bare_model, rounds, say)
