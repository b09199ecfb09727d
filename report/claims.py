# SPDX-License-Identifier: Apache-2.0
"""What a block's source states, beside what was measured for it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from report.pages import Page


@dataclass(frozen=True)
class Claim:
    """One statement and what was measured for it; ``ours`` is for reading, ``value`` for files, None
    if it was not measured.

    ``traffic``: what gave it. ``same``: whether both are the same to the last digit.
    """

    what: str
    source: str
    ours: str
    value: float | None
    traffic: str
    remark: str
    same: bool = False


def draw_claims(page: Page, source: str, claims: Sequence[Claim], /, **values: Any) -> None:
    """All claims in figure ``<source>-table``; ``source`` is what the source is called, and its column."""
    rows = [
        {"what": one.what, source: one.source, "ours": one.ours, "value": one.value, "traffic": one.traffic,
         "remark": one.remark}
        for one in claims
    ]  # fmt: skip
    page.draw(f"{source}-table", rows, **values)
