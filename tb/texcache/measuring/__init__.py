# SPDX-License-Identifier: Apache-2.0
"""What ``python -m tb measure texcache`` measures: scenes, the paper's generator, walks, cycle counts."""

from typing import Any

from tb.common.measuring.scenes import SceneMeasurement
from tb.texcache.measuring.plan import Order, plan, roles
from tb.texcache.measuring.workload import Workload


class Texcache(SceneMeasurement[Order]):
    """The texture cache's."""

    accesses = "footprints"
    size, quick_size, ordered = "512x384", "192x144", Order

    def plan(self, order: Order) -> list[Workload]:
        """See :class:`tb.common.measuring.workload.Measurement`."""
        return plan(order)

    def extra(self, order: Order) -> dict[str, Any]:
        """The configurations by role."""
        return {"roles": {role: cfg.name for role, cfg in roles(order).items()}}


MEASUREMENT = Texcache()
