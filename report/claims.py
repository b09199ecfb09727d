# SPDX-License-Identifier: Apache-2.0
"""What a block's source states, beside what was measured for it."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass

from report.page import Figure
from report.tables import Column, Table


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


def claims_table(name: str, claims: Sequence[Claim], note: str, source: str) -> Table:
    """All claims; ``source`` is what the source is called: the name of its column and in the title."""
    columns = (
        Column("what", "figure"),
        Column(source, source),
        Column("ours", "measured"),
        Column("value", "value", "plain", on_page=False),
        Column("traffic", "traffic that gave it"),
        Column("remark", "remark"),
    )
    rows = [asdict(claim) | {source: claim.source} for claim in claims]
    shown = [{column.key: row[column.key] for column in columns} for row in rows]
    return Table(name, f"The {source}'s numbers beside ours", columns, shown, note)


def claims_figure(table: Table, shows: str, learn: str, source: str) -> Figure:
    """The table, open on the page."""
    return Figure(
        f"{source}-table", "Published and measured", "", table=table, open_table=True, shows=shows,
        learn=learn, traffic="as each row says",
    )  # fmt: skip
