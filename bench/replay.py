# SPDX-License-Identifier: Apache-2.0
"""Speed of trace replay beside the bare Verilated model: three ways to run the same accesses.

- bare model: the Verilated library runs the words that a replay has packed, and its outputs are dropped;
- replay: packing, the same run, and results, events and cycles folded into records;
- replay, compared: the same, the golden model, and everything compared access by access.
"""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any
from unittest.mock import patch

from bench.benchmark import Benchmark
from bench.timing import Way, timed
from bench.traffic import traffic_of
from tb.common.replay.machine import Replay

#: a method of :class:`Replay`, its arguments and options
Call = tuple[Callable[..., Any], tuple[Any, ...], dict[str, Any]]


def recorded(replay: Callable[[], Any]) -> tuple[Any, Replay, list[Call]]:
    """The outcome of a replay, its machine, and its calls of the machine, from the first one on."""
    calls: list[Call] = []
    machines: list[Replay] = []

    def noting(method: Callable[..., Any]) -> Callable[..., Any]:
        def call(machine: Replay, *arguments: Any, **options: Any) -> Any:
            machines.append(machine)
            calls.append((method, arguments, options))
            return method(machine, *arguments, **options)

        return call

    with ExitStack() as stack:
        for name in ("__init__", "feed", "idle", "run"):
            stack.enter_context(patch.object(Replay, name, noting(getattr(Replay, name))))
        outcome = replay()
    return outcome, machines[0], calls


def repeated(calls: list[Call]) -> Replay:
    """A new machine after the same calls, whose outputs are dropped."""
    machine = Replay.__new__(Replay)
    for method, arguments, options in calls:
        for _ in method(machine, *arguments, **options) or ():
            pass
    return machine


def counters(machine: Replay) -> dict[str, dict[str, int]]:
    """The RTL's counters by stream."""
    return {stream: machine.counters(n) for n, stream in enumerate(machine.roles.counted) if stream}


@contextmanager
def ways(benchmark: Benchmark, cfg: Any, pattern: str, count: int) -> Iterator[dict[str, Way]]:
    """See :meth:`bench.benchmark.Benchmark.measure`; a result is whether the run was right."""
    traffic = traffic_of(cfg, pattern, count)
    outcome, machine, calls = recorded(traffic.replay)
    assert counters(repeated(calls)) == counters(machine), f"{cfg.name}, {pattern}: the runs differ"
    count, cycles = traffic.size, outcome.cycles

    def compared() -> bool:
        wrong = traffic.compared()
        assert not wrong, wrong[0].text
        return True

    compared()  # compiles
    each = f"{cycles / count:.2f} cycles each"
    yield {
        "bare model": Way(timed(lambda: bool(repeated(calls))), count, each, rate=(cycles, "cycles")),
        "replay": Way(timed(lambda: bool(traffic.replay())), count),
        "replay, compared": Way(timed(compared), count),
    }
