# SPDX-License-Identifier: Apache-2.0
"""Frames through the Verilated texture unit, without Python in the cycle loop."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from configs import UserError
from configs.texunit.schema import Config
from models.memory import Memory
from models.texunit import PRIM, RESULT
from tb.common.lanes import Lanes, pack, unpack
from tb.common.replay import Replay
from tb.common.replay_library import Roles
from workloads.quads import QuadFrame

ROLES = Roles(request="quad0", result="res0", event="evt0", counters="perf0")


@dataclass(frozen=True)
class Rtl:
    """What one unit did with a frame of n quads.

    ``result``: RESULT [n] (without level and number of queries). ``tex_cycles``: from the
    first primitive to the last result; ``counters`` of the design.
    """

    result: NDArray[Any]
    tex_cycles: int
    counters: dict[str, int]


def prim_lanes(cfg: Config, prims: NDArray[Any]) -> Lanes:
    """PRIM array [n] packed for stream ``prim0``."""
    return pack(cfg.streams["prim0"], {name: prims[name] for name in PRIM.names or ()}, len(prims))


def quad_lanes(cfg: Config, quads: NDArray[Any]) -> Lanes:
    """QUAD array [n] packed for stream ``quad0``."""
    columns = {f"{'uv'[axis]}{pixel}": quads["uv"][:, pixel, axis] for pixel in range(4) for axis in range(2)}
    return pack(cfg.streams["quad0"], {"valid": quads["valid"], **columns}, len(quads))


def replay(
    cfg: Config,
    frame: QuadFrame,
    seed: int = 1,
    rtl_dir: Path | None = None,
    progress: Callable[[int], None] | None = None,
) -> Rtl:
    """Run ``frame`` through unit 0. Raises :class:`UserError` for a configuration with several units."""
    if cfg.units != 1:
        raise UserError(
            f"configuration {cfg.name} has {cfg.units} units: a frame takes one (CONFIG=one-unit)"
        )
    machine = Replay(
        cfg, Memory(seed, 0, frame.image), cfg.line_bytes, seed=seed, rtl_dir=rtl_dir, roles=ROLES
    )
    machine.idle(4 * cfg.sets)  # until the cache has swept its sets
    prims, quads = prim_lanes(cfg, frame.prims), quad_lanes(cfg, frame.quads)
    first = np.searchsorted(frame.prim_of_quad, np.arange(len(frame.prims) + 1))
    rows, began, done = [], machine.cycle, 0
    for number, prim in enumerate(prims):
        machine.feed("prim0", prim[None])
        for chunk in machine.run(quads[first[number] : first[number + 1]]):
            rows.append(chunk.results.copy())
        done = int(first[number + 1])
        if progress:
            progress(done)
    words = np.concatenate(rows)
    result = np.zeros(len(words), RESULT)
    for pixel in range(4):
        result["texel"][:, pixel] = unpack(cfg.streams["res0"], words, f"texel{pixel}")
    for name in ("valid", "err"):
        result[name] = unpack(cfg.streams["res0"], words, name)
    return Rtl(result, machine.cycle - began, machine.counters())
