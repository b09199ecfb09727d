# SPDX-License-Identifier: Apache-2.0
"""What ``python -m tb measure raster`` measures: scenes through RTL and model, dividers of each speed."""

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from configs import BlockConfig
from configs.raster.schema import BEGIN, TOPOLOGIES, Config
from models.raster.cycles import cycles
from tb.common.measuring.scenes import SceneMeasurement, SceneOrder, SceneWorkload
from tb.common.measuring.stored import Result
from tb.common.measuring.workload import DisagreementError, preset_of
from tb.common.replay.library import Roles
from tb.raster.measuring.causes import causes
from tb.raster.measuring.coverage import against_others
from tb.raster.replay import ROLES, verified
from workloads.raster.vertices import VertexFrame, check_window, vertex_frame
from workloads.scenes.depth_scenes import ALL_SCENES, open_view
from workloads.scenes.scene import Scene

RADICES = (2, 4, 16)
VISITED = "empty tiles too"


def roles_of(base: Config) -> dict[str, Config]:
    """By role: dividers of each speed, the base's first; with the base's, all tiles of bounds."""
    radices = sorted(RADICES, key=lambda radix: radix != base.radix)
    cfgs = {f"radix {radix}": base.with_(radix=radix) for radix in radices}
    cfgs[VISITED] = base.with_(emit="visited")
    return {role: preset_of(cfg) for role, cfg in cfgs.items()}


@dataclass(frozen=True)
class SceneRuns(SceneWorkload):
    """Tiles are always taken at once."""

    accesses = "words"

    @cached_property
    def frame(self) -> VertexFrame:
        """Its vertices, clipped once for all runs."""
        return vertex_frame(open_view(self.view), self.width, self.height, self.view.number)

    def roles(self, cfg: Any) -> Roles:
        return ROLES

    def run(self, order: SceneOrder, role: str) -> Result:
        cfg, words = self.cfgs[role], self.frame.words
        rtl, model, wrong = verified(cfg, words, order.seed)
        if wrong:
            raise DisagreementError(
                f"{self.view.name}/{role}: {wrong[0].text}; repeat: {order.command}"
            )  # fmt: skip
        always = np.zeros(0, np.bool_)  # ready
        timed = cycles(model.work, model.tiles["step"], np.zeros(len(words), np.int64), always)
        summary = {
            "scene": self.view.name, "role": role, "config": cfg.name, "words": len(words),
            "cycles": rtl.cycles, "counters": rtl.counters, "tile_words": len(rtl.tiles),
            "kinds": self._kinds(model.work), "causes": causes(model.work, timed, rtl.cycles),
        }  # fmt: skip
        return Result(summary)

    def _kinds(self, work: NDArray[Any]) -> dict[str, dict[str, int]]:
        """Primitives by topology: how many, cycles of their set-up, tiles that they give."""
        given, begins = self.frame.words, self.frame.words["op"] == BEGIN
        last = np.maximum.accumulate(np.where(begins, np.arange(len(given)), -1))
        made = work["primitive"] == 1
        kind = given["topology"][last]
        return {
            TOPOLOGIES[topology]: {
                "primitives": int((made & (kind == topology)).sum()),
                "setup": int(work["setup"][made & (kind == topology)].sum()),
                "tiles": int(work["words"][made & (kind == topology)].sum()),
            }
            for topology in np.unique(kind[made]).tolist()
        }


class Raster(SceneMeasurement[SceneOrder]):
    """The rasterizer's."""

    accesses = "words"
    size, quick_size, scenes = "640x480", "160x120", ALL_SCENES

    def order(self, arguments: argparse.Namespace, base: BlockConfig, command: str) -> SceneOrder:
        """What the arguments ask for. Raises :class:`UserError`."""
        assert isinstance(base, Config)
        order = super().order(arguments, base, command)
        check_window(base, order.pictures.width, order.pictures.height)
        return order

    def plan(self, order: SceneOrder) -> Sequence[SceneRuns]:
        """Every view on every configuration."""
        assert isinstance(order.base, Config)
        pictures, cfgs = order.pictures, roles_of(order.base)
        return [
            SceneRuns(f"{v.name}/scene", cfgs, v, pictures.width, pictures.height) for v in pictures.views
        ]

    def roles(self, cfg: Any) -> Roles:
        return ROLES

    def extra(self, order: SceneOrder) -> dict[str, Any]:
        """Size of the pictures; coverage beside that of others."""
        pictures = order.pictures
        coverage = {} if pictures.own else against_others()
        return {**super().extra(order), "size": [pictures.width, pictures.height], "coverage": coverage}

    def taken(self, scene: Scene, base: Any) -> Scene:
        """See :class:`SceneMeasurement`: textures are of no concern."""
        return scene


MEASUREMENT = Raster()
