# SPDX-License-Identifier: Apache-2.0
"""Progress, shown alike by every command: one line that says what is being done, or bars that count.

Where there is no terminal, stderr gets a plain line every ten seconds.
"""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager

from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    SpinnerColumn,
    TextColumn,
    TimeElapsedColumn,
)

from utils.aside import listening
from utils.console import Console

EVERY = 10.0  # seconds between lines where there is no terminal


def _description() -> TextColumn:
    """What a task is, as it is: names of users stand in it."""
    return TextColumn("{task.description}", markup=False)


@contextmanager
def _lines(line: Callable[[], str]) -> Iterator[None]:
    """Print ``line()`` on stderr every :data:`EVERY` seconds, unless it is empty."""
    console, began, ended = Console(stderr=True, highlight=False), time.monotonic(), threading.Event()

    def tell() -> None:
        while not ended.wait(EVERY):
            if words := line():
                console.print(f"{time.monotonic() - began:4.0f} s: {words}", soft_wrap=True)

    thread = threading.Thread(target=tell, daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


class Bars(Progress):
    """A bar and a count for each task, gone at the end; ``columns`` follow the time that has passed."""

    def __init__(self, *columns: ProgressColumn, console: Console) -> None:
        first = (_description(), BarColumn(bar_width=30), MofNCompleteColumn())
        super().__init__(*first, TimeElapsedColumn(), *columns, console=console, transient=True)
        self._plain = ExitStack()

    def start(self) -> None:
        """As in rich."""
        super().start()
        self._plain.enter_context(listening(lambda words: self.console.print(words) if words else None))
        if not self.console.is_terminal:
            self._plain.enter_context(_lines(self._line))

    def stop(self) -> None:
        """As in rich."""
        self._plain.close()
        super().stop()

    def _line(self) -> str:
        """The first task that has not ended."""
        tasks = [task for task in self.tasks if not task.finished]
        return "".join(
            f"{task.description}: {task.completed:.0f} of {task.total or 0:.0f}" for task in tasks[:1]
        )


@contextmanager
def _words(show: Callable[[str], None]) -> Iterator[Callable[[str], None]]:
    """Yield a function that says what is being done; ``show`` gets it, or what is announced meanwhile."""
    own = ""

    def say(words: str) -> None:
        nonlocal own
        own = words
        show(words)

    with listening(lambda words: show(words or own)):
        yield say


@contextmanager
def spinner(console: Console | None = None) -> Iterator[Callable[[str], None]]:
    """Yield a function that says what is being done: a line on a terminal, of stderr if none is given."""
    console = console or Console(stderr=True)
    if not console.is_terminal:
        latest = [""]
        with _lines(lambda: latest[0]), _words(lambda words: latest.__setitem__(0, words)) as say:
            yield say
        return
    columns = (SpinnerColumn(), _description(), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True) as shown:
        task = shown.add_task("")
        with _words(lambda words: shown.update(task, description=words)) as say:
            yield say


@contextmanager
def counter() -> Iterator[Callable[[str, int, int], None]]:
    """Yield a function that says what is being done, how much of it is, and of how much (0: not known; with
    nothing done, what cannot be counted).
    """
    console = Console(stderr=True)
    if not console.is_terminal:
        with spinner(console) as say:
            yield lambda words, done, total: say(
                words + (f": {done:,}" if done or total else "") + (f" of {total:,}" if total else "")
            )
        return
    columns = (_description(), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True) as shown:
        task = shown.add_task("starting", total=None)

        def count(words: str, done: int, total: int) -> None:
            say(words)
            shown.update(task, completed=done, total=total or None)

        with _words(lambda words: shown.update(task, description=words)) as say:
            yield count
