# SPDX-License-Identifier: Apache-2.0
"""What ``python -m tb measure trilinear`` measures: the built-in scenes, near and far from memory."""

from typing import Any

from configs.trilinear.schema import Config
from tb.common.measuring.requests import RequestMeasurement
from tb.common.measuring.workload import preset_of
from tb.common.replay.requests import Columns, Rtl
from tb.trilinear.replay import predict, requester
from workloads.scenes import SCENES
from workloads.trilinear.samples import of_scene

SIZE, QUICK_SIZE = (512, 384), (96, 72)
LATENCIES = (1, 26, 100, 400)
DEPTHS = (16, 32, 64)  # of the FIFOs, beside the configuration's


def cfgs(base: Config) -> dict[str, Config]:
    """The configuration at each latency of memory; with a narrow bus; with tiles; twice as large; with
    shorter FIFOs.
    """
    found = {
        f"{cycles} cycle{'s' * (cycles > 1)}": base.with_(memory={"latency": cycles}) for cycles in LATENCIES
    }
    far = found["100 cycles"]
    found["64-bit bus"] = far.with_(axi={"data_bits": 64})
    found["tiles"] = far.with_(half={"layout": "tile4x4"})
    found["twice the size"] = far.with_(half={"cache": {"sets": 2 * base.half.cache.sets}})
    for depth in DEPTHS:
        if depth < base.half.fifo.depth:
            found[f"FIFOs of {depth}"] = far.with_(half={"fifo": {"depth": depth}})
    return {role: preset_of(cfg) for role, cfg in found.items()}


def columns(cfg: Config, scene: str, quick: bool) -> Columns:
    """A scene's samples."""
    return of_scene(cfg, SCENES[scene](), 0, QUICK_SIZE if quick else SIZE).columns


def figures(cfg: Config, asked: Columns, rtl: Rtl) -> dict[str, Any]:
    """Bytes that memory moved, and what the configurations differ in."""
    read = len(rtl.reads["m_axi"]) * cfg.half.cache.line_bytes
    return {"read_bytes": read, "latency": cfg.memory.latency, "depth": cfg.half.fifo.depth}


MEASUREMENT = RequestMeasurement(tuple(SCENES), cfgs, columns, requester, predict, figures)
