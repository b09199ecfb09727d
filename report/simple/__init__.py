# SPDX-License-Identifier: Apache-2.0
"""Page of ``simple``: small programs, written back and written through."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from configs import UserError
from report.page import BlockReport
from report.pages import Page
from report.results import AGAIN, read_index, read_json


def row(folder: Path, listed: dict[str, Any]) -> dict[str, Any]:
    """A run of the index as a row of the table. Raises :class:`UserError` if it does not add up."""
    run = read_json(folder / listed["file"])
    count, cycles = run["requests"], run["cycles"]
    if not run["loads"] + run["stores"] == count == run["hits"] + run["misses"]:
        raise UserError(f"{folder / listed['file']}: its requests do not add up; {AGAIN}")
    return {
        "pattern": listed["workload"], "policy": listed["role"], "requests": count,
        "hit_rate": run["hits"] / count, "per_clock": count / cycles,
        "read": run["read_bytes"] / count, "written": run["written_bytes"] / count,
        "waiting": run["memory_wait_cycles"] / cycles,
    }  # fmt: skip


def build(results: Path, progress: Callable[[str], None]) -> BlockReport:
    """The block's report from a folder of results. Raises :class:`UserError`."""
    progress("simple")
    index = read_index(results, "simple")
    rows = [row(results, listed) for listed in index["runs"]]
    page = Page("simple", cache=index["base"]["cache"])
    page.key("checked", float(sum(run["requests"] for run in rows)))
    page.key("rate", max(run["per_clock"] for run in rows))
    page.draw("programs", rows, most=rows[0]["requests"])
    return page.report(index)
