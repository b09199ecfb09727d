# SPDX-License-Identifier: Apache-2.0
"""Commands of ``python -m workloads`` that are about the depth cache: tiles of scenes."""

from configs.zcache.schema import Config
from workloads.capture import Capture
from workloads.raster.vertices import check_choice, check_window, vertex_frame
from workloads.scenes.depth import DepthScene, of_meshes
from workloads.scenes.depth_scenes import DEPTH_SCENES
from workloads.scenes.picture import write_png
from workloads.scenes.scene import Scene
from workloads.zcache.depth_buffer import final_depths, picture
from workloads.zcache.tiles import ORDERS, rasterizer, tile_frame
from workloads.zcache.trace import save_tiles

SCENES = DEPTH_SCENES


def capture(cfg: Config, scene: Scene | DepthScene, wanted: Capture) -> list[str]:
    """A scene's tiles as a trace file, and what is in the depth buffer after them.

    Raises :class:`configs.UserError`.
    """
    check_choice(wanted.filter, (), "filter")
    check_choice(wanted.order, ORDERS, "order")
    check_window(cfg, *wanted.size)
    depth_scene = scene if isinstance(scene, DepthScene) else of_meshes(scene)
    vertices = vertex_frame(depth_scene, *wanted.size, wanted.view)
    frame = tile_frame(vertices, rasterizer(cfg, wanted.order or ORDERS[0]))
    stored, passed = final_depths(frame)
    write_png(wanted.out.with_suffix(".png"), picture(vertices, stored))
    save_tiles(wanted.out, cfg, frame)
    share = sum(int(word).bit_count() for word in passed) / frame.figures.pixels
    notes = [f"note: {note}" for note in vertices.notes]
    if not cfg.given and frame.kill.any():
        other = ": other traffic, as bounds are asked before the shader" if cfg.bounds else ""
        notes.append(f"note: what shaders kill is left out of the masks, without a port shade{other}")
    return [*notes, f"{wanted.out}: {frame.figures}; {share:.0%} of the pixels pass"]
