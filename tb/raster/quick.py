# SPDX-License-Identifier: Apache-2.0
"""Short replays that show most faults of ``raster`` within milliseconds: for mutants."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from configs.raster.schema import Config
from tb.common.replay.machine import Check
from tb.common.replay.traffic import Traffic
from tb.raster.knobs import KNOBS
from tb.raster.replay import verified

COUNT = 900


@dataclass(frozen=True)
class SceneCheck:
    """Compares the RTL of a folder with the model's words, cycles and counters."""

    cfg: Config
    words: NDArray[Any]
    traffic: Traffic
    seed: int

    def __call__(self, folder: Path, plusarg: str) -> str:
        """The first difference, or nothing. Raises ``ReplayError`` if the RTL stops."""
        _, _, wrong = verified(
            self.cfg, self.words, self.seed, traffic=self.traffic, rtl_dir=folder, plusarg=plusarg
        )
        return wrong[0].text if wrong else ""


def checks(cfg: Config, seed: int) -> dict[str, Check]:
    """By name; each compares a scene with the golden model. Raises ``ReplayError`` if the RTL stops."""
    busy = Traffic.random(seed, "request", request=0.3, result=0.4)
    options = KNOBS["distribution"]
    kinds = (("any", Traffic()), ("any", busy), ("lines", Traffic()), ("triangles", busy), ("cuts", busy))
    found: dict[str, Check] = {}
    for number, (name, traffic) in enumerate(kinds):
        words = options[name].draw(cfg, np.random.default_rng(seed + number), COUNT)
        found[f"replay {number + 1}: {name}"] = SceneCheck(cfg, words, traffic, seed)
    return found
