# SPDX-License-Identifier: Apache-2.0
"""Frames through the texture unit's RTL: the picture, the comparison, and that a wrong design is noticed."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

import configs
from configs import MemoryTiming, UserError
from models.memory import Memory
from models.texunit import TexunitModel
from tb.common.replay.traffic import Traffic
from tb.texunit.commands import frame as command
from tb.texunit.measuring.picture import Beside, Difference, Shot, sampled_beside, shoot
from tb.texunit.replay import replay, verified
from tests.replay.traces import planted
from workloads.scenes import built_in
from workloads.texcache.frame import render, shade
from workloads.textures import from_pixels
from workloads.textures.images import fitted
from workloads.textures.llvmpipe import Llvmpipe
from workloads.texunit.quads import quad_frame

ONE: Any = configs.load("texunit", "one-unit")
FOUR: Any = configs.load("texunit", "small", ["units=4"])


@pytest.mark.slow
@pytest.mark.parametrize("bilinear", [True, False])
def test_rtl_and_model_agree(bilinear: bool) -> None:
    """In every texel, cache query, victim and counter."""
    frame = quad_frame(built_in("objects"), 64, 48, bilinear=bilinear, rgb=True)
    shot = shoot(ONE, frame)
    assert not shot.mismatches
    assert (shot.texels == shot.results["texel"]).all()
    [unit] = shot.rtl.units
    assert unit.counters["quads"] == len(frame.quads)
    assert unit.counters["pixels"] == frame.pixels
    assert unit.counters["queries"] == len(unit.events) == shot.figures["queries"]
    assert (np.diff(unit.t_result) > 0).all() and (unit.t_result > unit.t_request).all()


def beside(gl: Llvmpipe, shot: Shot) -> Beside:
    return sampled_beside(gl, shot.frame, shot.texels, shot.lod)


@pytest.mark.slow
def test_four_units_share_a_frame_by_tiles() -> None:
    frame = quad_frame(built_in("corridors"), 128, 96)
    parts = frame.split(4)
    assert (np.sort(np.concatenate([mine for mine, _ in parts])) == np.arange(len(frame.quads))).all()
    for number, (mine, stream) in enumerate(parts):
        assert (frame.x[mine] // 32 % 2 + frame.y[mine] // 32 % 2 * 2 == number).all()
        assert (stream.quads == frame.quads[mine]).all()
        assert (stream.prims[stream.prim_of_quad] == frame.prims[frame.prim_of_quad[mine]]).all()
    shot, alone = shoot(FOUR, frame), shoot(FOUR.with_(units=1), frame)
    assert not shot.mismatches and not alone.mismatches
    assert (shot.texels == alone.texels).all()
    assert shot.rtl.cycles < alone.rtl.cycles
    assert shot.figures["pixels_per_clock"] > alone.figures["pixels_per_clock"]


def test_the_unit_that_has_drawn_least_takes_the_next_tile() -> None:
    frame = quad_frame(built_in("corridors"), 128, 96)
    pixels = frame.drawn.sum(axis=1)
    tile = frame.y // 32 * 4 + frame.x // 32
    parts = frame.split(3, free_first=True)
    assert (np.sort(np.concatenate([mine for mine, _ in parts])) == np.arange(len(frame.quads))).all()
    drawn = [0, 0, 0]
    for number in range(12):
        [unit] = [unit for unit, (mine, _) in enumerate(parts) if number in tile[mine]]
        assert drawn[unit] == min(drawn)
        drawn[unit] += int(pixels[tile == number].sum())
    for mine, stream in parts:
        assert (np.diff(tile[mine].astype(int)) >= 0).all()
        assert (stream.prims[stream.prim_of_quad] == frame.prims[frame.prim_of_quad[mine]]).all()


def test_stalls_and_slow_memory_change_times_only() -> None:
    frame = quad_frame(built_in("decals"), 48, 32)
    memory = Memory(1, 0, frame.image)
    traffic = Traffic.random(3, request=0.5, result=0.6, address=0.3, data=0.4)
    rtl, _, mismatches = verified(ONE, [frame.stream], memory, 7, traffic=traffic)
    assert not mismatches
    slow, _, mismatches = verified(ONE, [frame.stream], memory, timing=MemoryTiming(latency=200, gap=3))
    assert not mismatches
    assert slow.cycles > rtl.cycles
    assert (slow.units[0].result == rtl.units[0].result).all()


def test_error_responses_are_compared_too() -> None:
    frame = quad_frame(built_in("decals"), 48, 32)
    lines = frame.image.size // 4
    memory = Memory(1, 0, frame.image, poisoned=range(0, lines, 3))
    rtl, [model], mismatches = verified(ONE, [frame.stream], memory)
    assert not mismatches
    assert rtl.units[0].result["err"].any()
    assert rtl.units[0].counters["errors"] == model.counters["errors"] > 0


def test_samples_are_those_of_llvmpipe() -> None:
    """At the unit's levels in every bit; where llvmpipe chooses the level, nearly everywhere."""
    frame = quad_frame(built_in("terrain"), 96, 64)
    other = beside(Llvmpipe(), shoot(ONE, frame))
    assert other.our_levels == Difference(0, 0.0, 1.0)
    assert other.own_levels.same > 0.9 and other.own_levels.mean < 0.5
    assert other.reasons["other"] == 0 and other.reasons["edge"] > 0 and other.reasons["half"] > 0
    assert other.own_levels.most > 0, "levels of detail would have to be equal: they are computed differently"


@pytest.mark.slow
def test_colour_tables_are_sampled_as_llvmpipe_samples_their_colours() -> None:
    """A texel is one byte, a tile one line: more queries repeat; tables are read for each primitive."""
    plain, frame = (quad_frame(built_in("objects"), 96, 64, table=table) for table in (False, True))
    for levels in frame.textures:
        assert len(np.unique(np.concatenate([level.reshape(-1, 4) for level in levels]), axis=0)) <= 256
    shot = shoot(ONE, frame)
    assert not shot.mismatches
    assert beside(Llvmpipe(), shot).our_levels == Difference(0, 0.0, 1.0)
    assert shot.figures["table_lines"] == 64 * len(frame.prims)
    assert shot.figures["lines"] == shot.figures["table_lines"] + shot.figures["counters"]["misses"]
    assert shot.figures["repeat_rate"] > shoot(ONE, plain).figures["repeat_rate"] + 0.1
    apart = np.abs(frame.picture(shot.texels).astype(int) - plain.picture(shoot(ONE, plain).texels))
    assert 0 < apart.mean() < 8, "256 colours look nearly the same"


def test_each_triangle_may_be_a_primitive() -> None:
    merged, each = (quad_frame(built_in("objects"), 96, 64, merged=merged) for merged in (True, False))
    assert len(each.prims) > 2 * len(merged.prims)
    assert (each.quads == merged.quads).all()
    assert (each.prims[each.prim_of_quad] == merged.prims[merged.prim_of_quad]).all()
    shots = [shoot(ONE, frame) for frame in (merged, each)]
    assert not shots[0].mismatches and not shots[1].mismatches
    assert (shots[0].texels == shots[1].texels).all()
    assert shots[1].rtl.cycles > shots[0].rtl.cycles


def test_textures_that_are_not_square_are_sampled_as_they_are() -> None:
    """By RTL, model and llvmpipe alike, wide ones and tall ones, and not as if they were square."""
    scene = built_in("decals")
    sides = [(64, 16), (4, 128), (128, 1), (2, 32)]
    textures = tuple(
        from_pixels(
            texture.name, fitted(Image.fromarray(texture.levels[0]), texture.name, sides=sides[i % 4]).pixels
        )
        for i, texture in enumerate(scene.textures)
    )
    stretched = replace(scene, textures=textures)
    frame = quad_frame(stretched, 96, 64)
    shapes = {tuple(prim) for prim in frame.prims[["log2w", "log2h"]].tolist()}
    assert shapes == {(6, 4), (2, 7), (7, 0), (1, 5)}
    shot = shoot(ONE, frame)
    assert not shot.mismatches
    other = beside(Llvmpipe(), shot)
    assert other.our_levels == Difference(0, 0.0, 1.0) and other.own_levels.same > 0.9
    square = quad_frame(replace(scene, textures=tuple(texture.squared() for texture in textures)), 96, 64)
    assert (square.quads["uv"] == frame.quads["uv"]).all()
    golden, _ = TexunitModel(ONE, Memory(1, 0, square.image)).replay(*square.stream)
    assert (golden["lod"] != shot.lod).mean() > 0.1


def test_the_picture_is_the_scene() -> None:
    """Like the texture cache's picture of the scene, which takes levels and coordinates its own way."""
    frame = quad_frame(built_in("corridors"), 96, 64)
    golden, _ = TexunitModel(ONE, Memory(1, 0, frame.image)).replay(*frame.stream)
    other = render(built_in("corridors"), 96, 64)
    difference = np.abs(frame.picture(golden["texel"]).astype(int) - shade(other, other.texels()).astype(int))
    assert difference.mean() < 3
    assert frame.pixels == other.fragments


def test_the_command_writes_pictures_and_figures(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "x.png"
    assert command.main(["--scene", "decals", "--size", "48x32", "--out", str(out)]) == 0
    shown = capsys.readouterr().out
    assert "IDENTICAL RTL and model" in shown and "llvmpipe, our levels  identical in every sample" in shown
    for name, size in (("x.png", (48, 32)), ("x-llvmpipe.png", (48, 32)), ("x-beside.png", (152, 32))):
        with Image.open(tmp_path / name) as image:
            assert image.size == size
    summary = json.loads(out.with_suffix(".json").read_text())
    assert summary["equal"] and not summary["mismatches"]
    assert 0 < summary["hit_rate"] < 1
    assert summary["llvmpipe"]["our_levels"] == {"most": 0, "mean": 0.0, "same": 1.0}


@pytest.mark.slow
def test_a_wrong_victim_is_noticed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It changes no texel: only the comparison of each query shows it."""
    small = ONE.with_(cache={"sets": 16})
    wrong = planted(small, "wrong-victim", "texunit_cache.v", "{older, phase}", "{~older, phase}")
    argv = ["--set", "cache.sets=16", "--size", "96x64", "--out", str(tmp_path / "x.png")]
    assert command.main([*argv, "--rtl-dir", str(wrong)]) == 1
    shown = capsys.readouterr().out
    assert "DIFFERENT RTL and model" in shown and "query " in shown and ": way is " in shown
    assert not json.loads((tmp_path / "x.json").read_text())["equal"]


def test_bad_input_is_named(tmp_path: Path) -> None:
    for argv, message in (
        (["--size", "0x9"], "write it as WIDTHxHEIGHT"),
        (["--scene", "nope"], "nope"),
        (["--out", str(tmp_path / "x.jpg")], "the name must end in .png"),
    ):
        with pytest.raises(UserError, match=message):
            command.main(argv)
    frame = quad_frame(built_in("decals"), 48, 32)
    with pytest.raises(UserError, match="has 4 units, the work is for 1"):
        replay(FOUR, [frame.stream], Memory())
