# SPDX-License-Identifier: Apache-2.0
"""A frame through RTL and golden model: what units that are never flushed make of it, and how fast."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from configs import MemoryTiming
from configs.texpipe.schema import Config
from models.memory import Memory
from models.texunit.address import TABLE_BYTES
from tb.common.replay.compare import Mismatch
from tb.texpipe.replay import Model, Rtl, verified
from workloads.texunit.quads import QuadFrame, QuadStream


@dataclass(frozen=True)
class Shot:
    """What the units made of a frame of n quads.

    ``texels`` [n, 4] from the RTL; ``lod`` [n] by the model, with its fraction; ``mismatches`` between the
    two, and ``figures``.
    """

    frame: QuadFrame
    texels: NDArray[np.uint32]
    lod: NDArray[np.float64]
    rtl: Rtl
    mismatches: list[Mismatch]
    figures: dict[str, Any]


def shoot(
    cfg: Config,
    frame: QuadFrame,
    seed: int = 1,
    rtl_dir: Path | None = None,
    progress: Callable[[int], None] | None = None,
    timing: MemoryTiming | None = None,
) -> Shot:
    """Run a frame on all units of ``cfg`` and compare with the model.

    Several share the screen by tiles. The next one goes to the unit that is free first: at a pixel per clock
    that is who has drawn the fewest.
    """
    parts = frame.split(cfg.units, free_first=True)
    streams = [stream for _, stream in parts]
    rtl, models, mismatches = verified(
        cfg, streams, Memory(seed, 0, frame.image), seed, rtl_dir=rtl_dir, progress=progress, timing=timing
    )
    texels = np.zeros((len(frame.quads), 4), np.uint32)
    lod = np.zeros(len(frame.quads))
    for (mine, _), unit, model in zip(parts, rtl.units, models, strict=True):
        texels[mine] = unit.result["texel"]
        lod[mine] = model.result["lod"] + model.result["fraction"] / 256
    return Shot(frame, texels, lod, rtl, mismatches, figures(cfg, frame, streams, rtl, models))


def figures(
    cfg: Config, frame: QuadFrame, streams: Sequence[QuadStream], rtl: Rtl, models: Sequence[Model]
) -> dict[str, Any]:
    """Headline numbers. ``cycles`` are those of ``tex_clk``, ``waits`` shares of them, of all units together.

    ``table_lines`` of the ``lines`` read are colour tables, ``table_lines_unkept`` what they would be if each
    primitive read its own; ``mixed``: share of pixels of two levels, which ``lookups_per_pixel`` counts
    twice; ``bus_share``: of the cycles in which memory's data bus carried a beat.
    """
    total = {name: sum(unit.counters[name] for unit in rtl.units) for name in rtl.units[0].counters}
    time = rtl.cycles * cfg.units
    beats = sum(len(model.beats) for model in models)
    unkept = sum(TABLE_BYTES[kind] // 16 for stream in streams for kind in stream.prims["format"])
    return {
        "scene": frame.name, "config": cfg.name, "units": cfg.units, "width": frame.width,
        "height": frame.height, "quads": len(frame.quads), "pixels": frame.pixels,
        "cycles": round(rtl.cycles), "pixels_per_clock": frame.pixels / rtl.cycles,
        "pixels_per_clock_and_unit": frame.pixels / time,
        "mixed": total.get("mixed", 0) / frame.pixels, "beats": beats,
        "lookups_per_pixel": total["lookups"] / beats, "hit_rate": total["hits"] / max(1, total["lookups"]),
        "lines": rtl.lines, "table_lines": rtl.lines - total["misses"], "table_lines_unkept": unkept,
        "bytes_per_pixel": rtl.lines * cfg.cache.line_bytes / frame.pixels,
        "bus_share": rtl.lines * cfg.beats_per_line / rtl.cycles,
        "primitives": sum(len(stream.prims) for stream in streams),
        "split_texels": sum(int(model.beats["split"].sum()) for model in models),
        "waits": {
            name.removesuffix("_wait_cycles"): value / time
            for name, value in total.items() if name.endswith("_wait_cycles")
        },
        "counters": total,
    }  # fmt: skip
