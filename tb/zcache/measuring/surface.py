# SPDX-License-Identifier: Apache-2.0
"""A view over shading delay, memory latency, tiles in flight, reads and pace, by the golden model alone."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, NamedTuple

from numpy.typing import NDArray

from configs import MemoryTiming
from configs.zcache.schema import Config
from models.memory import Memory
from models.zcache import run
from models.zcache.figures import figures
from tb.common.measuring import workload
from tb.common.measuring.scenes import SceneOrder
from tb.common.measuring.stored import Result
from tb.common.measuring.workload import Measured
from tb.common.replay.traffic import Traffic
from tb.zcache.measuring.scene import check_tested
from tb.zcache.replay import words
from workloads.raster.vertices import vertex_frame
from workloads.scenes.depth_scenes import open_view
from workloads.scenes.views import View
from workloads.zcache.tiles import rasterizer, tile_frame
from workloads.zcache.trace import tile_columns

#: slices of the surface; each but the last two goes through the middle of them
DISTANCE, FLIGHT, READS, DROPPED, SERIAL, TOUCH = "distance", "flight", "reads", "dropped", "serial", "touch"
LATENCY, DELAY, TILES, FILLS, PACE = 60, 120, 64, 8, 16  # the middle
SERIAL_TILES, SERIAL_DELAY, SERIAL_PACE = 3, 240, 32
TOUCH_PACE, TOUCH_FILLS = 4, 16
KEPT = (
    "tiles", "rows", "pixels", "hits", "lates", "misses", "latency", "queued", "frame_cycles", "lines",
    "issued", "requests", "fate_useful", "fate_late", "fate_early", "fate_useless", "fate_open",
    "dropped_untouched", "dropped_busy",
)  # fmt: skip


class Point(NamedTuple):
    """Cycles of ``latency`` of memory and ``delay`` of shading, ``tiles`` in flight, ``fills`` under way, and
    ``pace`` cycles from tile to tile at least; whether a request that finds all fills busy waits, lines that
    nobody has used are kept, and a request whose set holds no others evicts one of them.
    """

    slice: str
    latency: int = LATENCY
    delay: int = DELAY
    tiles: int = TILES
    fills: int = FILLS
    pace: int = PACE
    waits: bool = True
    ott: bool = True
    evicts: bool = False

    @property
    def base(self) -> "Point":
        """What it is compared with, without prefetch: the same test and memory.

        Demands are served one by one, so that how many reads there may be is nothing to them; nor is the
        delay to their latency, but where few tiles in flight make it the pace.
        """
        if self.slice in (DISTANCE, TOUCH):
            return Point("", latency=self.latency, pace=self.pace)
        return self._replace(slice="", fills=FILLS, waits=True)


def points(quick: bool) -> tuple[Point, ...]:
    """All of the report; few if it is to be ``quick``."""
    latencies, ratios = ((20, 60), (0.5, 2)) if quick else ((20, 60, 200), (0.5, 1, 1.5, 2, 4))
    reads, paces, tiles = (
        ((1, 8), (PACE,), (3, 64)) if quick else ((1, 2, 4, 8), (4, 8, 16, 32), (1, 2, 3, 8, 16, 64))
    )
    dropped, serial = ((2,), (60,)) if quick else ((1, 2, 3, 4), (120,))
    many = (64,) if quick else (64, 128, 256, 512, 1024)
    return (
        *(Point(DISTANCE, latency, round(latency * ratio)) for latency in latencies for ratio in ratios),
        *(Point(FLIGHT, tiles=count, fills=fills) for count in tiles for fills in reads),
        *(Point(READS, pace=pace, fills=fills) for pace in paces for fills in reads),
        *(Point(DROPPED, pace=pace, fills=fills, waits=False) for pace in paces[-2:] for fills in dropped),
        *(
            Point(SERIAL, latency, SERIAL_DELAY, SERIAL_TILES, 1, SERIAL_PACE, waits=False)
            for latency in serial
        ),
        *(
            Point(TOUCH, LATENCY, TOUCH_PACE * count, count, TOUCH_FILLS, TOUCH_PACE, ott=ott, evicts=evicts)
            for count in many for ott, evicts in ((True, False), (True, True), (False, False))
        ),
    )  # fmt: skip


def config_of(base: Config, point: Point, ahead: bool) -> Config:
    """The configuration of a point, its tiles shaded by a port: delays there have no limit."""
    when, untouched = "wait" if point.waits else "drop", "evict" if point.evicts else "drop"
    return base.with_(
        shading={"source": "given", "tiles": point.tiles}, fills=point.fills, ott=point.ott,
        prefetch={"mode": "queue" if ahead else "off", "when_busy": when, "when_untouched": untouched},
    )  # fmt: skip


@dataclass(frozen=True)
class SurfaceRuns(workload.Workload[SceneOrder]):
    """A view of a scene in a size at each of ``points``, with prefetch and without."""

    view: View
    width: int
    height: int
    points: Sequence[Point]

    @cached_property
    def words(self) -> NDArray[Any]:
        """Its tiles, WORD [n], without the pixels that shaders kill."""
        cfg = Config()
        frame = vertex_frame(open_view(self.view), self.width, self.height, self.view.number)
        return words(tile_columns(cfg, tile_frame(frame, rasterizer(cfg))))

    def measure(self, order: SceneOrder) -> Measured:
        parts = self.view, self.width, self.height, order.base.hash, order.seed, tuple(self.points)
        made = order.keep("workloads", self.id, parts, partial(self._rows, order))
        entry = {name: made[name] for name in ("id", "scene", "file", "surface")}
        return Measured(entry, [])

    def _rows(self, order: SceneOrder) -> Result:
        assert isinstance(order.base, Config)
        check_tested(self.view, self.words)
        places = list(dict.fromkeys(point._replace(slice="") for point in self.points))
        bases = list(dict.fromkeys(point.base for point in self.points))
        ahead = {place: self._at(order, place, True) for place in places}
        off = {base: self._at(order, base, False) for base in bases}
        rows = [
            {**point._asdict(), "ahead": ahead[point._replace(slice="")], "off": off[point.base]}
            for point in self.points
        ]
        return Result({"id": self.id, "scene": self.view.name, "surface": rows})

    def _at(self, order: SceneOrder, point: Point, ahead: bool) -> dict[str, Any]:
        assert isinstance(order.base, Config)
        cfg = config_of(order.base, point, ahead)
        golden = run(
            cfg, self.words, Memory(order.seed), timing=MemoryTiming(latency=point.latency),
            pacing=Traffic.spaced(point.pace), delay=point.delay,
        )  # fmt: skip
        every = figures(cfg, self.words, golden, point.delay)
        return {name: every[name] for name in KEPT}
