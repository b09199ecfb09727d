# SPDX-License-Identifier: Apache-2.0
"""Speed of trace replay: ``python -m bench.replay``.

Three things are timed in turns in one run, on the same footprints, and reported as ratios of the first:

- bare: the Verilated library runs words packed beforehand, and what comes out is thrown away;
- replay: packing, the same run, and results, events and cycles folded into records;
- checked: replay, the golden model, and everything compared.

Times move with the machine, ratios much less.
"""

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.table import Table

from bench.timing import ROUNDS, medians
from configs import cli
from configs.files import write_atomic
from configs.texcache.schema import Config
from tb.common.lanes import Lanes
from tb.common.replay import Replay
from tb.texcache.replay import check, lut_words, memory_of, predict, replay, request_words
from workloads.patterns import find
from workloads.trace import Trace

PATTERNS = ("magnified", "minified", "random-everywhere")
COUNT = 300_000


@dataclass(frozen=True)
class Speed:
    """Footprints per second of the three ways, medians over the rounds, and cycles per second of ``bare``."""

    pattern: str
    footprints: int
    cycles_per_footprint: float
    bare_cycles_per_second: float
    bare: float
    replay: float
    checked: float

    @property
    def ratios(self) -> tuple[float, float]:
        """Of replay and of checked replay to the bare model."""
        return self.replay / self.bare, self.checked / self.bare


def measure(cfg: Config, pattern: str, count: int = COUNT, rounds: int = ROUNDS, seed: int = 1) -> Speed:
    """Time ``pattern``; builds are not counted. Raises AssertionError if model and RTL differ."""
    trace = find(pattern).make(cfg, count, np.random.default_rng(seed))
    words = request_words(cfg, trace.footprints)
    cycles = replay(cfg, trace).cycles  # builds what is missing
    predict(cfg, trace.first(1))  # compiles the model
    ways: dict[str, Callable[[], object]] = {
        "bare": lambda: bare_run(cfg, trace, words),
        "replay": lambda: replay(cfg, trace),
        "checked": lambda: _checked(cfg, trace),
    }
    taken = medians(ways, rounds)
    return Speed(
        pattern, count, cycles / count, cycles / taken["bare"], *(count / taken[name] for name in ways)
    )


def bare_run(cfg: Config, trace: Trace, words: Lanes | None = None) -> dict[str, int]:
    """Run the footprints (packed as ``words``) and throw away what comes out; the RTL's counters."""
    machine = Replay(cfg, memory_of(trace), cfg.line_bytes)
    machine.feed("lut", lut_words(cfg, trace.lut))
    for _ in machine.run(request_words(cfg, trace.footprints) if words is None else words):
        pass
    return machine.counters()


def _checked(cfg: Config, trace: Trace) -> None:
    found = check(cfg, trace, predict(cfg, trace), replay(cfg, trace))
    assert not found, found[0].text


def show(cfg: Config, speeds: list[Speed]) -> None:
    """Print the table."""
    table = Table(title=f"trace replay, {cfg.block} {cfg.name}", title_justify="left")
    for heading in (
        "pattern",
        "cycles / footprint",
        "Mcycles/s bare",
        "bare /s",
        "replay /s",
        "checked /s",
        "ratios",
    ):
        table.add_column(heading, justify="left" if heading == "pattern" else "right")
    for speed in speeds:
        rates = (f"{rate:,.0f}" for rate in (speed.bare, speed.replay, speed.checked))
        ratios = " / ".join(f"{ratio:.2f}" for ratio in speed.ratios)
        cycles = (f"{speed.cycles_per_footprint:.2f}", f"{speed.bare_cycles_per_second / 1e6:.2f}")
        table.add_row(speed.pattern, *cycles, *rates, ratios)
    Console(width=120).print(table)


def main(argv: list[str]) -> int:
    """Entry point. Raises :class:`configs.UserError`."""
    parser = cli.Parser(prog="python -m bench.replay", description="Measure the speed of trace replay.")
    cli.add_config_arguments(parser, block=False)
    parser.add_argument("--count", type=int, default=COUNT, help=f"footprints (default: {COUNT})")
    parser.add_argument("--out", type=Path, help="also write the figures to this JSON file")
    arguments = parser.parse_args(argv)
    arguments.block = "texcache"
    cfg = cli.chosen_config(arguments)
    assert isinstance(cfg, Config)
    speeds = [measure(cfg, pattern, arguments.count) for pattern in PATTERNS]
    show(cfg, speeds)
    if arguments.out:
        write_atomic(arguments.out, json.dumps([asdict(speed) for speed in speeds], indent=1) + "\n")
    return 0


if __name__ == "__main__":
    cli.run(main)
