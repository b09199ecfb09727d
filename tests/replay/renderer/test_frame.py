# SPDX-License-Identifier: Apache-2.0
"""Frames through rasterizer, texture units and depth test in RTL; that a wrong design is noticed."""

import json
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

import configs
from configs import MemoryTiming, UserError
from models.depth import EQUAL, LEQUAL
from models.memory import Memory
from models.texunit import TexunitModel
from tb.common.replay.progress import Progress
from tb.common.replay.traffic import Traffic
from tb.renderer.commands import frame as command
from tb.renderer.picture import shoot
from tb.renderer.replay import check, memory_of, predict, run, started, verified, work
from tests.replay.traces import planted
from workloads.renderer.frame import render_frame
from workloads.scenes import SCENES, built_in
from workloads.scenes.scene import BLEND, Scene
from workloads.texunit.quads import quad_frame

BASE: Any = configs.load("renderer")
TINY: Any = configs.load("renderer", "tiny")
EARLY: Any = configs.load("renderer", "early")
EARLY_TINY: Any = configs.load("renderer", "early-tiny")
KINDS = ("late", "early")
SMALL = 32, 24


def killing(scene: Scene) -> Scene:
    """Blended meshes become solid, with holes where alpha is below a half; others pass where equal, too."""
    meshes = (
        replace(mesh, draw=0, kill=128) if mesh.draw == BLEND else replace(mesh, compare=LEQUAL)
        for mesh in scene.meshes
    )
    return replace(scene, meshes=tuple(meshes))


@pytest.mark.slow
@pytest.mark.parametrize("scene", SCENES)
def test_rtl_and_model_agree(scene: str) -> None:
    """In every word of pix, the depth buffer, counters and bursts; evictions of both caches among it."""
    shot = shoot(TINY, render_frame(TINY, built_in(scene), *SMALL))
    assert not shot.mismatches, shot.mismatches[0].text
    count = shot.rtl.counters
    assert count["texunit0"]["evictions"] > 50 and count["zcache"]["evictions"] > 30
    assert shot.figures["bytes"]["texture_reads"] == 16 * (shot.rtl.reads < shot.frame.vertices.base).sum()
    assert 0 < shot.figures["passed"] <= shot.figures["pixels"] == count["texunit0"]["pixels"]
    assert all(0 <= share <= 1 for listed in shot.figures["waits"].values() for share in listed.values())


@pytest.mark.parametrize("scene", SCENES)
def test_the_picture_is_that_of_the_early_test(scene: str) -> None:
    """The golden rasterizer, which computes depth in another way, tests it before sampling."""
    other = quad_frame(built_in(scene), 160, 120)
    alone: Any = configs.load("texunit", "one-unit")
    golden, _ = TexunitModel(alone, Memory(1, 0, other.image)).replay(*other.stream)
    frame = render_frame(BASE, built_in(scene), 160, 120)
    model = predict(BASE, frame, memory_of(frame))
    assert (frame.picture(model.words) == other.picture(golden["texel"])).all()
    assert model.counters["zcache"]["passed"] == other.pixels < frame.quads.pixels or scene == "decals"


@pytest.mark.parametrize("scene", SCENES)
def test_quads_are_those_of_the_golden_rasterizer(scene: str) -> None:
    """Tile by tile instead of row by row of a triangle, each with its coordinates."""
    frame, other = render_frame(BASE, built_in(scene), 96, 64).quads, quad_frame(
        built_in(scene), 96, 64, depth="late"
    )  # fmt: skip

    def rows(rendered: Any) -> list[tuple[int, ...]]:
        uv = rendered.quads["uv"].reshape(len(rendered.quads), -1)
        prims = np.stack(
            [rendered.prims[name][rendered.prim_of_quad] for name in rendered.prims.dtype.names], axis=1
        )
        return sorted(
            map(tuple, np.column_stack([rendered.x, rendered.y, rendered.quads["valid"], uv, prims]).tolist())
        )

    assert rows(frame) == rows(other)


def test_alpha_kills_and_what_is_behind_shows() -> None:
    frame = render_frame(TINY, killing(built_in("terrain")), *SMALL, 1)
    made, _, mismatches = verified(TINY, frame)
    assert not mismatches, mismatches[0].text
    alpha = frame.texels(made.words) >> 24
    below = frame.quads.drawn & (alpha < frame.kill[frame.quads.prim_of_quad][:, None])
    shown = frame.shown(made.words)
    passes = shown.shown[:, None] >> np.arange(4) & 1
    assert below.sum() > 50 and not (below & (passes == 1)).any()
    solid = render_frame(TINY, replace(frame_scene := killing(built_in("terrain")), meshes=tuple(
        replace(mesh, kill=0) for mesh in frame_scene.meshes)), *SMALL, 1)  # fmt: skip
    unkilled = predict(TINY, solid, memory_of(solid))
    assert (frame.picture(made.words) != solid.picture(unkilled.words)).any()


def test_functions_of_a_mesh_reach_the_test() -> None:
    scene = built_in("decals")
    never = replace(scene, meshes=tuple(replace(mesh, draw=0, compare=EQUAL) for mesh in scene.meshes))
    frame = render_frame(TINY, never, *SMALL)
    made, _, mismatches = verified(TINY, frame)
    assert not mismatches and not made.words["passed"].any(), "nothing is as far away as the cleared depth"


@pytest.mark.parametrize("cfg", [BASE, EARLY], ids=KINDS)
def test_four_units_share_each_tile(cfg: Any) -> None:
    """All covered quads, or with an early test those that are shaded."""
    frame = render_frame(cfg, built_in("terrain"), 64, 48)
    shot = shoot(cfg, frame, timing=MemoryTiming(latency=30))
    assert not shot.mismatches, shot.mismatches[0].text
    shared = [shot.rtl.counters[f"texunit{unit}"]["quads"] for unit in range(4)]
    assert min(shared) > 0
    if cfg.early:
        assert sum(shared) == shot.figures["shaded_quads"] < len(frame.quads.quads)
    else:
        assert shared == np.bincount(frame.work.quad, minlength=4).tolist()


@pytest.mark.parametrize("cfg", [TINY, EARLY_TINY], ids=KINDS)
def test_stalls_and_the_order_of_memory_change_times_only(cfg: Any) -> None:
    """A frame at full rate, and the same with back-pressure on every channel, memory that answers ids in any
    order and beats in between. With an early test, tiles wait to be shaded in either.
    """
    frame = render_frame(cfg, built_in("objects"), *SMALL)
    plain, _, _ = verified(cfg, frame)
    idle = dict.fromkeys(("request", "result", "address", "data", "write_address", "write_data"), 0.4)
    made, _, mismatches = verified(cfg, frame, 7, traffic=Traffic.random(3, "beat", response=0.5, **idle))
    assert not mismatches, mismatches[0].text
    assert made.cycles != plain.cycles and (made.words == plain.words).all()
    own = [run.counters["renderer"] for run in (plain, made)]
    assert own[0]["result_wait_cycles"] == 0 < own[1]["result_wait_cycles"]
    assert not cfg.early or min(counts["test_wait_cycles"] for counts in own) > 0


@pytest.mark.parametrize("cfg", [TINY, EARLY_TINY], ids=KINDS)
def test_after_a_reset_in_the_middle_all_is_as_at_first(cfg: Any) -> None:
    """A frame behind others that resets cut short with bursts of both parts open: of the block alone,
    of memory's side, of both.
    """
    frame = render_frame(cfg, built_in("objects"), *SMALL)
    model = predict(cfg, frame, memory_of(frame))
    machine = started(cfg, frame, memory_of(frame))
    kinds = ({}, {"memory": True, "design": False}, {"memory": True})
    for cycles in range(3000, 3400, 37):
        progress, end = Progress(cfg, machine.roles, work(cfg, frame)), machine.cycle + cycles
        while machine.cycle < end:
            machine.go(progress, end - machine.cycle)
        machine.reset(**kinds[cycles % len(kinds)])
    mismatches = check(frame, model, run(machine, cfg, frame))
    assert not mismatches, mismatches[0].text


@pytest.mark.parametrize("cfg", [TINY, EARLY_TINY], ids=KINDS)
def test_errors_of_memory_are_flagged(cfg: Any) -> None:
    """Every other line of the textures flags the tiles that are sampled from it; a line of the depth buffer
    the tiles it is of, of which nothing passes, and the clear that could not write it.
    """
    frame = render_frame(cfg, built_in("corridors"), *SMALL)
    image, first = frame.quads.image, frame.vertices.base // 16

    def words(lines: Iterable[int]) -> tuple[Any, Any]:
        """Of tiles and of barriers, with memory that fails for ``lines`` of 16 bytes."""
        made = run(started(cfg, frame, Memory(1, 0, image, lines)), cfg, frame).words
        return made[made["tile"] == 1], made[made["tile"] == 0]

    tiles, barriers = words(range(0, image.size // 4, 2))
    assert 0.2 < tiles["err"].mean() < 1 and not barriers["err"].any()
    assert not cfg.early or tiles["passed"][tiles["err"] == 1].all(), "nothing else is sampled"
    tiles, barriers = words([first])
    corner = (tiles["x"] == 0) & (tiles["y"] == 0)
    assert corner.any() and (tiles["err"] == corner).all() and not tiles["passed"][corner].any()
    assert not cfg.early or not tiles["texel"][corner].any()
    assert barriers["err"].tolist() == [0, 1, 0]


def test_a_wrong_design_ends_the_command_with_1(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    wrong = planted(TINY, "renderer-wrong", "renderer_quads.v", "next[1]}} & mask1", "next[1]}} & mask0")
    argv = ["--config", "tiny", "--size", "32x24", "--out", str(tmp_path / "x.png"), "--rtl-dir", str(wrong)]
    assert command.main(argv) == 1
    assert "DIFFERENT RTL and model" in capsys.readouterr().out
    assert not json.loads((tmp_path / "x.json").read_text())["equal"]


def test_the_command_writes_pictures_and_figures(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Of an OBJ file of one's own."""
    corners = "v -1 -1 0\nv 1 -1 0\nv 1 1 0\nv -1 1 0\nvt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\n"
    (tmp_path / "own.mtl").write_text("newmtl a\nKd 0.2 0.6 0.4\n")
    (tmp_path / "own.obj").write_text(f"mtllib own.mtl\n{corners}usemtl a\nf 1/1 2/2 3/3\nf 1/1 3/3 4/4\n")
    out = tmp_path / "x.png"
    argv = ["--config", "tiny", "--scene", str(tmp_path / "own.obj"), "--size", "32x24", "--out", str(out)]
    assert command.main(argv) == 0
    shown = capsys.readouterr().out
    assert "IDENTICAL RTL and model" in shown and "llvmpipe, our levels  identical in every sample" in shown
    for ending, width in (("", 32), ("-depth", 32), ("-llvmpipe", 32), ("-beside", 104)):
        with Image.open(tmp_path / f"x{ending}.png") as image:
            assert image.size == (width, 24)
    with Image.open(out) as image:
        assert len(np.unique(np.asarray(image).reshape(-1, 3), axis=0)) > 2
    summary = json.loads(out.with_suffix(".json").read_text())
    assert summary["equal"] and summary["passed"] == summary["pixels"] > 100
    assert summary["bytes"]["depth_writes"] == 64 * (48 + (summary["counters"]["zcache"]["writebacks"] - 48))
    assert summary["llvmpipe"]["our_levels"] == {"most": 0, "mean": 0.0, "same": 1.0}


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["--size", "0x9"], "write it as WIDTHxHEIGHT"),
        (["--scene", "nope"], "nope"),
        (["--out", "x.jpg"], "the name must end in .png"),
        (["--depth", "early"], "renderer base tests depth late, as its configuration says"),
        (["--config", "tiny", "--size", "33x24"], "tiny has surfaces to 32x32"),
        (["--view", "9"], "view 9"),
        (["--set", "texunit.units=3"], "texunit.units=3: must be 1, 2 or 4"),
        (["--set", "zcache.shading.source=fixed"], "must be given"),
        (["--config", "early-tiny", "--depth", "late"], "renderer early-tiny tests depth early"),
        (["--config", "early", "--set", "zcache.shading.source=given"], "must be fixed with test=early"),
        (["--config", "early", "--set", "tested=3"], "tested=3"),
    ],
)
def test_bad_input_is_named(argv: list[str], message: str) -> None:
    with pytest.raises(UserError, match=message):
        command.main(argv)
