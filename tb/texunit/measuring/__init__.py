# SPDX-License-Identifier: Apache-2.0
"""What ``python -m tb measure texunit`` measures: scenes through RTL, model and llvmpipe; times of stages."""

import argparse
import shutil
import tempfile
from pathlib import Path
from typing import Any

from configs import BlockConfig
from configs.texunit.schema import Config
from models.depth import WHEN
from tb.common.components import testcase
from tb.common.measuring.scenes import SceneMeasurement, SceneOrder
from tb.common.measuring.workload import DisagreementError, preset_of
from tb.common.replay.library import Roles
from tb.common.running import builds, runner
from tb.texunit.measuring.workload import ALL, APART, NEAREST, ONE, RGB, TABLE, WAYS, Workload
from tb.texunit.replay import roles
from workloads.textures.llvmpipe import Llvmpipe

LATENCIES = (1, 25, 50, 200)  # beside the configuration's


class QuadMeasurement(SceneMeasurement[SceneOrder]):
    """Pictures by texture units; the base is the configuration with all its units."""

    accesses = "quads"
    size, quick_size = "320x240", "96x64"

    def order(self, arguments: argparse.Namespace, base: BlockConfig, command: str) -> SceneOrder:
        """What the arguments ask for. Raises :class:`UserError`, also where Mesa is missing."""
        order = super().order(arguments, base, command)
        Llvmpipe()  # before all else: it may be missing
        return order

    def extra(self, order: SceneOrder) -> dict[str, Any]:
        """Size of the pictures, and scenes."""
        pictures = order.pictures
        return {
            **super().extra(order), "size": [pictures.width, pictures.height],
            "scenes": [view.name for view in pictures.views],
        }  # fmt: skip


class Texunit(QuadMeasurement):
    """The published unit's."""

    def plan(self, order: SceneOrder) -> list[Workload]:
        """Scenes on every configuration; with other filters and formats, and the depth test elsewhere."""
        base: Any = order.base
        single, every = preset_of(base.with_(units=1)), preset_of(base)
        units = {ONE: single, **({ALL: every} if every.units > 1 else {})}
        cfgs = dict(units)
        for latency in LATENCIES[: 1 if order.quick else None]:
            cfgs |= {
                f"{role}/{latency}": cfg.with_(memory={"latency": latency}) for role, cfg in units.items()
            }
        for ways in () if order.quick else WAYS:
            if ways != single.cache.ways:
                cfgs[f"{ways} ways"] = preset_of(single.with_(cache={"ways": ways}))
        size, depth = (order.pictures.width, order.pictures.height), order.pictures.depth
        [other] = set(WHEN) - {depth}
        return [
            Workload(f"{view.name}/{way or 'units'}", chosen, view, *size, base.max_side, depth, way)
            for way, chosen in [
                ("", cfgs),
                *((way, {way: single}) for way in (NEAREST, RGB, TABLE, APART, other)),
            ]
            for view in order.pictures.views
        ]

    def roles(self, cfg: Config) -> Roles:
        """Each unit has a port of requests."""
        return roles(cfg)

    def extra(self, order: SceneOrder) -> dict[str, Any]:
        """Times of stages as well, which are not those of a user's scene."""
        return {**super().extra(order), "stages": {} if order.pictures.own else stages(order)}


def stages(order: SceneOrder) -> dict[str, list[int]]:
    """Cycles of the stages (how often, least, most), from the test that times them on an idle unit."""
    base: Any = order.base
    cfg, test = preset_of(base.with_(units=1)), testcase.cases("texunit")["stage_cycles"]
    order.out.mkdir(parents=True, exist_ok=True)
    folder = Path(tempfile.mkdtemp(prefix=".stages-", dir=order.out))
    try:
        run = runner.run(builds.build(cfg, "verilator"), [test], seed=order.seed, count=1, folder=folder)
        if not run.passed:
            [outcome] = run.outcomes
            raise DisagreementError(f"test stage_cycles: {outcome.message}; {outcome.repro}")
        times: dict[str, list[int]] = run.kept[test.name]["summary"]["stages"]
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return times


MEASUREMENT = Texunit()
