# SPDX-License-Identifier: Apache-2.0
"""What every command line of the project shares: how errors end, how a configuration is chosen, progress."""

import argparse
import os
import re
import shlex
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NoReturn

from rich.console import Console
from rich.progress import Progress, ProgressColumn, SpinnerColumn, TaskID, TextColumn, TimeElapsedColumn

from configs.base import BlockConfig, blocks, load
from configs.errors import UserError

LAST_SEED = (1 << 31) - 1  # the largest that Verilator takes; the first is 1


def run(main: Callable[[list[str]], int]) -> None:
    """Run ``main(argv)`` and exit with its code; a :class:`UserError` is one line and exit code 2."""
    try:
        code = main(sys.argv[1:])
        sys.stdout.flush()
    except UserError as error:
        print(f"error: {error}", file=sys.stderr)
        code = 2
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        code = 130
    except BrokenPipeError:  # the reader (head, less) has gone: not an error of ours
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 0
    sys.exit(code)


class Parser(argparse.ArgumentParser):
    """An argument parser that fails in the project's own form (one ``error:`` line, exit code 2)."""

    def error(self, message: str) -> NoReturn:
        """Raise :class:`UserError` instead of printing the usage."""
        raise UserError(f"{message} (see {self.prog} --help)")


def check_seed(seed: int) -> None:
    """Raises :class:`UserError` for a ``--seed`` that a simulation does not take."""
    if not 0 < seed <= LAST_SEED:
        raise UserError(f"--seed {seed}: must be 1 to {LAST_SEED}")


def add_config_arguments(
    parser: argparse.ArgumentParser, *, block: bool = True, otherwise: str | None = None
) -> None:
    """Add ``BLOCK --config --set`` to ``parser``; :func:`chosen_config` reads them back.

    ``otherwise`` says what is taken where no preset is named and that is not the block's default one.
    """
    if block:
        parser.add_argument("block", metavar="BLOCK", help="one of: " + ", ".join(blocks()))
    parser.add_argument(
        "--config", metavar="NAME", help=f"preset of the block (default: {otherwise or 'paper, else base'})",
    )  # fmt: skip
    parser.add_argument(
        "--set",
        default="",
        metavar="'K=V ...'",
        help="overrides of single fields, e.g. 'cache.ways=2 units=1'",
    )


def chosen_config(arguments: argparse.Namespace) -> BlockConfig:
    """The configuration that the parsed arguments name. Raises :class:`UserError`."""
    return load(arguments.block, arguments.config, arguments.set.split())


def make_command(target: str, cfg: BlockConfig, **variables: object) -> str:
    """``make TARGET`` for a configuration, as a shell takes it; variables that are None are left out."""
    changes = cfg.name.partition("+")[2].replace(",", " ") or None
    said = {"BLOCK": cfg.block, "CONFIG": cfg.preset, "SET": changes, **variables}
    given = {name: str(value) for name, value in said.items() if value is not None}
    plain = re.compile(r"[\w@%+=:,./{}-]+")  # braces, too: runner.repro_command's {test}
    words = (f"{name}={one if plain.fullmatch(one) else shlex.quote(one)}" for name, one in given.items())
    return " ".join(["make", target, *words])


class Bars(Progress):
    """Bars on a terminal; elsewhere, in a log, a line every half minute."""

    every = 30.0

    def __init__(self, *columns: ProgressColumn, console: Console) -> None:
        super().__init__(*columns, console=console, transient=True)
        self._next = time.monotonic() + self.every

    def update(self, task_id: TaskID, **changes: Any) -> None:
        """As in rich."""
        super().update(task_id, **changes)
        self._tell(task_id)

    def advance(self, task_id: TaskID, advance: float = 1) -> None:
        """As in rich."""
        super().advance(task_id, advance)
        self._tell(task_id)

    def _tell(self, task_id: TaskID) -> None:
        if not self.console.is_terminal and time.monotonic() >= self._next:
            self._next = time.monotonic() + self.every
            task = next(task for task in self.tasks if task.id == task_id)
            self.console.print(
                f"{task.description}: {task.completed:.0f} of {task.total or 0:.0f}", markup=False
            )


@contextmanager
def progress() -> Iterator[Callable[[str], None]]:
    """A line on a terminal that says what is being done, for as long as it takes; the line goes to stderr."""
    columns = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as shown:
        task = shown.add_task("")
        yield lambda words: shown.update(task, description=words)
