# SPDX-License-Identifier: Apache-2.0
"""Page of ``dcache``: patterns and programs under each replacement policy."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from configs import UserError
from report.page import BlockReport
from report.programs import build_cache
from report.results import AGAIN, read_json


def row(folder: Path, listed: dict[str, Any]) -> dict[str, Any]:
    """A run of the index as a row of the table. Raises :class:`UserError` if it does not add up."""
    run = read_json(folder / listed["file"])
    words, cycles = run["hits"] + run["misses"], run["cycles"]
    if words != run["words"] or run["loads"] + run["stores"] + 1 != run["requests"]:
        raise UserError(f"{folder / listed['file']}: its words do not add up; {AGAIN}")
    return {
        "pattern": listed["workload"], "policy": listed["role"], "words": words,
        "hit_rate": run["hits"] / words, "evictions": run["evictions"], "writes": run["writes"],
        "per_clock": words / cycles, "read": run["read_bytes"] / words,
        "written": run["written_bytes"] / words, "waiting": run["memory_wait_cycles"] / cycles,
    }  # fmt: skip


def lost(run: Mapping[str, Any]) -> int:
    """Cycles lost to misses before the clean at the end: without any, a word takes one cycle, and three pass
    from the first request to its result.
    """
    return int(run["cycles_before_clean"] - run["words"] - 3)


def build(results: Path, progress: Callable[[str], None]) -> BlockReport:
    """The block's report from a folder of results. Raises :class:`UserError`."""
    return build_cache("dcache", "words", results, progress, row, lost)
