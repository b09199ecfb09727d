# SPDX-License-Identifier: Apache-2.0
"""The depth blocks' reports of a user's scene: its views, without what is about the paper's scenes."""

import json
from pathlib import Path

import pytest

from report.__main__ import main as report
from tb.common.measuring.command import main as measure

VIEWS = [{"eye": [x, 0.5, 1.2], "look": [0, 0, -1], "fov_y": 70} for x in (0.2, 0.8)]


@pytest.mark.slow
@pytest.mark.parametrize("block", ["raster", "zcache"])
def test_views_of_a_model_file(block: str, tmp_path: Path) -> None:
    corners = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nvt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\n"
    (tmp_path / "quad.obj").write_text(f"{corners}f 1/1 2/2 3/3\nf 1/1 3/3 4/4\n")
    (tmp_path / "cameras.json").write_text(json.dumps({"views": VIEWS}))
    scene, results = ["--scene", str(tmp_path / "quad.obj")], tmp_path / "results"
    small = ["--size", "40x32", "--quick", "--seed", "3", "--out", str(results / block)]
    assert measure([block, *scene, *small]) == 0
    assert report([block, *scene, "--results", str(results), "--out", str(tmp_path / "page")]) == 0
    summary = json.loads((tmp_path / "page" / f"{block}.json").read_text())
    assert summary["title"].endswith(": quad.obj")
    assert summary["provenance"]["Command"].startswith(f"make report BLOCK={block}")
    assert "SCENE=" in summary["provenance"]["Command"]
    tables = summary["tables"]
    rates = tables["zcache_hits" if block == "zcache" else "raster_scenes"]["rows"]
    assert {row["scene"] for row in rates} == {"quad-0", "quad-1"}
    assert not {"zcache_paper", "zcache_settings", "raster_coverage"} & set(tables)
    deep = {"zcache_surface", "zcache_ott", "zcache_gains", "zcache_serial"}
    assert block != "zcache" or deep <= set(tables)
