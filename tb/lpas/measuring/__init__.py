# SPDX-License-Identifier: Apache-2.0
"""What ``python -m tb measure lpas`` measures: the source's figures, load, waits and programs, by switch.

===============  ============================================================================
``switches``     the configurations, by role
``experiment``   requests through RTL and model, or the model alone; what is kept of it
``shots``        the source's patterns and classes: one shot each
``loads``        offered load, saturation, waits; other sizes of the array
``programs``     the application on the PEs
===============  ============================================================================
"""

import argparse
from collections.abc import Sequence

from configs import BlockConfig, UserError
from configs.lpas.schema import Config
from tb.common.measuring.stored import Order
from tb.common.measuring.workload import Measurement, Workload
from tb.common.replay.library import Roles
from tb.lpas.measuring import loads, programs, shots
from tb.lpas.replay import roles


class LpasMeasurement(Measurement[Order]):
    """All of it."""

    def order(self, arguments: argparse.Namespace, base: BlockConfig, command: str) -> Order:
        """See :class:`Measurement`. Raises :class:`UserError` for another machine than the source's."""
        assert isinstance(base, Config)
        published = {"switch": "lpas", "bound": "none", "areas": "distance", "read_pipeline": False}
        chosen = {name: getattr(base, name) for name in published}
        if (base.array.rows, base.array.columns) != (4, 4) or chosen != published:
            raise UserError(
                f"the report on lpas compares switches of the published array of 4x4: CONFIG={base.preset} "
                f"is of {base.array.rows}x{base.array.columns}, "
                + ", ".join(f"{name} {str(value).lower()}" for name, value in chosen.items())
            )
        return Order(base, arguments.out, command, arguments.seed, arguments.quick)

    def plan(self, order: Order) -> Sequence[Workload[Order]]:
        assert isinstance(order.base, Config)
        return [
            *programs.plan(order.base, order.quick),
            *shots.plan(order.base, order.quick),
            *loads.plan(order.base, order.quick),
        ]

    def roles(self, cfg: Config) -> Roles:
        return roles(cfg)


MEASUREMENT = LpasMeasurement()
