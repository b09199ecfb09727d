# SPDX-License-Identifier: Apache-2.0
"""``python -m tb measure texcache``: runs the report's workloads through RTL and model, keeps the results.

Each run demands that RTL and golden model agree footprint by footprint. A result is stored under a key made
of all that decides it (sources, configuration, Verilated library, seed), so that an interrupted measurement
goes on where it stopped and nothing is measured twice. ``index.json``, written last, lists the runs.
"""

import argparse
import json
import multiprocessing
import os
import re
import shlex
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from configs import UserError, cli
from configs.files import write_atomic
from tb.common.builds import BUILD
from tb.common.replay import ReplayError
from tb.common.replay_library import Roles, load_library
from tb.texcache.measured import DisagreementError, Order, measure, versions
from tb.texcache.measurements import Scope, plan, roles
from workloads.scenes import SCENES

BLOCK = "texcache"
FORMAT = 1
JOBS = max(1, min(2, os.cpu_count() or 1))  # at a time: each takes up to 2 GB


def parser() -> cli.Parser:
    """The command line."""
    result = cli.Parser(prog="python -m tb measure texcache", description="Measure what the report shows.")
    result.set_defaults(block=BLOCK)
    cli.add_config_arguments(result, block=False)
    result.add_argument("--seed", type=int, default=1, help="of random footprints, memory and power-up state")
    result.add_argument(
        "--out",
        type=Path,
        default=BUILD / "measure" / BLOCK,
        metavar="DIR",
        help="where results are kept (default: build/measure/texcache)",
    )
    result.add_argument("--scenes", default=",".join(SCENES), metavar="A,B", help="default: all built in")
    result.add_argument("--size", default="", metavar="WxH", help="of the pictures (default: 512x384)")
    result.add_argument("--quick", action="store_true", help="small pictures, few configurations")
    return result


def scope_of(arguments: argparse.Namespace) -> Scope:
    """What the arguments ask for. Raises :class:`UserError`."""
    size = arguments.size or ("192x144" if arguments.quick else "512x384")
    match = re.fullmatch(r"(\d+)x(\d+)", size)
    if not match or not all(16 <= int(side) <= 2048 for side in match.groups()):
        raise UserError(f"--size {size}: write it as WIDTHxHEIGHT, each 16 to 2048, e.g. 512x384")
    scenes = tuple(name for name in arguments.scenes.split(",") if name)
    for name in scenes:
        if name not in SCENES:
            raise UserError(f"--scenes: unknown scene {name!r}: choose among {', '.join(SCENES)}")
    if not scenes:
        raise UserError(f"--scenes: name at least one of {', '.join(SCENES)}")
    if not 0 < arguments.seed < 1 << 31:
        raise UserError(f"--seed {arguments.seed}: must be 1 to {(1 << 31) - 1}")
    return Scope(int(match[1]), int(match[2]), scenes, arguments.quick, arguments.seed)


def main(argv: list[str]) -> int:
    """Measure what is not measured yet; exit code 1 if RTL and model disagree. Raises :class:`UserError`."""
    arguments = parser().parse_args(argv)
    base, scope = cli.chosen_config(arguments), scope_of(arguments)
    command = shlex.join(["python", "-m", "tb", "measure", BLOCK, *argv])
    order = Order(base, scope, arguments.out, command)  # type: ignore[arg-type]
    console = Console(highlight=False, soft_wrap=True)
    try:
        with _progress(console) as progress:
            _build_all(order, progress)
            index = _measure_all(order, progress)
    except (DisagreementError, ReplayError) as error:
        console.print(f"[bold red]failed[/] {error}", markup=True)
        return 1
    write_atomic(order.out / "index.json", json.dumps(index, indent=1) + "\n")
    _prune(order.out, index)
    checked = sum(one["footprints"] for one in index["runs"])
    runs = f"{len(index['runs'])} runs, {checked:,} footprints"
    console.print(f"{runs}: RTL and model agree in every one; results in {order.out}")
    return 0


@contextmanager
def _progress(console: Console) -> Iterator[Progress]:
    columns = (TextColumn("{task.description:<34}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True) as progress:
        yield progress


def _build_all(order: Order, progress: Progress) -> None:
    """Verilate every configuration that is not built, two at a time."""
    cfgs = {cfg.hash: cfg for cfg in roles(order.base, order.scope).values()}
    task = progress.add_task("building the RTL", total=len(cfgs))
    with ThreadPoolExecutor(JOBS) as pool:
        waiting = [pool.submit(load_library, cfg, None, Roles()) for cfg in cfgs.values()]
        for one in as_completed(waiting):
            one.result()
            progress.advance(task)


def _measure_all(order: Order, progress: Progress) -> dict[str, Any]:
    """Every workload on every configuration of its roles; the contents of the index."""
    workloads = plan(order.base, order.scope)
    task = progress.add_task("RTL against model", total=sum(len(one.roles) for one in workloads))
    found: dict[str, tuple[dict[str, Any], list[dict[str, Any]]]] = {}
    spawn = multiprocessing.get_context("spawn")  # a fork of a process with threads may hang
    with ProcessPoolExecutor(JOBS, mp_context=spawn) as pool:
        waiting = {pool.submit(measure, order, one.id): one for one in workloads}
        try:
            for done in as_completed(waiting):
                one = waiting[done]
                found[one.id] = done.result()
                progress.update(task, advance=len(one.roles), description=one.id)
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise
    return {
        "format": FORMAT,
        "complete": True,
        "block": BLOCK,
        "base": order.base.model_dump(mode="json"),
        "base_name": order.base.name,
        "hash": order.base.hash,
        "roles": {role: cfg.name for role, cfg in roles(order.base, order.scope).items()},
        "command": order.command,
        "seed": order.scope.seed,
        "quick": order.scope.quick,
        "versions": versions(),
        "workloads": [found[one.id][0] for one in workloads],
        "runs": [run for one in workloads for run in found[one.id][1]],
    }


def _prune(out: Path, index: dict[str, Any]) -> None:
    """Remove results that the index does not list: older sources, other sizes."""
    listed = {Path(one["file"]).stem for one in (*index["runs"], *index["workloads"])}
    for path in (*out.glob("runs/*"), *out.glob("workloads/*")):
        if path.stem not in listed and not path.name.startswith("."):
            path.unlink(missing_ok=True)


if __name__ == "__main__":
    cli.run(main)
