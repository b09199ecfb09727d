# SPDX-License-Identifier: Apache-2.0
"""Speed of frames through the pipelined texture unit beside the bare Verilated model, on the same quads.

See :mod:`bench.replays`; compared are every texel, look-up and counter.
"""

from collections.abc import Sequence

from bench import replays
from bench.benchmark import Benchmark
from bench.texunit.replay import frame
from bench.timing import ROUNDS, Row, Say, silent
from configs.texpipe.schema import Config
from models.memory import Memory
from tb.common.replay.machine import Replay
from tb.common.replay.work import Work
from tb.texpipe.replay import predict, replay, roles, verified
from tb.texunit.replay import work
from workloads.texunit.quads import QuadStream


def bare_run(cfg: Config, packed: Sequence[Work], memory: Memory) -> dict[str, int]:
    """Run packed work and throw away what comes out; the first unit's counters."""
    machine = Replay(cfg, memory, cfg.cache.line_bytes, roles=roles(cfg))
    for _ in machine.run(*packed):
        pass
    return machine.counters()


def compared(cfg: Config, stream: QuadStream, memory: Memory) -> None:
    """Replay and golden model. Raises AssertionError for the first difference."""
    _, _, found = verified(cfg, [stream], memory)
    assert not found, found[0].text


def measure(cfg: Config, pattern: str, count: int, rounds: int = ROUNDS, say: Say = silent) -> list[Row]:
    """Quads per second of one unit."""
    say("building")
    stream, memory = frame(pattern, count)
    packed = [work(cfg, 0, stream)]
    whole = replay(cfg, [stream], memory)
    predict(cfg, QuadStream(stream.prims, stream.quads[:1], stream.prim_of_quad[:1]), memory)  # compiles
    [unit] = whole.units
    names = [name for name in unit.counters if not name.startswith("quad_wait")]  # goes on after the last one
    bare = bare_run(cfg, packed, memory)
    assert [bare[name] for name in names] == [unit.counters[name] for name in names], f"{cfg.name}, {pattern}"
    return replays.compare(
        lambda: bare_run(cfg, packed, memory), lambda: replay(cfg, [stream], memory),
        lambda: compared(cfg, stream, memory), len(stream.quads), whole.cycles, rounds, say,
    )  # fmt: skip


BENCHMARK = Benchmark(
    "frames", "quads", preset="one-unit", patterns=("corridors", "terrain"), count=20_000, measure=measure
)
