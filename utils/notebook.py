# SPDX-License-Identifier: Apache-2.0
"""Tables for notebooks, the result of ``_repr_html_``."""

from collections.abc import Mapping
from html import escape


def table(caption: str, rows: Mapping[str, str]) -> str:
    """An HTML table with a row for each name and value."""
    cells = "".join(
        f"<tr><th>{escape(name)}</th><td>{escape(value)}</td></tr>" for name, value in rows.items()
    )
    return f"<table><caption>{escape(caption)}</caption>{cells}</table>"
