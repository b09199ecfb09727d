# SPDX-License-Identifier: Apache-2.0
"""The renderer's measurement and its page: complete, beside the golden pipeline, damage named."""

from pathlib import Path
from typing import Any

import pytest

from configs import load
from configs.renderer.schema import EARLY, LATE
from report.renderer import KINDS, NO_PREFETCH, ONE_UNIT, OWN, RendererResults
from report.tables import number
from tb.common.measuring.scenes import SceneOrder
from tb.common.measuring.workload import hardware
from tb.renderer.measuring import LATENCIES, MEASUREMENT, roles_of, with_depth
from tests.report.small import measured, reported
from workloads.scenes import SCENES
from workloads.scenes.options import Pictures
from workloads.scenes.views import built_in_view

BASE: Any = load("renderer", "base")


def order(*scenes: str) -> SceneOrder:
    pictures = Pictures(40, 32, tuple(map(built_in_view, scenes)))
    return SceneOrder(BASE, Path(), "make report BLOCK=renderer", 3, False, pictures=pictures)


def test_covers_what_the_report_promises() -> None:
    plan = MEASUREMENT.plan(order(*SCENES))
    assert [workload.view.name for workload in plan] == list(SCENES)
    cfgs = plan[0].cfgs
    assert set(cfgs) == {OWN, EARLY, NO_PREFETCH, ONE_UNIT, *(f"memory/{latency}" for latency in LATENCIES)}
    assert cfgs[OWN].name == "base" and cfgs[EARLY].name == "early", "builds of presets are shared"
    assert not cfgs[NO_PREFETCH].zcache.prefetching and cfgs[ONE_UNIT].texunit.units == 1
    assert all(hardware(cfgs[f"memory/{latency}"]) == cfgs[OWN] for latency in LATENCIES), (
        "memory alone differs"
    )


def test_the_other_test_and_back() -> None:
    early: Any = load("renderer", "early")
    assert with_depth(BASE, EARLY).hash == early.hash and with_depth(early, LATE).hash == BASE.hash
    assert LATE in roles_of(early, quick=True) and EARLY not in roles_of(early, quick=True)


def test_frames_are_the_same_on_all_machines() -> None:
    """But for what is shaded when depth is tested early; a machine with less takes longer."""
    results = RendererResults(measured("renderer"))
    for scene in results.scenes:
        own = results.runs[scene, OWN]
        for role in results.machines:
            other = results.runs[scene, role]
            assert [own[name] for name in ("pixels", "passed", "tiles")] == [
                other[name] for name in ("pixels", "passed", "tiles")
            ]
        assert results.runs[scene, EARLY]["shaded"] <= own["shaded"] == own["pixels"]
        assert own["cycles"] < results.runs[scene, ONE_UNIT]["cycles"]
        assert results.runs[scene, "memory/1"]["cycles"] < own["cycles"]
        assert own["llvmpipe"]["our_levels"]["same"] == 1


def test_tables_are_of_the_runs() -> None:
    results, tables = (
        RendererResults(measured("renderer")),
        {table.name: table for table in reported("renderer").tables},
    )
    assert set(tables) == {"renderer_frames", "renderer_waits", "renderer_latency", "renderer_llvmpipe"}
    words = {text: role for role, text in results.machines.items()}
    for row in tables["renderer_frames"].rows:
        run = results.runs[str(row["scene"]), words[str(row["machine"])]]
        assert number(row["rate"]) == pytest.approx(run["pixels"] / run["cycles"])
        assert all(row[kind] == run["bytes"][kind] for kind in KINDS)
    assert {row["part"] for row in tables["renderer_waits"].rows} >= {
        "raster",
        "texunit",
        "depth test",
        "AXI",
    }
    assert [row["latency"] for row in tables["renderer_latency"].rows] == [1, 100]
