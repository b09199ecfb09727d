# SPDX-License-Identifier: Apache-2.0
"""The scenes for depth blocks: what each is like, and what must hold of its traffic."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from cacheforge import raster, zcache
from configs import UserError, load
from configs.depth import BASE, CLEAR, D16, D24X8, D32, EQUAL, FLUSH, GREATER, LEQUAL, LESS, TILE
from configs.raster.schema import BEGIN, FAN, LINE_STRIP, LINES, PASS, POINTS, STRIP, TRIANGLES
from models.rasterizer import CULL_BACK, rasterize
from utils.keys import ROOT
from workloads.raster.vertices import VertexFrame, cleared, vertex_frame
from workloads.scenes import SCENES, built_in
from workloads.scenes.depth import DepthScene, of_meshes
from workloads.scenes.depth_scenes import DEPTH_SCENES
from workloads.zcache.depth_buffer import final_depths
from workloads.zcache.tiles import TileFrame, tile_frame

SIZE = 160, 120
RASTER = load("raster", "base")


def opened(name: str) -> DepthScene:
    return DEPTH_SCENES[name]() if name in DEPTH_SCENES else of_meshes(built_in(name))


@cache
def vertices(name: str) -> VertexFrame:
    return vertex_frame(opened(name), *SIZE)


@cache
def tiles(name: str) -> TileFrame:
    return tile_frame(vertices(name), RASTER)


@pytest.mark.parametrize(
    "name, topologies, functions, form, first",
    [
        ("wires", {POINTS, LINES, LINE_STRIP}, {LESS}, D24X8, 0xFFFFFF),
        ("shore", {STRIP}, {LEQUAL}, D24X8, 0xFFFFFF),
        ("garden", {TRIANGLES}, {LESS}, D16, 0xFFFF),
        ("tents", {FAN}, {GREATER, EQUAL}, D32, 0),
    ],
)
def test_each_scene_has_its_primitives_functions_and_format(
    name: str, topologies: set[int], functions: set[int], form: int, first: int
) -> None:
    words = vertices(name).words
    begins = words[words["op"] == BEGIN]
    assert set(begins["topology"].tolist()) == topologies
    assert set(begins["func"].tolist()) == functions
    assert set(begins["format"].tolist()) == {form}
    assert words[1]["z"] == first == cleared(1.0 if first else 0.0, form)


@pytest.mark.parametrize("name", [*DEPTH_SCENES, *SCENES])
def test_a_surface_is_cleared_at_first_and_flushed_in_the_end(name: str) -> None:
    frame = tiles(name)
    assert frame.tiles["op"][[0, 1, -1]].tolist() == [BASE, CLEAR, FLUSH]
    assert (frame.tiles["op"][2:-1] == TILE).all()
    assert frame.tiles["depth"][0, :3].tolist() == [0, 40, 40 * 30]
    assert frame.tiles["x"].max() < 40 and frame.tiles["y"].max() < 30
    passed = frame.vertices.words[frame.vertices.words["op"] == PASS]
    assert passed["command"].tolist() == [BASE, CLEAR, FLUSH]
    assert frame.figures.visible > 500
    depths, _ = final_depths(frame)
    assert (depths != frame.tiles["depth"][1, 0]).mean() > 0.1


@pytest.mark.parametrize("name", DEPTH_SCENES)
def test_scenes_are_the_same_each_time(name: str) -> None:
    assert (vertex_frame(opened(name), *SIZE).words == vertices(name).words).all()


@pytest.mark.parametrize("name", SCENES)
def test_pixels_of_a_textured_scene_are_those_of_its_picture(name: str) -> None:
    drawing = built_in(name).draw_list(built_in(name).camera(0), SIZE[0] / SIZE[1])
    count = len(drawing.flags)
    flags = (drawing.flags & CULL_BACK).astype(np.uint8)
    fragments = rasterize(drawing.clip_space, drawing.uv, np.ones(count, np.int64), flags, *SIZE)
    assert tiles(name).figures.pixels == len(fragments)


@pytest.mark.parametrize("name", [*DEPTH_SCENES, *SCENES])
def test_the_figures_of_the_page_are_those_of_the_scene(name: str) -> None:
    frame = tile_frame(vertex_frame(opened(name), 640, 480), RASTER)
    visited = tile_frame(frame.vertices, load("raster", "base", ["emit=visited"])).figures.tiles
    counts, passed = frame.figures, final_depths(frame)[1]
    row = (
        f"| `{name}` | {counts.primitives:,} | {counts.tiles:,} | {counts.tiles_per_primitive:.1f} "
        f"| {counts.overdraw:.2f} | {counts.places:,} | {visited / counts.tiles:.2f} "
        f"| {np.unpackbits(passed.view(np.uint8)).sum() / counts.pixels:.0%} |"
    ).replace("% |", " % |")
    assert row in (ROOT / "docs" / "workloads.md").read_text().splitlines()


def test_a_mesh_that_discards_is_refused_where_depths_are_stored() -> None:
    """By its alpha: nobody samples it there. Vertices are the same."""
    scene = built_in("objects")
    killing = replace(scene, meshes=(replace(scene.meshes[0], kill=128), *scene.meshes[1:]))
    with pytest.raises(UserError, match="scene objects: a mesh discards pixels by their alpha"):
        zcache.scene(load("zcache", "paper"), killing, 0, SIZE)
    columns = raster.scene(RASTER, killing, 0, SIZE).columns
    assert (columns["x"] == vertices("objects").words["x"]).all()


def test_a_view_that_there_is_not_and_one_that_shows_nothing() -> None:
    with pytest.raises(UserError, match=r"view 1: scene wires has views 0..0"):
        vertex_frame(opened("wires"), *SIZE, view=1)
    scene = opened("garden")
    blind = DepthScene("blind", scene.cameras, lambda _camera, _aspect: [])
    with pytest.raises(UserError, match="scene blind, view 0: nothing to see from Camera"):
        vertex_frame(blind, *SIZE)
    with pytest.raises(UserError, match="picture of 160x120: tiny has surfaces to 32x32"):
        tile_frame(vertices("garden"), load("raster", "tiny"))
