# SPDX-License-Identifier: Apache-2.0
"""``python -m workloads``: what it writes, and how it refuses."""

import json
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from configs import UserError, load
from workloads.__main__ import main
from workloads.scenes import SCENES, built_in
from workloads.texcache.frame import render
from workloads.texcache.patterns import PATTERNS
from workloads.texcache.trace_files import load_trace, textures_of
from workloads.textures import NAMES

PAPER = load("texcache")


def test_the_list_names_everything(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list"]) == 0
    shown = capsys.readouterr().out
    for name in (*NAMES, *SCENES, *PATTERNS):
        assert name in shown


@pytest.mark.parametrize("suffix", ["npz", "csv"])
def test_capture_writes_a_trace_and_its_picture(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], suffix: str
) -> None:
    trace = tmp_path / f"a.{suffix}"
    options = ["--size", "64x48", "--order", "tile8", "--filter", "trilinear", "--view", "1"]
    assert main(["capture", "texcache", *options, "--out", str(trace)]) == 0
    with Image.open(tmp_path / "a.png") as image:
        assert image.size == (64, 48)
    loaded = load_trace(trace, PAPER)
    assert loaded.pixels >= 64 * 48
    expected = render(built_in("corridors"), 64, 48, "tile8", "trilinear", 1)
    assert (loaded.footprints == expected.trace(PAPER).footprints).all()
    assert suffix == "csv" or (loaded.meta["order"], loaded.meta["view"]) == ("tile8", 1)
    assert str(trace) in capsys.readouterr().out


def test_every_view_is_a_file_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("workloads.capture.CAPTURES", tmp_path)
    for view in ("0", "1"):
        assert main(["capture", "texcache", "--size", "32x24", "--view", view]) == 0
    names = {path.name for path in (tmp_path / "texcache").iterdir()}
    assert names == {f"corridors-{view}.{suffix}" for view in "01" for suffix in ("npz", "png")}


def test_cameras_of_a_file_replace_those_of_the_scene(tmp_path: Path) -> None:
    """Also of a built-in scene; the picture is that of a camera like it."""
    camera = built_in("corridors").cameras[2]
    view = {name: getattr(camera, name) for name in ("eye", "look", "up", "fov_y")}
    cameras = tmp_path / "mine.json"
    cameras.write_text(json.dumps({"near": camera.near, "far": camera.far, "views": [view]}))
    common = ["capture", "texcache", "--size", "32x24", "--out"]
    assert main([*common, str(tmp_path / "a.npz"), "--cameras", str(cameras)]) == 0
    assert main([*common, str(tmp_path / "b.npz"), "--view", "2"]) == 0
    assert (tmp_path / "a.png").read_bytes() == (tmp_path / "b.png").read_bytes()
    with pytest.raises(UserError, match="view 1: scene corridors has views 0"):
        main([*common, str(tmp_path / "c.npz"), "--cameras", str(cameras), "--view", "1"])


def many_colours(folder: Path, count: int) -> Path:
    """A model of ``count`` triangles beside each other, each of a colour, that is a texture, of its own."""
    colours = [f"newmtl m{i}\nKd {i % 16 / 16} {i // 16 / 32} 0.5" for i in range(count)]
    (folder / "many.mtl").write_text("\n".join(colours))
    rows = ["mtllib many.mtl", "vt 0 0", "vt 1 0", "vt 0 1"]
    for i in range(count):
        x, y = i % 16, i // 16
        rows += [f"v {x} {y} 0", f"v {x + 0.9} {y} 0", f"v {x} {y + 0.9} 0"]
        rows += [f"usemtl m{i}", f"f {3 * i + 1}/1 {3 * i + 2}/2 {3 * i + 3}/3"]
    (folder / "many.obj").write_text("\n".join(rows))
    return folder / "many.obj"


@pytest.mark.parametrize("suffix", ["npz", "csv"])
def test_the_table_follows_the_scene_and_travels_with_the_trace(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], suffix: str
) -> None:
    scene, trace = many_colours(tmp_path, 70), tmp_path / f"many.{suffix}"
    capture = ["capture", "texcache", "--scene", str(scene), "--size", "320x240", "--out", str(trace)]
    assert main(capture) == 0
    assert "note: 70 textures: the table is that of paper+textures=128" in capsys.readouterr().out
    with pytest.raises(UserError, match=r'textures=70: paper has a table for 64; take SET="textures=128"'):
        load_trace(trace, PAPER)
    assert textures_of(trace) == 70
    sized = PAPER.holding(70)
    assert sized.textures == 128 and len(np.unique(load_trace(trace, sized).footprints["tex"])) == 70
    assert PAPER.holding(64) is PAPER
    with pytest.raises(UserError, match=r'70 textures: paper.* holds 32; .* SET="textures=128"'):
        main([*capture, "--set", "textures=32"])  # chosen: not overruled


def test_a_table_has_an_end(tmp_path: Path) -> None:
    scene = many_colours(tmp_path, 260)
    with pytest.raises(UserError, match="260 textures: a table holds at most 256"):
        main(["capture", "texcache", "--scene", str(scene), "--out", str(tmp_path / "a.npz")])


def test_a_trace_for_a_machine_with_small_textures(tmp_path: Path) -> None:
    tiny = ["--config", "tiny", "--set", "textures=32", "--scene", "objects", "--size", "32x24"]
    assert main(["capture", "texcache", *tiny, "--out", str(tmp_path / "a.csv")]) == 0
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
        ("capture texcache --scene nowhere", "unknown scene 'nowhere'"),
        ("capture texcache --scene wires", "scene 'wires' is one of raster and zcache: BLOCK=raster"),
        ("capture texcache --scene nothing.obj", "nothing.obj: no such file"),
        ("capture texcache --size 640", "WIDTHxHEIGHT"),
        ("capture texcache --size 9999x10", "9999x10"),
        ("capture texcache --order spiral", "spiral"),
        ("capture texcache --view 77", "view 77"),
        ("capture texcache --depth never", "never"),
        ("capture simple", "simple takes no scene as a trace: choose among raster, texcache"),
        ("capture texcache --config nothing", "unknown configuration"),
        *(
            (
                f"capture {block} --filter trilinear",
                "filter 'trilinear': choose one of bilinear, nearest (two levels: BLOCK=texpipe "
                "CONFIG=trilinear)",
            )
            for block in ("texunit", "texpipe")
        ),
        ("texture plaid", "unknown texture 'plaid'"),
        ("pattern spiral --out a.csv", "unknown pattern 'spiral'"),
    ],
)
def test_bad_commands(command: str, word: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UserError) as error:
        main(command.split())
    assert word in str(error.value)
    assert not list(tmp_path.iterdir()), "something was written"
