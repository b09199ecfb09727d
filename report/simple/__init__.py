# SPDX-License-Identifier: Apache-2.0
"""Page of ``simple``: small programs, write-back and write-through."""

from collections.abc import Callable
from operator import itemgetter
from pathlib import Path
from typing import Any

from configs import UserError
from report.page import BlockReport
from report.pages import Page
from report.results import AGAIN, read_index, read_json
from report.words import mean


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
    back, through = ([run for run in rows if run["policy"] == f"write-{how}"] for how in ("back", "through"))
    pairs = list(zip(back, through, strict=True))  # of each program
    checked = sum(run["requests"] for run in rows)
    page = Page("simple", cache=index["base"]["cache"], programs=len(back), checked=checked)
    page.let(back=mean(run["hit_rate"] for run in back),
             through=mean(run["hit_rate"] for run in through),
             widest=max(pairs, key=lambda pair: pair[0]["hit_rate"] - pair[1]["hit_rate"]))  # fmt: skip
    least, most = (choose(back, key=itemgetter("hit_rate")) for choose in (min, max))
    page.key("hit_rate", page.values["back"], least=least, most=most)
    fastest = max(back, key=itemgetter("per_clock"))
    page.key("rate", fastest["per_clock"], program=fastest["pattern"])
    times = [(left["per_clock"] / right["per_clock"], left["pattern"]) for left, right in pairs]
    least_gain, program = min(times)
    page.key("faster", mean(gain for gain, _ in times), least=least_gain, program=program,
             worst="slower" if least_gain < 1 else "least")  # fmt: skip
    page.key("checked", float(checked))
    page.draw("programs", rows, most=max(run["requests"] for run in rows))
    return page.report(index)
