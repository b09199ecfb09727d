# SPDX-License-Identifier: Apache-2.0
"""Speed of the pipelined unit's golden model: whole frames at once, and quad by quad as a testbench asks."""

from dataclasses import dataclass, field

from bench.benchmark import Benchmark
from bench.texunit.replay import frame
from bench.timing import ROUNDS, Row, Say, fastest, rows, silent, timed
from configs.texpipe.schema import Config
from models.memory import Memory
from models.texpipe import TexpipeModel
from workloads.texunit.quads import QuadStream

SINGLE = 50  # one in so many quads goes through the per-quad function


@dataclass
class Sides:
    """What is compared: each method does all of its work once and keeps how many lines it looked up."""

    cfg: Config
    stream: QuadStream
    memory: Memory
    lookups: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.few = max(1, len(self.stream.quads) // SINGLE)
        results, beats = TexpipeModel(self.cfg, self.memory).replay(*self.stream)
        self.whole = int(beats["valid"].sum())
        self.few_lookups = int(beats["valid"][: int(results["beats"][: self.few].sum())].sum())

    def model(self) -> None:
        """The quads through the compiled model."""
        _, beats = TexpipeModel(self.cfg, self.memory).replay(*self.stream)
        self.lookups["model"] = int(beats["valid"].sum())

    def one_by_one(self) -> None:
        """Some quads through the function that takes one."""
        machine, current, count = TexpipeModel(self.cfg, self.memory), -1, 0
        for quad, prim in zip(self.stream.quads[: self.few], self.stream.prim_of_quad, strict=False):
            if prim != current:
                machine.start(self.stream.prims[prim])
                current = prim
            count += int(machine.quad(quad)[1]["valid"].sum())
        self.lookups["one by one"] = count

    def check(self) -> None:
        """Raises AssertionError unless both sides looked up the same."""
        assert self.lookups == {"model": self.whole, "one by one": self.few_lookups}, self.lookups


def measure(cfg: Config, pattern: str, count: int, rounds: int = ROUNDS, say: Say = silent) -> list[Row]:
    """Look-ups per second."""
    say("rendering, compiling")
    stream, memory = frame(pattern, count)
    sides = Sides(cfg, stream, memory)
    sides.one_by_one()
    ways = (sides.model, sides.one_by_one)
    taken = fastest({way.__name__: timed(way) for way in ways}, rounds, say)
    sides.check()
    quads = {"model": len(stream.quads) / taken["model"], "one": sides.few / taken["one_by_one"]}
    return rows(
        [
            ("golden model", sides.whole, taken["model"], f"{quads['model']:,.0f} quads/s, filtered"),
            (
                "golden model, one by one", sides.few_lookups, taken["one_by_one"],
                f"{quads['one']:,.0f} calls of quad()/s",
            ),
        ]
    )  # fmt: skip


BENCHMARK = Benchmark(
    "golden model", "look-ups", preset="one-unit", patterns=("corridors", "terrain"), count=100_000,
    measure=measure,
)  # fmt: skip
