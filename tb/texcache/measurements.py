# SPDX-License-Identifier: Apache-2.0
"""What ``python -m tb measure texcache`` measures: workloads, and the configurations that each is run on."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np

from configs import load, presets
from configs.texcache.schema import Config
from models.texaddress import LAYOUTS
from workloads.scenes import SCENES, built_in
from workloads.texcache.frame import FILTERS, ORDERS, render
from workloads.texcache.patterns import find
from workloads.texcache.texture_memory import write_textures
from workloads.texcache.trace import Trace
from workloads.textures import NAMES, texture

BASE, SINGLE_PORT, SINGLE_BANK = "base", "single-port", "single-bank"
DEPTHS = (4, 8, 16, 32, 64)
LATENCIES = (6, 13, 52, 104)  # cycles from the address to the first data beat, beside the base's
KILOBYTES = (1, 2, 4, 6, 7, 8, 9, 10, 12, 16, 24, 32, 64, 128, 256, 1024)  # ranges of the paper's generator
WALKS = ("magnified", "minified", "anisotropic", "trilinear")
TILED = ("tile8", "tile16", "tile32")  # the minified walk in tiles of the screen
FAR = 90  # cycles between two requests after which the cache is idle, whatever missed


@dataclass(frozen=True)
class Scope:
    """How much is measured: the picture's size, the scenes, and whether only the essential."""

    width: int = 512
    height: int = 384
    scenes: tuple[str, ...] = tuple(SCENES)
    quick: bool = False
    seed: int = 1

    @property
    def orders(self) -> tuple[str, ...]:
        """Drawing orders of the scenes."""
        return ("scan", "tile8") if self.quick else tuple(ORDERS)

    @property
    def kilobytes(self) -> tuple[int, ...]:
        """Ranges of the paper's generator."""
        return (4, 8, 16) if self.quick else KILOBYTES

    @property
    def walks(self) -> tuple[str, ...]:
        """Walks over single textures."""
        return (*WALKS, *(order for order in self.orders if order in TILED))

    @property
    def steps(self) -> int:
        """Footprints of each run over a single texture."""
        return 2_000 if self.quick else 20_000


class Bound(NamedTuple):
    """A trace for a configuration, and the largest side of each of its textures."""

    trace: Trace
    sides: list[int]


@dataclass(frozen=True)
class Workload:
    """Traffic to measure: ``meta`` for the report, ``roles`` of the configurations that run it.

    ``bind`` gives the traffic for a configuration. ``requests`` is the pattern of cycles in which a request
    may be offered, empty: any.
    """

    id: str
    kind: str
    meta: dict[str, Any]
    roles: tuple[str, ...]
    bind: Callable[[Config], Bound] = field(repr=False, compare=False)
    requests: tuple[int, ...] = field(default=(), repr=False)


def known(cfg: Config) -> Config:
    """The preset that is the same hardware and memory, if there is one: it shares its build."""
    for name in presets(cfg.block):
        preset: Config = load(cfg.block, name)
        if preset.hash == cfg.hash and preset.memory == cfg.memory:
            return preset
    return cfg


def roles(base: Config, scope: Scope) -> dict[str, Config]:
    """Configurations by role: the base, what it is compared with, and one change at a time."""
    one_bank = {"banks": 1, "cache": {"sets": min(1024, base.cache.sets * base.banks)}}
    found = {
        BASE: base,
        SINGLE_PORT: base.with_(**one_bank, lookup="texel"),
        SINGLE_BANK: base.with_(**one_bank),
        **{layout: base.with_(layout=layout) for layout in LAYOUTS if layout != base.layout},
    }
    for latency in LATENCIES:
        found[f"latency={latency}"] = base.with_(memory={"latency": latency})
    for resume in () if scope.quick else ("drained", "space"):
        for depth in DEPTHS:
            if (resume, depth) != (base.resume, base.fifo.depth):
                found[f"{resume},fifo={depth}"] = base.with_(resume=resume, fifo={"depth": depth})
    return {role: known(cfg) for role, cfg in found.items()}


def plan(base: Config, scope: Scope) -> list[Workload]:
    """All workloads, the longest first."""
    every = tuple(roles(base, scope))
    scenes = [
        _scene(base, scope, every, scene, filter, order)
        for filter in reversed(FILTERS)
        for order in scope.orders
        for scene in scope.scenes
    ]
    return [*scenes, *_generators(base, scope), *_walks(base, scope), _cycles(base, scope)]


def _scene(base: Config, scope: Scope, every: Sequence[str], scene: str, filter: str, order: str) -> Workload:
    def bind(cfg: Config) -> Bound:
        frame = render(built_in(scene), scope.width, scope.height, order, filter, max_side=base.max_side)
        return Bound(frame.trace(cfg), [one.side for one in frame.textures])

    layouts = tuple(role for role in every if role in LAYOUTS)
    chosen: tuple[str, ...] = (BASE, *layouts)
    if order == "scan":
        chosen = tuple(every) if filter == "bilinear" else (BASE, SINGLE_PORT, SINGLE_BANK, *layouts)
    meta = {"scene": scene, "filter": filter, "order": order, "width": scope.width, "height": scope.height}
    return Workload(f"scene/{scene}/{filter}/{order}", "scene", meta, chosen, bind)


def _generators(base: Config, scope: Scope) -> list[Workload]:
    """The paper's generator, addresses at random in a range, on each texture."""
    found = []
    for kilobytes in scope.kilobytes:
        for name in NAMES:
            meta = {"texture": name, "bytes": kilobytes << 10}
            bind = _over_texture(name, "random-range", scope, texels=kilobytes << 8)
            identity = f"random/{name}/{kilobytes} KB"
            found.append(Workload(identity, "generator", meta, (BASE, SINGLE_PORT), bind))
    return found


def _walks(base: Config, scope: Scope) -> list[Workload]:
    """Turned quads with each texture: near, far, seen flat, trilinear; and in tiles, in every layout."""
    layouts = tuple(role for role in roles(base, scope) if role in LAYOUTS)
    return [
        Workload(
            f"walk/{name}/{pattern}", "walk", {"texture": name, "pattern": pattern},
            (BASE, *((SINGLE_PORT,) if pattern in WALKS else ()),
             *(layouts if pattern in ("minified", *TILED) else ())),
            _over_texture(name, pattern, scope),
        )
        for pattern in scope.walks
        for name in NAMES
    ]  # fmt: skip


def _over_texture(name: str, pattern: str, scope: Scope, **options: int) -> Callable[[Config], Bound]:
    """A pattern over one of the textures: its own side, chain and texels."""

    def bind(cfg: Config) -> Bound:
        one = texture(name).limited(cfg.max_side)
        small: Any = cfg.with_(max_side=one.side, small_side=min(cfg.small_side, one.side))
        rng = np.random.default_rng([scope.seed, NAMES.index(name)])
        trace = find(pattern).make(small, scope.steps, rng, **options)
        footprints = trace.footprints.copy()
        footprints["level"] += cfg.levels - small.levels
        memory = write_textures(cfg, [one])
        bound = replace(
            trace, footprints=footprints, lut=memory.lut, base=memory.base, image=memory.image,
            line_bytes=cfg.cache.line_bytes, layout=cfg.layout, name=f"{pattern} on {name}",
        )  # fmt: skip
        return Bound(bound, [one.side])

    return bind


def _cycles(base: Config, scope: Scope) -> Workload:
    """Requests far apart and close together that hit and miss in turn: shows each published cycle count.

    In a level of 256 x 256 two rows lie in different single-port caches, in a small level in the same one.
    """

    def bind(cfg: Config) -> Bound:
        rng = np.random.default_rng(scope.seed)
        level = max(0, cfg.levels - 9)  # of 256 x 256
        wide = find("random-range").make(
            cfg, scope.steps, rng, level=level, texels=cfg.capacity_bytes * 3 // 8
        )
        small = find("small-levels").make(cfg, scope.steps, rng)
        footprints = np.where(rng.random(scope.steps) < 0.6, wide.footprints, small.footprints)
        return Bound(replace(small, footprints=footprints), [cfg.max_side] * 4)

    rng = np.random.default_rng([scope.seed, FAR])
    gaps = np.where(rng.random(997) < 0.6, FAR, rng.integers(1, FAR // 2, 997))
    requests = np.zeros(gaps.sum(), np.uint8)
    requests[np.cumsum(gaps) - 1] = 1
    meta = {"pattern": "random-range, small-levels"}
    return Workload("cycles", "cycles", meta, (BASE,), bind, tuple(requests.tolist()))
