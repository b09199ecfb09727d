# SPDX-License-Identifier: Apache-2.0
"""Measures one workload on its configurations, and keeps what it measured in files."""

from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from configs.keys import digest, sources_key
from configs.texcache.schema import Config
from models.texcache import RESULT
from tb.common.replay.library import Roles
from tb.common.replay.measuring import (
    DisagreementError,
    kept,
    library_name,
    slug,
    versions,
    write_arrays,
)
from tb.common.replay.traffic import Traffic
from tb.texcache.measurements import Bound, Scope, Workload, plan, roles
from tb.texcache.replay import Rtl, check, predict, replay
from workloads.texcache.trace import Trace

OURS = ("measurements", "measured", "replay")
SOURCES = ("models", "workloads", *(f"tb/texcache/{name}.py" for name in OURS))


@dataclass(frozen=True)
class Order:
    """All that one process needs to measure: picklable."""

    base: Config
    scope: Scope
    out: Path
    command: str


def encode(trace: Trace, rtl: Rtl) -> dict[str, NDArray[Any]]:
    """What a run's file holds: RESULT by column, cycles of request and result, the look-up table."""
    assert rtl.cycles < 1 << 32, f"{rtl.cycles} cycles: too long a run for 32-bit times"
    columns = {f"result_{name}": np.ascontiguousarray(rtl.result[name]) for name in RESULT.names or ()}
    times = {name: getattr(rtl, name).astype(np.uint32) for name in ("t_request", "t_result")}
    return {**columns, "lut": trace.lut, **times}


@cache
def _workloads(base: Config, scope: Scope) -> dict[str, Workload]:
    """Once per process."""
    return {one.id: one for one in plan(base, scope)}


def measure(order: Order, name: str) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """One workload on all its configurations: the index entries of the workload and of its runs."""
    workload, cfgs = _workloads(order.base, order.scope)[name], roles(order.base, order.scope)
    key = digest([sources_key(*SOURCES), repr((workload, order.scope, order.base.hash))])
    bound = Binder(workload)
    path = order.out / "workloads" / f"{slug(name)}-{key}.json"
    entry = kept(path, lambda path: _store(path, workload, bound(order.base)))
    runs = []
    for role in sorted(workload.roles, key=lambda role: cfgs[role].layout):
        cfg = cfgs[role]
        library = library_name(cfg, Roles())
        stamp = digest([key, repr((cfg.hash, cfg.memory, library, workload.requests))])
        path = order.out / "runs" / f"{slug(name)}-{slug(role)}-{stamp}.json"
        about = kept(path, partial(_run, order, workload, cfg, library, bound))
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
        if self._bound is None or self._kind != (cfg.layout, cfg.cache.line_bytes):
            self._kind, self._bound = (cfg.layout, cfg.cache.line_bytes), self._workload.bind(cfg)
        return self._bound


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
        raise DisagreementError(f"{workload.id} on {cfg.name}: {mismatches[0].text}; repeat: {order.command}")
    return {
        "workload": workload.id, "config": cfg.model_dump(mode="json"), "config_name": cfg.name,
        "config_hash": cfg.hash, "library": library, "seed": order.scope.seed, "counters": rtl.counters,
        "cycles": rtl.cycles, "footprints": len(trace),
        "sha256": write_arrays(path.with_suffix(".npz"), encode(trace, rtl)),
        "command": order.command, "versions": versions(),
    }  # fmt: skip
