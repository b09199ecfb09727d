# SPDX-License-Identifier: Apache-2.0
"""A view with each fixed prefetch distance and with one that adapts, by the golden model alone.

In a cache so small that a distance can be too large: the last point of :mod:`workloads.zcache.distances`.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass

from tb.common.measuring import workload
from tb.common.measuring.scenes import SceneOrder
from tb.common.measuring.stored import Result
from tb.common.measuring.workload import Measured
from workloads.raster.vertices import vertex_frame
from workloads.scenes.depth_scenes import open_view
from workloads.scenes.views import View
from workloads.zcache.distances import FIXED, POINTS, compared, configured
from workloads.zcache.frames import words
from workloads.zcache.tiles import rasterizer, tile_frame

POINT = POINTS[-1]


def distances(quick: bool) -> Sequence[int]:
    """The fixed ones; few if it is to be ``quick``."""
    return FIXED[::5] if quick else FIXED


@dataclass(frozen=True)
class AdaptingRuns(workload.Workload[SceneOrder]):
    """A view of a scene in a size with each of the fixed ``distances``, and adapting."""

    view: View
    width: int
    height: int
    distances: Sequence[int]

    def measure(self, order: SceneOrder) -> Measured:
        parts = self.view, self.width, self.height, configured(POINT).hash, POINT, tuple(self.distances)
        made = order.keep("workloads", self.id, parts, self._compared)
        return Measured({name: made[name] for name in ("id", "scene", "file", "adapting")}, [])

    def _compared(self) -> Result:
        cfg = configured(POINT)
        frame = vertex_frame(open_view(self.view), self.width, self.height, self.view.number)
        comparison = compared(
            self.view.name, words(tile_frame(frame, rasterizer(cfg))), POINT, self.distances
        )
        adapting = {
            "point": asdict(POINT), "adaptive": asdict(comparison.adaptive),
            "fixed": [
                {"distance": distance, **asdict(figures)} for distance, figures in comparison.fixed.items()
            ],
        }  # fmt: skip
        return Result({"id": self.id, "scene": self.view.name, "adapting": adapting})
