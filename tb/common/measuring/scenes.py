# SPDX-License-Identifier: Apache-2.0
"""What measurements of scenes share: which scenes, and how large."""

import argparse
from abc import abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, ClassVar, TypeVar

from configs import BlockConfig
from models.depth import EARLY
from tb.common.measuring.stored import Order, Result
from tb.common.measuring.workload import Measured, MeasuredRun, Measurement, Workload, library_name
from tb.common.replay.library import Roles
from tb.common.running.builds import BUILD
from workloads.scenes import SCENES, options
from workloads.scenes.options import Pictures
from workloads.scenes.scene import Scene
from workloads.scenes.views import View, file_name

SCENE_RESULTS = BUILD / "scenes"


@dataclass(frozen=True, kw_only=True)
class SceneOrder(Order):
    """Scenes and the size of their pictures."""

    pictures: Pictures


S = TypeVar("S", bound=SceneOrder)


@dataclass(frozen=True)
class SceneWorkload(Workload[SceneOrder]):
    """A view of a scene in a size. ``accesses``: the figure of a run that says how many were checked."""

    accesses: ClassVar[str]
    view: View
    width: int
    height: int

    @property
    def decides(self) -> tuple[object, ...]:
        """What a run depends on, beside configuration, library and seed."""
        return self.view, self.width, self.height

    @abstractmethod
    def roles(self, cfg: Any) -> Roles:
        """The parts that the configuration's streams play in a replay."""

    def suits(self, role: str) -> bool:
        """Whether the configuration in this role can draw the scene."""
        return True

    @abstractmethod
    def run(self, order: SceneOrder, role: str) -> Result:
        """A run on the configuration in a role; the model has to agree. Raises like :meth:`measure`."""

    def measure(self, order: SceneOrder) -> Measured:
        """See :class:`Workload`."""
        runs = self.runs(order)
        entry = {"id": self.id, "scene": self.view.name, "about": self.view.about, "file": runs[0].file}
        return Measured(entry, runs)

    def runs(self, order: SceneOrder) -> list[MeasuredRun]:
        """Runs on all configurations that suit the scene."""
        runs = []
        for role, cfg in self.cfgs.items():
            if self.suits(role):
                library = library_name(cfg, self.roles(cfg))
                parts = *self.decides, order.seed, role, cfg.hash, cfg.memory, library
                made = order.keep("runs", f"{self.view.name}/{role}", parts, partial(self.run, order, role))
                runs.append(MeasuredRun(self.view.name, role, made[self.accesses], made["file"]))
        return runs


class SceneMeasurement(Measurement[S]):
    """``size`` of the pictures, ``quick_size`` with ``--quick``; ``scenes``: those that are built in for it;
    ``ordered`` is the class of its orders.
    """

    size: ClassVar[str]
    quick_size: ClassVar[str]
    scenes: ClassVar[Mapping[str, Callable[[], object]]] = SCENES
    ordered: ClassVar[type[Any]] = SceneOrder

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Scenes and their size."""
        options.add_arguments(parser, self.size, self.scenes)

    def order(self, arguments: argparse.Namespace, base: BlockConfig, command: str) -> S:
        """See :class:`Measurement`."""
        size = self.quick_size if arguments.quick else self.size
        pictures = options.pictures(arguments, size, self.scenes)
        order: S = self.ordered(
            base, arguments.out, command, arguments.seed, arguments.quick, pictures=pictures
        )
        for note in self._notes(order):
            print(f"note: {note}")
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
        names = ("scene", "view", "cameras", "size", "uv")
        wanted = {name: getattr(arguments, name) or None for name in names}
        wanted["depth"] = arguments.depth if arguments.depth != EARLY else None
        return {name.upper(): value for name, value in wanted.items()} | super().variables(arguments)

    def extra(self, order: S) -> dict[str, Any]:
        """When depth is tested; of a user's scene its file's name, and notes on what is changed of it."""
        depth = {"depth": order.pictures.depth}
        if not order.pictures.own:
            return depth
        source = Path(order.pictures.views[0].source).name
        return {**depth, "own": {"source": source, "notes": self._notes(order)}}

    def taken(self, scene: Scene, base: Any) -> Scene:
        """The scene as the block can take it, with notes on what that changes."""
        return scene.solid().limited(base.max_side)

    def _notes(self, order: S) -> list[str]:
        pictures = order.pictures
        return list(self.taken(pictures.views[0].open(), order.base).notes) if pictures.own else []
