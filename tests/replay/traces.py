# SPDX-License-Identifier: Apache-2.0
"""Traces and planted bugs for the tests of the replay."""

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import rtl
from configs import BlockConfig
from configs.texcache.schema import Config
from models.texcache import FOOTPRINT
from models.texcache.lut import allocate
from tb.common.running.builds import BUILD
from tests.models.strategies import TEXTURES
from workloads.texcache.trace import Trace

IMAGE = 0xA5  # top byte of every word of the image


def footprints(*rows: tuple[int, int, int], mode: int = 0) -> NDArray[Any]:
    """Footprints of texture 0 from (level, u, v)."""
    result = np.zeros(len(rows), FOOTPRINT)
    for name, column in zip(("level", "u", "v"), np.array(rows, np.int64).reshape(-1, 3).T, strict=True):
        result[name] = column
    result["mode_u"] = result["mode_v"] = mode
    return result


def bound(cfg: Config, chosen: NDArray[Any], *, with_image: bool = False, base: int = 1 << 12) -> Trace:
    """A trace of ``chosen`` over a few largest textures, with an image over part of them if asked."""
    lut, size = allocate(cfg, [cfg.max_side] * min(TEXTURES, cfg.textures), base)
    words = np.arange(size // 8, dtype=np.uint32) & np.uint32(0xFFFFFF) | np.uint32(IMAGE << 24)
    image = words if with_image else None
    return Trace(chosen, lut, base, image, name="test", line_bytes=cfg.cache.line_bytes, layout=cfg.layout)


def planted(cfg: BlockConfig, bug: str, file: str, before: str, after: str) -> Path:
    """The folder of the configuration's Verilog with one text replaced; the same path every time."""
    folder = BUILD / "tests" / "replay" / f"{cfg.preset}-{bug}"
    rtl.write_files(folder, rtl.plant(rtl.generate(cfg), file, before, after))
    return folder
