# SPDX-License-Identifier: Apache-2.0
"""What ``python -m tb measure texcache`` measures: scenes, the paper's generator, walks, cycle counts."""

import argparse
from dataclasses import replace
from typing import Any, cast

from configs import BlockConfig
from configs.texcache.schema import Config
from models.depth import LATE
from tb.common.measuring.scenes import SceneMeasurement
from tb.texcache.measuring.plan import Order, plan, roles
from tb.texcache.measuring.workload import Workload
from utils.progress import spinner
from workloads.scenes.scene import Scene
from workloads.texcache.frame import render


class Texcache(SceneMeasurement[Order]):
    """The texture cache's."""

    accesses = "footprints"
    size, quick_size, ordered = "512x384", "192x144", Order

    def order(self, arguments: argparse.Namespace, base: BlockConfig, command: str) -> Order:
        """What the arguments ask for; the table is sized for a user's scene. Raises :class:`UserError`."""
        order = super().order(arguments, base, command)
        if not order.pictures.own:
            return order
        most, cfg, size = 0, cast(Config, base), (order.pictures.width, order.pictures.height)
        with spinner() as step:
            for view in order.pictures.views:
                step(f"rendering {view.name}")
                late = render(view.open(), *size, view=view.number, max_side=cfg.max_side, depth=LATE)
                most = max(most, len(late.textures))  # the most: of what is hidden, too
        return replace(order, base=cfg.holding(most))

    def plan(self, order: Order) -> list[Workload]:
        return plan(order)

    def extra(self, order: Order) -> dict[str, Any]:
        """The configurations by role."""
        return {**super().extra(order), "roles": {role: cfg.name for role, cfg in roles(order).items()}}

    def taken(self, scene: Scene, base: Config) -> Scene:
        """See :class:`SceneMeasurement`: its table knows one side for both directions."""
        return super().taken(scene, base).squared()


MEASUREMENT = Texcache()
