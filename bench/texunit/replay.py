# SPDX-License-Identifier: Apache-2.0
"""Speed of frames through the texture unit beside the bare Verilated model, on the same quads.

- bare model: the Verilated library runs words packed beforehand, and what comes out is thrown away;
- replay: packing, the same run, and results, queries and cycles folded into records;
- replay, compared: the same, the golden model, and every texel, query and counter compared.
"""

from collections.abc import Sequence

from bench.benchmark import Benchmark
from bench.timing import ROUNDS, Row, Say, fastest, rows, silent, timed
from configs.texunit.schema import Config
from models.memory import Memory
from tb.common.replay.machine import Replay
from tb.common.replay.work import Work
from tb.texunit.replay import predict, replay, roles, verified, work
from workloads.scenes import built_in
from workloads.texunit.quads import QuadStream, quad_frame


def frame(scene: str, count: int) -> tuple[QuadStream, Memory]:
    """The first ``count`` quads of a scene, or all if it has fewer, and its textures."""
    whole = quad_frame(built_in(scene))
    stream = QuadStream(whole.prims, whole.quads[:count], whole.prim_of_quad[:count])
    return stream, Memory(1, 0, whole.image)


def bare_run(cfg: Config, packed: Sequence[Work], memory: Memory) -> dict[str, int]:
    """Run packed work and throw away what comes out; the first unit's counters."""
    machine = Replay(cfg, memory, cfg.cache.line_bytes, roles=roles(cfg))
    machine.idle(4 * cfg.cache.sets)
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
    ways = {
        "bare model": timed(lambda: bare_run(cfg, packed, memory)),
        "replay": timed(lambda: replay(cfg, [stream], memory)),
        "replay, compared": timed(lambda: compared(cfg, stream, memory)),
    }
    taken = fastest(ways, rounds, say)
    clock, quads = whole.cycles / taken["bare model"] / 1e6, len(stream.quads)
    remark = f"{whole.cycles / quads:.0f} cycles each, {clock:.2f} M cycles/s"
    return rows([(name, quads, taken[name], remark * (name == "bare model")) for name in ways])


BENCHMARK = Benchmark(
    "frames", "quads", preset="one-unit", patterns=("corridors", "terrain"), count=20_000, measure=measure
)
