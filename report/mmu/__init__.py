# SPDX-License-Identifier: Apache-2.0
"""Page of ``mmu``: programs through the RTL, on the published caches and on others."""

from collections.abc import Callable, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any

from configs import UserError
from report import simt_claims
from report.page import BlockReport
from report.pages import Page
from report.results import AGAIN, read_index, read_json
from report.words import mean
from workloads.simt.programs import NINE

SPEED = ("program", "n", "caches", "instructions", "cycles", "cpi", "times", "fetch_misses", "words",
         "data_misses", "hit_rate", "fetch_wait_cycles", "data_wait_cycles")  # fmt: skip
STALLS = tuple(f"{cause}_wait_cycles" for cause in ("group", "victim", "entry", "write", "stage", "warp"))
WAITS = ("_data", "_fetches")


def build(results: Path, progress: Callable[[str], None]) -> BlockReport:
    """The block's report from a folder of results. Raises :class:`UserError`."""
    progress("mmu")
    index = read_index(results, "mmu")
    measured = _rows(results, index["runs"])
    rows = [row for row in measured if row["program"] in NINE]
    roles = list(dict.fromkeys(row["caches"] for row in rows))
    base = [row for row in rows if row["caches"] == roles[0]]
    fast = [row for row in rows if row["caches"] == roles[-1]]
    checked = sum(row["instructions"] for row in measured)
    page = Page("mmu", latency=index["latency"], programs=len(base), published=roles[0], fast=roles[-1],
                checked=checked, runs=len(rows), setups=len(roles), all_runs=len(measured),
                subset=simt_claims.subset(len(base)))  # fmt: skip
    rates = [row["hit_rate"] for row in base]
    page.key("hit_rate", mean(rates), low=min(rates), high=max(rates))
    page.let(times=mean(row["times"] for row in fast), cpi=mean(row["cpi"] for row in base),
             fast_cpi=mean(row["cpi"] for row in fast))  # fmt: skip
    least, most = (choose(fast, key=itemgetter("times")) for choose in (min, max))
    page.let(slow=least["times"], quick=most["times"])
    page.key("times", page.values["times"], least=least, most=most)
    page.key("cpi", page.values["cpi"])
    page.key("checked", float(checked))
    simt_claims.of_machine(page, [row for row in measured if row["caches"] == roles[0]], index["latency"])
    _, *others = roles
    shown = list(
        dict.fromkeys([others[0], *others[1:-1][1::3], others[-1]])
    )  # those that the chart has room for
    means = {role: mean(row["times"] for row in rows if row["caches"] == role) for role in shown}
    page.draw("mmu-speeds", _of(SPEED, rows), others=shown,
              means=", ".join(f"{role} {value:.2f}" for role, value in means.items()))  # fmt: skip
    waits = []
    for row in base:
        fetches, data = (row[f"{side}_wait_cycles"] / row["instructions"] for side in ("fetch", "data"))
        waits.append({**row, "_rest": row["cpi"] - fetches - data, "_data": data, "_fetches": fetches})
    share = {key: sum(row[key] * row["instructions"] for row in waits) / sum(row["cycles"] for row in waits)
             for key in WAITS}  # fmt: skip
    worst = max(waits, key=lambda row: float(row["_data"] / row["cpi"]))
    page.let(waiting=share["_data"])
    page.draw("mmu-cycles", charted=waits, share=share, worst=worst, most=worst["_data"] / worst["cpi"])
    stalls = [row for row in rows if STALLS[0] in row]
    by_cause = {cause: sum(row[cause] for row in fast) for cause in STALLS}
    cause = max(by_cause, key=by_cause.__getitem__)
    page.draw("mmu-stalls", _of((*SPEED[:5], *STALLS), stalls), stalled=len(stalls),
              cause=page.column(cause, page.of("mmu-stalls")).title,
              share=by_cause[cause] / max(sum(by_cause.values()), 1),
              all=sum(by_cause.values()) / sum(row["cycles"] for row in fast))  # fmt: skip
    return page.report(index)


def _rows(folder: Path, runs: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """A row for each run, the published one of each program first. Raises :class:`UserError`."""
    rows: list[dict[str, Any]] = []
    for _, listed in groupby(runs, key=lambda run: run["workload"]):
        published: dict[str, Any] = {}
        for entry in listed:
            run = read_json(folder / entry["file"])
            published = published or run
            if run["instructions"] != published["instructions"] or run["cycles"] < run["instructions"]:
                raise UserError(f"{folder / entry['file']}: its instructions do not add up; {AGAIN}")
            shown = {key: run[key] for key in (*SPEED, *STALLS) if key in run}
            cpi, times = run["cycles"] / run["instructions"], published["cycles"] / run["cycles"]
            rows.append({**shown, "caches": entry["role"], "cpi": cpi, "times": times,
                         "hit_rate": 1 - run["data_misses"] / run["words"]})  # fmt: skip
    return rows


def _of(keys: Sequence[str], rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    return [{key: row[key] for key in keys} for row in rows]
