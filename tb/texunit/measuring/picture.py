# SPDX-License-Identifier: Apache-2.0
"""A frame through the RTL and the golden model, and what the same samples look like from llvmpipe."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from configs import MemoryTiming
from configs.texunit.schema import Config
from models.memory import Memory
from models.texunit.address import TABLE_BYTES
from tb.common.replay.compare import Mismatch
from tb.texunit.replay import verified
from tb.texunit.units import Rtl, Seen
from workloads.textures.llvmpipe import Llvmpipe
from workloads.texunit.llvmpipe import sampled
from workloads.texunit.quads import QuadFrame, QuadStream

BRIGHTER = 8  # a difference of one is shown as so much


@dataclass(frozen=True)
class Shot:
    """A frame of n quads by the units.

    ``texels`` [n, 4] from the RTL, ``results`` RESULT [n] from the model; ``mismatches`` between the two, and
    ``figures``.
    """

    frame: QuadFrame
    texels: NDArray[np.uint32]
    results: NDArray[Any]
    rtl: Rtl
    mismatches: list[Mismatch]
    figures: dict[str, Any]

    @property
    def lod(self) -> NDArray[Any]:
        """The level of each quad [n] by the model, with its fraction if there is one."""
        lod: NDArray[Any] = self.results["lod"]
        return lod + self.results["fraction"] / 256 if "fraction" in (self.results.dtype.names or ()) else lod


def shoot_with(
    verified: Callable[..., tuple[Rtl, list[Seen], list[Mismatch]]],
    figures: Callable[..., dict[str, Any]],
    free_first: bool,
    cfg: Any,
    frame: QuadFrame,
    seed: int = 1,
    rtl_dir: Path | None = None,
    progress: Callable[[int], None] | None = None,
    timing: MemoryTiming | None = None,
) -> Shot:
    """Run a frame on all units of ``cfg`` (several share the screen by tiles) and compare with the model.

    ``free_first``: see :meth:`QuadFrame.split`.
    """
    parts = frame.split(cfg.units, free_first=free_first)
    streams = [stream for _, stream in parts]
    rtl, models, mismatches = verified(
        cfg, streams, Memory(seed, 0, frame.image), seed, rtl_dir=rtl_dir, progress=progress, timing=timing
    )
    texels = np.zeros((len(frame.quads), 4), np.uint32)
    results = np.zeros(len(frame.quads), models[0].result.dtype)
    for (mine, _), unit, model in zip(parts, rtl.units, models, strict=True):
        texels[mine], results[mine] = unit.result["texel"], model.result
    return Shot(frame, texels, results, rtl, mismatches, figures(cfg, frame, streams, rtl, models))


def figures(
    cfg: Config, frame: QuadFrame, streams: Sequence[QuadStream], rtl: Rtl, _: Sequence[Seen]
) -> dict[str, Any]:
    """Headline numbers. ``cycles`` are those of ``tex_clk``, shares of time those of all units together;
    ``table_lines`` of the ``lines`` read are colour tables.
    """
    total = {name: sum(unit.counters[name] for unit in rtl.units) for name in rtl.units[0].counters}
    queries, time = total["queries"], rtl.cycles * cfg.units
    return {
        "scene": frame.name, "config": cfg.name, "units": cfg.units, "width": frame.width,
        "height": frame.height, "quads": len(frame.quads), "pixels": frame.pixels,
        "cycles": round(rtl.cycles),
        "pixels_per_clock": frame.pixels / rtl.cycles, "queries": queries,
        "queries_per_pixel": queries / frame.pixels, "repeat_rate": total["repeats"] / queries,
        "hit_rate": (total["repeats"] + total["hits"]) / queries,
        "hit_rate_without_repeats": total["hits"] / max(1, queries - total["repeats"]),
        "memory_wait_share": total["memory_wait_cycles"] / time, "lines": rtl.lines,
        "primitives": sum(len(stream.prims) for stream in streams),
        "table_lines": sum(TABLE_BYTES[kind] // 16 for stream in streams for kind in stream.prims["format"]),
        "bytes_per_pixel": rtl.lines * cfg.cache.line_bytes / frame.pixels, "counters": total,
    }  # fmt: skip


shoot = partial(shoot_with, verified, figures, False)


@dataclass(frozen=True)
class Difference:
    """How far the RTL's samples are from other ones, over drawn pixels and channels RGBA.

    ``most`` and ``mean`` in steps of 1/255; ``same`` is the share of identical samples.
    """

    most: int
    mean: float
    same: float

    @classmethod
    def of(
        cls, ours: NDArray[np.uint32], theirs: NDArray[np.uint32], drawn: NDArray[np.bool_]
    ) -> "Difference":
        """Of samples [n, 4] where ``drawn``."""
        own, other = (
            np.ascontiguousarray(texels[drawn].astype("<u4")).view(np.uint8).reshape(-1, 4).astype(np.int16)
            for texels in (ours, theirs)
        )
        apart = np.abs(own - other)
        return cls(int(apart.max(initial=0)), float(apart.mean()), float((apart == 0).all(axis=1).mean()))

    def __str__(self) -> str:
        """For people."""
        if not self.most:
            return "identical in every sample"
        return f"max {self.most}, mean {self.mean:.3f} of 255; {self.same:.2%} of the samples identical"


@dataclass(frozen=True)
class Beside:
    """The same samples by llvmpipe: at the levels it chooses, and at those that the unit chose.

    ``reasons``: quads that differ with llvmpipe's levels, by :func:`reasons`.
    """

    driver: str
    texels: NDArray[np.uint32]
    own_levels: Difference
    our_levels: Difference
    reasons: dict[str, int]

    def figures(self) -> dict[str, Any]:
        """For JSON."""
        kinds = {"own_levels": self.own_levels, "our_levels": self.our_levels}
        common = {"driver": self.driver, "reasons": self.reasons}
        return common | {name: vars(difference) for name, difference in kinds.items()}


def reasons(frame: QuadFrame, lod: NDArray[Any], differ: NDArray[np.bool_]) -> dict[str, int]:
    """Why llvmpipe took another level in the quads that ``differ`` [n], each counted once, in this order.

    ``half``: the exact level is within 0.05 of a half, where it is rounded; llvmpipe's logarithm is
    approximate. ``edge``: not all pixels are valid; the unit takes differences along the lower row and the
    right column if both of their pixels are, llvmpipe always along the upper and the left one. ``last``: the
    unit's last level, 8. ``other``: none of these.
    """
    prim, uv = frame.prims[frame.prim_of_quad], frame.quads["uv"] / 65536
    size = np.stack([2.0 ** prim["log2w"], 2.0 ** prim["log2h"]], axis=1)
    lengths = [(((uv[:, corner] - uv[:, 0]) * size) ** 2).sum(axis=1) for corner in (1, 2)]
    level = np.log2(np.maximum(np.maximum(*lengths), 1e-9)) / 2
    half = np.abs(level % 1 - 0.5) < 0.05
    edge, last = frame.quads["valid"] != 15, lod >= 8
    counts, left = {}, differ.copy()
    for name, which in (("half", half), ("edge", edge), ("last", last)):
        counts[name] = int((left & which).sum())
        left &= ~which
    return counts | {"other": int(left.sum())}


def sampled_beside(gl: Llvmpipe, frame: QuadFrame, texels: NDArray[np.uint32], lod: NDArray[Any]) -> Beside:
    """Have llvmpipe sample ``frame`` of n quads, which units made ``texels`` [n, 4] of, at levels ``lod``."""
    drawn = frame.drawn
    own, ours = sampled(gl, frame), sampled(gl, frame, lod)
    differ = ((own != texels) & drawn).any(axis=1)
    return Beside(
        gl.driver, own, Difference.of(texels, own, drawn), Difference.of(texels, ours, drawn),
        reasons(frame, lod, differ),
    )  # fmt: skip


def side_by_side(frame: QuadFrame, ours: NDArray[np.uint32], theirs: NDArray[np.uint32]) -> NDArray[np.uint8]:
    """Three pictures in a row: ours, theirs, and the difference of the two made ``BRIGHTER``."""
    left, middle = frame.picture(ours), frame.picture(theirs)
    apart = np.abs(left.astype(np.int16) - middle) * BRIGHTER
    gap = np.full((frame.height, 4, 3), 255, np.uint8)
    return np.concatenate([left, gap, middle, gap, np.minimum(apart, 255).astype(np.uint8)], axis=1)
