# SPDX-License-Identifier: Apache-2.0
"""The report of a user's scene: measured, complete, repeated by one command, apart from the built-in one."""

import csv
import json
import re
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from configs import UserError, load
from models.memory import Memory
from models.texcache import TexcacheModel
from report.__main__ import main as report
from tb.common.measuring.command import main as measure
from workloads.scenes.loader import open_scene
from workloads.scenes.views import file_name, views_of
from workloads.texcache.frame import render

VIEWS = [{"eye": [x, 0.5, 1.2], "look": [0, 0, -1], "fov_y": 70} for x in (0.2, 0.8, 40)]
SIZE = ["--size", "40x32", "--quick", "--seed", "3"]


@pytest.fixture
def level(tmp_path: Path) -> Path:
    """A quad with an image twice as wide as high, seen by three cameras, of which the last sees nothing."""
    folder = tmp_path / "my level"
    folder.mkdir()
    noise = np.random.default_rng(1).integers(0, 256, (32, 64, 3), np.uint8)
    Image.fromarray(noise).save(folder / "noise.png")
    (folder / "my level.mtl").write_text("newmtl a\nmap_Kd noise.png\n")
    corners = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nvt 0 0\nvt 2 0\nvt 2 2\nvt 0 2\n"
    faces = "f 1/1 2/2 3/3\nf 1/1 3/3 4/4\n"
    (folder / "my level.obj").write_text(f"mtllib my level.mtl\n{corners}usemtl a\n{faces}")
    (folder / "cameras.json").write_text(json.dumps({"views": VIEWS}))
    return folder / "my level.obj"


@pytest.fixture
def photo(level: Path) -> Path:
    """The same with an image whose sides are no powers of two."""
    Image.new("RGB", (48, 20), (90, 60, 30)).save(level.with_name("noise.png"))
    return level


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def test_views_are_named_and_keyed_by_all_that_decides_them(level: Path) -> None:
    first, second, third = views_of(str(level))
    assert [view.name for view in (first, second, third)] == ["my-level-0", "my-level-1", "my-level-2"]
    assert len({view.content for view in (first, second, third)}) == 3
    assert [view.number for view in views_of(str(level), "2,0")] == [0, 2]
    assert "View 1 of my level.obj: 2 triangles, 1 textures" in second.about
    other = level.with_name("other.json")
    other.write_text(json.dumps({"views": VIEWS[1:2]}))
    [moved] = views_of(str(level), cameras=str(other))
    assert moved.content == second.content and moved.number == 0
    Image.new("RGB", (64, 32)).save(level.with_name("noise.png"))
    again = level.rename(level.with_name("again.obj"))
    assert views_of(str(again))[0].content != first.content
    for wanted, message in (("x", "--view x: write it as numbers"), ("9", "view 9: scene again has views 0")):
        with pytest.raises(UserError, match=message):
            views_of(str(again), wanted)
    assert file_name("/a b/c d.obj") == "c-d"


@pytest.mark.slow
def test_a_scene_is_reported_as_the_built_in_ones_are(level: Path, tmp_path: Path) -> None:
    out = tmp_path / "report"
    for block in ("texcache", "texunit"):
        chosen = ["--scene", str(level), "--view", "0,1"]
        assert measure([block, *chosen, *SIZE, "--out", str(tmp_path / "results" / block)]) == 0
        assert (
            report([block, "--scene", str(level), "--results", str(tmp_path / "results"), "--out", str(out)])
            == 0
        )
    orders = rows(out / "texcache_orders.csv")
    kinds = {(row["scene"], row["filter"], row["order"], row["layout"]) for row in orders}
    assert len(kinds) == len(orders) == 2 * 2 * 2 * 3  # views, filters, orders (of a quick one), layouts
    for row in orders:
        frame = render(open_scene(level), 40, 32, row["order"], row["filter"], int(row["scene"][-1]))
        cfg = load("texcache", None, [f"layout={row['layout']}"])
        trace = frame.trace(cfg)
        replayed = TexcacheModel(cfg, Memory(3, trace.base, trace.image), trace.lut).replay(trace.footprints)
        assert float(row["hit_rate"]) == pytest.approx(replayed["hit"].sum() / replayed["valid"].sum())
    hits = {(row["scene"], row["kind"]) for row in rows(out / "texunit_hits.csv")}
    assert {scene for scene, _ in hits} == {"my-level-0", "my-level-1"}
    assert len(hits) == 2 * 5  # views, ways to draw
    for block in ("texcache", "texunit"):
        summary = json.loads((out / f"{block}.json").read_text())
        assert summary["title"].endswith(": my level.obj")
        page = (out / f"{block}.html").read_text()
        assert "2 views of my level.obj" in page and "scene-my-level-1" in page
        assert summary["provenance"]["Command"].startswith(f"make report BLOCK={block} CONFIG=paper SCENE='")
        assert "VIEW=0,1" in summary["provenance"]["Command"]
        commands = re.findall(r"<b>Command</b> <code>(.*?)</code>", page)
        # what a machine takes is of no scene
        mine = [command for command in commands if "ci.synth" not in command]
        assert len(mine) > 4 and all("SCENE=" in command and "VIEW=0,1" in command for command in mine)
        assert "walks over" not in page and "published" not in " ".join(summary["key_figures"])
    assert "1 of 1 textures are not square" in (out / "texcache.html").read_text()
    index = (out / "index.html").read_text()
    for title in ("The four-port texture cache", "The texture unit"):
        assert f"{title}: my level.obj</a></h2>" in index


@pytest.mark.slow
@pytest.mark.parametrize(("block", "table", "runs"), [("texpipe", "units", 1), ("trilinear", "rates", 5)])
def test_the_fast_machines_take_a_scene_too(
    block: str, table: str, runs: int, level: Path, tmp_path: Path
) -> None:
    argv = [block, "--scene", str(level)]
    assert measure([*argv, "--view", "1", *SIZE, "--out", str(tmp_path / "results" / block)]) == 0
    assert report([*argv, "--results", str(tmp_path / "results"), "--out", str(tmp_path / "report")]) == 0
    summary = json.loads((tmp_path / "report" / f"{block}.json").read_text())
    assert summary["title"].endswith(": my level.obj")
    scenes = [row["scene"] for row in rows(tmp_path / "report" / f"{block}_{table}.csv")]
    assert scenes == ["my-level-1"] * runs
    page = (tmp_path / "report" / f"{block}.html").read_text()
    for words in (
        "1 pictures",
        "1 whole pictures",
        "gains least",
        "Mean over the scenes",
        "slowest scene",
        "mean, ",
    ):
        assert words not in page, "there is one"


@pytest.mark.slow
def test_what_was_changed_of_a_scene_is_said(
    photo: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """On the terminal and on the page, by each block that changes it."""
    resized = "noise.png: resized from 48x20 to 64x32"
    stretched = "1 of 1 textures are not square and are stretched"
    for block, notes in (
        ("texcache", (resized, stretched)), ("trilinear", (resized, stretched)), ("texunit", (resized,)),
    ):  # fmt: skip
        argv = [block, "--scene", str(photo), "--view", "0"]
        assert measure([*argv, *SIZE, "--out", str(tmp_path / "results" / block)]) == 0
        shown = capsys.readouterr().out
        assert shown.count("note: ") == len(notes) and all(f"note: {note}" in shown for note in notes)
        argv = [block, "--scene", str(photo), "--results", str(tmp_path / "results")]
        assert report([*argv, "--out", str(tmp_path / "report")]) == 0
        page = (tmp_path / "report" / f"{block}.html").read_text()
        index = (tmp_path / "report" / "index.html").read_text()
        assert all(f"Note: {note}" in text for note in notes for text in (page, index))
        assert (stretched in page) == (block != "texunit")


def test_textures_that_lose_their_largest_levels_are_counted(photo: Path) -> None:
    scene = open_scene(photo)
    assert scene.limited(64) is scene
    [*_, note] = scene.limited(32).notes
    assert note == "1 of 1 textures lose their levels of more than 32 texels a side"


def test_what_cannot_be_reported_is_named(level: Path, tmp_path: Path) -> None:
    out = ["--out", str(tmp_path / "x")]
    for options, message in (
        (["--view", "0"], "name it with --scene"),
        (["--scene", str(level), "--view", "2"], "nothing to see"),
        (["--scene", "nowhere"], "unknown scene 'nowhere'"),
    ):
        with pytest.raises(UserError, match=message):
            measure(["texcache", *options, *SIZE, *out])
    assert not (tmp_path / "x").exists()


def test_results_of_a_scene_have_a_place_of_their_own(level: Path) -> None:
    with pytest.raises(UserError, match="build/scenes/my-level: no measured results there"):
        report(["--scene", str(level)])
