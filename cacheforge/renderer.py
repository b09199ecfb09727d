# SPDX-License-Identifier: Apache-2.0
"""``renderer`` in the library: pictures of scenes, sampled and tested.

Its traffic is of two ports that depend on each other: there are scenes, and neither patterns nor trace files.
"""

from collections.abc import Sequence

from cacheforge.result import Run, share
from configs import UserError
from configs.renderer.schema import Config
from models.memory import Memory
from models.renderer import render
from workloads.renderer.frame import RenderFrame, render_frame
from workloads.scenes.scene import Scene
from workloads.texunit.quads import FILTERS

PATTERNS: tuple[str, ...] = ()
TRAFFIC = (RenderFrame,)


def scene(
    cfg: Config, scene: Scene, view: int, size: Sequence[int], *, filter: str = FILTERS[0]
) -> RenderFrame:
    """A picture as vertices, and the coordinates of the quads that they cover."""
    if filter not in FILTERS:
        raise UserError(f"filter {filter!r}: choose one of {', '.join(FILTERS)}")
    return render_frame(cfg, scene, size[0], size[1], view, bilinear=filter == FILTERS[0])


def run(cfg: Config, traffic: RenderFrame, seed: int) -> Run:
    """The golden model's results: PIX of each word of ``pix``; the rate is of the pixels that pass."""
    quads = traffic.quads
    outcome = render(
        cfg, traffic.vertices.words, traffic.states, quads.quads["uv"], quads.prim_of_quad,
        Memory(seed, 0, quads.image),
    )  # fmt: skip
    counters = {
        f"{part}.{name}": value
        for part, counted in outcome.counters.items()
        for name, value in counted.items()
    }
    return Run(
        cfg, outcome.words, counters, {"pixels that pass": share(counters["zcache.passed"], quads.pixels)}
    )
