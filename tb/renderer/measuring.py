# SPDX-License-Identifier: Apache-2.0
"""What ``python -m tb measure renderer`` measures: whole frames, tested late and early, with prefetch and
without, with fewer texture units, and with memory at other distances.
"""

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from configs import BlockConfig, load
from configs.renderer.schema import EARLY, LATE, Config
from tb.common.measuring.scenes import SceneMeasurement, SceneOrder, SceneWorkload
from tb.common.measuring.stored import Result
from tb.common.measuring.workload import DisagreementError, hardware, preset_of
from tb.common.replay.library import Roles
from tb.renderer.picture import shoot
from tb.renderer.replay import roles
from workloads.renderer.frame import RenderFrame, render_frame
from workloads.textures.llvmpipe import Llvmpipe

OWN, NO_PREFETCH, ONE_UNIT = "own", "no prefetch", "one unit"
LATENCIES = (1, 26, 400)  # of memory, beside the configuration's


def with_depth(base: Config, test: str) -> Config:
    """The configuration with depth tested at another place, as the presets have it there."""
    if base.test == test:
        return base
    there = load("renderer", "early" if test == EARLY else "base")
    assert isinstance(there, Config)
    shading = there.zcache.shading.model_dump(include={"source", "cycles", "tiles"})
    return base.with_(test=test, zcache={"shading": shading})


def roles_of(base: Config, quick: bool) -> dict[str, Config]:
    """By role; the configuration itself first, then that which tests depth at the other place."""
    other = LATE if base.early else EARLY
    cfgs = {
        OWN: base,
        other: with_depth(base, other),
        NO_PREFETCH: base.with_(zcache={"prefetch": {"mode": "off"}}),
    }
    if base.texunit.units > 1:
        cfgs[ONE_UNIT] = base.with_(texunit={"units": 1})
    for latency in LATENCIES[: 1 if quick else None]:
        cfgs[f"memory/{latency}"] = base.with_(memory={"latency": latency})
    return {role: preset_of(cfg) for role, cfg in cfgs.items()}


@dataclass(frozen=True)
class SceneRuns(SceneWorkload):
    """Whole frames."""

    accesses = "tiles"

    @cached_property
    def frames(self) -> dict[str, RenderFrame]:
        """The frame, by when depth is tested; none that is tested early where a shader discards pixels."""
        by_test = {cfg.test: cfg for cfg in self.cfgs.values()}
        scene = self.view.open()
        late = render_frame(by_test[LATE], scene, self.width, self.height, self.view.number)
        if late.kill.any():
            return {LATE: late}
        early = render_frame(by_test[EARLY], scene, self.width, self.height, self.view.number)
        return {LATE: late, EARLY: early}

    def roles(self, cfg: Any) -> Roles:
        return roles(cfg)

    def suits(self, role: str) -> bool:
        return self.cfgs[role].test in self.frames

    def run(self, order: SceneOrder, role: str) -> Result:
        """See :meth:`SceneWorkload.run`; the first one beside llvmpipe, too, with pictures."""
        cfg = self.cfgs[role]
        shot = shoot(hardware(cfg), self.frames[cfg.test], order.seed, timing=cfg.memory)
        if shot.mismatches:
            raise DisagreementError(
                f"{self.view.name}/{role}: {shot.mismatches[0].text}; repeat: {order.command}"
            )
        summary = {
            **shot.figures, "scene": self.view.name, "role": role, "latency": cfg.memory.latency,
        }  # fmt: skip
        if role != OWN:
            return Result(summary)
        other = shot.beside(Llvmpipe())
        pictures = shot.pictures(other)
        return Result(
            summary | {"llvmpipe": other.figures()}, {"rtl": pictures[""], "depth": pictures["-depth"]}
        )


class Renderer(SceneMeasurement[SceneOrder]):
    """The renderer's."""

    accesses = "tiles"
    size, quick_size = "320x240", "96x64"

    def order(self, arguments: argparse.Namespace, base: BlockConfig, command: str) -> SceneOrder:
        """What the arguments ask for. Raises :class:`UserError`, also where Mesa is missing."""
        Llvmpipe()  # before all else: it may be missing
        return super().order(arguments, base, command)

    def plan(self, order: SceneOrder) -> Sequence[SceneRuns]:
        """Every view on every configuration."""
        assert isinstance(order.base, Config)
        pictures, cfgs = order.pictures, roles_of(order.base, order.quick)
        return [
            SceneRuns(f"{v.name}/frame", cfgs, v, pictures.width, pictures.height) for v in pictures.views
        ]

    def roles(self, cfg: Any) -> Roles:
        return roles(cfg)

    def extra(self, order: SceneOrder) -> dict[str, Any]:
        """See :class:`SceneMeasurement`; and the scenes and their size. The configuration says when depth is
        tested.
        """
        assert isinstance(order.base, Config)
        pictures = order.pictures
        return {
            **super().extra(order), "depth": order.base.test, "size": [pictures.width, pictures.height],
            "scenes": [view.name for view in pictures.views],
        }  # fmt: skip

    def taken(self, scene: Any, base: Any) -> Any:
        return scene.solid().limited(base.texunit.max_side)


MEASUREMENT = Renderer()
