# SPDX-License-Identifier: Apache-2.0
"""Frames whose depth is tested before the shader: what passes is shaded, the picture is the late test's."""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import configs
from configs import MemoryTiming, UserError
from models.depth import EQUAL
from models.memory import Memory
from models.renderer import render
from models.texunit import TexunitModel
from tb.common.replay.machine import DeadlockError
from tb.renderer.commands import frame as command
from tb.renderer.picture import shoot
from tb.renderer.replay import memory_of, predict, run, started, verified
from tests.replay.renderer.test_frame import (
    BASE,
    SMALL,
    TINY,
    after_resets_in_the_middle,
    design_with,
    killing,
    stalled,
)
from workloads.renderer.frame import render_frame
from workloads.scenes import SCENES, built_in

EARLY: Any = configs.load("renderer", "early")
EARLY_TINY: Any = configs.load("renderer", "early-tiny")


def sampled_pixels(counters: dict[str, dict[str, int]]) -> int:
    """By all texture units."""
    return sum(one["pixels"] for part, one in counters.items() if part.startswith("texunit"))


@pytest.mark.slow
@pytest.mark.parametrize("scene", SCENES)
def test_rtl_and_model_agree(scene: str) -> None:
    """In every word of pix, the depth buffer, counters and bursts; picture and depths are the late test's."""
    frame, late = (render_frame(cfg, built_in(scene), *SMALL) for cfg in (EARLY_TINY, TINY))
    shot, model = shoot(EARLY_TINY, frame), predict(TINY, late, memory_of(late))
    assert not shot.mismatches, shot.mismatches[0].text
    count = shot.rtl.counters
    assert count["texunit0"]["evictions"] > 50 and count["zcache"]["evictions"] > 30
    assert (frame.picture(shot.rtl.words) == late.picture(model.words)).all()
    assert model.lines.keys() == shot.model.lines.keys()
    assert all((model.lines[line] == words).all() for line, words in shot.model.lines.items())
    pixels, shaded, passed = (shot.figures[name] for name in ("pixels", "shaded", "passed"))
    assert passed <= shaded <= pixels == late.quads.pixels and (shaded < pixels or scene == "decals")
    assert count["renderer"]["quads"] == len(frame.quads.quads) >= shot.figures["shaded_quads"]
    assert all(0 <= share <= 1 for listed in shot.figures["waits"].values() for share in listed.values())


@pytest.mark.parametrize("scene", SCENES)
def test_what_is_shown_is_that_of_the_late_test(scene: str) -> None:
    """Each sample, too: a quad goes with all covered pixels, so that it is sampled at the same level."""
    early, late = (
        predict(cfg, frame, memory_of(frame))
        for cfg in (EARLY, BASE)
        for frame in [render_frame(cfg, built_in(scene), 160, 120)]
    )
    texels = ("tile", "x", "y", "prim", "mask", "passed", "err")
    assert all((early.words[name] == late.words[name]).all() for name in texels)
    shown = (late.words["passed"][:, None] >> np.arange(16) & 1).astype(bool)
    assert (early.words["texel"] == late.words["texel"])[shown].all()
    quads = late.words["passed"] != 0
    assert not early.words["texel"][~quads].any()
    assert late.words["texel"][~quads].any() or scene == "decals"
    covered, shaded = (sampled_pixels(one.counters) for one in (late, early))
    assert covered == late.counters["raster"]["pixels"]
    assert late.counters["zcache"]["passed"] <= shaded < 0.95 * covered or scene == "decals"


def test_covered_pixels_decide_the_level() -> None:
    """With those alone that passed a few quads would be sampled at another level, and look different."""
    frame = render_frame(BASE, built_in("terrain"))
    late = predict(BASE, frame, memory_of(frame))
    shown = frame.shown(late.words).shown
    which = np.flatnonzero(shown)
    quads = frame.quads.quads[which]
    quads["valid"] = shown[which]
    found, _ = TexunitModel(BASE.texunit, memory_of(frame)).replay(
        frame.quads.prims, quads, frame.quads.prim_of_quad[which]
    )
    differ = found["texel"] != frame.texels(late.words)[which]
    passed = (shown[which][:, None] >> np.arange(4) & 1).astype(bool)
    assert ((found["lod"] != late.lod[which]).sum(), (differ & passed).sum()) == (4, 8)


def test_four_units_share_each_tile() -> None:
    frame = render_frame(EARLY, built_in("terrain"), 64, 48)
    shot = shoot(EARLY, frame, timing=MemoryTiming(latency=30))
    assert not shot.mismatches, shot.mismatches[0].text
    shared = [shot.rtl.counters[f"texunit{unit}"]["quads"] for unit in range(4)]
    assert min(shared) > 0 and sum(shared) == shot.figures["shaded_quads"] < len(frame.quads.quads)


def test_what_discards_is_refused() -> None:
    """By the frame and by the model; the scene as it is discards nothing."""
    scene = built_in("terrain")
    with pytest.raises(UserError, match=r"terrain: an alpha discards pixels, .* take test=late"):
        render_frame(EARLY_TINY, killing(scene), *SMALL, 1)
    frame = render_frame(EARLY_TINY, scene, *SMALL, 1)
    states = frame.states
    states["kill"][-1] = 1
    quads = frame.quads
    with pytest.raises(UserError, match="an alpha discards pixels"):
        render(
            EARLY_TINY, frame.vertices.words, states, quads.quads["uv"], quads.prim_of_quad, memory_of(frame)
        )


def test_of_what_nothing_passes_nothing_is_sampled() -> None:
    """All coordinates are taken, and dropped; memory is read for depths alone."""
    scene = built_in("decals")
    never = replace(scene, meshes=tuple(replace(mesh, draw=0, compare=EQUAL) for mesh in scene.meshes))
    frame = render_frame(EARLY_TINY, never, *SMALL)
    made, _, found = verified(EARLY_TINY, frame)
    assert not found and not made.words["passed"].any() and not made.words["texel"].any()
    assert made.counters["renderer"]["quads"] == len(frame.quads.quads) > 100
    assert sampled_pixels(made.counters) == 0 and (made.reads >= frame.vertices.base).all()


def test_stalls_and_the_order_of_memory_change_times_only() -> None:
    """What was tested waits to be shaded in either."""
    assert min(one.counters["renderer"]["test_wait_cycles"] for one in stalled(EARLY_TINY)) > 0


def test_after_a_reset_in_the_middle_all_is_as_at_first() -> None:
    """With bursts of both parts open."""
    after_resets_in_the_middle(EARLY_TINY)


def with_errors(lines: Sequence[int], **options: Any) -> tuple[NDArray[Any], NDArray[Any]]:
    """PIX [n] of tiles and of barriers, with memory that fails for ``lines`` of 16 bytes."""
    frame = render_frame(EARLY_TINY, built_in("corridors"), *SMALL)
    memory = Memory(1, 0, frame.quads.image, lines or [frame.vertices.base // 16])
    words = run(started(EARLY_TINY, frame, memory, **options), EARLY_TINY, frame).words
    return words[words["tile"] == 1], words[words["tile"] == 0]


def flags_of_the_corner(**options: Any) -> bool:
    """Whether memory that fails for the first line of depths shows as it must."""
    tiles, barriers = with_errors((), **options)
    corner = (tiles["x"] == 0) & (tiles["y"] == 0)
    assert corner.any() and not tiles["passed"][corner].any() and not tiles["texel"][corner].any()
    return bool((tiles["err"] == corner).all()) and barriers["err"].tolist() == [0, 1, 0]


def test_errors_of_memory_are_flagged() -> None:
    """Of a line of textures the tiles sampled from it; of one of depths the tiles it is of, of which nothing
    passes and nothing is sampled, and the clear that could not write it.
    """
    image = render_frame(EARLY_TINY, built_in("corridors"), *SMALL).quads.image
    tiles, barriers = with_errors(range(0, image.size // 4, 2))
    assert 0.2 < tiles["err"].mean() < 1 and not barriers["err"].any()
    assert tiles["passed"][tiles["err"] == 1].all()
    assert flags_of_the_corner()


#: file, text, what it is with the plusarg of its name
WRONG = {
    "early_shaded": ("renderer_quads.v", "wire hidden = ", "wire hidden = !$test$plusargs(NAME) & "),
    "early_other": ("renderer_quads.v", "|(next & ~shown)",
                    "|(next & ~($test$plusargs(NAME) ? {shown[2:0], shown[3]} : shown))"),
    "early_barrier": ("renderer.v", ".out_ready(take),",
                      ".out_ready(take & (flight_tile | !$test$plusargs(NAME))),"),
    "early_beside": ("renderer_collect.v", "beside <= here_beside;",
                     "beside <= $test$plusargs(NAME) ? take_beside : here_beside;"),
    "early_error": ("renderer.v", "pix_err | failed", "(pix_err & !$test$plusargs(NAME)) | failed"),
}  # fmt: skip


@pytest.fixture(scope="module")
def wrong() -> Path:
    """Verilog with all of them, of which a plusarg chooses one."""
    return design_with(EARLY_TINY, WRONG, "renderer-early-wrong")


@pytest.mark.slow
def test_it_is_the_bugs_that_are_noticed(wrong: Path) -> None:
    frame = render_frame(EARLY_TINY, built_in("objects"), *SMALL)
    assert not verified(EARLY_TINY, frame, rtl_dir=wrong)[2]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["early_shaded", "early_other", "early_barrier"])
def test_a_design_that_stops_is_named(name: str, wrong: Path) -> None:
    """A quad too many leaves a result behind, on which its unit waits; one too few is waited for; a barrier
    that stays beside the test is in the way.
    """
    frame = render_frame(EARLY_TINY, built_in("objects"), *SMALL)
    with pytest.raises(DeadlockError, match=r"port vtx, result \d+ of \d+, and word"):
        verified(EARLY_TINY, frame, rtl_dir=wrong, plusarg=f"+{name}")


def test_what_belongs_to_another_word_is_noticed(wrong: Path) -> None:
    frame = render_frame(EARLY_TINY, built_in("objects"), *SMALL)
    _, _, found = verified(EARLY_TINY, frame, rtl_dir=wrong, plusarg="+early_beside")
    assert any(": x is " in one.text for one in found), [one.text for one in found]


def test_a_lost_error_is_noticed(wrong: Path) -> None:
    assert flags_of_the_corner(rtl_dir=wrong)
    assert not flags_of_the_corner(rtl_dir=wrong, plusarg="+early_error")


def test_the_command_renders_with_an_early_test(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """llvmpipe has the samples of what is shaded, at the units' levels."""
    out = tmp_path / "x.png"
    argv = ["--config", "early-tiny", "--scene", "objects", "--size", "32x24", "--out", str(out)]
    assert command.main([*argv, "--depth", "early"]) == 0
    shown = capsys.readouterr().out
    assert "IDENTICAL RTL and model" in shown and "llvmpipe, our levels  identical in every sample" in shown
    told = json.loads(out.with_suffix(".json").read_text())
    assert told["test"] == "early" and told["passed"] <= told["shaded"] < told["pixels"]
    assert told["waits"]["depth test"].keys() == {
        "the oldest tile's samples", "a place to be shaded", "the oldest tile's line, on its way",
        "the oldest tile's line, being written", "the oldest tile's line, not to be asked for yet",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["--config", "early-tiny", "--depth", "late"], "renderer early-tiny tests depth early"),
        (["--config", "tiny", "--depth", "early"], "renderer tiny tests depth late"),
        (["--config", "early", "--set", "zcache.shading.source=given"], "must be fixed with test=early"),
        (["--config", "early", "--set", "tested=3"], "tested=3"),
    ],
)
def test_bad_input_is_named(argv: list[str], message: str) -> None:
    with pytest.raises(UserError, match=message):
        command.main(argv)
