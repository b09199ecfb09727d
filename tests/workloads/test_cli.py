# SPDX-License-Identifier: Apache-2.0
"""``python -m workloads``: what it writes, and how it refuses."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from configs import UserError, load
from workloads.__main__ import main
from workloads.scenes import SCENES
from workloads.texcache.patterns import PATTERNS
from workloads.texcache.trace_files import load_trace
from workloads.textures import NAMES

PAPER = load("texcache")


def test_the_list_names_everything(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list"]) == 0
    shown = capsys.readouterr().out
    for name in (*NAMES, *SCENES, *PATTERNS):
        assert name in shown


def test_render_writes_a_picture_and_a_trace(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    picture, trace = tmp_path / "a.png", tmp_path / "a.npz"
    command = [
        "render",
        "corridors",
        "--size",
        "64x48",
        "--order",
        "tile8",
        "--filter",
        "trilinear",
        "--view",
        "1",
    ]
    assert main([*command, "--out", str(picture), "--trace", str(trace)]) == 0
    with Image.open(picture) as image:
        assert image.size == (64, 48)
    loaded = load_trace(trace, PAPER)
    assert loaded.meta["order"] == "tile8"
    assert loaded.meta["filter"] == "trilinear"
    assert loaded.pixels == loaded.meta["fragments"] >= 64 * 48
    assert str(picture) in capsys.readouterr().out


def test_a_trace_for_a_machine_with_small_textures(tmp_path: Path) -> None:
    out = ["--out", str(tmp_path / "a.png"), "--trace", str(tmp_path / "a.csv")]
    tiny = ["--config", "tiny", "--set", "textures=32"]
    assert main(["render", "objects", "--size", "32x24", *out, *tiny]) == 0
    cfg = load("texcache", "tiny", ["textures=32"])
    assert load_trace(tmp_path / "a.csv", cfg).footprints["level"].max() < cfg.levels


def test_texture_writes_the_chain(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Image.new("RGB", (30, 30), (9, 99, 199)).save(tmp_path / "mine.png")
    assert main(["texture", str(tmp_path / "mine.png"), "--out", str(tmp_path / "chain.png")]) == 0
    with Image.open(tmp_path / "chain.png") as image:
        pixels = np.array(image)
    assert pixels.shape == (32, 48, 4)
    assert pixels[0, 40].tolist() == [9, 99, 199, 255]
    assert "resized from 30x30 to 32x32" in capsys.readouterr().out


def test_pattern_writes_a_trace(tmp_path: Path) -> None:
    path = tmp_path / "p.csv"
    assert main(["pattern", "thrashing", "-n", "77", "--seed", "5", "--out", str(path)]) == 0
    assert len(load_trace(path, PAPER)) == 77


@pytest.mark.parametrize(
    "command, word",
    [
        ("", "COMMAND"),
        ("dance", "dance"),
        ("render nowhere", "unknown scene 'nowhere'"),
        ("render nothing.obj", "nothing.obj: no such file"),
        ("render decals --size 640", "WIDTHxHEIGHT"),
        ("render decals --size 9999x10", "9999x10"),
        ("render decals --order spiral", "spiral"),
        ("render decals --view 77", "view 77"),
        ("render decals --out picture.bmp", ".png"),
        ("render decals --config nothing", "unknown configuration"),
        ("texture plaid", "unknown texture 'plaid'"),
        ("pattern spiral --out a.csv", "unknown pattern 'spiral'"),
        ("pattern edges --out a.txt", ".csv or .npz"),
    ],
)
def test_bad_commands(command: str, word: str) -> None:
    with pytest.raises(UserError) as error:
        main(command.split())
    assert word in str(error.value)


def test_errors_are_one_line_and_exit_code_2() -> None:
    command = [sys.executable, "-m", "workloads", "render", "nowhere"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith("error: unknown scene 'nowhere'")
    assert done.stderr.count("\n") == 1
