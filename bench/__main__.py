# SPDX-License-Identifier: Apache-2.0
"""Measure the speed of a block's models and testbench, as ratios taken side by side in one run."""

import json
import os
import platform
from dataclasses import asdict
from pathlib import Path

import configs
from bench.benchmark import Benchmark, Figures, benchmarks
from bench.timing import ROUNDS, show
from configs import UserError
from utils import cli
from utils.files import write_atomic
from utils.progress import spinner

ROOT = Path(__file__).parents[1]


def parser() -> cli.Parser:
    """The command line."""
    result = cli.Parser(prog="python -m bench", description=__doc__)
    result.add_argument("block", metavar="BLOCK", help="one of: " + ", ".join(configs.blocks()))
    result.add_argument("names", metavar="NAME", nargs="*", help="benchmarks of the block (default: all)")
    result.add_argument("--config", metavar="NAME", help="preset (default: each benchmark's own)")
    result.add_argument("--set", default="", metavar="'K=V ...'", help="overrides of single fields")
    result.add_argument("--count", type=int, help="accesses (default: each benchmark's own)")
    result.add_argument("--rounds", type=int, default=ROUNDS, help=f"the best of how many ({ROUNDS})")
    cli.add_out(result, "build/bench/BLOCK[-NAME...].json", ".json")
    return result


def choose(block: str, names: list[str]) -> dict[str, Benchmark]:
    """The benchmarks of these names, or all. Raises :class:`UserError` for an unknown one."""
    known = benchmarks(block)
    for name in names:
        if name not in known:
            raise UserError(f"unknown benchmark {name!r} of {block}: choose from {', '.join(known)}")
    return {name: known[name] for name in names or known}


def save(path: Path, block: str, figures: list[Figures]) -> None:
    """Write the figures, and what they were measured on."""
    machine = {"cores": os.cpu_count(), "machine": platform.machine(), "python": platform.python_version()}
    content = {"block": block, "machine": machine, "figures": [asdict(one) for one in figures]}
    write_atomic(path, json.dumps(content, indent=1) + "\n")


def main(argv: list[str]) -> int:
    """Entry point. Raises :class:`UserError` on bad input."""
    asked = parser().parse_args(argv)
    for option, value in (("--count", asked.count), ("--rounds", asked.rounds)):
        if value is not None and value < 1:
            raise UserError(f"{option} {value}: must be at least 1")
    chosen = choose(asked.block, asked.names)
    ready = [(one, one.config(asked.block, asked.config, asked.set.split())) for one in chosen.values()]
    figures = []
    for benchmark, cfg in ready:
        for pattern in benchmark.patterns:
            with spinner() as say:
                found = benchmark.figures(cfg, pattern, asked.count, asked.rounds, say)
            show(found.title, found.unit, found.rows)
            figures.append(found)
    default = ROOT / "build" / "bench" / ("-".join([asked.block, *asked.names]) + ".json")
    save(asked.out or default, asked.block, figures)
    print(f"figures: {asked.out or default}")
    return 0


if __name__ == "__main__":
    cli.run(main)
