# SPDX-License-Identifier: Apache-2.0
"""Results of campaigns in SQLite. One process writes; a job is there once, however often it ran."""

import errno
import json
import os
import sqlite3
import time
import zlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from ci.nightly.catalogue import Job, Work
from ci.nightly.job import Result
from configs import UserError
from tb.common.running import regression
from utils import databases

SCHEMA = """
CREATE TABLE IF NOT EXISTS campaign (
    id INTEGER PRIMARY KEY, tier TEXT, blocks TEXT, seed INTEGER, sources TEXT, revision TEXT, command TEXT,
    started REAL, finished REAL, verdict TEXT, summary TEXT
);
CREATE TABLE IF NOT EXISTS job (
    campaign INTEGER, key TEXT, phase TEXT, block TEXT, config TEXT, config_hash TEXT, simulator TEXT,
    test TEXT, seed INTEGER, count INTEGER, description TEXT, verdict TEXT, seconds REAL, error TEXT,
    message TEXT, bucket TEXT, repro TEXT, worker TEXT, finished REAL,
    checked INTEGER, figures TEXT, coverage TEXT, code BLOB,
    PRIMARY KEY (campaign, key)
);
"""
FORMAT = 2


class Store:
    """The database at ``path``; a damaged one is set aside, and ``say`` is told where it is. Raises
    :class:`UserError` for one that cannot be used, as on a full disk, or is of another format.
    """

    def __init__(self, path: Path, say: Callable[[str], None] = print) -> None:
        self.path = path
        path.parent.mkdir(parents=True, exist_ok=True)
        if not os.access(path if path.exists() else path.parent, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
        with databases.explained(path):
            if databases.is_damaged(path):
                say(f"{path}: damaged; it is kept as {databases.set_aside(path)}, a new one begins")
            self._db = sqlite3.connect(path)
            self._db.row_factory = sqlite3.Row
            [version] = self._db.execute("PRAGMA user_version").fetchone()
            if version not in (0, FORMAT):
                raise UserError(
                    f"{path}: of format {version}, this program writes {FORMAT}: keep it with the "
                    "program that wrote it, and name another folder with --folder"
                )
            self._db.execute("PRAGMA journal_mode = WAL")  # what was written stays, whatever kills us
            self._db.executescript(SCHEMA)
            self._db.execute(f"PRAGMA user_version = {FORMAT}")

    def close(self) -> None:
        """Let go of the file."""
        self._db.close()

    def begin(
        self, tier: str, blocks: Sequence[str], seed: int, sources: str, revision: str, command: str
    ) -> int:
        """A new campaign's number."""
        with databases.explained(self.path), self._db:
            cursor = self._db.execute(
                "INSERT INTO campaign (tier, blocks, seed, sources, revision, command, started) "
                "VALUES (?, ?, ?, ?, ?, ?, ?)",
                (tier, " ".join(blocks), seed, sources, revision, command, time.time()),
            )
        assert cursor.lastrowid
        return cursor.lastrowid

    def unfinished(self, tier: str, blocks: Sequence[str], seed: int, sources: str) -> int | None:
        """The last campaign of the same kind and sources that was interrupted, if one was."""
        row = self._db.execute(
            "SELECT id FROM campaign WHERE tier = ? AND blocks = ? AND seed = ? AND sources = ? "
            "AND finished IS NULL ORDER BY id DESC",
            (tier, " ".join(blocks), seed, sources),
        ).fetchone()
        return int(row["id"]) if row else None

    def add(self, campaign: int, result: Result, phase: str = "catalogue") -> None:
        """Keep a result; one that is there already stays."""
        job = result.job
        values = {
            "campaign": campaign, "key": job.key, "phase": phase, "block": job.block, "config": job.config,
            "config_hash": result.config_hash, "simulator": job.simulator, "test": job.test,
            "seed": job.seed, "count": job.count, "description": json.dumps(asdict(job)),
            "verdict": result.verdict, "seconds": result.seconds, "error": result.error,
            "message": result.message, "bucket": result.bucket, "repro": result.repro,
            "worker": result.worker, "finished": time.time(),
            "checked": result.figures.get("checked", 0), "figures": json.dumps(result.figures),
            "coverage": json.dumps(result.coverage), "code": result.code,
        }  # fmt: skip
        names = ", ".join(values)
        with databases.explained(self.path), self._db:
            self._db.execute(
                f"INSERT OR IGNORE INTO job ({names}) VALUES ({', '.join('?' * len(values))})",
                tuple(values.values()),
            )

    def finish(self, campaign: int, verdict: str, summary: dict[str, Any]) -> None:
        """The campaign is over."""
        with databases.explained(self.path), self._db:
            self._db.execute(
                "UPDATE campaign SET finished = ?, verdict = ?, summary = ? WHERE id = ?",
                (time.time(), verdict, json.dumps(summary), campaign),
            )

    def done(self, campaign: int) -> set[str]:
        """Keys of the jobs whose results are there."""
        return {row["key"] for row in self._db.execute("SELECT key FROM job WHERE campaign = ?", (campaign,))}

    def jobs(self, campaign: int, where: str = "1", values: Iterable[Any] = ()) -> list[sqlite3.Row]:
        """Rows of a campaign, without coverage, in the order of their keys."""
        names = ", ".join(
            ("key", "phase", "block", "config", "config_hash", "simulator", "test", "seed", "count",
             "description", "verdict", "seconds", "error", "message", "bucket", "repro", "worker", "checked",
             "figures")
        )  # fmt: skip
        query = f"SELECT {names} FROM job WHERE campaign = ? AND {where} ORDER BY key"
        return self._db.execute(query, (campaign, *values)).fetchall()

    def seconds(self) -> dict[Work, float]:
        """What tests took when they passed last, in any campaign."""
        names = "block, config, simulator, test, count"
        rows = self._db.execute(
            f"SELECT {names}, seconds, MAX(campaign) FROM job WHERE verdict = 'passed' GROUP BY {names}"
        )
        return {tuple(row)[:5]: row["seconds"] for row in rows}

    def coverage(self, campaign: int, block: str, config: str, phase: str = "%") -> dict[str, Any]:
        """Functional coverage: job's key -> counts. A database as of :mod:`tb.common.coverage.data`."""
        rows = self._db.execute(
            "SELECT key, coverage FROM job WHERE campaign = ? AND block = ? AND config = ? "
            "AND phase LIKE ? ORDER BY key",
            (campaign, block, config, phase),
        )
        return {row["key"]: json.loads(row["coverage"]) for row in rows}

    def code(self, campaign: int, block: str, config: str) -> list[str]:
        """Verilator's coverage data of each job that has it."""
        rows = self._db.execute(
            "SELECT code FROM job WHERE campaign = ? AND block = ? AND config = ? AND length(code) > 0",
            (campaign, block, config),
        )
        return [zlib.decompress(row["code"]).decode() for row in rows]

    def figures(self, campaign: int) -> dict[str, dict[str, int]]:
        """Block -> sums of the figures of its jobs."""
        rows = self._db.execute(
            "SELECT block, figure.key AS name, SUM(figure.value) AS total "
            "FROM job, json_each(job.figures) AS figure WHERE campaign = ? GROUP BY block, figure.key",
            (campaign,),
        )
        sums: dict[str, dict[str, int]] = {}
        for row in rows:
            sums.setdefault(row["block"], {})[row["name"]] = row["total"]
        return sums

    def shares(self, campaign: int) -> dict[str, float]:
        """Shares over all its jobs, by block and name: a block's ``regression.toml`` says which."""
        return {
            f"{block} {name}": share
            for block, sums in self.figures(campaign).items()
            for name, share in regression.figures(block).shares_of(sums).items()
        }

    def failures(self, campaign: int, bucket: str) -> list[sqlite3.Row]:
        """The failed jobs of a bucket."""
        return self.jobs(campaign, "verdict = 'failed' AND bucket = ?", (bucket,))

    def tests(self, campaign: int) -> list[sqlite3.Row]:
        """Jobs, failures, seconds and checked accesses by block, test and simulator, the longest first."""
        return self._db.execute(
            "SELECT block, test, simulator, COUNT(*) AS jobs, SUM(verdict = 'failed') AS failed, "
            "SUM(seconds) AS seconds, SUM(checked) AS checked FROM job WHERE campaign = ? "
            "GROUP BY block, test, simulator ORDER BY SUM(seconds) DESC",
            (campaign,),
        ).fetchall()

    def campaigns(self) -> list[dict[str, Any]]:
        """All of them, the first one first, with counts of their jobs."""
        rows = self._db.execute(
            "SELECT campaign.*, COUNT(key) AS jobs, SUM(job.verdict = 'passed') AS passed, "
            "SUM(job.verdict = 'failed') AS failed, SUM(seconds) AS cpu, SUM(checked) AS checked "
            "FROM campaign LEFT JOIN job ON job.campaign = campaign.id GROUP BY campaign.id ORDER BY id"
        )
        return [dict(row) for row in rows]

    def campaign(self, number: int) -> dict[str, Any]:
        """One of :meth:`campaigns`."""
        return next(row for row in self.campaigns() if row["id"] == number)


def job_of(row: sqlite3.Row) -> Job:
    """The job of a row."""
    fields = json.loads(row["description"])
    return Job(**fields | {"steer": tuple(map(tuple, fields["steer"]))})
