# SPDX-License-Identifier: Apache-2.0
"""The depth buffer against the functional model of ``zcache``; trace files; what the command writes."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from PIL import Image

from configs import UserError, load
from configs.depth import BASE, CLEAR
from models.memory import Memory
from models.raster import TILE
from models.zcache import functional
from workloads.__main__ import main
from workloads.raster.trace import load_vertices, save_vertices
from workloads.raster.vertices import VertexFrame, vertex_frame
from workloads.scenes.depth_scenes import DEPTH_SCENES
from workloads.zcache.depth_buffer import final_depths
from workloads.zcache.tiles import TileFrame, tile_frame
from workloads.zcache.trace import load_tiles, save_tiles, tile_columns

RASTER, GIVEN, FIXED = load("raster"), load("zcache", "tiny"), load("zcache", "paper")
words = st.one_of(st.integers(0, (1 << 32) - 1), st.sampled_from([0, 0xFFFF, 0xFFFFFF, 0x1FFFFFF, 0x2FFFF]))


@settings(deadline=None, max_examples=200)
@given(st.data())
def test_the_depth_buffer_is_that_of_the_functional_model(data: st.DataObject) -> None:
    count = data.draw(st.integers(1, 6))
    tiles = np.zeros(count + 2, TILE)
    tiles["op"][:2], tiles["depth"][0, 1:3], tiles["depth"][1, 0] = (BASE, CLEAR), 2, data.draw(words)
    for tile in tiles[2:]:
        for name, limit in (("mask", 65535), ("x", 1), ("test", 1), ("func", 7), ("write", 1), ("format", 2)):
            tile[name] = data.draw(st.integers(0, limit))
        tile["depth"] = data.draw(arrays(np.uint32, 16, elements=words))
    kill = data.draw(arrays(np.uint16, len(tiles)))
    empty: Any = np.zeros(0)
    surface = VertexFrame("test", 8, 4, 0, 0, empty, empty, empty)
    stored, passed = final_depths(TileFrame(surface, tiles, kill, empty))
    expected = functional(GIVEN, tiles, Memory(), kill)
    assert passed.tolist() == expected.passed.tolist()
    assert (stored[0] == [expected.lines[0], expected.lines[1]]).all()


def small(name: str = "garden") -> TileFrame:
    return tile_frame(vertex_frame(DEPTH_SCENES[name](), 32, 24), load("raster", "tiny"))


@pytest.mark.parametrize("suffix", ["npz", "csv"])
@pytest.mark.parametrize("cfg", [GIVEN, FIXED])
def test_tiles_come_back_from_their_file(tmp_path: Path, cfg: Any, suffix: str) -> None:
    frame = small()
    path = tmp_path / f"a.{suffix}"
    save_tiles(path, cfg, frame)
    loaded, wanted = load_tiles(path, cfg), tile_columns(cfg, frame)
    assert ("kill" in loaded) == cfg.given
    assert loaded.keys() == wanted.keys()
    for name, column in wanted.items():
        assert (loaded[name] == column).all(), name


@pytest.mark.parametrize("suffix", ["npz", "csv"])
def test_vertices_come_back_from_their_file(tmp_path: Path, suffix: str) -> None:
    made = vertex_frame(DEPTH_SCENES["tents"](), 32, 24)
    save_vertices(tmp_path / f"a.{suffix}", made.words, made.name)
    assert np.array_equal(load_vertices(tmp_path / f"a.{suffix}", RASTER), made.words)


def test_killed_pixels_leave_the_mask_where_nobody_can_say_so() -> None:
    """Which changes neither what passes nor what is stored."""
    frame = small()
    kill = tile_columns(GIVEN, frame)["kill"]
    folded = frame.tiles.copy()
    folded["mask"] = tile_columns(FIXED, frame)["mask"]
    assert kill.any() and (folded["mask"] != frame.tiles["mask"]).any()
    stored, passed = final_depths(frame)
    also_stored, also_passed = final_depths(TileFrame(frame.vertices, folded, 0 * kill, frame.work))
    assert np.array_equal(stored, also_stored) and np.array_equal(passed, also_passed)


@pytest.mark.parametrize(
    "row, message",
    [
        ("op,topology,x,y\nbegin,strip,0,24", "x of a begin, the window's side, must be 1 to 4096 in base"),
        ("op,topology,x,y\nbegin,strip,24,4097", "y of a begin"),
        ("op,x,y\nvertex,4194304,0", "x=4194304"),
        ("op,topology,x,y\nbegin,quads,24,24", "topology='quads'"),
    ],
)
def test_vertices_that_mean_nothing_are_refused(tmp_path: Path, row: str, message: str) -> None:
    (tmp_path / "a.csv").write_text(row + "\n")
    with pytest.raises(UserError, match=message):
        load_vertices(tmp_path / "a.csv", RASTER)


@pytest.mark.parametrize("block", ["raster", "zcache"])
@pytest.mark.parametrize("scene", ["tents", "corridors"])
def test_capture_writes_a_trace_and_the_depth_buffer_s_picture(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], block: str, scene: str
) -> None:
    trace = tmp_path / "a.npz"
    assert main(["capture", block, "--scene", scene, "--size", "64x48", "--out", str(trace)]) == 0
    shown = capsys.readouterr().out
    assert str(trace) in shown and "tiles" in shown and "overdraw" in shown
    with Image.open(tmp_path / "a.png") as image:
        assert image.size == (64, 48)
        grey = np.array(image)[..., 0]
    assert len(np.unique(grey)) > 20
    if scene == "tents":  # the sky is at the top, the nearest tents at the bottom
        assert not grey[:10].any() and grey[-4:].max() > grey[20:30].max()
    with np.load(trace) as arrays:
        assert set(arrays.files) > {"op", "x", "y", "version", "name"}


@pytest.mark.parametrize(
    "command, message",
    [
        ("zcache --filter nearest", "filter 'nearest': depth blocks have none to choose"),
        ("zcache --order tile8", "order 'tile8': choose one of rows, serpentine"),
        ("raster --order rows", "order 'rows': depth blocks have none to choose"),
        ("raster --scene tents --view 1", "view 1: scene tents has views 0..0"),
        ("zcache --config tiny", "picture of 320x240: tiny has surfaces to 32x32"),
        ("raster --scene dunes", "unknown scene 'dunes': choose one of corridors.*tents, or give an OBJ"),
    ],
)
def test_bad_commands(command: str, message: str) -> None:
    with pytest.raises(UserError, match=message):
        main(["capture", *command.split()])


@pytest.mark.parametrize(("preset", "other"), [("paper", False), ("hierarchical", True)])
def test_a_note_says_what_shaders_kill(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], preset: str, other: bool
) -> None:
    """With bounds, a trace without those pixels is other traffic."""
    common = ["capture", "zcache", "--scene", "garden", "--size", "32x24", "--config", preset]
    assert main([*common, "--out", str(tmp_path / "a.npz")]) == 0
    shown = capsys.readouterr().out
    assert "note: what shaders kill is left out of the masks, without a port shade" in shown
    assert (": other traffic, as bounds are asked before the shader" in shown) == other
