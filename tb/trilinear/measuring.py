# SPDX-License-Identifier: Apache-2.0
"""What ``python -m tb measure trilinear`` measures: scenes, near and far from memory, and the same footprints
through the published texture cache.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from configs import load
from configs.texcache.schema import Config as TexcacheConfig
from configs.trilinear.schema import HALVES, Config
from tb.common.measuring.requests import RequestWorkload
from tb.common.measuring.scenes import SceneMeasurement, SceneOrder
from tb.common.measuring.workload import DisagreementError, hardware, preset_of
from tb.common.replay.library import Roles
from tb.common.replay.requests import Columns, Rtl
from tb.texcache import replay as published_replay
from tb.trilinear.replay import counters_of, predict, requester
from workloads.scenes.options import Pictures
from workloads.scenes.scene import Scene
from workloads.scenes.views import View
from workloads.texcache.frame import Frame, render
from workloads.texcache.trace import Trace
from workloads.trilinear.samples import of_trace

LATENCIES = (1, 26, 52, 100, 130, 160, 200, 300, 400)
PUBLISHED_LATENCIES = (1, 26, 52, 100, 200, 400)  # of the published cache
QUICK_LATENCIES = (1, 100, 400)  # of both
DEPTHS = (16, 32, 64)  # of the FIFOs, beside the configuration's


def cfgs(base: Config, quick: bool = False) -> dict[str, Any]:
    """The configuration at each latency of memory; with a narrow bus; with tiles; twice as large; with
    shorter FIFOs; the published cache, at latencies.
    """
    variants: dict[str, Any] = {
        within(cycles): base.with_(memory={"latency": cycles})
        for cycles in (QUICK_LATENCIES if quick else LATENCIES)
    }
    far = variants[within(100)]
    variants["64-bit bus"] = far.with_(axi={"data_bits": 64})
    variants["tiles"] = far.with_(half={"layout": "tile4x4"})
    variants["twice the size"] = far.with_(half={"cache": {"sets": 2 * base.half.cache.sets}})
    for depth in DEPTHS:
        if depth < base.half.fifo.depth:
            variants[f"FIFOs of {depth}"] = far.with_(half={"fifo": {"depth": depth}})
    there = published(base)
    for cycles in QUICK_LATENCIES if quick else PUBLISHED_LATENCIES:
        variants[f"published, {within(cycles)}"] = there.with_(memory={"latency": cycles})
    return {role: preset_of(cfg) for role, cfg in variants.items()}


def within(cycles: int) -> str:
    """A latency as part of a role."""
    return f"{cycles} cycle{'s' * (cycles > 1)}"


def published(base: Config) -> Any:
    """The published texture cache in the size of both halves, over the same textures, bus and memory."""
    there: Any = load("texcache")
    half = base.half
    sets = max(2, base.capacity_bytes // (there.banks * there.cache.ways * half.cache.line_bytes))
    return there.with_(
        layout=half.layout, max_side=half.max_side, textures=half.textures,
        small_side=min(there.small_side, half.max_side),
        cache={"sets": sets, "line_bytes": half.cache.line_bytes, "address_bits": half.cache.address_bits},
        axi={"data_bits": base.axi.data_bits}, memory=base.memory.model_dump(),
    )  # fmt: skip


def figures(cfg: Config, requests: Columns, rtl: Rtl) -> dict[str, Any]:
    """What a run has beside its counters of samples: those of both ``halves``, what is :func:`common`, and
    ``full``: cycles without a request in which as many were open as a half's FIFO has entries. Fewer do not
    fill it.
    """
    halves = {name: rtl.counted[counters_of(name)] for name in HALVES}
    full = idle_behind(rtl.t_request, rtl.t_result, cfg.half.fifo.depth)
    return {**common(cfg, cfg.half, len(rtl.reads["m_axi"]), rtl.t_request), "halves": halves, "full": full}


def idle_behind(t_request: NDArray[np.int64], t_result: NDArray[np.int64], opened: int) -> int:
    """Cycles before the last request without one, in which ``opened`` or more had been taken and not yet
    answered; by the cycles of both, [n], in order.
    """
    idle = np.setdiff1d(np.arange(t_request[-1]), t_request)
    return int((np.searchsorted(t_request, idle) - np.searchsorted(t_result, idle) >= opened).sum())


def common(cfg: Any, cache: TexcacheConfig, lines: int, taken: NDArray[Any]) -> dict[str, Any]:
    """Of either machine: ``lines`` that were read and their bytes; ``taken``: cycles from the first request
    to the last one; and what the configurations differ in.
    """
    return {
        "machine": cfg.block, "lines": lines, "read_bytes": lines * cache.cache.line_bytes,
        "taken": int(taken[-1]) + 1, "latency": cfg.memory.latency, "depth": cache.fifo.depth,
    }  # fmt: skip


@dataclass(frozen=True)
class ViewRuns(RequestWorkload[SceneOrder]):
    """A view's samples, on each configuration."""

    view: View
    pictures: Pictures

    @cached_property
    def frame(self) -> Frame:
        """The view, rendered once for all runs."""
        size = self.pictures.width, self.pictures.height
        side = next(cfg.half.max_side for cfg in self.cfgs.values() if cfg.block == "trilinear")
        return render(
            self.view.open(), *size, "scan", "trilinear", self.view.number, side, self.pictures.depth
        )

    def decides(self, order: SceneOrder) -> tuple[Any, ...]:
        """The view and its picture."""
        size = self.pictures.width, self.pictures.height
        return self.view, *size, self.pictures.depth

    def columns(self, cfg: Any, order: SceneOrder) -> Columns:
        return of_trace(cfg, self.frame.trace(cfg.half)).columns

    def _run(self, cfg: Any, order: SceneOrder) -> dict[str, Any]:
        if cfg.block == "trilinear":
            return super()._run(cfg, order)
        trace = self.frame.trace(cfg)
        rtl = published_replay.replay(hardware(cfg), trace, order.seed, cfg.memory)
        model = published_replay.predict(cfg, trace, order.seed)
        if wrong := published_replay.check(cfg, trace, model, rtl):
            raise DisagreementError(f"{self.id} on {cfg.name}: {wrong[0].text}; repeat: {order.command}")
        return {**published_figures(cfg, trace, rtl), **common(cfg, cfg, len(rtl.ar), rtl.t_request)}


def published_figures(cfg: TexcacheConfig, trace: Trace, rtl: published_replay.Rtl) -> dict[str, Any]:
    """A run of the published cache: a sample of two levels is two requests."""
    requests, samples = len(trace), trace.pixels
    return {
        "requests": requests, "cycles": rtl.cycles, "samples": samples, "pairs": requests - samples,
        "counters": rtl.counters,
    }  # fmt: skip


class Trilinear(SceneMeasurement[SceneOrder]):
    """Every view on every machine."""

    accesses = "requests"
    size, quick_size = "512x384", "96x72"
    requester, predict, figures = staticmethod(requester), staticmethod(predict), staticmethod(figures)

    def roles(self, cfg: Any) -> Roles:
        return requester(cfg).roles if cfg.block == "trilinear" else Roles()

    def plan(self, order: SceneOrder) -> Sequence[ViewRuns]:
        assert isinstance(order.base, Config)
        machines, pictures = cfgs(order.base, order.quick), order.pictures
        return [ViewRuns(view.name, machines, self, view, pictures) for view in pictures.views]

    def taken(self, scene: Scene, base: Any) -> Scene:
        """See :class:`SceneMeasurement`: each half's table knows one side for both directions."""
        return super().taken(scene, base.half).squared()


MEASUREMENT = Trilinear()
