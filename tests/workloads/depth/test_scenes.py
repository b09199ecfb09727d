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
from workloads.zcache.tiles import TileFrame, killed, tile_frame

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


def without(frame: TileFrame, batches: list[int]) -> TileFrame:
    """The frame without the tiles of some batches."""
    kept = ~np.isin(np.repeat(frame.vertices.batch, frame.work["words"]), batches)
    return TileFrame(frame.vertices, frame.tiles[kept], frame.kill[kept], frame.work)


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
    found = rasterize(drawing.clip_space, drawing.uv, np.ones(count, np.int64), flags, *SIZE)
    assert tiles(name).figures.pixels == len(found)


def test_blended_water_hides_nothing_and_passes_where_no_hill_is_before_it() -> None:
    frame = tiles("shore")
    depths, passed = final_depths(frame)
    assert (depths == final_depths(without(frame, [1]))[0]).all()
    water = np.repeat(frame.vertices.batch, frame.work["words"]) == 1
    assert passed[water].any() and not passed[water].all()
    assert not frame.tiles["write"][water].any()


def test_leaves_kill_a_part_of_the_foliage_and_of_nothing_else() -> None:
    frame = tiles("garden")
    foliage = np.repeat(frame.vertices.batch, frame.work["words"]) == 1
    assert not frame.kill[~foliage].any()
    assert not (frame.kill & ~frame.tiles["mask"]).any()
    share = (
        np.unpackbits(frame.kill.view(np.uint8)).sum()
        / np.unpackbits(frame.tiles["mask"][foliage].view(np.uint8)).sum()
    )
    assert 0.3 < share < 0.8
    whole = TileFrame(frame.vertices, frame.tiles, np.zeros_like(frame.kill), frame.work)
    assert (final_depths(frame)[0] != final_depths(whole)[0]).mean() > 0.05


def test_the_pattern_of_leaves_moves_from_primitive_to_primitive() -> None:
    """Within one it goes on from tile to tile: a tile 16 to the right has the same, one beside it another."""
    some = np.repeat(tiles("tents").tiles[2:3], 4)
    some["x"], some["y"] = [5, 5 + 16, 6, 5], 7
    differ = set()
    for prim in range(8):
        some["prim"] = [prim, prim, prim, prim + 1]
        same, again, beside, other = killed(some).tolist()
        assert same == again
        differ |= {("beside", same != beside), ("other", same != other)}
    assert {("beside", True), ("other", True)} <= differ
    some["x"], some["y"] = [5, 6, 5 + 29, 6 + 29], [7, 8, 7 + 11, 8 + 11]  # four steps of 29 and 11 pixels
    some["prim"] = [4, 4, 0, 0]
    assert killed(some)[:2].tolist() == killed(some)[2:].tolist() != [0, 0]


def test_a_second_pass_with_equal_finds_what_the_first_one_left() -> None:
    """And near things, in a range of their own, lie before all others."""
    frame = tiles("tents")
    _, passed = final_depths(frame)
    batch = np.repeat(frame.vertices.batch, frame.work["words"])
    depths, _ = final_depths(without(frame, [2, 3]))
    seen = np.zeros(depths.shape, bool)
    for number in np.flatnonzero(np.isin(batch, [2, 3])):
        one = frame.tiles[number]
        seen[one["y"], one["x"]] |= (passed[number] >> np.arange(16) & 1).astype(bool)
    assert (seen == (depths != 0)).all() and seen.any()
    near_by = frame.tiles[batch == 0]
    assert near_by["depth"][(near_by["mask"][:, None] >> np.arange(16) & 1) == 1].min() >= 1 << 31
    far_away = frame.tiles[batch == 1]
    assert far_away["depth"].max() <= 1 << 31


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
    asked = raster.scene(RASTER, killing, 0, SIZE).columns
    assert (asked["x"] == vertices("objects").words["x"]).all()


def test_a_view_that_there_is_not_and_one_that_shows_nothing() -> None:
    with pytest.raises(UserError, match=r"view 1: scene wires has views 0..0"):
        vertex_frame(opened("wires"), *SIZE, view=1)
    scene = opened("garden")
    blind = DepthScene("blind", scene.cameras, lambda _camera, _aspect: [])
    with pytest.raises(UserError, match="scene blind, view 0: nothing to see from Camera"):
        vertex_frame(blind, *SIZE)
    with pytest.raises(UserError, match="picture of 160x120: tiny has surfaces to 32x32"):
        tile_frame(vertices("garden"), load("raster", "tiny"))
