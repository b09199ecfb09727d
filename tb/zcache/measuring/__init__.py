# SPDX-License-Identifier: Apache-2.0
"""What ``python -m tb measure zcache`` measures: scenes through RTL and model, with prefetch and without.

``scene``: a view on the configurations of the comparison, in RTL. By the golden model alone: ``surface``, the
same view over delays, tiles in flight and reads; ``adapting``, over prefetch distances in a small cache.
"""

import argparse
from collections.abc import Sequence
from typing import Any

from configs import BlockConfig, UserError
from configs.zcache.schema import Config
from tb.common.measuring.scenes import SceneMeasurement, SceneOrder
from tb.common.measuring.workload import Workload
from tb.common.replay.library import Roles
from tb.zcache.measuring.adapting import AdaptingRuns, distances
from tb.zcache.measuring.scene import SceneRuns, roles_of
from tb.zcache.measuring.surface import SurfaceRuns, points
from tb.zcache.replay import requester
from workloads.raster.vertices import check_window
from workloads.scenes.depth_scenes import ALL_SCENES, DEPTH_SCENES
from workloads.scenes.scene import Scene


class Zcache(SceneMeasurement[SceneOrder]):
    """The depth cache's; the base is the configuration with prefetch."""

    accesses = "tiles"
    size, quick_size, scenes = "640x480", "160x120", ALL_SCENES

    def order(self, arguments: argparse.Namespace, base: BlockConfig, command: str) -> SceneOrder:
        """What the arguments ask for. Raises :class:`UserError`."""
        assert isinstance(base, Config)
        requester(base)
        if not base.prefetching:
            raise UserError(
                f"{base.name}: without prefetch there is nothing to compare; choose another CONFIG"
            )
        if base.marks or base.bounds or not base.ott or base.shading.cycles == 1:
            raise UserError(
                f"{base.name}: the report itself adds marks, bounds, plain pseudo-LRU and an early test to a "
                "base that has none of them; choose another CONFIG"
            )
        order = super().order(arguments, base, command)
        check_window(base, order.pictures.width, order.pictures.height)
        return order

    def plan(self, order: SceneOrder) -> Sequence[Workload[SceneOrder]]:
        """Every view in RTL and over distances; the surface of the depth scenes, of a user's views of all."""
        pictures, base = order.pictures, order.base
        assert isinstance(base, Config)
        size = pictures.width, pictures.height
        deep = [view for view in pictures.views if pictures.own or view.source in DEPTH_SCENES]
        return [
            *(SurfaceRuns(f"{view.name}/surface", {}, view, *size, points(order.quick)) for view in deep),
            *(
                AdaptingRuns(f"{view.name}/adapting", {}, view, *size, distances(order.quick))
                for view in pictures.views
            ),
            *(
                SceneRuns(f"{view.name}/scene", roles_of(base, view in deep), view, *size)
                for view in pictures.views
            ),
        ]

    def roles(self, cfg: Config) -> Roles:
        return Roles((requester(cfg).port,))

    def extra(self, order: SceneOrder) -> dict[str, Any]:
        """Size of the pictures."""
        pictures = order.pictures
        return {**super().extra(order), "size": [pictures.width, pictures.height]}

    def taken(self, scene: Scene, base: Any) -> Scene:
        """See :class:`SceneMeasurement`: textures are of no concern."""
        return scene


MEASUREMENT = Zcache()
