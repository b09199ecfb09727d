# SPDX-License-Identifier: Apache-2.0
"""Work that a step of a command needs first, such as compiling a kernel; progress shows it meanwhile."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

_listeners: list[Callable[[str], None]] = []


def announce(words: str) -> None:
    """Tell all listeners what is being done; empty ``words``: it has ended."""
    for listener in _listeners:
        listener(words)


@contextmanager
def listening(listener: Callable[[str], None]) -> Iterator[None]:
    """Call ``listener`` with all that this process announces."""
    _listeners.append(listener)
    try:
        yield
    finally:
        _listeners.remove(listener)
