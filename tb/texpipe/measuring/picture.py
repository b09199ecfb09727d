# SPDX-License-Identifier: Apache-2.0
"""A frame through RTL and golden model: what units that are never flushed make of it, and how fast."""

from collections.abc import Sequence
from functools import partial
from typing import Any

from configs.texpipe.schema import Config
from models.texunit.address import TABLE_BYTES
from tb.texpipe.replay import verified
from tb.texunit.measuring.picture import shoot_with
from tb.texunit.units import Rtl, Seen
from workloads.texunit.quads import QuadFrame, QuadStream


def figures(
    cfg: Config, frame: QuadFrame, streams: Sequence[QuadStream], rtl: Rtl, models: Sequence[Seen]
) -> dict[str, Any]:
    """Headline numbers. ``cycles`` are those of ``tex_clk``, ``waits`` shares of them, of all units together.

    ``table_lines`` of the ``lines`` read are colour tables, ``table_lines_unkept`` what they would be if each
    primitive read its own; ``mixed``: share of pixels of two levels, which ``lookups_per_pixel`` counts
    twice; ``bus_share``: of the cycles in which memory's data bus carried a beat.
    """
    total = {name: sum(unit.counters[name] for unit in rtl.units) for name in rtl.units[0].counters}
    time = rtl.cycles * cfg.units
    beats = sum(len(model.events) for model in models)
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
        "split_texels": sum(int(model.events["split"].sum()) for model in models),
        "waits": {
            name.removesuffix("_wait_cycles"): value / time
            for name, value in total.items() if name.endswith("_wait_cycles")
        },
        "counters": total,
    }  # fmt: skip


#: the next tile goes to the unit that is free first: at a pixel per clock the one that has drawn the fewest
shoot = partial(shoot_with, verified, figures, True)
