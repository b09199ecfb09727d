# SPDX-License-Identifier: Apache-2.0
"""One scene through RTL, model and llvmpipe on its configurations, and what is kept of it."""

from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from configs.texunit.schema import Config
from models.depth import WHEN
from models.memory import Memory
from models.texunit import TexunitModel, count
from tb.common.measuring.scenes import SceneOrder, SceneWorkload
from tb.common.measuring.stored import Result
from tb.common.measuring.workload import DisagreementError, Measured, hardware, library_name
from tb.common.replay.library import Roles
from tb.texunit.measuring.picture import Shot, sampled_beside, shoot
from tb.texunit.replay import roles
from workloads.scenes.drawing import pixels_of
from workloads.textures.llvmpipe import Llvmpipe
from workloads.texunit.quads import QuadFrame, quad_frame

ONE, ALL = "one", "all"
NEAREST, RGB, TABLE, APART = "nearest", "rgb", "table", "apart"  # other ways to sample and to draw
WAYS, SETS = (2, 4, 8), (16, 64, 256, 1024, 4096)
NOTHING = 255  # in the maps: no pixel drawn there


@dataclass(frozen=True)
class Workload(SceneWorkload):
    """A scene with textures of at most ``max_side`` texels.

    Drawn bilinear from RGBA8 with the ``depth`` test early or late, or in another ``way``: NEAREST; RGB,
    three bytes a texel where there is no alpha; TABLE, through colour tables; APART, with a flush for each
    triangle; EARLY or LATE, with the depth test there.
    """

    accesses = "quads"
    max_side: int
    depth: str
    way: str = ""

    @property
    def scene(self) -> str:
        """What the report calls it."""
        return self.view.name

    @cached_property
    def frame(self) -> QuadFrame:
        """The scene, rendered once for all runs."""
        return quad_frame(
            self.view.open(), self.width, self.height, self.view.number, bilinear=self.way != NEAREST,
            rgb=self.way == RGB, table=self.way == TABLE, merged=self.way != APART, max_side=self.max_side,
            depth=self.way if self.way in WHEN else self.depth,
        )  # fmt: skip

    @property
    def decides(self) -> tuple[object, ...]:
        return *super().decides, self.max_side, self.depth, self.way

    def roles(self, cfg: Any) -> Roles:
        return roles(cfg)

    def measure(self, order: SceneOrder) -> Measured:
        sweep = partial(self._sweep, order)
        stored = order.keep("workloads", self.id, (*self.decides, order.base.hash, order.seed), sweep)
        entry = {name: stored[name] for name in ("id", "scene", "about", "sweep", "file")}
        return Measured(entry, self.runs(order))

    def run(self, order: SceneOrder, role: str) -> Result:
        """See :meth:`SceneWorkload.run`; that of one unit with pictures, also by llvmpipe.

        With the other depth test the pictures of RTL and model alone.
        """
        cfg, frame = self.cfgs[role], self.frame
        shot = shoot(hardware(cfg), frame, order.seed, timing=cfg.memory)
        if shot.mismatches:
            raise DisagreementError(
                f"{self.scene}/{role}: {shot.mismatches[0].text}; repeat: {order.command}"
            )
        figures: dict[str, Any] = {
            **shot.figures, "scene": self.scene, "id": f"{self.scene}/{role}", "role": role,
            "latency": cfg.memory.latency, "depth": frame.depth, "seed": order.seed, "config_hash": cfg.hash,
            "library": library_name(cfg, roles(cfg)),
        }  # fmt: skip
        if role not in (ONE, *WHEN):
            return Result(figures)
        pictures = {"rtl": frame.picture(shot.texels), "golden": frame.picture(shot.results["texel"])}
        if role != ONE:
            return Result(figures, pictures)
        other = sampled_beside(Llvmpipe(), shot.frame, shot.texels, shot.lod)
        pictures |= {"llvmpipe": frame.picture(other.texels), **maps(shot)}
        return Result(figures | {"llvmpipe": other.figures()}, pictures)

    def _sweep(self, order: SceneOrder) -> Result:
        """What the scene is like, and hit rates of other caches, by the model alone.

        The counter that chooses a way counts queries there.
        """
        rows = []
        for ways in () if self.way else WAYS:
            for sets in SETS:
                base: Any = order.base
                cfg: Config = base.with_(units=1, cache={"ways": ways, "sets": sets})
                memory = Memory(order.seed, 0, self.frame.image)
                counts = count(*TexunitModel(cfg, memory).replay(*self.frame.stream))
                place = {"ways": ways, "sets": sets, "bytes": cfg.cache.capacity_bytes}
                rows.append({"scene": self.scene, **place, **counts})
        return Result({"id": self.id, "scene": self.scene, "about": self.view.about, "sweep": rows})


def maps(shot: Shot) -> dict[str, NDArray[np.uint8]]:
    """Per screen pixel, of what was shown there last: level, and lines that its quad read from memory."""
    frame, [unit] = shot.frame, shot.rtl.units
    missed = (unit.events["repeat"] | unit.events["hit"]) == 0
    queries = shot.results["queries"].astype(np.int64)
    ends = np.cumsum(queries)
    sums = np.concatenate([[0], np.cumsum(missed)])
    misses = np.minimum(sums[ends] - sums[ends - queries], NOTHING - 1)
    pictures = {}
    for name, values in (("level", shot.lod), ("misses", misses)):
        picture = np.full((frame.height, frame.width), NOTHING, np.uint8)
        for pixel in range(4):
            shown = pixels_of(frame.shown)[:, pixel]
            picture[frame.y[shown] + pixel // 2, frame.x[shown] + pixel % 2] = values[shown]
        pictures[name] = picture
    return pictures
