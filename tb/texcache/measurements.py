# SPDX-License-Identifier: Apache-2.0
"""What ``python -m tb measure texcache`` measures: workloads, and the configurations that each is run on."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from configs import load, presets
from configs.texcache.schema import Config
from models.texaddress import LAYOUTS
from workloads.frame import FILTERS, ORDERS, Frame, render
from workloads.patterns import random_range, walk
from workloads.scenes import SCENES, built_in
from workloads.textures import NAMES, texture
from workloads.trace import Trace

BASE, SINGLE_PORT, SINGLE_BANK = "base", "single-port", "single-bank"
DEPTHS = (4, 8, 16, 32, 64)
LATENCIES = (6, 13, 52, 104)  # cycles from the address to the first data beat, beside the base's
RANGES = (4096, 8192, 16384, 65536)  # bytes
WALKS = ("magnified", "rotated", "minified")
SPACING = 80  # cycles between requests in the run that shows single cycle counts, some are closer


@dataclass(frozen=True)
class Scope:
    """How much is measured: the picture's size, the scenes, and whether only the essential."""

    width: int = 640
    height: int = 480
    scenes: tuple[str, ...] = tuple(SCENES)
    quick: bool = False
    seed: int = 1

    @property
    def orders(self) -> tuple[str, ...]:
        """Drawing orders of the scenes."""
        return ("scan", "tile8") if self.quick else tuple(ORDERS)

    @property
    def steps(self) -> int:
        """Footprints of each run over a single texture."""
        return 4_000 if self.quick else 20_000


@dataclass(frozen=True)
class Workload:
    """Traffic to measure: ``meta`` for the report, ``roles`` of the configurations that run it.

    ``bind`` gives the trace for a configuration; ``spacing`` is the least number of cycles between requests.
    """

    id: str
    kind: str
    meta: dict[str, Any]
    roles: tuple[str, ...]
    bind: Callable[[Config], Trace] = field(repr=False, compare=False)
    spacing: int = 0


def known(cfg: Config) -> Config:
    """The preset that is the same hardware and memory, if there is one: it shares its build."""
    for name in presets(cfg.block):
        preset: Config = load(cfg.block, name)
        if preset.hash == cfg.hash and preset.memory == cfg.memory:
            return preset
    return cfg


def roles(base: Config, scope: Scope) -> dict[str, Config]:
    """Configurations by role: the base, what it is compared with, and one change at a time."""
    one_bank = {"banks": 1, "sets": min(1024, base.sets * base.banks)}
    found = {
        BASE: base,
        SINGLE_PORT: base.with_(**one_bank, lookup="texel"),
        SINGLE_BANK: base.with_(**one_bank),
        **{layout: base.with_(layout=layout) for layout in LAYOUTS if layout != base.layout},
    }
    for latency in LATENCIES:
        found[f"latency={latency}"] = base.with_(memory={**base.memory.model_dump(), "latency": latency})
    for resume in () if scope.quick else ("drained", "space"):
        for depth in DEPTHS:
            if (resume, depth) != (base.resume, base.fifo_depth):
                found[f"{resume},fifo={depth}"] = base.with_(resume=resume, fifo_depth=depth)
    return {role: known(cfg) for role, cfg in found.items()}  # type: ignore[arg-type]


def plan(base: Config, scope: Scope) -> list[Workload]:
    """All workloads, the longest first."""
    every = tuple(roles(base, scope))
    scenes = [_scene(base, scope, every, *one) for one in _scene_runs(scope)]
    textures = [one for name in NAMES for one in _texture(scope, name)]
    return [*scenes, *textures, _cycles(base, scope)]


def _scene_runs(scope: Scope) -> list[tuple[str, str, str]]:
    return [
        (scene, filter, order)
        for filter in reversed(FILTERS)
        for order in scope.orders
        for scene in scope.scenes
    ]


def _scene(base: Config, scope: Scope, every: Sequence[str], scene: str, filter: str, order: str) -> Workload:
    frame: list[Frame] = []  # rendered when first needed

    def bind(cfg: Config) -> Trace:
        if not frame:
            frame.append(render(built_in(scene), scope.width, scope.height, order, filter, max_side=base.max_side))
        return frame[0].trace(cfg)

    layouts = tuple(role for role in every if role in LAYOUTS)
    chosen: tuple[str, ...] = (BASE, *layouts)
    if order == "scan":
        chosen = tuple(every) if filter == "bilinear" else (BASE, SINGLE_PORT, SINGLE_BANK, *layouts)
    meta = {"scene": scene, "filter": filter, "order": order, "width": scope.width, "height": scope.height}
    return Workload(f"scene/{scene}/{filter}/{order}", "scene", meta, chosen, bind)
