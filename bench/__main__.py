# SPDX-License-Identifier: Apache-2.0
"""Measure the speed of a block's models and testbench, as ratios taken side by side in one run."""

import configs
from bench.benchmark import ROUNDS, benchmarks, show
from bench.speeds import show_speeds
from configs import UserError
from utils import cli
from utils.progress import spinner


def parser() -> cli.Parser:
    """The command line."""
    result = cli.Parser(prog="python -m bench", description=__doc__)
    blocks = ", ".join(configs.blocks())
    result.add_argument("block", metavar="BLOCK", nargs="?", help=f"one of: {blocks} (default: all)")
    result.add_argument("names", metavar="NAME", nargs="*", help="benchmarks of the block (default: all)")
    result.add_argument("--config", metavar="NAME", help="preset (default: each benchmark's own)")
    result.add_argument("--set", default="", metavar="'K=V ...'", help="overrides of single fields")
    result.add_argument("--count", type=int, help="accesses (default: each benchmark's own)")
    result.add_argument("--rounds", type=int, default=ROUNDS, help=f"the best of how many ({ROUNDS})")
    return result


def main(argv: list[str]) -> int:
    """Entry point. Raises :class:`UserError` on bad input."""
    options = parser().parse_args(argv)
    for option, value in (("--count", options.count), ("--rounds", options.rounds)):
        if value is not None and value < 1:
            raise UserError(f"{option} {value}: must be at least 1")
    if options.block is None:
        if options.config or options.set or options.count:
            raise UserError("--config, --set and --count are of one block: name it")
        show_speeds(options.rounds)
        return 0
    available = benchmarks(options.block)
    for name in options.names:
        if name not in available:
            raise UserError(
                f"unknown benchmark {name!r} of {options.block}: choose from {', '.join(available)}"
            )
    chosen = [available[name] for name in options.names or available]
    changes = options.set.split()
    ready = [(run, configs.load(run.block, options.config or run.preset, changes)) for run in chosen]
    for run, cfg in ready:
        for pattern in run.patterns:
            with spinner() as say:
                rows = run.measure(cfg, pattern, options.count or run.count, options.rounds, say)
            show(f"{run.kind}, {cfg.block} {cfg.name}, {pattern}", run.unit, rows)
    return 0


if __name__ == "__main__":
    cli.run(main)
