# SPDX-License-Identifier: Apache-2.0
"""The dashboard of a campaign: failures and holes first, then closure, coverage, ranking and history."""

import importlib
import json
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any

from ci.nightly import coverage, ranking
from ci.nightly.campaign import RANDOM, STEERED, buckets
from ci.nightly.catalogue import Job
from ci.nightly.coverage import Covered, judged
from ci.nightly.store import Store, job_of
from configs import load
from report.charts import LOW, Series, line_chart
from report.page import Figure, KeyFigure, Section, fill
from report.tables import Column, Table, Value, percent, percent_tick, plain, whole
from tb.common.coverage.data import Counts
from utils.files import write_atomic

HERE = Path(__file__).parent
SHOWN = 200  # holes of a configuration


def write(store: Store, campaign: int, folder: Path) -> Path:
    """Write ``index.html``, its tables as CSV, and the LCOV files; returns the page's path."""
    told = next(one for one in store.campaigns() if one["id"] == campaign)
    covered = [one for block in told["blocks"].split() for one in judged(store, campaign, block)]
    exported = coverage.export(covered, folder)
    sections = [
        _failures(store, campaign), _holes(covered), _closure(store, campaign), _coverage(covered),
        _ranking(store, campaign), _tests(store, campaign), _history(store, told),
    ]  # fmt: skip
    for section in filter(None, sections):
        for table in (figure.table for figure in section.figures if figure.table):
            write_atomic(folder / f"{table.name}.csv", table.csv())
    page = fill(
        "dashboard.html.mako", HERE, told=told, key_figures=_keys(store, campaign, told, covered),
        sections=[one for one in sections if one], exported=[path.name for path in exported],
    )  # fmt: skip
    write_atomic(folder / "index.html", page)
    return folder / "index.html"


def _keys(store: Store, campaign: int, told: dict[str, Any], covered: list[Covered]) -> list[KeyFigure]:
    bins = sum(one.functional.covered + len(one.functional.holes) for one in covered)
    hit = sum(one.functional.covered for one in covered)
    share = hit / max(bins, 1)
    failed, jobs = told["failed"] or 0, told["jobs"]
    seconds = (told["finished"] or told["started"]) - told["started"]
    changes = sum(len(one) for one in json.loads(told["summary"] or "{}").get("changes", {}).values())
    return [
        KeyFigure("jobs", "Jobs", jobs, whole(jobs), f"{told['tier']}: {told['blocks']}"),
        KeyFigure("failed", "Failed", failed, whole(failed), f"in {len(buckets(store, campaign))} buckets"),
        KeyFigure("bins", "Functional bins", share, percent(share), f"{hit} of {bins}"),
        KeyFigure("changes", "Changed figures", changes, whole(changes), "against the baseline"),
        KeyFigure("checked", "Accesses checked", told["checked"] or 0, whole(told["checked"] or 0), ""),
        KeyFigure("time", "Time", seconds, f"{seconds:,.0f} s", f"{told['cpu'] or 0:,.0f} s of work"),
    ]  # fmt: skip


def _list(items: Sequence[str]) -> str:
    shown = "".join(f"<li>{escape(item)}</li>" for item in items[:SHOWN])
    more = f"<li>and {len(items) - SHOWN} more</li>" if len(items) > SHOWN else ""
    return f"<ul>{shown}{more}</ul>"


def _holes(covered: list[Covered]) -> Section:
    figures = []
    for one in covered:
        parts = (
            [(f"functional, {len(one.functional.holes)}", one.functional.holes)]
            if one.functional.holes
            else []
        )
        parts += [
            (f"{kind}, {len(part.holes)} ({part.percent:.1f} %)", [str(place) for place in part.holes])
            for kind, part in one.code.items() if part.holes
        ]  # fmt: skip
        if parts:
            body = "".join(
                f"<details{' open' * name.startswith('functional')}><summary>{escape(name)}</summary>"
                f"{_list(items)}</details>"
                for name, items in parts
            )
            figures.append(
                Figure(f"holes-{one.block}-{_anchor(one.config)}", f"{one.block} {one.config}", body)
            )
    intro = "<p>What was not hit and is not waived.</p>" if figures else "<p>None.</p>"
    return Section("holes", "Holes", intro, figures)


def _anchor(name: str) -> str:
    return "".join(letter if letter.isalnum() else "-" for letter in name)


def _failures(store: Store, campaign: int) -> Section:
    summary = json.loads(
        next(one for one in store.campaigns() if one["id"] == campaign)["summary"] or "{}"
    )  # fmt: skip
    figures = []
    for number, (name, count, repro) in enumerate(buckets(store, campaign)):
        waves = summary.get("waves", {}).get(name)
        body = f"<p><code>{escape(repro)}</code></p>" + (
            f"<p>waves: <code>{escape(waves)}</code></p>" if waves else ""
        )
        rows = store.jobs(campaign, "verdict = 'failed' AND bucket = ?", (name,))
        body += f"<pre>{escape(rows[0]['message'][:2000])}</pre>" + _list([row["key"] for row in rows])
        figures.append(Figure(f"bucket-{number}", f"{count} × {name}", body))
    changes = [
        f"{block} {change}" for block, all in summary.get("changes", {}).items() for change in all
    ]  # fmt: skip
    if changes:
        figures.append(Figure("baseline", "Figures that are not the baseline's", _list(changes)))
    intro = (
        "<p>Failures that look alike, with the command that repeats the first.</p>"
        if figures
        else "<p>None.</p>"
    )
    return Section("failures", "Failures", intro, figures)


def curve(
    store: Store, campaign: int, block: str, config: str, phase: str
) -> tuple[list[float], list[float]]:
    """Accesses checked so far, and the share of the plan's bins hit by then, job by job in their order."""
    plan = importlib.import_module(f"tb.{block}.plan").plan(load(block, config))
    bins = {(point.name, name) for point in plan for name in point.bins}
    known = store.coverage(campaign, block, config, phase)
    rows = store.jobs(campaign, "block = ? AND config = ? AND phase = ?", (block, config, phase))
    hit: set[tuple[str, str]] = set()
    x, y, total = [0.0], [0.0], 0
    for row in sorted(rows, key=lambda row: row["seed"]):
        total += row["checked"]
        hit |= _hit(known[row["key"]]) & bins
        x.append(float(total))
        y.append(len(hit) / len(bins))
    return x, y


def _hit(counts: Counts) -> set[tuple[str, str]]:
    return {(point, name) for point, found in counts.items() for name, count in found.items() if count}


def _closure(store: Store, campaign: int) -> Section | None:
    pairs = sorted({
        (row["block"], row["config"]) for row in store.jobs(campaign, "phase IN (?, ?)", (STEERED, RANDOM))
    })  # fmt: skip
    figures = []
    for block, config in pairs:
        rows: list[dict[str, Value]] = []
        series, reached = [], {}
        for phase, title in ((STEERED, "weights move towards unhit bins"), (RANDOM, "options drawn alike")):
            x, y = curve(store, campaign, block, config, phase)
            series.append(Series(title, y, x))
            reached[phase] = y[-1]
            rows += [{"weights": title, "accesses": a, "covered": b} for a, b in zip(x, y, strict=True)]
        columns = (
            Column("weights", "weights"), Column("accesses", "accesses", "count"),
            Column("covered", "covered", "percent"),
        )  # fmt: skip
        figures.append(Figure(
            f"closure-{block}", f"{block} {config}",
            line_chart(
                series, x_label="accesses checked", y_label="bins hit", x_format=plain, y_format=percent,
                y_tick=percent_tick, y_range=(0.0, 1.0), frame=LOW,
                alt=f"Lines: share of bins hit against accesses checked, {block}, with and without steering.",
            ),
            shows="The test “steered” alone, from nothing, the same budget with and without moving weights.",
            learn=f"Reached: {percent(reached[STEERED])} with, {percent(reached[RANDOM])} without. The rest "
            "takes directed tests, which the catalogue has.",
            table=Table(f"{block}_closure", "Closure", columns, rows),
        ))  # fmt: skip
    return Section("closure", "Closure against accesses", "", figures) if figures else None


def _coverage(covered: list[Covered]) -> Section:
    kinds = sorted({kind for one in covered for kind in one.code})
    rows: list[dict[str, Value]] = []
    for one in covered:
        parts: dict[str, Value] = {
            kind: one.code[kind].percent / 100 if kind in one.code else None for kind in kinds
        }
        rows.append({
            "block": one.block, "config": one.config, "functional": one.functional.percent / 100,
            "holes": len(one.functional.holes), "waived": len(one.functional.waived), **parts,
        })  # fmt: skip
    columns = (
        Column("block", "block"), Column("config", "configuration"),
        Column("functional", "functional", "percent", bar=1.0), Column("holes", "holes", "count"),
        Column("waived", "waived", "count"), *(Column(kind, kind, "percent") for kind in kinds),
    )  # fmt: skip
    table = Table("coverage", "Coverage by configuration", columns, rows)
    figure = Figure(
        "coverage-table", "By configuration", "", table=table, open_table=True,
        shows="Merged over all jobs of the campaign; code coverage from Verilator where it ran.",
    )  # fmt: skip
    return Section("coverage", "Coverage", "", [figure])


def ranked(store: Store, campaign: int, block: str) -> tuple[list[Job], dict[Job, float], int]:
    """The ranked jobs of a block, seconds of every job, and the number of bins that they reach."""
    hit, seconds = {}, {}
    for config in {row["config"] for row in store.jobs(campaign, "block = ?", (block,))}:
        for phase in coverage.NOT_PLANNED:
            known = store.coverage(campaign, block, config, phase)
            rows = store.jobs(
                campaign,
                "block = ? AND config = ? AND phase = ? AND verdict = 'passed'",
                (block, config, phase),
            )
            for row in rows:
                job = job_of(row)
                hit[job], seconds[job] = ranking.bins(config, known[row["key"]]), row["seconds"]
    reached = len(set().union(*hit.values())) if hit else 0
    return ranking.rank(hit, seconds), seconds, reached


def _ranking(store: Store, campaign: int) -> Section:
    rows: list[dict[str, Value]] = []
    words = []
    blocks = next(one for one in store.campaigns() if one["id"] == campaign)["blocks"].split()
    for block in blocks:
        chosen, seconds, reached = ranked(store, campaign, block)
        if not seconds:
            continue
        words.append(
            f"{block}: {len(chosen)} of {len(seconds)} jobs reach all {reached} bins, in "
            f"{sum(seconds[job] for job in chosen):.0f} of {sum(seconds.values()):.0f} s"
        )
        rows += [
            {"rank": number, "block": block, "config": job.config, "simulator": job.simulator,
             "test": job.test, "seed": job.seed, "seconds": seconds[job]}
            for number, job in enumerate(chosen, 1)
        ]  # fmt: skip
    columns = (
        Column("rank", "rank", "count"), Column("block", "block"), Column("config", "configuration"),
        Column("simulator", "simulator"), Column("test", "test"), Column("seed", "seed", "plain"),
        Column("seconds", "seconds", "f1"),
    )  # fmt: skip
    table = Table("ranking", "Ranked jobs", columns, rows)
    figure = Figure("ranked", "A smallest set", "", shows="; ".join(words) + ".", table=table,
                    command="make history RANK=1")  # fmt: skip
    return Section("ranking", "Test ranking", "", [figure])


def _tests(store: Store, campaign: int) -> Section:
    found: dict[tuple[str, str, str], list[Any]] = {}
    for row in store.jobs(campaign):
        found.setdefault((row["block"], row["test"], row["simulator"]), []).append(row)
    rows: list[dict[str, Value]] = [
        {
            "block": block, "test": test, "simulator": simulator, "jobs": len(all),
            "failed": sum(row["verdict"] == "failed" for row in all),
            "seconds": sum(row["seconds"] for row in all),
            "checked": sum(row["checked"] for row in all),
        }
        for (block, test, simulator), all in found.items()
    ]  # fmt: skip
    rows.sort(key=lambda row: -float(row["seconds"] or 0))
    columns = (
        Column("block", "block"), Column("test", "test"), Column("simulator", "simulator"),
        Column("jobs", "jobs", "count"), Column("failed", "failed", "count"),
        Column("seconds", "seconds", "f1"), Column("checked", "accesses", "count"),
    )  # fmt: skip
    table = Table("tests", "Tests by time", columns, rows)
    return Section("tests", "Tests", "", [Figure("tests-table", "Where the time went", "", table=table)])


def comparable(store: Store, told: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The campaigns that ran the same tier on the same blocks: only their figures make a trend."""
    same = (told["tier"], told["blocks"])
    return [one for one in store.campaigns() if (one["tier"], one["blocks"]) == same]


def _history(store: Store, told: Mapping[str, Any]) -> Section:
    rows: list[dict[str, Value]] = []
    campaigns = comparable(store, told)
    shares = sorted({name for one in campaigns for name in store.shares(one["id"])})
    for one in campaigns:
        if one["finished"]:
            summary = json.loads(one["summary"])
            covered = [entry["functional"] for entry in summary["coverage"]] or [0.0]
            rows.append({
                "campaign": one["id"], "tier": one["tier"], "revision": one["revision"],
                "verdict": one["verdict"], "jobs": one["jobs"], "failed": one["failed"] or 0,
                "functional": sum(covered) / len(covered) / 100,
                "seconds": one["finished"] - one["started"],
                **dict.fromkeys(shares), **store.shares(one["id"]),
            })  # fmt: skip
    columns = (
        Column("campaign", "campaign", "plain"), Column("tier", "tier"), Column("revision", "revision"),
        Column("verdict", "verdict"), Column("jobs", "jobs", "count"), Column("failed", "failed", "count"),
        Column("functional", "functional", "percent"), Column("seconds", "seconds", "f1"),
        *(Column(name, name, "percent") for name in shares),
    )  # fmt: skip
    table = Table("history", "Campaigns", columns, rows)
    intro = f"<p>Campaigns of tier {told['tier']} on {told['blocks']}; others cannot be compared.</p>"
    return Section(
        "history", "History", intro, [Figure("history-table", "Campaigns", "", table=table, open_table=True)]
    )
