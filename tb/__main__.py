# SPDX-License-Identifier: Apache-2.0
"""``python -m tb sim|trace|measure|plan BLOCK ...``: simulate, replay, measure, document.

``tb/<block>/commands/<name>.py`` is a command of one block's own.
"""

import ast
import importlib
import sys
from pathlib import Path

from configs import UserError, blocks
from utils import cli
from utils.outside import ENVIRONMENT

FOLDER = Path(__file__).parent

USAGE = """usage: {python} -m tb COMMAND BLOCK [OPTION...]

commands:
  sim             run the testbench of a block on a simulator
  trace           run a file of accesses through model and RTL and compare them
  measure         measure what the report shows
  plan            bring the tables of a block's pages in docs/ up to date
{own}
'{python} -m tb COMMAND --help' lists a command's options; blocks: {blocks}
"""

MODULES = {
    "sim": "tb.common.running.sim_cli",
    "trace": "tb.common.replay.trace_cli",
    "measure": "tb.common.measuring.command",
    "plan": "tb.common.coverage.plan_docs",
}


def own_commands() -> dict[str, list[str]]:
    """Commands that only some blocks have, and these blocks."""
    commands: dict[str, list[str]] = {}
    for block in blocks():
        for path in sorted((FOLDER / block / "commands").glob("[a-z]*.py")):
            commands.setdefault(path.stem, []).append(block)
    return commands


def _about(command: str, block: str) -> str:
    """What its module says, behind the command itself."""
    text = (FOLDER / block / "commands" / f"{command}.py").read_text()
    return (
        (ast.get_docstring(ast.parse(text)) or "")
        .splitlines()[0]
        .partition(": ")[2]
        .replace("``", "")
        .rstrip(".")
    )


def _of_block(command: str, having: list[str], argv: list[str]) -> int:
    if argv[:1] in (["-h"], ["--help"]):
        argv = [having[0], *argv]
    if not argv or argv[0] not in having:
        who = f"{argv[0]} has no such command" if argv and argv[0] in blocks() else "name a block that has it"
        raise UserError(f"{command}: {who}: choose among {', '.join(having)}")
    return int(importlib.import_module(f"tb.{argv[0]}.commands.{command}").main(argv[1:]))


def main(argv: list[str]) -> int:
    """Entry point. Commands are imported when they are used. Raises :class:`UserError` on bad input."""
    command, rest = (argv[0], argv[1:]) if argv else ("", [])
    own = own_commands()
    if command in ("", "-h", "--help"):
        named = [(f"{name} {block}", _about(name, block)) for name, having in own.items() for block in having]
        lines = "".join(f"  {name:14}  {about}\n" for name, about in named)
        print(USAGE.format(python=ENVIRONMENT, blocks=", ".join(blocks()), own=lines), end="")
        return 0 if command else 2
    if command in own:
        return _of_block(command, own[command], rest)
    if command in MODULES:
        return int(importlib.import_module(MODULES[command]).main(rest))
    raise UserError(f"unknown command {command!r}: choose {', '.join((*MODULES, *own))}")


if __name__ == "__main__":
    sys.stdout.reconfigure(line_buffering=True)  # type: ignore[union-attr]
    cli.run(main)
