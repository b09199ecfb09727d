# SPDX-License-Identifier: Apache-2.0
"""Short replays that show most faults of ``renderer`` within a second: for mutants."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from configs import MemoryTiming
from configs.renderer.schema import Config
from models.renderer import Rendered
from tb.common.replay.machine import Check
from tb.common.replay.traffic import Traffic
from tb.renderer.replay import check, memory_of, predict, run, started
from workloads.renderer.frame import RenderFrame, render_frame
from workloads.scenes import built_in

SIZE = 20, 12  # pixels
CHANNELS = ("request", "result", "address", "data", "write_address", "write_data")


def checks(cfg: Config, seed: int) -> dict[str, Check]:
    """By name; each compares a frame with the golden model. Raises ``ReplayError`` if the RTL stops."""
    busy = Traffic.random(seed, "beat", response=0.5, **dict.fromkeys(CHANNELS, 0.4))
    kinds = (
        ("calm", "objects", Traffic(), MemoryTiming()),
        ("busy", "corridors", busy, MemoryTiming(latency=3)),
        ("near", "decals", Traffic(), MemoryTiming(latency=1)),
    )
    found: dict[str, Check] = {}
    for number, (name, scene, traffic, timing) in enumerate(kinds):
        frame = render_frame(cfg, built_in(scene), *SIZE)
        model = predict(cfg, frame, memory_of(frame))
        options = {"timing": timing, "traffic": traffic}
        found[f"replay {number + 1}: {name}"] = FrameCheck(cfg, frame, model, seed, options)
    return found


@dataclass(frozen=True)
class FrameCheck:
    """Compares what the RTL of a folder makes of ``frame`` with ``model``; ``options`` of the replay."""

    cfg: Config
    frame: RenderFrame
    model: Rendered
    seed: int
    options: dict[str, Any]

    def __call__(self, folder: Path, plusarg: str) -> str:
        """The first difference, or nothing. Raises ``ReplayError`` if the RTL stops."""
        memory = memory_of(self.frame)
        where: dict[str, Any] = {"rtl_dir": folder, "plusarg": plusarg, **self.options}
        machine = started(self.cfg, self.frame, memory, self.seed, **where)
        wrong = check(self.frame, self.model, run(machine, self.cfg, self.frame))
        return wrong[0].text if wrong else ""
