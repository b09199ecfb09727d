# SPDX-License-Identifier: Apache-2.0
"""Speed of trace replay beside the bare Verilated model, on the same accesses.

- bare model: the Verilated library runs the words that a replay has packed, and its outputs are dropped;
- trace: all that ``make trace`` does: reading, packing, the same run, the golden model, everything compared.
"""

import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np

import cacheforge
from bench.benchmark import Benchmark, Way, timed
from configs.dcache.schema import LANES
from models.dcache import traffic as dcache
from models.icache import traffic as icache
from models.mmu.traffic import FIRST_OF_DCACHE
from tb.common.components.packing import columns as by_field
from tb.common.replay.machine import Replay
from tb.common.replay.requests import Columns
from tb.common.replay.trace_cli import adapter
from workloads.raster.vertices import VertexFrame, check_window, vertex_frame
from workloads.scenes import built_in
from workloads.scenes.depth_scenes import DEPTH_SCENES
from workloads.texcache.trace import Trace
from workloads.texcache.trace_files import save_trace
from workloads.texunit.quad_files import save_frame
from workloads.texunit.quads import QuadFrame, quad_frame
from workloads.traces.writing import save_columns
from workloads.zcache.tiles import rasterizer, tile_frame
from workloads.zcache.trace import tile_columns


def traffic_of(cfg: Any, pattern: str, count: int) -> Any:
    """About ``count`` accesses: columns by field, of texcache a trace, of texture units a frame."""
    if cfg.block in ("texunit", "texpipe"):
        return quads(pattern, count)
    if cfg.block == "mmu":
        return of_both(cfg, pattern, count)
    if cfg.block in ("raster", "zcache"):
        frame = drawn(cfg, pattern)
        tiles = {} if cfg.block == "raster" else tile_columns(cfg, tile_frame(frame, rasterizer(cfg)))
        return {name: column[:count] for name, column in (tiles or by_field(frame.words)).items()}
    made = cacheforge.pattern(cfg, pattern, count)
    return made if cfg.block == "texcache" else made.columns


def write(path: Path, traffic: Any) -> int:
    """Writes the accesses as a trace file; how many there are."""
    if isinstance(traffic, QuadFrame):
        save_frame(path, traffic)
        return len(traffic.quads)
    if isinstance(traffic, Trace):
        save_trace(path, traffic)
        return len(traffic)
    save_columns(path, traffic, path.stem)
    return len(traffic["op"])


def of_both(cfg: Any, pattern: str, count: int) -> Columns:
    """About ``count`` requests of both caches in turn, half of them fetches. Data lie behind the code, in the
    second quarter of the addresses: no store changes code or lies in the window of the shared RAM.
    """
    code = {"copy": "warps", "stencil": "calls"}[pattern]
    fetches = icache.columns(cfg.icache, code, count // 2)
    accesses = dcache.columns(cfg.dcache, pattern, count // 2)
    accesses |= {f"addr{n}": accesses[f"addr{n}"] | 1 << cfg.axi.address_bits - 2 for n in range(LANES)}
    accesses["op"] = accesses["op"] + FIRST_OF_DCACHE
    both = [(part, np.zeros(len(part["op"]), np.int64)) for part in (fetches, accesses)]
    order = np.argsort(np.concatenate([np.arange(len(none)) for _, none in both]), kind="stable")
    return {
        name: np.concatenate([part.get(name, none) for part, none in both])[order]
        for name in {**fetches, **accesses}
    }


def drawn(cfg: Any, scene: str) -> VertexFrame:
    """A scene for depth blocks, in a picture as large as usual, or as ``cfg`` takes it."""
    width, height = (min(side, 4 << cfg.coordinate_bits) for side in (640, 480))
    check_window(cfg, width, height)
    return vertex_frame(DEPTH_SCENES[scene](), width, height)


def quads(scene: str, count: int) -> QuadFrame:
    """The first ``count`` quads of a scene, or all if it has fewer, and its textures."""
    whole = quad_frame(built_in(scene))
    columns = ("quads", "prim_of_quad", "x", "y", "light", "blended", "shown")
    return replace(whole, **{name: getattr(whole, name)[:count] for name in columns})


#: a method of :class:`Replay`, its arguments and options
Call = tuple[Callable[..., Any], tuple[Any, ...], dict[str, Any]]


def recorded(replay: Callable[[], Any]) -> tuple[Any, Replay, list[Call]]:
    """The outcome of a replay, its machine, and its calls of the machine, from the first one on."""
    calls: list[Call] = []
    machines: list[Replay] = []

    def noting(method: Callable[..., Any]) -> Callable[..., Any]:
        def call(machine: Replay, *arguments: Any, **options: Any) -> Any:
            machines.append(machine)
            calls.append((method, arguments, options))
            return method(machine, *arguments, **options)

        return call

    with ExitStack() as stack:
        for name in ("__init__", "feed", "idle", "run"):
            stack.enter_context(patch.object(Replay, name, noting(getattr(Replay, name))))
        outcome = replay()
    return outcome, machines[0], calls


def repeated(calls: list[Call]) -> Replay:
    """A new machine after the same calls, whose outputs are dropped."""
    machine = Replay.__new__(Replay)
    for method, arguments, options in calls:
        for _ in method(machine, *arguments, **options) or ():
            pass
    return machine


def counters(machine: Replay) -> dict[str, dict[str, int]]:
    """The RTL's counters by stream."""
    return {stream: machine.counters(n) for n, stream in enumerate(machine.roles.counted) if stream}


@contextmanager
def ways(benchmark: Benchmark, cfg: Any, pattern: str, count: int) -> Iterator[dict[str, Way]]:
    """See :meth:`bench.benchmark.Benchmark.measure`; a result is whether the run was right."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"{pattern}.npz"
        count = write(path, traffic_of(cfg, pattern, count))

        def trace() -> Any:
            report = adapter(cfg.block).run(cfg, path, 1, None, lambda *_: None)
            assert not report.mismatches, report.mismatches[0].text
            return report

        report, machine, calls = recorded(trace)  # compiles, too
        assert counters(repeated(calls)) == counters(machine), f"{cfg.name}, {pattern}: the runs differ"
        each = f"{report.cycles / count:.2f} cycles each"

        def took() -> float:
            return float(report.cycles)

        yield {
            "bare model": Way(timed(lambda: bool(repeated(calls))), count, each, cycles=took),
            "trace": Way(timed(lambda: bool(trace())), count, cycles=took),
        }
