# SPDX-License-Identifier: Apache-2.0
"""Commands of ``python -m workloads`` that are about the texture unit: quads of scenes."""

from configs import UserError
from configs.texunit.schema import Config
from models.memory import Memory
from models.texunit import TexunitModel
from workloads.capture import Capture
from workloads.scenes.picture import write_png
from workloads.scenes.scene import Scene
from workloads.texunit.quad_files import save_frame
from workloads.texunit.quads import FILTERS, quad_frame

LISTS: dict[str, dict[str, str]] = {}


def capture(cfg: Config, scene: Scene, wanted: Capture) -> list[str]:
    """A scene's quads as a trace file for the units, and the picture that the golden model samples.

    Raises :class:`UserError`.
    """
    filter = wanted.filter or FILTERS[0]
    if filter not in FILTERS:
        raise UserError(f"filter {filter!r}: choose one of {', '.join(FILTERS)}")
    if wanted.order:
        raise UserError(f"order {wanted.order!r}: the texture unit takes quads in the scene's own order only")
    width, height = wanted.size
    bilinear = filter == FILTERS[0]
    scene = scene.solid()
    frame = quad_frame(
        scene, width, height, wanted.view, bilinear=bilinear, max_side=cfg.max_side, depth=wanted.depth
    )
    golden, _ = TexunitModel(cfg, Memory(1, 0, frame.image)).replay(*frame.stream)
    write_png(wanted.out.with_suffix(".png"), frame.picture(golden["texel"]))
    save_frame(wanted.out, frame, cfg.units)
    notes = [f"note: {note}" for note in scene.notes]
    return [
        *notes,
        f"{wanted.out}: {len(frame.quads)} quads, {frame.pixels} pixels, {cfg.units} unit(s), "
        f"depth tested {frame.depth}",
    ]
