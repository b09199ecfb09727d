# SPDX-License-Identifier: Apache-2.0
"""What measurements of scenes share: which scenes, and how large."""

import argparse
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, TypeVar

from configs import BlockConfig
from tb.common.measuring.stored import Order
from tb.common.measuring.workload import Measurement
from tb.common.running.builds import BUILD
from workloads.scenes import options
from workloads.scenes.options import Pictures
from workloads.scenes.views import file_name

SCENE_RESULTS = BUILD / "scenes"


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

    def folder(self, block: str, arguments: argparse.Namespace) -> Path:
        """See :class:`Measurement`: a user's scene has one of its own."""
        return (
            SCENE_RESULTS / file_name(arguments.scene) / block
            if arguments.scene
            else super().folder(block, arguments)
        )

    def variables(self, arguments: argparse.Namespace) -> dict[str, object]:
        """See :class:`Measurement`; the built-in scenes are all measured."""
        wanted = {name: getattr(arguments, name) or None for name in ("scene", "view", "cameras", "size")}
        return {name.upper(): value for name, value in wanted.items()} | super().variables(arguments)

    def extra(self, order: S) -> dict[str, Any]:
        """Of a user's scene the name of its file."""
        pictures = order.pictures
        return {"own": {"source": Path(pictures.views[0].source).name}} if pictures.own else {}
