# SPDX-License-Identifier: Apache-2.0
"""The texture unit's measurement and its chapters: complete, resumed, checked, damage named."""

from pathlib import Path

import numpy as np
import pytest

from configs import load
from models.memory import Memory
from models.texunit import TexunitModel
from report.texunit.results import TexunitResults, parts
from report.words import spread
from tb.common.measuring.scenes import SceneOrder
from tb.common.measuring.workload import hardware
from tb.texunit.measuring import LATENCIES, MEASUREMENT
from tb.texunit.measuring.workload import NOTHING
from tests.report.small import figure, measured
from workloads.scenes import SCENES, built_in
from workloads.scenes.options import Pictures
from workloads.scenes.views import built_in_view
from workloads.texunit.quads import quad_frame


def order(out: Path, *scenes: str, quick: bool = True) -> SceneOrder:
    pictures = Pictures(40, 32, tuple(map(built_in_view, scenes)))
    return SceneOrder(load("texunit", "paper"), out, "make report BLOCK=texunit", 3, quick, pictures=pictures)


def test_covers_what_the_report_promises() -> None:
    workloads = MEASUREMENT.plan(order(Path(), *SCENES, quick=False))
    assert len({workload.id for workload in workloads}) == len(workloads)
    for scene in SCENES:
        cfgs = {
            role: cfg
            for workload in workloads
            if workload.scene == scene
            for role, cfg in workload.cfgs.items()
        }
        assert {f"{role}/{latency}" for role in ("one", "all") for latency in LATENCIES} <= set(cfgs)
        assert {"one", "all", "nearest", "rgb", "2 ways", "8 ways"} <= set(cfgs)
        assert cfgs["one"].name == "one-unit", "a preset's build is shared"
        assert hardware(cfgs["one/25"]) == cfgs["one"], "memory alone differs"


@pytest.mark.slow
def test_results_are_those_of_the_model() -> None:
    frame = quad_frame(built_in("objects"), 40, 32)
    results, _ = TexunitModel(load("texunit", "one-unit"), Memory(3, 0, frame.image)).replay(*frame.stream)
    stored = TexunitResults(measured("texunit"))
    run = stored.run("objects", "one")
    arrays = stored.arrays(run)
    assert (arrays["rtl"] == frame.picture(results["texel"])).all()
    assert run["queries"] == results["queries"].sum()
    drawn = arrays["level"] != NOTHING
    assert set(np.unique(arrays["level"][drawn])) <= set(np.unique(results["lod"]))


def test_times_add_up() -> None:
    results = TexunitResults(measured("texunit"))
    for run in results.runs.values():
        assert abs(sum(parts(run).values()) - 1) < 1e-9 and min(parts(run).values()) > -0.001
    assert results.latencies("one") == [1, 100]
    for scene in results.scenes:
        assert results.at(scene, "one", 1)["cycles"] < results.run(scene, "one")["cycles"]


def test_what_a_flush_per_triangle_costs_is_said() -> None:
    """Of the pixels per clock, scene by scene."""
    results = TexunitResults(measured("texunit"))
    rates = [
        [results.run(scene, role)["pixels_per_clock"] for scene in results.scenes]
        for role in ("one", "apart")
    ]
    lost = [1 - apart / single for single, apart in zip(*rates, strict=True)]
    assert min(lost) > 0 and max(lost) < 0.5
    assert f"Flushing per triangle lowers the rate by {spread(lost)}." in figure("texunit", "hits").learn
