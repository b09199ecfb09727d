# SPDX-License-Identifier: Apache-2.0
"""A campaign: the catalogue's jobs, more seeds for what they left open, verdicts, a page.

Whatever interrupts it, the same command goes on with what is not stored yet.
"""

import json
import sqlite3
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from distributed import Client
from rich.progress import Progress, TextColumn
from rich.table import Column

from ci.nightly import catalogue, closure
from ci.nightly.catalogue import Job
from ci.nightly.cluster import cluster, run_all
from ci.nightly.coverage import functional, judged
from ci.nightly.job import Result, with_waves
from ci.nightly.remote import submit
from ci.nightly.store import Store, job_of
from report.__main__ import revision
from tb.common.coverage import data as coverage_data
from tb.common.running import baseline, builds, junit
from utils import toml
from utils.console import Console, coloured
from utils.progress import Bars

FOLDER = builds.BUILD / "nightly"
CATALOGUE, CLOSURE = "catalogue", "closure"
JUDGED = "full", "nightly"  # tiers whose campaigns fail if a functional bin is not hit


@dataclass(frozen=True)
class Order:
    """What is asked for. ``budget``: jobs of the closure per configuration, 0 for what the catalogue says."""

    tier: str
    blocks: tuple[str, ...]
    seed: int
    workers: int
    scheduler: str | None
    budget: int
    new: bool
    command: str
    folder: Path = FOLDER


class Campaign:
    """One campaign in the store, begun or gone on with."""

    def __init__(self, order: Order, store: Store, console: Console) -> None:
        self.order, self.store, self.console = order, store, console
        sources = catalogue.sources_key(order.blocks)
        kind = (order.tier, order.blocks, order.seed, sources)
        unfinished = None if order.new else store.unfinished(*kind)
        if unfinished is not None:
            console.print(f"going on with campaign {unfinished}: {len(store.done(unfinished))} jobs are done")
        self.id = unfinished or store.begin(*kind, revision(), order.command)
        self.verdicts = Counter[bool]()  # whether jobs failed, for the live progress

    def run(self) -> bool:
        """Run all of it; whether everything passed, agreed with the baseline and is covered."""
        order = self.order
        jobs = catalogue.jobs(order.tier, order.blocks, order.seed)
        with cluster(order.scheduler, order.workers) as client, bars(self.console) as progress:
            self.jobs(client, jobs, CATALOGUE, progress, f"{order.tier}: {' '.join(order.blocks)}")
            if order.tier == "nightly":
                for block in order.blocks:
                    self._close(client, block, progress)
            waves = self._waves(client, progress)
        return self._finish(waves)

    def jobs(self, client: Client, jobs: Sequence[Job], phase: str, progress: Progress, title: str) -> None:
        """Run those of ``jobs`` that are not stored, and store them."""
        done = self.store.done(self.id)
        wanted = set(jobs)
        left = [job for job in jobs if job.key not in done]
        task = progress.add_task(title, total=len(jobs), completed=len(jobs) - len(left), note="")

        def take(result: Result) -> None:
            self.store.add(self.id, result, phase)
            self.verdicts[result.verdict == "failed"] += 1
            note = f"{self.verdicts[False]} passed, {self.verdicts[True]} failed  {result.job.key}"
            progress.update(task, advance=result.job in wanted, note=note)
            if result.verdict == "failed":
                progress.console.print(coloured("failed", "red", f" {result.bucket}\n       {result.repro}"))

        run_all(client, left, take, seconds=self.store.seconds(), say=progress.console.print)
        progress.remove_task(task)

    def _close(self, client: Client, block: str, progress: Progress) -> None:
        """More seeds while there are holes, up to the budget."""
        entry = toml.read(catalogue.file_of(block)).get("closure")
        if not entry:
            return
        budget = self.order.budget or entry["budget"]
        for config in entry["configs"]:
            counts = coverage_data.total(self.store.coverage(self.id, block, config, CATALOGUE))
            steering, made = closure.Steering(block, counts), 0
            rounds = closure.rounds(
                steering, config, "verilator", self.order.seed, entry["count"], self.order.workers
            )
            while made < budget and functional(block, config, steering.counts).holes:
                jobs = next(rounds)
                title = f"{CLOSURE}: {block} {config}, {made} of at most {budget}"
                self.jobs(client, jobs, CLOSURE, progress, title)
                coverage = self.store.coverage(self.id, block, config, CLOSURE)
                for job in jobs:
                    steering.learn(job, coverage.get(job.key, {}))
                made += len(jobs)

    def _waves(self, client: Client, progress: Progress) -> dict[str, str]:
        """Run the first failed test of each bucket again with waveforms: bucket -> file."""
        first: dict[str, Job] = {}
        for row in self.store.jobs(self.id, "verdict = 'failed' AND test NOT LIKE '%, %'"):
            first.setdefault(row["bucket"], job_of(row))
        files = {}
        for bucket, job in first.items():
            progress.console.print(f"once more with waveforms: {job.key}")
            try:
                path = submit(client, with_waves, job).result()
            except Exception as error:  # a build that fails fails again
                progress.console.print(f"  none: {error}")
                continue
            if path:
                files[bucket] = str(path)
        return files

    def figures(self, block: str) -> dict[str, dict[str, int]]:
        """Figures of the catalogue's passed jobs, by :func:`tb.common.running.baseline.name_of`."""
        rows = self.store.jobs(self.id, "block = ? AND verdict = 'passed' AND phase = ?", (block, CATALOGUE))
        names = (baseline.name_of(row["config"], row["test"], row["seed"], row["count"]) for row in rows)
        return {name: json.loads(row["figures"]) for name, row in zip(names, rows, strict=True)}

    def _finish(self, waves: dict[str, str]) -> bool:
        changes = {
            block: baseline.compare(baseline.load(block), self.figures(block).items())
            for block in self.order.blocks
        }
        covered = [coverage for block in self.order.blocks for coverage in judged(self.store, self.id, block)]
        rows = self.store.jobs(self.id)
        failed = sum(row["verdict"] == "failed" for row in rows)
        holes = self.order.tier in JUDGED and any(coverage.functional.holes for coverage in covered)
        passed = sum(row["verdict"] == "passed" for row in rows)
        good = passed and not failed and not any(changes.values()) and not holes
        summary: dict[str, Any] = {
            "jobs": len(rows), "failed": failed, "changes": changes, "waves": waves,
            "coverage": [coverage.summary() for coverage in covered],
        }  # fmt: skip
        junit.write(self.order.folder / "junit.xml", f"campaign {self.id}", map(case, rows))
        self.store.finish(self.id, "passed" if good else "failed", summary)
        return bool(good)


def case(row: sqlite3.Row) -> junit.Case:
    """A stored job, for CI servers; the seed belongs to its name."""
    return junit.Case(
        f"{row['block']}.{row['config']}.{row['simulator']}", f"{row['test']}-seed{row['seed']}",
        row["verdict"], row["seconds"], row["error"], row["message"], row["repro"],
    )  # fmt: skip


def bars(console: Console) -> Bars:
    """With a note of the last job, which gives way first where lines are short."""
    note = TextColumn("{task.fields[note]}", markup=False, table_column=Column(no_wrap=False))
    return Bars(note, console=console)


def say(console: Console, store: Store, campaign: int, page: Path) -> None:
    """The verdict, for people."""
    about = store.campaign(campaign)
    summary = json.loads(about["summary"])
    colour = "green" if about["verdict"] == "passed" else "red"
    seconds = about["finished"] - about["started"]
    counts = (
        f"  campaign {campaign}, {about['tier']}: {about['jobs']} jobs, {about['passed']} passed, "
        f"{about['failed']} failed, {about['cpu'] or 0:,.0f} s of work in {seconds:,.0f} s"
    )
    console.print(coloured(about["verdict"].upper(), f"bold {colour}", counts))
    for config in summary["coverage"]:
        code = "".join(f", {kind} {value:.1f} %" for kind, value in config["code"].items())
        holes = f" ({len(config['holes'])} holes)" if config["holes"] else ""
        percent = f"functional {config['functional']:.1f} %{holes}{code}"
        console.print(f"  {config['block']} {config['config']}: {percent}")
    for block, changes in summary["changes"].items():
        for change in changes[:5]:
            console.print(coloured("  baseline", "red", f" {block} {change}"))
        if len(changes) > 5:
            console.print(coloured("  baseline", "red", f" {block}: {len(changes) - 5} more"))
    for bucket, count, repro in buckets(store, campaign):
        waves = summary["waves"].get(bucket)
        console.print(coloured(f"  {count} x", "red", f" {bucket}\n      repeat: {repro}"))
        if waves:
            console.print(f"      waves:  {waves}")
    console.print(f"  page: {page}")


def buckets(store: Store, campaign: int) -> list[tuple[str, int, str]]:
    """Failures: bucket, how many, the command that repeats the first."""
    failures: dict[str, list[str]] = {}
    for row in store.jobs(campaign, "verdict = 'failed'"):
        failures.setdefault(row["bucket"], []).append(row["repro"] or row["key"])
    return sorted(((name, len(all), all[0]) for name, all in failures.items()), key=lambda bucket: -bucket[1])
