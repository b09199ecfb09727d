# SPDX-License-Identifier: Apache-2.0
"""Workloads of the texture cache's report, and the configurations that each is run on."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from configs import load
from models.depth import WHEN
from models.texcache.address import LAYOUTS
from tb.common.measuring.scenes import SceneOrder
from tb.common.measuring.workload import preset_of
from tb.texcache.measuring.traffic import OneTexture, Rendered, Spaced
from tb.texcache.measuring.workload import BASE, Workload
from workloads.scenes.views import View
from workloads.texcache.frame import FILTERS, ORDERS
from workloads.textures import NAMES

SINGLE_PORT, SINGLE_BANK, FAST = "single-port", "single-bank", "fast"
DEPTHS = (4, 8, 16, 32, 64)
#: cycles from the address to the first data beat, beside the base's
LATENCIES = (1, 6, 13, 52, 100, 130, 160, 200, 300, 400)
FAR_MEMORY = 100  # cycles: what the machine without conflicts is measured on, if nothing else is said
FAST_LATENCIES = (1, 26, 52, 130, 160, 200, 300, 400)
QUICK_LATENCIES = (1, FAR_MEMORY, 400)  # those of both that a quick measurement has
FAST_DEPTHS = (16, 32, 64, 256)
KILOBYTES = (1, 2, 4, 6, 7, 8, 9, 10, 12, 16, 24, 32, 64, 128, 256, 1024)  # ranges of the paper's generator
WALKS = ("magnified", "minified", "anisotropic", "trilinear")
QUICK_WALKS = ("minified", "trilinear")
QUICK_NAMES = ("checker", "crate", "tiles", "gravel", "concrete")  # one of each side
TILED = ("tile8", "tile16", "tile32")  # the minified walk in tiles of the screen
STEPS = 20_000  # footprints of the generator on a texture: in fewer, a cold cache decides the rate
FAR = 90  # cycles between two requests after which the cache is idle, whatever missed


@dataclass(frozen=True, kw_only=True)
class Order(SceneOrder):
    """How much is measured over single textures, too."""

    @property
    def orders(self) -> tuple[str, ...]:
        """Drawing orders of the scenes."""
        return ("scan", "tile8") if self.quick else tuple(ORDERS)

    @property
    def kilobytes(self) -> tuple[int, ...]:
        """Ranges of the paper's generator."""
        return (4, 8, 16) if self.quick else KILOBYTES

    @property
    def textures(self) -> tuple[str, ...]:
        """The single textures."""
        return QUICK_NAMES if self.quick else NAMES

    @property
    def walks(self) -> tuple[str, ...]:
        """Walks over single textures."""
        return (*(QUICK_WALKS if self.quick else WALKS), *(order for order in self.orders if order in TILED))

    def latencies(self, among: Sequence[int]) -> Sequence[int]:
        """Latencies of memory."""
        return [latency for latency in among if latency in QUICK_LATENCIES] if self.quick else among

    @property
    def steps(self) -> int:
        """Footprints of each walk over a single texture."""
        return 2_000 if self.quick else STEPS


def roles(order: Order) -> dict[str, Any]:
    """Configurations by role: the base, what it is compared with, and one change at a time."""
    base: Any = order.base
    one_bank = {"banks": 1, "cache": {"sets": min(1024, base.cache.sets * base.banks)}}
    cfgs = {
        BASE: base,
        SINGLE_PORT: base.with_(**one_bank, lookup="texel"),
        SINGLE_BANK: base.with_(**one_bank),
        **{layout: base.with_(layout=layout) for layout in LAYOUTS if layout != base.layout},
    }
    for latency in order.latencies(LATENCIES):
        cfgs[f"latency={latency}"] = base.with_(memory={"latency": latency})
    for resume in () if order.quick else ("drained", "space"):
        for depth in DEPTHS:
            if (resume, depth) != (base.resume, base.fifo.depth):
                cfgs[f"{resume},fifo={depth}"] = base.with_(resume=resume, fifo={"depth": depth})
    cfgs |= _fast(order, base)
    return {role: preset_of(cfg) for role, cfg in cfgs.items()}


def conflict_free(base: Any) -> Any:
    """The preset ``conflict-free`` in the size of ``base``, before far memory."""
    fast: Any = load(base.block, "conflict-free")
    sets = max(2, base.cache.sets * base.banks // fast.banks)
    same = ("observe", "layout", "max_side", "textures", "id_bits")
    return fast.with_(
        **{name: getattr(base, name) for name in same}, cache={**base.cache.model_dump(), "sets": sets},
        axi={"data_bits": base.axi.data_bits}, memory={**base.memory.model_dump(), "latency": FAR_MEMORY},
    )  # fmt: skip


def _fast(order: Order, base: Any) -> dict[str, Any]:
    """The machine without conflicts, the steps on the way to it, and one change at a time."""
    fast, deep = conflict_free(base), {"resume": "space", "fifo": {"depth": 128}}
    cfgs = {
        FAST: fast,
        "deep": base.with_(**deep, memory={"latency": FAR_MEMORY}),
        "fast,fill=shared": fast.with_(fill_port="shared"),
        "fast,layout=tile4x4": fast.with_(layout="tile4x4"),
    }
    for cycles in order.latencies(FAST_LATENCIES):
        cfgs[f"fast,latency={cycles}"] = fast.with_(memory={"latency": cycles})
    for depth in () if order.quick else FAST_DEPTHS:
        cfgs[f"fast,fifo={depth}"] = fast.with_(fifo={"depth": depth})
    return cfgs


def plan(order: Order) -> list[Workload]:
    """All workloads, the longest first."""
    cfgs = roles(order)
    scenes = [*_scenes(order, cfgs), *_other_depth(order, cfgs)]
    if order.pictures.own:
        return scenes
    return [*scenes, *_generators(order, cfgs), *_walks(order, cfgs), _cycles(order, cfgs)]


def _only(cfgs: dict[str, Any], *names: str) -> dict[str, Any]:
    """The configurations of these roles, and those of the other layouts where ``layouts`` is among them."""
    chosen = [name for name in names if name != "layouts"]
    chosen += [role for role in cfgs if role in LAYOUTS and "layouts" in names]
    return {role: cfgs[role] for role in chosen}


def _scenes(order: Order, cfgs: dict[str, Any]) -> list[Workload]:
    """Every scene with both filters in every order of drawing."""
    workloads = []
    for filter in reversed(FILTERS):
        for drawing in order.orders:
            chosen = _only(cfgs, BASE, "layouts")
            if drawing == "scan":
                ports = _only(cfgs, BASE, SINGLE_PORT, SINGLE_BANK, FAST, "layouts")
                chosen = cfgs if filter == "bilinear" else ports
            for view in order.pictures.views:
                name = f"scene/{view.name}/{filter}/{drawing}"
                how = filter, drawing, order.pictures.depth
                workloads.append(Workload(name, chosen, "scene", *_view(order, view, *how)))
    return workloads


def _other_depth(order: Order, cfgs: dict[str, Any]) -> list[Workload]:
    """Every scene with the depth test where the others do not have it."""
    [other] = set(WHEN) - {order.pictures.depth}
    chosen, how = _only(cfgs, BASE), ("bilinear", "scan", other)
    return [
        Workload(f"depth/{view.name}/{other}", chosen, "depth", *_view(order, view, *how))
        for view in order.pictures.views
    ]


def _view(order: Order, view: View, filter: str, drawing: str, depth: str) -> tuple[dict[str, Any], Rendered]:
    """What the report needs of a view, and the view."""
    base: Any = order.base
    width, height = order.pictures.width, order.pictures.height
    meta = {
        "scene": view.name, "filter": filter, "order": drawing, "depth": depth, "width": width,
        "height": height, "about": view.about,
    }  # fmt: skip
    return meta, Rendered(view, filter, drawing, width, height, base.max_side, depth)


def _generators(order: Order, cfgs: dict[str, Any]) -> list[Workload]:
    """The paper's generator, addresses at random in a range, on each texture."""
    chosen = _only(cfgs, BASE, SINGLE_PORT, SINGLE_BANK)
    return [
        Workload(
            f"random/{name}/{kilobytes} KB", chosen, "generator",
            {"texture": name, "bytes": kilobytes << 10},
            OneTexture(name, "random-range", STEPS, order.seed, kilobytes << 8),
        )
        for kilobytes in order.kilobytes
        for name in order.textures
    ]  # fmt: skip


def _walks(order: Order, cfgs: dict[str, Any]) -> list[Workload]:
    """Turned quads with each texture: near, far, seen flat, trilinear; and in tiles, in every layout."""
    workloads = []
    for pattern in order.walks:
        port = (SINGLE_PORT, SINGLE_BANK) if pattern in WALKS else ()
        layouts = ("layouts",) if pattern in ("minified", *TILED) else ()
        chosen = _only(cfgs, BASE, *port, *layouts)
        for name in order.textures:
            meta = {"texture": name, "pattern": pattern}
            walk = OneTexture(name, pattern, order.steps, order.seed)
            workloads.append(Workload(f"walk/{name}/{pattern}", chosen, "walk", meta, walk))
    return workloads


def _cycles(order: Order, cfgs: dict[str, Any]) -> Workload:
    """Requests far apart and close together: shows each published cycle count."""
    rng = np.random.default_rng([order.seed, FAR])
    gaps = np.where(rng.random(997) < 0.6, FAR, rng.integers(1, FAR // 2, 997))
    requests = np.zeros(gaps.sum(), np.uint8)
    requests[np.cumsum(gaps) - 1] = 1
    meta = {"pattern": "random-range, small-levels"}
    spaced = Spaced(order.steps, order.seed)
    return Workload("cycles", _only(cfgs, BASE), "cycles", meta, spaced, tuple(requests.tolist()))
