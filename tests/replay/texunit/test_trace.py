# SPDX-License-Identifier: Apache-2.0
"""Traces of the texture units: both formats, the page that describes them, results, and bad files."""

import csv
import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

import configs
from configs import UserError
from tb.common.replay import trace_cli
from tb.common.running.builds import ROOT
from workloads.__main__ import main as workloads
from workloads.scenes import built_in
from workloads.texunit.quad_trace import known_columns, load_quads
from workloads.texunit.quads import quad_frame

TEXT = (ROOT / "docs" / "texunit_traces.md").read_text()
ONE: Any = configs.load("texunit", "one-unit")
TWO: Any = configs.load("texunit", "small", ["units=2"])


@pytest.fixture
def example(tmp_path: Path) -> Path:
    match = re.search(r"```csv\n(.*?)```", TEXT, re.DOTALL)
    assert match
    path = tmp_path / "mine.csv"
    path.write_text(match[1])
    return path


def run(path: Path, *options: str, config: str = "one-unit", out: Path | None = None) -> tuple[int, Path]:
    out = out or path.parent / "out"
    argv = ["texunit", "--config", config, "--trace", str(path), "--out", str(out), *options]
    return trace_cli.main(argv), out


def test_the_documented_example_gives_the_documented_figures(example: Path) -> None:
    code, out = run(example)
    assert code == 0
    table = re.search(r"\| prim \| lod(.*?)\n\n", TEXT, re.DOTALL)
    assert table
    documented = [
        [int(cell) for cell in re.findall(r"\d+", line)] for line in table[0].strip().splitlines()[2:]
    ]
    with (out / "results.csv").open() as file:
        rows = list(csv.DictReader(file))
    names = ("prim", "lod", "queries", "misses", "cycles")
    assert [[int(row[name]) for name in names] for row in rows] == documented


def test_every_column_and_result_is_documented(example: Path) -> None:
    named = set(re.findall(r"`(\w+)`", TEXT))
    assert set(known_columns(ONE)) - {f"{a}{n}" for a in "uv" for n in (1, 2)} <= named
    with np.load(run(example)[1] / "results.npz") as results:
        assert set(results) <= named
        assert len(results["texel"]) == 4 and results["equal"].all()


def test_a_scene_runs_on_several_units(tmp_path: Path) -> None:
    path = tmp_path / "scene.npz"
    command = ["capture", "texunit", "--config", "small", "--set", "units=2", "--scene", "decals"]
    assert workloads([*command, "--size", "64x48", "--out", str(path)]) == 0
    code, out = run(path, "--set", "units=2", config="small")
    assert code == 0
    summary = json.loads((out / "summary.json").read_text())
    assert summary["verdict"] == "equal"
    units = summary["tables"]["units"]
    assert len(units) == TWO.units == 2 and all(row["quads"] > 0 for row in units)
    with np.load(path) as arrays, np.load(out / "results.npz") as results:
        assert (arrays["uv"][..., 0] == results["u"]).all()
        assert sum(row["misses"] for row in units) == results["misses"].sum()


def test_results_can_be_laid_out_as_the_picture(tmp_path: Path) -> None:
    """Each quad carries its place to the results, in both formats."""
    frame = quad_frame(built_in("corridors"), 64, 48, bilinear=False)
    pictures = []
    for suffix in ("npz", "csv"):
        path = tmp_path / f"scene.{suffix}"
        command = ["capture", "texunit", "--config", "one-unit", "--size", "64x48", "--filter", "nearest"]
        assert workloads([*command, "--out", str(path)]) == 0
        code, out = run(path, out=tmp_path / suffix)
        assert code == 0
        with np.load(out / "results.npz") as results:
            quads = {name: results[name] for name in ("x", "y", "u", "texel", "valid", "lod")}
        picture = np.zeros((48, 64), np.int64)
        for pixel in range(4):
            drawn = quads["valid"] >> pixel & 1 == 1
            picture[quads["y"][drawn] + pixel // 2, quads["x"][drawn] + pixel % 2] = quads["u"][drawn, pixel]
        pictures.append(picture)
        if suffix == "npz":
            assert (frame.picture(quads["texel"]) == np.array(Image.open(path.with_suffix(".png")))).all()
    assert (pictures[0] == pictures[1]).all() and len(np.unique(pictures[0])) > 1000
    for name in ("quads", "unit", "prims", "prim_of_quad", "x", "y"):
        both = [getattr(load_quads(tmp_path / f"scene.{suffix}", ONE), name) for suffix in ("npz", "csv")]
        assert (both[0] == both[1]).all(), name


def test_both_formats_mean_the_same(example: Path, tmp_path: Path) -> None:
    text = load_quads(example, ONE)
    path = tmp_path / "same.npz"
    np.savez(
        path, tex=[0, 0, 1, 0], width=[256, 64], height=[128, 64], format=[0, 3], texture_base=[0, 1 << 20],
        mode_u=[0, 0, 2, 0], mode_v=[0, 0, 1, 0], filter=[1, 1, 0, 1], uv=text.quads["uv"],
    )  # fmt: skip
    arrays = load_quads(path, ONE)
    for name in ("quads", "unit", "prims", "prim_of_quad"):
        assert (getattr(text, name) == getattr(arrays, name)).all(), name


def test_primitives_begin_where_state_changes(tmp_path: Path) -> None:
    path = tmp_path / "x.npz"
    uv = np.zeros((6, 4, 2), int)
    np.savez(
        path, tex=[0, 1, 0, 1, 0, 1], width=[8, 4], height=[8, 2], uv=uv, unit=[0, 1, 0, 1, 0, 1],
        invalidate=[0, 0, 1, 0, 1, 0],
    )  # fmt: skip
    trace = load_quads(path, TWO)
    assert trace.prim_of_quad.tolist() == [0, 1, 2, 1, 3, 1]
    assert trace.prims["max_lod"].tolist() == [3, 2, 3, 3]
    (mine, first), (_, second) = trace.split(2)
    assert mine.tolist() == [0, 2, 4] and first.prim_of_quad.tolist() == [0, 1, 2]
    assert second.prim_of_quad.tolist() == [0, 0, 0] and len(second.prims) == 1


HEADER = "tex,u0,v0,u1,v1,u2,v2,u3,v3\n"
TEXTURE = "#texture id=0 width=8 height=8\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (HEADER + "0,0,0,0,0,0,0,0,0\n", ":1: no texture is declared"),
        (TEXTURE.replace("0", "1"), ":1: #texture: id=1: textures are declared in order"),
        (TEXTURE.replace("=8 ", "=12 "), "width=12: must be a power of two up to 2048 in one-unit"),
        (TEXTURE[:-1] + " base=8\n", "base=8: must be a multiple of 16"),
        (TEXTURE[:-1] + " format=bgr\n", "format='bgr': not an integer .*, or one of rgba8, rgb8"),
        ("#trace version=2\n", ":1: #trace: version=2: this program reads version 1"),
        ("tex,u0\n", ":1: column v0 is missing"),
        ("tex,lod\n", ":1: unknown column 'lod'"),
        (TEXTURE + HEADER + "1,0,0,0,0,0,0,0,0\n", r":3: tex=1: must be 0\.\.0"),
        (TEXTURE + "unit," + HEADER + "1,0,0,0,0,0,0,0,0,0\n", r"unit=1: must be 0\.\.0"),
    ],
)
def test_bad_text_is_named(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "bad.csv"
    path.write_text(text)
    with pytest.raises(UserError, match=message):
        load_quads(path, ONE)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"uv": None}, "column uv is missing"),
        ({"uv": np.zeros((2, 4), int)}, r"array uv of int64 \(2, 4\): needs integers of shape \[n, 4, 2\]"),
        ({"uv": np.zeros((3, 4, 2), int)}, "array uv has 3 values, tex has 2"),
        ({"valid": [16, 0]}, "array valid: value 16 at 0: must be 0..15"),
        ({"height": [8, 8]}, "array height has 2 values, width has 1"),
        ({"lod": [0, 0]}, "unknown array 'lod'"),
        ({"version": 3}, "version=3: this program reads version 1"),
        ({"base": 4}, "base=4: there is no array image that begins there"),
        ({"tex": [0, 1]}, "array tex: value 1 at 1: must be 0..0"),
    ],
)
def test_bad_arrays_are_named(tmp_path: Path, changes: dict[str, Any], message: str) -> None:
    path = tmp_path / "bad.npz"
    arrays = {"tex": [0, 0], "width": [8], "height": [8], "uv": np.zeros((2, 4, 2), int)} | changes
    np.savez(path, **{name: value for name, value in arrays.items() if value is not None})
    with pytest.raises(UserError, match=f"bad.npz: {message}"):
        load_quads(path, ONE)


def test_bad_names_and_quads(tmp_path: Path) -> None:
    (tmp_path / "x.txt").touch()
    with pytest.raises(UserError, match=r"ends in \.csv or \.npz"):
        load_quads(tmp_path / "x.txt", ONE)
    (tmp_path / "x.txt").unlink()
    command = ["capture", "texunit", "--size", "16x16", "--out"]
    with pytest.raises(UserError, match=r"must end in \.csv or \.npz"):
        workloads([*command, str(tmp_path / "x.txt")])
    for option, value in (("--order", "tile8"), ("--filter", "trilinear")):
        with pytest.raises(UserError, match=f"{option[2:]} '{value}'"):
            workloads([*command, str(tmp_path / "x.npz"), option, value])
