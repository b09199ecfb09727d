# SPDX-License-Identifier: Apache-2.0
"""A frame out of the renderer's RTL: pictures, what each part read, wrote and waited for, llvmpipe."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from configs import MemoryTiming
from configs.depth import PIXELS
from configs.renderer.schema import Config
from models.renderer import Rendered
from tb.common.replay.compare import Mismatch
from tb.renderer.replay import BEAT, Rtl, verified
from tb.texunit.measuring.picture import Beside, sampled_beside, side_by_side
from workloads.renderer.frame import RenderFrame
from workloads.textures.llvmpipe import Llvmpipe
from workloads.zcache.depth_buffer import picture as depth_picture

#: Why a tile waits for its line (docs/zcache.md, counters), and the causes that these sum up.
LINE_WAITS = {
    ", on its way": ("late", "fill"), ", being written": ("writing",),
    ", not to be asked for yet": ("victim", "buffer", "read", "set"),
}  # fmt: skip
CLEARED = 1  # the word of pix that says the depth buffer is cleared: behind that of its base


@dataclass(frozen=True)
class Shot:
    """What the renderer made of a frame: the RTL's side, the model's, what differs, and ``figures``."""

    frame: RenderFrame
    rtl: Rtl
    model: Rendered
    mismatches: list[Mismatch]
    figures: dict[str, Any]

    def pictures(self, other: Beside) -> dict[str, NDArray[np.uint8]]:
        """Pictures by what is added to their file's name; nothing is added to the renderer's own."""
        which, shown = self.frame.sampled(self.rtl.words)
        texels = self.frame.texels(self.rtl.words)[which]
        return {
            "": shown.picture(texels), "-depth": self.depth(), "-llvmpipe": shown.picture(other.texels),
            "-beside": side_by_side(shown, texels, other.texels),
        }  # fmt: skip

    def depth(self) -> NDArray[np.uint8]:
        """The depth buffer as the RTL left it in memory, in grey."""
        vertices, surface = self.frame.vertices, self.frame.surface
        words = self.rtl.machine.read_many(np.arange(surface.start, surface.stop))
        return depth_picture(vertices, words.reshape(vertices.rows, vertices.pitch, PIXELS))

    def beside(self, gl: Llvmpipe) -> Beside:
        """Have llvmpipe sample the frame too."""
        which, sampled = self.frame.sampled(self.rtl.words)
        texels = self.frame.texels(self.rtl.words)[which]
        return sampled_beside(gl, sampled, texels, self.model.lod[which])


def shoot(
    cfg: Config,
    frame: RenderFrame,
    seed: int = 1,
    rtl_dir: Path | None = None,
    progress: Callable[[int], None] | None = None,
    timing: MemoryTiming | None = None,
) -> Shot:
    """Run a frame through the RTL and compare with the model."""
    rtl, model, mismatches = verified(cfg, frame, seed, rtl_dir=rtl_dir, progress=progress, timing=timing)
    return Shot(frame, rtl, model, mismatches, figures(cfg, frame, rtl))


def figures(cfg: Config, frame: RenderFrame, rtl: Rtl) -> dict[str, Any]:
    """Headline numbers; ``shaded`` are pixels that were sampled. Bytes are those that went through the AXI4
    port; waiting is in shares of all cycles, of texture units on average; hit rates are of cache queries, and
    of tiles that come to the depth test.
    """
    count, cycles, units = rtl.counters, rtl.cycles, cfg.texunit.units
    own, depth, raster = (count[name] for name in ("renderer", "zcache", "raster"))
    texture = {name: sum(count[f"texunit{n}"][name] for n in range(units)) for name in count["texunit0"]}
    return {
        "scene": frame.vertices.name, "config": cfg.name, "test": cfg.test, "units": units,
        "width": frame.vertices.width, "height": frame.vertices.height,
        "primitives": raster["primitives"], "tiles": own["tiles"], "quads": own["quads"],
        "pixels": raster["pixels"], "passed": depth["passed"], "shaded": texture["pixels"],
        "shaded_quads": texture["quads"], "states": len(frame.kill),
        "cycles": cycles, "clear_cycles": int(rtl.t_result[CLEARED]) + 1,
        "pixels_per_clock": raster["pixels"] / cycles,
        "bytes": {
            "texture_reads": BEAT * own["texture_beats"], "depth_reads": BEAT * own["depth_beats"],
            "depth_writes": BEAT * own["written_beats"],
        },
        "hit_rates": {
            "texture": (texture["repeats"] + texture["hits"]) / max(texture["queries"], 1),
            "depth": depth["hits"] / max(depth["hits"] + depth["lates"] + depth["misses"], 1),
        },
        "waits": waits(cfg, count, cycles, texture), "counters": count,
    }  # fmt: skip


def waits(
    cfg: Config, count: dict[str, dict[str, int]], cycles: int, texture: dict[str, int]
) -> dict[str, dict[str, float]]:
    """Shares of all cycles in which a part waited, by part and by what it waited for."""
    units = cfg.texunit.units
    lines = "the oldest tile's line" if cfg.early else "the shaded tile's line"
    places = {"a place to be shaded": count["renderer"]["test_wait_cycles"]} if cfg.early else {}
    own, depth, raster = (count[name] for name in ("renderer", "zcache", "raster"))
    waited: dict[str, dict[str, float]] = {
        "raster": {"a tile not taken": raster["tile_wait_cycles"]},
        "texunit": {
            "a line from memory": texture["memory_wait_cycles"] / units,
            "a quad": texture["quad_wait_cycles"] / units,
        },
        "quads": {
            "coordinates or state": own["coordinates_wait_cycles"],
            "the quad's texture unit": own["unit_wait_cycles"],
        },
        "depth test": {
            "the oldest tile's samples": own["sample_wait_cycles"],
            **{
                f"{lines}{how}": sum(depth[f"{cause}_wait_cycles"] for cause in causes)
                for how, causes in LINE_WAITS.items()
            },
            **places,
        },
        "consumer": {"a result not taken": own["result_wait_cycles"]},
        "AXI": {"two read requests in one cycle": own["address_wait_cycles"]},
    }
    return {
        part: {what: number / cycles for what, number in listed.items()} for part, listed in waited.items()
    }
