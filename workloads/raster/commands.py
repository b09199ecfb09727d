# SPDX-License-Identifier: Apache-2.0
"""Commands of ``python -m workloads`` that are about the rasterizer: vertices of scenes."""

from configs.raster.schema import Config
from workloads.capture import Capture
from workloads.raster.trace import save_vertices
from workloads.raster.vertices import check_choice, check_window, vertex_frame
from workloads.scenes.depth import DepthScene, of_meshes
from workloads.scenes.depth_scenes import DEPTH_SCENES
from workloads.scenes.picture import write_png
from workloads.scenes.scene import Scene
from workloads.zcache.depth_buffer import final_depths, picture
from workloads.zcache.tiles import tile_frame

SCENES = DEPTH_SCENES
LISTS = {"Depth scenes": {name: build.__doc__ for name, build in DEPTH_SCENES.items()}}


def capture(cfg: Config, scene: Scene | DepthScene, wanted: Capture) -> list[str]:
    """A scene's vertices as a trace file, and what is in the depth buffer after them.

    Raises :class:`configs.UserError`.
    """
    check_choice(wanted.filter, (), "filter")
    check_choice(wanted.order, (), "order")
    check_window(cfg, *wanted.size)
    depth_scene = scene if isinstance(scene, DepthScene) else of_meshes(scene)
    vertices = vertex_frame(depth_scene, *wanted.size, wanted.view)
    frame = tile_frame(vertices, cfg)
    write_png(wanted.out.with_suffix(".png"), picture(vertices, final_depths(frame)[0]))
    save_vertices(wanted.out, vertices.words, vertices.name)
    notes = [f"note: {note}" for note in vertices.notes]
    return [*notes, f"{wanted.out}: {len(vertices.words)} words; {frame.figures}"]
