# SPDX-License-Identifier: Apache-2.0
"""What ``python -m tb measure texcache`` measures: scenes, the paper's generator, walks, cycle counts."""

import argparse
from typing import Any

from configs import BlockConfig
from tb.common.measuring.workload import Measurement
from tb.texcache.measuring.plan import Order, plan, roles
from tb.texcache.measuring.workload import Workload
from workloads.scenes import options

SIZE, QUICK_SIZE = "512x384", "192x144"


class Texcache(Measurement[Order]):
    """The texture cache's."""

    accesses = "footprints"

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Scenes and their size."""
        options.add_arguments(parser, SIZE)

    def order(self, arguments: argparse.Namespace, base: BlockConfig, command: str) -> Order:
        """See :class:`Measurement`."""
        pictures = options.pictures(arguments, QUICK_SIZE if arguments.quick else SIZE)
        return Order(base, arguments.out, command, arguments.seed, arguments.quick, pictures=pictures)

    def plan(self, order: Order) -> list[Workload]:
        """See :class:`Measurement`."""
        return plan(order)

    def extra(self, order: Order) -> dict[str, Any]:
        """The configurations by role."""
        return {"roles": {role: cfg.name for role, cfg in roles(order).items()}}


MEASUREMENT = Texcache()
