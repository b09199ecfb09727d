# SPDX-License-Identifier: Apache-2.0
"""Frames of two levels a pixel: RTL of the pipelined units, library, trace files, llvmpipe."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

import cacheforge
import configs
from configs import UserError
from tb.common.replay import trace_cli
from tb.texpipe.commands import frame as command
from tb.texpipe.measuring.picture import shoot
from workloads.__main__ import main as workloads
from workloads.scenes import built_in
from workloads.texunit.quad_files import save_frame
from workloads.texunit.quads import quad_frame

MIXING: Any = configs.load("texpipe", "trilinear")
SIZE = (64, 48)


def test_the_command_compares_with_the_model_and_llvmpipe(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "x.png"
    argv = ["--config", "trilinear", "--filter", "trilinear", "--scene", "objects", "--size", "64x48"]
    assert command.main([*argv, "--out", str(out)]) == 0
    shown = capsys.readouterr().out
    assert "IDENTICAL RTL and model" in shown and "llvmpipe, our levels  identical in every sample" in shown
    summary = json.loads(out.with_suffix(".json").read_text())
    assert summary["equal"] and summary["llvmpipe"]["our_levels"] == {"most": 0, "mean": 0.0, "same": 1.0}
    assert summary["llvmpipe"]["own_levels"]["same"] > 0.6 and summary["llvmpipe"]["own_levels"]["mean"] < 0.5
    assert 0.5 < summary["mixed"] <= 1
    assert summary["beats"] == round(summary["pixels"] * (1 + summary["mixed"]))


def test_a_unit_without_the_filter_refuses_it(tmp_path: Path) -> None:
    argv = ["--config", "one-unit", "--filter", "trilinear", "--out", str(tmp_path / "x.png")]
    with pytest.raises(UserError, match="one-unit has no trilinear filter: choose preset trilinear"):
        command.main(argv)
    for block in ("texunit", "texpipe"):
        with pytest.raises(UserError, match=r"'trilinear': choose one of bilinear, nearest$"):
            cacheforge.scene(cacheforge.load(block, "one-unit"), "decals", size=SIZE, filter="trilinear")


@pytest.mark.slow
def test_formats_and_units_agree_with_the_model() -> None:
    """Three bytes a texel, tables, two units on a narrow bus: every texel, look-up and counter."""
    two = MIXING.with_(units=2, axi={"data_bits": 32}, cache={"sets": 4}, rounding="down")
    for cfg, way in ((MIXING, {"table": True}), (two, {"rgb": True})):
        frame = quad_frame(built_in("decals"), *SIZE, trilinear=True, **way)
        shot = shoot(cfg, frame)
        assert not shot.mismatches
        assert shot.figures["mixed"] > 0.3


def test_library_and_trace_file_mix_the_same(tmp_path: Path) -> None:
    """A scene of the library, through a file and back, gives the same results; so does the RTL."""
    frame = cacheforge.scene(MIXING, "objects", size=SIZE, filter="trilinear")
    run = cacheforge.run(MIXING, frame)
    assert run.counters["mixed"] > 500
    for name in ("x.npz", "x.csv"):
        save_frame(tmp_path / name, frame)
    again = cacheforge.run(MIXING, cacheforge.trace(MIXING, tmp_path / "x.npz"))
    assert (again.results == run.results).all() and again.counters == run.counters
    with pytest.raises(UserError, match="trilinear"):  # a column that a unit without the filter does not know
        cacheforge.trace(cacheforge.load("texpipe", "one-unit"), tmp_path / "x.npz")
    argv = ["texpipe", "--config", "trilinear", "--trace", str(tmp_path / "x.csv"), "--out", str(tmp_path)]
    assert trace_cli.main(argv) == 0
    summary = json.loads((tmp_path / "summary.json").read_text())
    assert summary["figures"]["pixels of two levels"] == run.counters["mixed"]
    assert np.count_nonzero(run.results["fraction"]) > 100


@pytest.mark.parametrize("block", ["texunit", "texpipe"])
def test_captured_scenes_are_replayed_by_either_unit(tmp_path: Path, block: str) -> None:
    """The file is the same, whoever it is written for."""
    options = ["--config", "one-unit", "--scene", "objects", "--size", "48x32"]
    assert workloads(["capture", block, *options, "--out", str(tmp_path / "a.npz")]) == 0
    frame = quad_frame(built_in("objects"), 48, 32)
    for other in ("texunit", "texpipe"):
        trace = cacheforge.trace(cacheforge.load(other, "one-unit"), tmp_path / "a.npz")
        assert (trace.quads == frame.quads).all() and (trace.image == frame.image).all()


def test_captured_scenes_of_two_levels_are_replayed(tmp_path: Path) -> None:
    options = ["--config", "trilinear", "--filter", "trilinear", "--scene", "objects", "--size", "48x32"]
    assert workloads(["capture", "texpipe", *options, "--out", str(tmp_path / "a.npz")]) == 0
    argv = ["texpipe", "--config", "trilinear", "--trace", str(tmp_path / "a.npz"), "--out", str(tmp_path)]
    assert trace_cli.main(argv) == 0
    figures = json.loads((tmp_path / "summary.json").read_text())["figures"]
    assert figures["pixels"] > 500 and figures["pixels of two levels"] > figures["pixels"] / 2
    with Image.open(tmp_path / "a.png") as image:
        assert image.size == (48, 32)
