# SPDX-License-Identifier: Apache-2.0
"""Frames through the texture unit's RTL: the picture, the comparison, and that a wrong design is noticed."""

import json
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import configs
import rtl
from configs import UserError
from configs.files import write_if_changed
from models.memory import Memory
from models.texunit import TexunitModel
from tb.common.builds import BUILD
from tb.texunit import frame as command
from tb.texunit.replay import replay
from workloads.frame import render, shade
from workloads.quads import quad_frame
from workloads.scenes import built_in

ONE = configs.load("texunit", "one-unit")


@pytest.mark.parametrize("bilinear", [True, False])
def test_rtl_and_model_agree(bilinear: bool) -> None:
    frame = quad_frame(built_in("objects"), 64, 48, bilinear=bilinear, rgb=True)
    found = replay(ONE, frame)  # type: ignore[arg-type]
    golden, queries = TexunitModel(ONE, Memory(1, 0, frame.image)).replay(  # type: ignore[arg-type]
        frame.prims, frame.quads, frame.prim_of_quad
    )
    assert (found.result["texel"] == golden["texel"]).all()
    assert (found.result["valid"] == frame.quads["valid"]).all()
    assert found.counters["quads"] == len(frame.quads)
    assert found.counters["pixels"] == frame.pixels
    assert found.counters["queries"] == len(queries)


def test_the_picture_is_the_scene() -> None:
    """Like the texture cache's picture of the scene, which takes levels and coordinates its own way."""
    frame = quad_frame(built_in("corridors"), 96, 64)
    golden, _ = TexunitModel(ONE, Memory(1, 0, frame.image)).replay(  # type: ignore[arg-type]
        frame.prims, frame.quads, frame.prim_of_quad
    )
    other = render(built_in("corridors"), 96, 64)
    difference = np.abs(frame.picture(golden["texel"]).astype(int) - shade(other, other.texels()).astype(int))
    assert difference.mean() < 3
    assert frame.pixels == other.fragments


def test_the_command_writes_picture_and_figures(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "x.png"
    assert command.main(["--scene", "decals", "--size", "48x32", "--out", str(out)]) == 0
    assert "IDENTICAL" in capsys.readouterr().out
    with Image.open(out) as image:
        assert image.size == (48, 32)
    told = json.loads(out.with_suffix(".json").read_text())
    assert told["quads_that_differ"] == 0
    assert 0 < told["hit_rate"] < 1


def test_a_wrong_design_is_noticed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = rtl.generate(ONE)
    before = "texel_number(pixel_x1, pixel_y0,"
    assert before in files["texunit_address.v"]
    files["texunit_address.v"] = files["texunit_address.v"].replace(
        before, "texel_number(pixel_x0, pixel_y0,"
    )
    folder = BUILD / "tests" / "frame" / "wrong"
    for name, text in files.items():
        write_if_changed(folder / name, text)
    write_if_changed(folder / "filelist.f", "".join(f"{name}\n" for name in files))
    argv = ["--size", "48x32", "--out", str(tmp_path / "x.png"), "--rtl-dir", str(folder)]
    assert command.main(argv) == 1
    assert "DIFFERENT in" in capsys.readouterr().out


def test_bad_input_is_named(tmp_path: Path) -> None:
    for argv, message in (
        (["--size", "0x9"], "write it as WIDTHxHEIGHT"),
        (["--scene", "nope"], "nope"),
        (["--out", str(tmp_path / "x.jpg")], "pictures are written as .png"),
        (["--config", "paper"], "has 4 units: a frame takes one"),
    ):
        with pytest.raises(UserError, match=message):
            command.main(argv)
