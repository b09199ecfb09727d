# SPDX-License-Identifier: Apache-2.0
"""The console of every command: names and messages of users appear on it as they are."""

from typing import Any

import rich.console
from rich.text import Text


class Console(rich.console.Console):
    """Of rich; neither ``[bold]`` nor ``:x:`` in a text means anything: colours are :func:`coloured`."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"markup": False, "emoji": False, **options})


def coloured(word: str, style: str, rest: str = "") -> Text:
    """``word`` in a style, e.g. ``bold red``, and the ``rest`` of its line."""
    return Text.assemble((word, style), rest)
