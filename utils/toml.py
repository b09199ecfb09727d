# SPDX-License-Identifier: Apache-2.0
"""TOML as users write it: bounded, and whatever is wrong with a file is one line."""

import tomllib
from collections.abc import Collection
from pathlib import Path
from typing import Any

from utils.errors import UserError, shortened

MOST_CHARACTERS = 1 << 20
#: of a line: Python's parser takes memory by the square of a key's dots
MOST_DOTS = 1000


def parsed(text: str) -> dict[str, Any]:
    """What a TOML text says. Raises ValueError, for what is beyond the limits, too."""
    if len(text) > MOST_CHARACTERS:
        raise ValueError(f"more than {MOST_CHARACTERS} characters")
    for number, line in enumerate(text.splitlines(), 1):
        if line.count(".") > MOST_DOTS:
            raise ValueError(f"more than {MOST_DOTS} dots (at line {number})")
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise ValueError("too many brackets inside each other") from None


def read(path: Path) -> dict[str, Any]:
    """What a TOML file says. Raises :class:`UserError` for a file that cannot be read, or is no TOML."""
    try:
        with path.open("rb") as file:
            return parsed(file.read(4 * MOST_CHARACTERS).decode())
    except OSError as error:
        raise UserError(f"{path}: cannot be read: {error.strerror}") from None
    except ValueError as error:  # of its syntax, its encoding, its numbers and its depth
        raise UserError(f"{path}: not valid TOML: {shortened(str(error))}") from None


def tables(path: Path, allowed: Collection[str]) -> dict[str, list[dict[str, Any]]]:
    """The ``[[tables]]`` of a file by their names, an empty list where there is none of the ``allowed``.

    Their values are texts, or lists of texts. Raises :class:`UserError` for anything else.
    """
    content = read(path)
    for name, entries in content.items():
        if name not in allowed:
            names = ", ".join(f"[[{name}]]" for name in allowed)
            raise UserError(f"{path}: unknown table {shortened(name)!r}: known are {names}")
        if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
            raise UserError(f"{path}: {name}: write it as [[{name}]], a table for each entry")
        for number, entry in enumerate(entries, 1):
            for key, value in entry.items():
                if not all(isinstance(text, str) for text in (value if isinstance(value, list) else [value])):
                    raise UserError(f"{path}: {name} {number}: {shortened(key)}: needs a text, or several")
    return {name: content.get(name, []) for name in allowed}
