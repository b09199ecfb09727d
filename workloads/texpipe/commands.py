# SPDX-License-Identifier: Apache-2.0
"""Commands of ``python -m workloads`` that are about the pipelined texture unit: quads of scenes."""

from configs.texpipe.schema import Config
from models.texpipe import TexpipeModel
from workloads.capture import Capture
from workloads.scenes.scene import Scene
from workloads.texunit.commands import captured


def capture(cfg: Config, scene: Scene, wanted: Capture) -> list[str]:
    """A scene's quads as a trace file, of two levels if the units mix them; the picture. Raises as there."""
    return captured(cfg, scene, wanted, TexpipeModel)
