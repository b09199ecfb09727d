# SPDX-License-Identifier: Apache-2.0
"""Frames whose depth is tested before the shader: what passes is shaded, the picture is the late test's."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from configs import UserError
from models.depth import EQUAL
from models.renderer import render
from models.texunit import TexunitModel
from tb.renderer.commands import frame as command
from tb.renderer.picture import shoot
from tb.renderer.replay import memory_of, predict, verified
from tests.replay.renderer.test_frame import BASE, EARLY, EARLY_TINY, SMALL, TINY, killing
from workloads.renderer.frame import render_frame
from workloads.scenes import SCENES, built_in


def sampled_pixels(counters: dict[str, dict[str, int]]) -> int:
    """By all texture units."""
    return sum(counts["pixels"] for part, counts in counters.items() if part.startswith("texunit"))


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
    covered, shaded = (sampled_pixels(prediction.counters) for prediction in (late, early))
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
    sampled, _ = TexunitModel(BASE.texunit, memory_of(frame)).replay(
        frame.quads.prims, quads, frame.quads.prim_of_quad[which]
    )
    differ = sampled["texel"] != frame.texels(late.words)[which]
    passed = (shown[which][:, None] >> np.arange(4) & 1).astype(bool)
    assert ((sampled["lod"] != late.lod[which]).sum(), (differ & passed).sum()) == (4, 8)


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
    made, _, mismatches = verified(EARLY_TINY, frame)
    assert not mismatches and not made.words["passed"].any() and not made.words["texel"].any()
    assert made.counters["renderer"]["quads"] == len(frame.quads.quads) > 100
    assert sampled_pixels(made.counters) == 0 and (made.reads >= frame.vertices.base).all()


def test_the_command_renders_with_an_early_test(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """llvmpipe has the samples of what is shaded, at the units' levels."""
    out = tmp_path / "x.png"
    argv = ["--config", "early-tiny", "--scene", "objects", "--size", "32x24", "--out", str(out)]
    assert command.main([*argv, "--depth", "early"]) == 0
    shown = capsys.readouterr().out
    assert "IDENTICAL RTL and model" in shown and "llvmpipe, our levels  identical in every sample" in shown
    summary = json.loads(out.with_suffix(".json").read_text())
    assert summary["test"] == "early" and summary["passed"] <= summary["shaded"] < summary["pixels"]
    assert summary["waits"]["depth test"].keys() == {
        "the oldest tile's samples", "a place to be shaded", "the oldest tile's line, on its way",
        "the oldest tile's line, being written", "the oldest tile's line, not to be asked for yet",
    }  # fmt: skip
