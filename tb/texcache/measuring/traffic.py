# SPDX-License-Identifier: Apache-2.0
"""Where the footprints of a workload come from; what these say decides them."""

from dataclasses import dataclass, replace
from typing import Any, NamedTuple, Protocol

import numpy as np

from configs.texcache.schema import Config
from workloads.scenes.views import View
from workloads.texcache.frame import Frame, render
from workloads.texcache.patterns import find
from workloads.texcache.texture_memory import write_textures
from workloads.texcache.trace import Trace
from workloads.textures import NAMES, texture


class Bound(NamedTuple):
    """A trace for a configuration, the largest side of each of its textures, and the frame that it draws."""

    trace: Trace
    sides: list[int]
    frame: Frame | None = None


class FootprintTraffic(Protocol):
    """Footprints; its ``repr`` says all that decides them."""

    def bind(self, cfg: Config) -> Bound:
        """The footprints for a configuration."""


@dataclass(frozen=True)
class Rendered:
    """A view of a scene, drawn with textures of at most ``max_side`` texels; ``depth``: when it is tested."""

    view: View
    filter: str
    order: str
    width: int
    height: int
    max_side: int
    depth: str

    def bind(self, cfg: Config) -> Bound:
        scene, size = self.view.open(), (self.width, self.height)
        frame = render(scene, *size, self.order, self.filter, self.view.number, self.max_side, self.depth)
        return Bound(frame.trace(cfg), [texture.side for texture in frame.textures], frame)


@dataclass(frozen=True)
class OneTexture:
    """A pattern over one of the textures: its own side and texels. ``texels``: of its range, if any."""

    texture: str
    pattern: str
    steps: int
    seed: int
    texels: int = 0

    def bind(self, cfg: Config) -> Bound:
        chain = texture(self.texture).limited(cfg.max_side)
        small: Any = cfg.with_(max_side=chain.side, small_side=min(cfg.small_side, chain.side))
        rng = np.random.default_rng([self.seed, NAMES.index(self.texture)])
        options = {"texels": self.texels} if self.texels else {}
        trace = find(self.pattern).make(small, self.steps, rng, **options)
        footprints = trace.footprints.copy()
        footprints["level"] += cfg.levels - small.levels
        memory = write_textures(cfg, [chain])
        bound = replace(
            trace, footprints=footprints, lut=memory.lut, base=memory.base, image=memory.image,
            line_bytes=cfg.cache.line_bytes, layout=cfg.layout, name=f"{self.pattern} on {self.texture}",
        )  # fmt: skip
        return Bound(bound, [chain.side])


@dataclass(frozen=True)
class Spaced:
    """Footprints that hit and miss in turn.

    In a level of 256 x 256 two rows lie in different single-port caches, in a small level in the same one.
    """

    steps: int
    seed: int

    def bind(self, cfg: Config) -> Bound:
        rng = np.random.default_rng(self.seed)
        level = max(0, cfg.levels - 9)  # of 256 x 256
        texels = cfg.capacity_bytes * 3 // 8
        wide = find("random-range").make(cfg, self.steps, rng, level=level, texels=texels)
        small = find("small-levels").make(cfg, self.steps, rng)
        footprints = np.where(rng.random(self.steps) < 0.6, wide.footprints, small.footprints)
        return Bound(replace(small, footprints=footprints), [cfg.max_side] * 4)


class Binder:
    """Traffic for the configuration asked for last; the next one of the same layout and line shares it."""

    def __init__(self, traffic: FootprintTraffic) -> None:
        self._traffic = traffic
        self._kind: tuple[str, int] | None = None
        self._bound: Bound | None = None

    def __call__(self, cfg: Config) -> Bound:
        """The traffic for ``cfg``."""
        kind = cfg.layout, cfg.cache.line_bytes
        if self._bound is None or self._kind != kind:
            self._kind, self._bound = kind, self._traffic.bind(cfg)
        return self._bound
