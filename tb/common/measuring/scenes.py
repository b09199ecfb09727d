# SPDX-License-Identifier: Apache-2.0
"""What measurements of scenes share: which scenes, and how large."""

import argparse
from dataclasses import dataclass
from typing import Any, ClassVar, TypeVar

from configs import BlockConfig
from tb.common.measuring.stored import Order
from tb.common.measuring.workload import Measurement
from workloads.scenes import options
from workloads.scenes.options import Pictures


@dataclass(frozen=True, kw_only=True)
class SceneOrder(Order):
    """Scenes and the size of their pictures."""

    pictures: Pictures


S = TypeVar("S", bound=SceneOrder)


class SceneMeasurement(Measurement[S]):
    """``size`` of the pictures, ``quick_size`` with ``--quick``; ``ordered`` is the class of its orders."""

    size: ClassVar[str]
    quick_size: ClassVar[str]
    ordered: ClassVar[type[Any]] = SceneOrder

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Scenes and their size."""
        options.add_arguments(parser, self.size)

    def order(self, arguments: argparse.Namespace, base: BlockConfig, command: str) -> S:
        """See :class:`Measurement`."""
        pictures = options.pictures(arguments, self.quick_size if arguments.quick else self.size)
        order: S = self.ordered(
            base, arguments.out, command, arguments.seed, arguments.quick, pictures=pictures
        )
        return order
