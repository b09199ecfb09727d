# SPDX-License-Identifier: Apache-2.0
"""What the reports of blocks that answer requests share: programs under each policy."""

from collections.abc import Sequence
from typing import Any

from report.charts import Series, bar_chart
from report.tables import percent, percent_tick


def hit_rate_chart(rows: Sequence[dict[str, Any]]) -> str:
    """The ``hit_rate`` of each ``pattern``, a colour for each ``policy``."""
    policies, names = (tuple(dict.fromkeys(run[key] for run in rows)) for key in ("policy", "pattern"))
    series = [
        Series(policy, [run["hit_rate"] for run in rows if run["policy"] == policy]) for policy in policies
    ]
    return bar_chart(
        names, series, alt="hit rate of each program, by policy", y_label="hit rate",
        y_format=percent, y_tick=percent_tick, y_range=(0.0, 1.0),
    )  # fmt: skip
