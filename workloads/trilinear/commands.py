# SPDX-License-Identifier: Apache-2.0
"""Commands of ``python -m workloads`` that are about ``trilinear``: samples of scenes."""

from configs.trilinear.schema import TRILINEAR, Config
from workloads.capture import Capture
from workloads.scenes.picture import write_png
from workloads.scenes.scene import Scene
from workloads.texcache.frame import FILTERS, render, shade
from workloads.traces.writing import save_columns
from workloads.trilinear.samples import of_trace


def capture(cfg: Config, scene: Scene, wanted: Capture) -> list[str]:
    """A scene's samples as a trace file, without its textures; its picture. Raises :class:`UserError`."""
    frame = render(
        scene, *wanted.size, wanted.order or "scan", wanted.filter or FILTERS[1], wanted.view,
        cfg.half.max_side, wanted.depth,
    )  # fmt: skip
    requests = of_trace(cfg, frame.trace(cfg.half))
    write_png(wanted.out.with_suffix(".png"), shade(frame, frame.texels()))
    save_columns(wanted.out, requests.columns, requests.name)
    pairs = int((requests.columns["op"] == TRILINEAR).sum())
    return [
        *(f"note: {note}" for note in frame.notes),
        f"{wanted.out}: {frame.fragments} samples, {pairs} of them of two levels",
    ]
