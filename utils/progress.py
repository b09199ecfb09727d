# SPDX-License-Identifier: Apache-2.0
"""Progress, shown alike by every command: one line that says what is being done, or bars that count."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    SpinnerColumn,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
)

from utils.console import Console


def _description() -> TextColumn:
    """What a task is, as it is: names of users stand in it."""
    return TextColumn("{task.description}", markup=False)


class Bars(Progress):
    """A bar and a count for each task, gone at the end; where there is no terminal, a line every half minute.

    ``columns`` follow the time that has passed.
    """

    every = 30.0

    def __init__(self, *columns: ProgressColumn, console: Console) -> None:
        first = (_description(), BarColumn(bar_width=30), MofNCompleteColumn())
        super().__init__(*first, TimeElapsedColumn(), *columns, console=console, transient=True)
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
            self.console.print(f"{task.description}: {task.completed:.0f} of {task.total or 0:.0f}")


EVERY = 10.0  # seconds between lines where there is no terminal


@contextmanager
def spinner(console: Console | None = None) -> Iterator[Callable[[str], None]]:
    """Yield a function that says what is being done: a line on a terminal, of stderr if none is given.

    Where there is no terminal, what is said is printed every ten seconds, on stderr.
    """
    console = console or Console(stderr=True)
    if not console.is_terminal:
        yield _every_ten_seconds()
        return
    columns = (SpinnerColumn(), _description(), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True) as shown:
        task = shown.add_task("")
        yield lambda words: shown.update(task, description=words)


def _every_ten_seconds() -> Callable[[str], None]:
    console = Console(stderr=True, highlight=False)
    began = last = time.monotonic()

    def say(words: str) -> None:
        nonlocal last
        now = time.monotonic()
        if now - last >= EVERY:
            last = now
            console.print(f"{now - began:4.0f} s: {words}", soft_wrap=True)

    return say


@contextmanager
def counter() -> Iterator[Callable[[str, int, int], None]]:
    """Yield a function that says what is being done, how much of it is, and of how much (0: not known; with
    nothing done, what cannot be counted).
    """
    console = Console(stderr=True)
    if not console.is_terminal:
        say = _every_ten_seconds()
        yield lambda words, done, total: say(
            words + (f": {done:,}" if done or total else "") + (f" of {total:,}" if total else "")
        )
        return
    columns = (_description(), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True) as shown:
        task = shown.add_task("starting", total=None)
        yield lambda words, done, total: shown.update(
            task, description=words, completed=done, total=total or None
        )
