# SPDX-License-Identifier: Apache-2.0
"""What ``python -m tb measure trilinear`` measures: scenes, near and far from memory."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from configs.trilinear.schema import Config
from tb.common.measuring.requests import RequestWorkload
from tb.common.measuring.scenes import SceneMeasurement, SceneOrder
from tb.common.measuring.workload import preset_of
from tb.common.replay.library import Roles
from tb.common.replay.requests import Columns, Rtl
from tb.trilinear.replay import predict, requester
from workloads.scenes.options import Pictures
from workloads.scenes.scene import Scene
from workloads.scenes.views import View
from workloads.trilinear.samples import of_scene

LATENCIES = (1, 26, 100, 400)
DEPTHS = (16, 32, 64)  # of the FIFOs, beside the configuration's


def cfgs(base: Config) -> dict[str, Config]:
    """The configuration at each latency of memory; with a narrow bus; with tiles; twice as large; with
    shorter FIFOs.
    """
    found = {
        f"{cycles} cycle{'s' * (cycles > 1)}": base.with_(memory={"latency": cycles}) for cycles in LATENCIES
    }
    far = found["100 cycles"]
    found["64-bit bus"] = far.with_(axi={"data_bits": 64})
    found["tiles"] = far.with_(half={"layout": "tile4x4"})
    found["twice the size"] = far.with_(half={"cache": {"sets": 2 * base.half.cache.sets}})
    for depth in DEPTHS:
        if depth < base.half.fifo.depth:
            found[f"FIFOs of {depth}"] = far.with_(half={"fifo": {"depth": depth}})
    return {role: preset_of(cfg) for role, cfg in found.items()}


def figures(cfg: Config, asked: Columns, rtl: Rtl) -> dict[str, Any]:
    """Bytes that memory moved, and what the configurations differ in."""
    read = len(rtl.reads["m_axi"]) * cfg.half.cache.line_bytes
    return {"read_bytes": read, "latency": cfg.memory.latency, "depth": cfg.half.fifo.depth}


@dataclass(frozen=True)
class ViewRuns(RequestWorkload[SceneOrder]):
    """A view's samples, on each configuration."""

    view: View
    pictures: Pictures

    def decides(self, order: SceneOrder) -> tuple[Any, ...]:
        """The view, and its picture."""
        return self.view, self.pictures.width, self.pictures.height, self.pictures.depth

    def columns(self, cfg: Any, order: SceneOrder) -> Columns:
        """See :class:`RequestWorkload`."""
        size, depth = (self.pictures.width, self.pictures.height), self.pictures.depth
        return of_scene(cfg, self.view.open(), self.view.number, size, depth=depth).columns


class Trilinear(SceneMeasurement[SceneOrder]):
    """Every view on every machine."""

    accesses = "requests"
    size, quick_size = "512x384", "96x72"
    requester, predict, figures = staticmethod(requester), staticmethod(predict), staticmethod(figures)

    def roles(self, cfg: Any) -> Roles:
        """See :class:`tb.common.measuring.workload.Measurement`."""
        return Roles((requester(cfg).port,))

    def plan(self, order: SceneOrder) -> Sequence[ViewRuns]:
        """See :class:`tb.common.measuring.workload.Measurement`."""
        assert isinstance(order.base, Config)
        machines, pictures = cfgs(order.base), order.pictures
        return [ViewRuns(view.name, machines, self, view, pictures) for view in pictures.views]

    def taken(self, scene: Scene, base: Any) -> Scene:
        """See :class:`SceneMeasurement`: each half's table knows one side for both directions."""
        return super().taken(scene, base.half).squared()


MEASUREMENT = Trilinear()
