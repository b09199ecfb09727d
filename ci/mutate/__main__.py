# SPDX-License-Identifier: Apache-2.0
"""``python -m ci.mutate BLOCK``: plant small changes, see which of them the block's tests notice.

Exit code 0 if the score reaches --least, 1 if not. What is judged stays judged: the same command goes on.
"""

import argparse
import json
import os
from collections import Counter
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

import configs
import rtl
from ci.mutate import equivalent, quick, slow
from ci.mutate.mutants import Mutant, combine, find
from configs import UserError, cli
from configs.files import write_atomic, write_if_changed
from tb.common import builds
from workloads.store import digest

SMALL = {"texcache": "tiny", "texunit": "small"}  # preset where nothing is named: small geometries are fast
LEAST = 90.0
KILLED, EQUIVALENT, SURVIVED = "killed", "equivalent", "survived"


def parser() -> cli.Parser:
    """The command line."""
    result = cli.Parser(prog="python -m ci.mutate", description=__doc__)
    result.add_argument("block", metavar="BLOCK", help="one of: " + ", ".join(configs.blocks()))
    result.add_argument("--config", metavar="NAME", help="preset (default: a small one)")
    result.add_argument("--set", default="", metavar="'K=V ...'", help="overrides of single fields")
    result.add_argument(
        "-n", dest="count", type=int, default=0, help="mutants, drawn by the seed (default: all)"
    )
    result.add_argument("--seed", type=int, default=1, help="of the draw and of the tests (default: 1)")
    result.add_argument("--only", type=int, metavar="NUMBER", help="one mutant, and show what it is")
    result.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="simulations at a time")
    result.add_argument("--least", type=float, default=LEAST, help=f"percent to reach (default: {LEAST:g})")
    result.add_argument("--quick", action="store_true", help="replays only, no pyuvm tests, no proofs")
    return result


class Judged:
    """Verdicts by mutant, kept in a file under a key over design and tests."""

    def __init__(self, folder: Path, key: str) -> None:
        self.path = folder / "verdicts.json"
        kept = json.loads(self.path.read_text()) if self.path.is_file() else {}
        self._key, self.verdicts = key, dict(kept["verdicts"]) if kept.get("key") == key else {}

    def put(self, mutant: Mutant, verdict: str, by: str = "", message: str = "") -> None:
        """Keep a verdict."""
        self.verdicts[str(mutant.id)] = {"verdict": verdict, "by": by, "message": message}
        write_atomic(self.path, json.dumps({"key": self._key, "verdicts": self.verdicts}, indent=1) + "\n")

    def left(self, mutants: Iterable[Mutant], *verdicts: str) -> list[Mutant]:
        """Those without a verdict, or with one of ``verdicts``."""
        return [
            one for one in mutants
            if str(one.id) not in self.verdicts or self.verdicts[str(one.id)]["verdict"] in verdicts
        ]  # fmt: skip


def chosen(mutants: list[Mutant], arguments: argparse.Namespace) -> list[Mutant]:
    """All, one, or a sample that the seed decides. Raises :class:`UserError`."""
    if arguments.only is not None:
        if not 1 <= arguments.only <= len(mutants):
            raise UserError(f"--only {arguments.only}: there are mutants 1 to {len(mutants)}")
        return [mutants[arguments.only - 1]]
    if arguments.count < 0 or arguments.jobs < 1:
        raise UserError("-n must not be negative, --jobs at least 1")
    if not arguments.count or arguments.count >= len(mutants):
        return mutants
    drawn = np.random.default_rng(arguments.seed).choice(len(mutants), arguments.count, replace=False)
    return [mutants[index] for index in sorted(drawn)]


def main(argv: list[str]) -> int:
    """Entry point. Raises :class:`UserError` on bad input."""
    arguments = parser().parse_args(argv)
    preset = arguments.config or SMALL.get(arguments.block, "paper")
    cfg: Any = configs.load(arguments.block, preset, arguments.set.split())
    files = rtl.generate(cfg)
    mutants = find(files)
    wanted = chosen(mutants, arguments)
    folder = builds.BUILD / "mutate" / cfg.block / f"{cfg.name}-{cfg.hash}"
    design = folder / "design"
    verilog = [name for name in files if name.endswith(".v")]
    for name, text in combine(files, mutants, cfg.block).items():
        write_if_changed(design / name, text)
    write_if_changed(design / "filelist.f", "".join(f"{name}\n" for name in verilog))
    tests = sorted((builds.ROOT / "tb").rglob("*.py")) + sorted((builds.ROOT / "models").glob("*.py"))
    key = digest([json.dumps(files), str(arguments.seed), *(path.read_bytes() for path in tests)])
    judged = Judged(folder, key)
    console = Console(highlight=False)
    with Progress(console=console, transient=True) as progress:
        _quick(cfg, design, wanted, judged, arguments.seed, progress)
        if not arguments.quick:
            _slow(cfg, design, wanted, judged, arguments, progress, folder)
            _prove(files, wanted, judged, arguments.jobs, progress)
    return show(console, cfg, wanted, judged, folder, arguments.least)


def _quick(
    cfg: Any, design: Path, wanted: list[Mutant], judged: Judged, seed: int, progress: Progress
) -> None:
    left = judged.left(wanted)
    if not left:
        return
    task = progress.add_task("replays", total=len(left))
    known = quick.checks(cfg, seed)
    by, wrong = quick.judge(known, design, 0)
    assert not by, f"the design itself fails {by}: {wrong}"
    for mutant in left:
        by, message = quick.judge(known, design, mutant.id)
        judged.put(mutant, KILLED if by else SURVIVED, by, message)
        progress.advance(task)
    progress.remove_task(task)


def _slow(
    cfg: Any, design: Path, wanted: list[Mutant], judged: Judged, arguments: argparse.Namespace,
    progress: Progress, folder: Path,
) -> None:  # fmt: skip
    left = [one for one in judged.left(wanted, SURVIVED) if not judged.verdicts[str(one.id)]["by"]]
    if not left:
        return
    task = progress.add_task("pyuvm tests", total=len(left))
    made = slow.build(cfg, design)
    judge = partial(slow.judge, made, seed=arguments.seed, count=200, root=folder / "runs")
    with ThreadPoolExecutor(arguments.jobs) as pool:
        for mutant, (by, message) in zip(left, pool.map(lambda one: judge(one.id), left), strict=True):
            judged.put(mutant, KILLED if by else SURVIVED, by or "no test", message)
            progress.advance(task)
    progress.remove_task(task)


def _prove(
    files: dict[str, str], wanted: list[Mutant], judged: Judged, jobs: int, progress: Progress
) -> None:
    left = [one for one in judged.left(wanted, SURVIVED) if judged.verdicts[str(one.id)]["by"] == "no test"]
    task = progress.add_task("proofs", total=len(left))
    with ThreadPoolExecutor(jobs) as pool:
        for mutant, same in zip(left, pool.map(partial(equivalent.proved, files), left), strict=True):
            judged.put(mutant, EQUIVALENT if same else SURVIVED, "proof" if same else "not proved equivalent")
            progress.advance(task)
    progress.remove_task(task)


def show(console: Console, cfg: Any, wanted: list[Mutant], judged: Judged, folder: Path, least: float) -> int:
    """Score, what killed them, survivors; writes ``mutants.json``."""
    told = [(one, judged.verdicts[str(one.id)]) for one in wanted]
    verdicts = Counter(entry["verdict"] for _, entry in told)
    killed, same, alive = (verdicts[name] for name in (KILLED, EQUIVALENT, SURVIVED))
    score = 100 * killed / max(1, killed + alive)
    table = Table(title=f"{cfg.block} {cfg.name}: killed by", title_justify="left")
    table.add_column("test")
    table.add_column("mutants", justify="right")
    for name, count in Counter(entry["by"] for _, entry in told if entry["verdict"] == KILLED).most_common():
        table.add_row(name, str(count))
    console.print(table)
    for one, entry in told:
        if entry["verdict"] == SURVIVED or len(told) == 1:
            console.print(f"{entry['verdict']:10} {one.id:5} {one}", markup=False, soft_wrap=True)
            if entry["message"]:
                console.print(f"{'':17}{entry['by']}: {entry['message']}", markup=False, soft_wrap=True)
    content = {
        "block": cfg.block, "config": cfg.name, "hash": cfg.hash, "score": score, "killed": killed,
        "equivalent": same, "survived": alive,
        "score with equivalent ones against us": 100 * killed / max(1, len(told)),
        "mutants": [{**asdict(one), **entry} for one, entry in told],
    }  # fmt: skip
    write_atomic(folder / "mutants.json", json.dumps(content, indent=1) + "\n")
    console.print(
        f"score {score:.1f} %: {killed} killed, {alive} survived, {same} proved equivalent; "
        f"{folder / 'mutants.json'}", soft_wrap=True,
    )  # fmt: skip
    return 0 if score >= least else 1


if __name__ == "__main__":
    cli.run(main)
