# SPDX-License-Identifier: Apache-2.0
"""The page of ``trilinear``: machines that differ in one thing, means over the scenes, damage named."""

import json
from pathlib import Path

import pytest

from configs import UserError, load
from report.results import read_index, read_json
from report.trilinear import build
from tb.trilinear.measuring import DEPTHS, LATENCIES, cfgs
from tests.report.small import ARGUMENTS, copy, measured, reported


def test_machines_differ_in_one_thing() -> None:
    base = load("trilinear")
    found = cfgs(base)
    far = found["100 cycles"]
    assert {cfg.memory.latency for role, cfg in found.items() if "cycle" in role} == set(LATENCIES)
    for depth in DEPTHS:
        cfg = found[f"FIFOs of {depth}"]
        assert cfg.half.fifo.depth == depth
        assert cfg.with_(half={"fifo": {"depth": far.half.fifo.depth}}) == far, "nothing else"
    assert not [role for role in cfgs(load("trilinear", "tiny")) if "FIFO" in role], "its own are shorter"


@pytest.mark.parametrize(("name", "key"), [("latency", "cycle"), ("depth", "FIFO")])
def test_points_are_means_over_the_scenes(name: str, key: str) -> None:
    folder = measured("trilinear")
    listed = [one for one in read_index(folder, "trilinear")["runs"] if key in one["role"]]
    scenes = {one["workload"] for one in listed}
    assert scenes == set(ARGUMENTS[-1].split(","))
    rates: dict[int, list[float]] = {}
    for one in listed:
        run = read_json(folder / one["file"])
        rates.setdefault(run[name], []).append(run["samples"] / run["cycles"])
    [table] = [one for one in reported("trilinear").tables if one.name == f"trilinear_{name}"]
    shown = {row[name]: row["per_clock"] for row in table.rows}
    for value, of_scenes in rates.items():
        assert len(of_scenes) == len(scenes)
        assert shown[value] == pytest.approx(sum(of_scenes) / len(scenes))
    assert len(shown) == len(rates) + (key == "FIFO"), "beside them that of the configuration"


def test_the_rate_falls_with_latency_and_grows_with_depth() -> None:
    tables = {one.name: one.rows for one in reported("trilinear").tables}
    late = [row["per_clock"] for row in tables["trilinear_latency"]]
    deep = [row["per_clock"] for row in tables["trilinear_depth"]]
    assert late == sorted(late, reverse=True) and late[0] > late[-1]
    assert deep == sorted(deep) and deep[-1] > deep[0]


def test_samples_that_do_not_add_up_are_refused(tmp_path: Path) -> None:
    folder = copy(tmp_path, "trilinear")
    path = folder / json.loads((folder / "index.json").read_text())["runs"][0]["file"]
    run = json.loads(path.read_text())
    path.write_text(json.dumps({**run, "pairs": run["samples"] + 1}))
    with pytest.raises(UserError, match=f"{path.name}: its samples do not add up"):
        build(folder, lambda words: None)
