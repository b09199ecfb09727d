# SPDX-License-Identifier: Apache-2.0
"""``python -m tb sim|trace|measure|plan BLOCK ...``: simulate, replay, measure, document."""

import importlib
import importlib.util
import sys

from configs import UserError, blocks, cli

USAGE = """usage: python -m tb COMMAND BLOCK [OPTION...]

commands:
  sim       run the testbench of a block on a simulator
  trace     run a file of accesses through model and RTL and compare them
  measure   measure what the report shows
  frame     render a scene with the RTL's own samples
  plan      bring the tables of test and coverage plan in docs/ up to date

'python -m tb COMMAND --help' lists a command's options; blocks: {blocks}
"""

MODULES = {
    "sim": "tb.common.running.sim_cli",
    "trace": "tb.common.replay.trace_cli",
    "measure": "tb.common.measuring.command",
    "plan": "tb.common.coverage.plan_docs",
}
OF_BLOCK = ("frame",)  # commands that a block may have or not


def _of_block(command: str, argv: list[str]) -> int:
    if not argv or argv[0] not in blocks():
        raise UserError(f"{command}: name a block, one of {', '.join(blocks())}")
    name = f"tb.{argv[0]}.{command}"
    if importlib.util.find_spec(name) is None:
        raise UserError(f"block {argv[0]} has no command {command!r}")
    return int(importlib.import_module(name).main(argv[1:]))


def main(argv: list[str]) -> int:
    """Entry point. Commands are imported when they are used. Raises :class:`UserError` on bad input."""
    command, rest = (argv[0], argv[1:]) if argv else ("", [])
    if command in ("", "-h", "--help"):
        print(USAGE.format(blocks=", ".join(blocks())), end="")
        return 0 if command else 2
    if command in OF_BLOCK:
        return _of_block(command, rest)
    if command in MODULES:
        return int(importlib.import_module(MODULES[command]).main(rest))
    raise UserError(f"unknown command {command!r}: choose {', '.join((*MODULES, *OF_BLOCK))}")


if __name__ == "__main__":
    sys.stdout.reconfigure(line_buffering=True)  # type: ignore[union-attr]
    cli.run(main)
