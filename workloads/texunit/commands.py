# SPDX-License-Identifier: Apache-2.0
"""Commands of ``python -m workloads`` that are about texture units: quads of scenes."""

from collections.abc import Callable
from typing import Any

from configs import UserError
from configs.texunit.schema import Config, Units
from models.memory import Memory
from models.sampler import NEAREST, TRILINEAR
from models.texunit import TexunitModel
from workloads.capture import Capture
from workloads.scenes.picture import write_png
from workloads.scenes.scene import Scene
from workloads.texunit.quad_files import save_frame
from workloads.texunit.quads import filters, quad_frame


def capture(cfg: Config, scene: Scene, wanted: Capture) -> list[str]:
    """:func:`captured` of the published units."""
    return captured(cfg, scene, wanted, TexunitModel)


def captured(cfg: Units, scene: Scene, wanted: Capture, model: Callable[[Any, Memory], Any]) -> list[str]:
    """A scene's quads as a trace file for the units, and the picture that their golden ``model`` samples.

    Raises :class:`UserError`.
    """
    choices = filters(cfg)
    filter = wanted.filter or choices[0]
    if filter not in choices:
        where = " (two levels: BLOCK=texpipe CONFIG=trilinear)" if filter == TRILINEAR else ""
        raise UserError(f"filter {filter!r}: choose one of {', '.join(choices)}{where}")
    if wanted.order:
        raise UserError(f"order {wanted.order!r}: the texture unit takes quads in the scene's own order only")
    width, height = wanted.size
    scene = scene.solid()
    frame = quad_frame(
        scene, width, height, wanted.view, bilinear=filter != NEAREST, trilinear=filter == TRILINEAR,
        max_side=cfg.max_side, depth=wanted.depth,
    )  # fmt: skip
    golden, _ = model(cfg, Memory(1, 0, frame.image)).replay(*frame.stream)
    write_png(wanted.out.with_suffix(".png"), frame.picture(golden["texel"]))
    save_frame(wanted.out, frame, cfg.units)
    notes = [f"note: {note}" for note in scene.notes]
    return [
        *notes,
        f"{wanted.out}: {len(frame.quads)} quads, {frame.pixels} pixels, {cfg.units} unit(s), "
        f"depth tested {frame.depth}",
    ]
