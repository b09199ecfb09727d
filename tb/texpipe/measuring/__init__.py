# SPDX-License-Identifier: Apache-2.0
"""What ``python -m tb measure texpipe`` measures: scenes through these units and the published one; other
latencies, look-ahead, formats.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from configs import BlockConfig, load
from configs.texpipe.schema import Config
from tb.common.measuring.scenes import SceneOrder, SceneWorkload
from tb.common.measuring.stored import Result
from tb.common.measuring.workload import DisagreementError, hardware, preset_of
from tb.common.replay.library import Roles
from tb.texpipe import replay
from tb.texpipe.measuring import picture
from tb.texunit import replay as published_replay
from tb.texunit.measuring import QuadMeasurement
from tb.texunit.measuring import picture as published_picture
from workloads.textures.llvmpipe import Llvmpipe
from workloads.texunit.quads import QuadFrame, quad_frame

ONE, ALL, PUBLISHED = "one", "all", "published"
NEAREST, RGB, TABLE, TRILINEAR = "nearest", "rgb", "table", "trilinear"  # other ways to sample
LATENCIES = (1, 26, 52, 130, 160, 200, 300, 400)  # beside the configuration's
AHEAD = (16, 32, 64)  # pixels of look-ahead, beside the configuration's


def roles_of(base: Config, quick: bool) -> dict[str, BlockConfig]:
    """One unit, all of them, the published one; at other latencies; with shorter FIFOs of tags."""
    single, there = base.with_(units=1), load("texunit")
    cfgs: dict[str, Any] = {
        ONE: single, ALL: base, PUBLISHED: there.with_(units=1, memory=base.memory.model_dump()),
    }  # fmt: skip
    for latency in (LATENCIES[0], LATENCIES[-1]) if quick else LATENCIES:
        cfgs |= {
            f"{role}/{latency}": cfgs[role].with_(memory={"latency": latency}) for role in (ONE, PUBLISHED)
        }
    for depth in () if quick else AHEAD:
        if depth < base.ahead.depth:
            cfgs[f"ahead/{depth}"] = single.with_(ahead={"depth": depth})
    return {role: preset_of(cfg) for role, cfg in cfgs.items()}


def mixing(base: Config) -> Config:
    """One unit that mixes levels, which looks as many pixels ahead: each has twice the beats."""
    if base.trilinear:
        return base.with_(units=1)
    return base.with_(units=1, trilinear=True, ahead={"depth": 2 * base.ahead.depth})


@dataclass(frozen=True)
class SceneRuns(SceneWorkload):
    """Drawn bilinear from RGBA8 or in another ``way``: NEAREST, RGB, TABLE, TRILINEAR."""

    accesses = "quads"
    max_side: int
    depth: str
    way: str = ""

    @cached_property
    def frame(self) -> QuadFrame:
        """The scene, rendered once for all runs."""
        return quad_frame(
            self.view.open(), self.width, self.height, self.view.number, bilinear=self.way != NEAREST,
            trilinear=self.way == TRILINEAR, rgb=self.way == RGB, table=self.way == TABLE,
            max_side=self.max_side, depth=self.depth,
        )  # fmt: skip

    @property
    def decides(self) -> tuple[object, ...]:
        return *super().decides, self.max_side, self.depth, self.way

    def roles(self, cfg: Any) -> Roles:
        return roles(cfg)

    def run(self, order: SceneOrder, role: str) -> Result:
        """See :meth:`SceneWorkload.run`; two of them beside llvmpipe, that of one unit with pictures."""
        cfg, frame = self.cfgs[role], self.frame
        shoot: Any = picture.shoot if cfg.block == "texpipe" else published_picture.shoot
        shot = shoot(hardware(cfg), frame, order.seed, timing=cfg.memory)
        if shot.mismatches:
            raise DisagreementError(
                f"{self.view.name}/{role}: {shot.mismatches[0].text}; repeat: {order.command}"
            )
        summary = {**shot.figures, "scene": self.view.name, "role": role, "latency": cfg.memory.latency}
        summary["texels"] = (1 if self.way == NEAREST else 4) * summary.get("beats", frame.pixels)
        summary["ahead"] = cfg.ahead.depth if cfg.block == "texpipe" else 0
        if role not in (ONE, TRILINEAR):
            return Result(summary)
        other = published_picture.sampled_beside(Llvmpipe(), frame, shot.texels, shot.lod)
        summary |= {"llvmpipe": other.figures()}
        if role != ONE:
            return Result(summary)
        return Result(summary, {"rtl": frame.picture(shot.texels), "llvmpipe": frame.picture(other.texels)})


def roles(cfg: Any) -> Roles:
    """The ports of the units, these or the published one's."""
    return replay.roles(cfg) if cfg.block == "texpipe" else published_replay.roles(cfg)


class Texpipe(QuadMeasurement):
    """The pipelined units'."""

    def plan(self, order: SceneOrder) -> Sequence[SceneRuns]:
        """Every view on every configuration; in other formats, and of two levels, on one unit."""
        assert isinstance(order.base, Config)
        base, pictures = order.base, order.pictures
        cfgs = roles_of(base, order.quick)
        others = dict.fromkeys((NEAREST, RGB, TABLE), cfgs[ONE]) | {TRILINEAR: preset_of(mixing(base))}
        ways = [("", cfgs), *((way, {way: cfg}) for way, cfg in others.items())]
        return [
            SceneRuns(
                f"{view.name}/{way or 'units'}", chosen, view, pictures.width, pictures.height,
                base.max_side, pictures.depth, way,
            )
            for way, chosen in ways
            for view in pictures.views
        ]  # fmt: skip

    def roles(self, cfg: Any) -> Roles:
        return roles(cfg)


MEASUREMENT = Texpipe()
