# SPDX-License-Identifier: Apache-2.0
"""The one exception that means "the user can mend this"."""

from typing import Any

ROOM = "make room on the disk, then the same command goes on"
"""Advice for a full disk."""


class UserError(Exception):
    """Bad input or a missing tool: the text says what, where and what to do.

    Command lines turn it into one ``error:`` line and exit code 2 (:func:`utils.cli.run`).
    """


def shortened(text: str, most: int = 80) -> str:
    """``text`` for a message: in one line, as it is or its beginning with a mark that there is more."""
    text = " ".join(text.split())
    return text if len(text) <= most else f"{text[:most]}... ({len(text)} characters)"


def plain(value: Any) -> Any:
    """Numbers and texts of numpy as Python's own, in tuples and lists, too."""
    if type(value) in (list, tuple):
        return type(value)(map(plain, value))
    return value.tolist() if hasattr(value, "tolist") else value


def shown(value: object) -> str:
    """A value for a message, as Python writes it."""
    try:
        return shortened(repr(plain(value)))
    except ValueError:  # an integer of more digits than Python writes
        return "a number beyond all limits"
