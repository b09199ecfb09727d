# SPDX-License-Identifier: Apache-2.0
"""The dashboard of a campaign: failures and holes first, then coverage, tests and history."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ci.nightly.campaign import JUDGED, buckets
from ci.nightly.coverage import Covered, judged
from ci.nightly.store import Store
from report.page import Figure, KeyFigure, fill
from report.tables import Rows, Table, column, percent, whole
from utils.files import write_atomic

HERE = Path(__file__).parent
SHOWN = 200  # holes of a configuration, and jobs of a failure


def write(store: Store, campaign: int, folder: Path) -> Path:
    """Write ``index.html``, its tables as CSV and code coverage as LCOV; returns the page's path."""
    about = store.campaign(campaign)
    summary = json.loads(about["summary"] or "{}")
    covered = [config for block in about["blocks"].split() for config in judged(store, campaign, block)]
    failures = [
        (f"{count} × {name}", repro, summary.get("waves", {}).get(name), store.failures(campaign, name))
        for name, count, repro in buckets(store, campaign)
    ]
    changes = [f"{block} {change}" for block, all in summary.get("changes", {}).items() for change in all]
    figures = [_coverage(covered), _tests(store, campaign), _history(store, about)]
    for figure in figures:
        assert figure.table
        write_atomic(folder / f"{figure.table.name}.csv", figure.table.csv())
    for config in covered:
        if config.code:
            write_atomic(folder / f"{config.block}-{config.config}-code.info", config.lcov)
    page = fill(
        "dashboard.html.mako", HERE, about=about, failures=failures, changes=changes, figures=figures,
        holes=[config for config in covered if config.holes], judged=about["tier"] in JUDGED, shown=SHOWN,
        key_figures=_keys(about, covered, len(failures), len(changes)),
    )  # fmt: skip
    write_atomic(folder / "index.html", page)
    return folder / "index.html"


def _keys(about: Mapping[str, Any], covered: list[Covered], kinds: int, changes: int) -> list[KeyFigure]:
    hit = sum(config.functional.covered for config in covered)
    bins = hit + sum(len(config.functional.holes) for config in covered)
    seconds = (about["finished"] or about["started"]) - about["started"]
    counts = (
        ("jobs", "Jobs", about["jobs"], f"{about['tier']}: {about['blocks']}"),
        ("failed", "Failed", about["failed"] or 0, f"in {kinds} buckets"),
        ("changes", "Changed figures", changes, "against the baseline"),
        ("checked", "Accesses checked", about["checked"] or 0, ""),
    )
    share = hit / max(bins, 1)
    return [
        *(KeyFigure(name, title, value, whole(value), note) for name, title, value, note in counts),
        KeyFigure("bins", "Functional bins", share, percent(share), f"{hit} of {bins}"),
        KeyFigure("time", "Time", seconds, f"{seconds:,.0f} s", f"{about['cpu'] or 0:,.0f} s of work"),
    ]


def _figure(name: str, title: str, rows: Rows, columns: Mapping[str, str], shows: str = "") -> Figure:
    """A table on the page; ``columns``: see :func:`report.tables.column`."""
    table = Table(name, title, [column(key, spec) for key, spec in columns.items()], rows)
    return Figure(f"{name}-table", title, "", shows, table=table, open_table=True)


def _coverage(covered: list[Covered]) -> Figure:
    kinds = sorted({kind for config in covered for kind in config.code})
    rows: Rows = [
        {
            "block": config.block, "config": config.config, "functional": config.functional.percent / 100,
            "holes": len(config.functional.holes), "waived": len(config.functional.waived),
            **dict.fromkeys(kinds), **{kind: part.percent / 100 for kind, part in config.code.items()},
        }
        for config in covered
    ]  # fmt: skip
    columns = {
        "block": "", "config": "configuration", "functional": "| percent || bar 1.0", "holes": "| count",
        "waived": "| count", **dict.fromkeys(kinds, "| percent"),
    }  # fmt: skip
    shows = "Merged over all jobs of the campaign; code coverage from Verilator where it ran."
    return _figure("coverage", "Coverage by configuration", rows, columns, shows)


def _tests(store: Store, campaign: int) -> Figure:
    rows: Rows = [dict(row) for row in store.tests(campaign)]
    columns = {
        "block": "", "test": "", "simulator": "", "jobs": "| count", "failed": "| count", "seconds": "| f1",
        "checked": "accesses | count",
    }  # fmt: skip
    return _figure("tests", "Tests by time", rows, columns)


def comparable(store: Store, about: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The campaigns that ran the same tier on the same blocks: only their figures make a trend."""
    kind = (about["tier"], about["blocks"])
    return [row for row in store.campaigns() if (row["tier"], row["blocks"]) == kind]


def _history(store: Store, about: Mapping[str, Any]) -> Figure:
    campaigns = [row for row in comparable(store, about) if row["finished"]]
    shares = {row["id"]: store.shares(row["id"]) for row in campaigns}
    names = sorted({name for each in shares.values() for name in each})
    rows: Rows = []
    for row in campaigns:
        functional = [entry["functional"] for entry in json.loads(row["summary"])["coverage"]] or [0.0]
        rows.append({
            "campaign": row["id"], "revision": row["revision"], "verdict": row["verdict"],
            "jobs": row["jobs"], "failed": row["failed"] or 0,
            "functional": sum(functional) / len(functional) / 100,
            "seconds": row["finished"] - row["started"], **dict.fromkeys(names), **shares[row["id"]],
        })  # fmt: skip
    columns = {
        "campaign": "| plain", "revision": "", "verdict": "", "jobs": "| count", "failed": "| count",
        "functional": "| percent", "seconds": "| f1", **dict.fromkeys(names, "| percent"),
    }  # fmt: skip
    shows = f"Campaigns of tier {about['tier']} on {about['blocks']}; others cannot be compared."
    return _figure("history", "History", rows, columns, shows)
