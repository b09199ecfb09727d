# SPDX-License-Identifier: Apache-2.0
"""Page of ``icache``: patterns and programs under each replacement policy."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from configs import UserError
from report.page import BlockReport
from report.programs import build_cache
from report.results import AGAIN, read_json


def row(folder: Path, listed: dict[str, Any]) -> dict[str, Any]:
    """A run of the index as a row of the table. Raises :class:`UserError` if it does not add up."""
    run = read_json(folder / listed["file"])
    count, cycles = run["fetches"], run["cycles"]
    if run["hits"] + run["misses"] != count or run["hits"] > run["optimal_hits"]:
        raise UserError(f"{folder / listed['file']}: its fetches do not add up; {AGAIN}")
    return {
        "pattern": listed["workload"], "policy": listed["role"], "fetches": count,
        "hit_rate": run["hits"] / count, "evictions": run["evictions"],
        "frequency": run["frequency_hits"] / count, "optimal": run["optimal_hits"] / count,
        "per_clock": count / cycles, "waiting": run["memory_wait_cycles"] / cycles,
    }  # fmt: skip


def build(results: Path, progress: Callable[[str], None]) -> BlockReport:
    """The block's report from a folder of results. Raises :class:`UserError`."""
    return build_cache("icache", "fetches", results, progress, row, lambda run: run["memory_wait_cycles"])
