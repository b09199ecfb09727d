# SPDX-License-Identifier: Apache-2.0
"""The report's chapters on the place of the depth test: measured both ways, right, and named everywhere."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from configs import UserError, load
from models.depth import EARLY, LATE, WHEN
from models.memory import Memory
from models.texcache import TexcacheModel
from models.texunit import TexunitModel, count
from report import texcache, texunit
from report.depth import Pair, when_tested
from report.page import BlockReport
from report.texcache import depth as texcache_depth
from report.texcache.results import TexcacheResults
from report.texcache.summary import Book
from tb.common.measuring.command import _parser, main, measurement
from tb.texcache.measuring.traffic import Rendered
from tests.report.small import copy, reported
from tests.report.texcache.test_results import change_arrays
from workloads.scenes import built_in
from workloads.texcache.frame import render
from workloads.texunit.quads import quad_frame

BLOCKS = ("texcache", "texunit")
SCENES = ("objects", "corridors")


def table(report: BlockReport) -> dict[tuple[Any, Any], dict[str, Any]]:
    comparison = next(candidate for candidate in report.tables if candidate.name.endswith("_depth"))
    return {(row["scene"], row["what"]): dict(row) for row in comparison.rows}


def expected(block: str, scene: str, depth: str) -> dict[str, int]:
    """By the golden model alone, from a cold cache."""
    if block == "texcache":
        trace = render(built_in(scene), 40, 32, depth=depth).trace(load("texcache"))
        model = TexcacheModel(load("texcache"), Memory(3, trace.base, trace.image), trace.lut)
        model.replay(trace.footprints)
        counters = model.counters
        misses = counters["lookups"] - counters["hits"]
        return {"footprints": len(trace.footprints), "misses": misses, "bytes read": 32 * misses}
    frame = quad_frame(built_in(scene), 40, 32, depth=depth)
    cfg = load("texunit", "one-unit")
    counts = count(*TexunitModel(cfg, Memory(3, 0, frame.image)).replay(*frame.stream))
    return {"quads": len(frame.quads), "pixels": frame.pixels, "queries": counts["queries"]}


@pytest.mark.parametrize("scene", SCENES)
@pytest.mark.parametrize("block", BLOCKS)
def test_the_table_is_the_models(block: str, scene: str) -> None:
    rows = table(reported(block))
    both = {depth: expected(block, scene, depth) for depth in WHEN}
    for what in both[EARLY]:
        row = rows[scene, what]
        assert (row["early"], row["late"]) == (both[EARLY][what], both[LATE][what]), what
        assert row["more"] == both[LATE][what] / both[EARLY][what] - 1
    assert rows[scene, "cycles"]["late"] > rows[scene, "cycles"]["early"]


@pytest.mark.parametrize("block", BLOCKS)
def test_all_figures_of_scenes_say_which_test_they_used(block: str) -> None:
    report = reported(block)
    assert report.provenance["Depth test"] == "early, before texturing (DEPTH=early)"
    said = [
        figure
        for section in report.sections
        for figure in section.figures
        if "from a cold cache" in figure.traffic
    ]
    named = [figure for figure in said if when_tested(EARLY) in figure.traffic]
    others = {figure.anchor for figure in said if figure not in named}
    assert others - {"depth-traffic"} <= {"gallery", "orders-quad", "range-curve"}, others  # single textures
    assert len(named) > 5


def order(block: str, out: Path, *arguments: str) -> Any:
    what = measurement(block)
    given = _parser(block, what).parse_args(["--quick", "--out", str(out), "--scenes", "objects", *arguments])
    return what.order(given, load(block), f"make report BLOCK={block}")


def test_measuring_takes_either_and_adds_the_other(tmp_path: Path) -> None:
    for chosen in WHEN:
        given = order("texcache", tmp_path, "--depth", chosen)
        planned = [
            entry
            for entry in measurement("texcache").plan(given)
            if isinstance(entry.traffic, Rendered)  # type: ignore[attr-defined]
        ]
        by_kind: dict[str, set[str]] = {}
        for entry in planned:
            workload: Any = entry
            assert workload.meta["depth"] == workload.traffic.depth
            by_kind.setdefault(workload.kind, set()).add(workload.traffic.depth)
        [other] = set(WHEN) - {chosen}
        assert by_kind == {"scene": {chosen}, "depth": {other}}
        given = order("texunit", tmp_path, "--depth", chosen)
        depths: dict[str, str] = {}
        for entry in measurement("texunit").plan(given):
            workload = entry
            depths[workload.way] = workload.frame.depth
        assert {way for way, depth in depths.items() if depth == other} == {other}
        assert given.pictures.depth == chosen


def test_the_command_repeats_the_choice(tmp_path: Path) -> None:
    what = measurement("texunit")
    for depth, shown in ((LATE, LATE), (EARLY, None)):
        arguments = _parser("texunit", what).parse_args(["--depth", depth])
        assert what.variables(arguments)["DEPTH"] == shown


def test_pictures_that_differ_stop_the_report(tmp_path: Path) -> None:
    folder = copy(tmp_path)
    path = TexcacheResults(folder).entries["depth/objects/late", "base"]

    def change(arrays: dict[str, Any]) -> None:
        arrays["picture"] = arrays["picture"] ^ np.uint8(1)

    change_arrays(path, change)
    with pytest.raises(UserError, match="another picture than scene/objects/bilinear/scan"):
        texcache_depth.pair(Book(TexcacheResults(folder), lambda words: None), "objects")


def test_a_late_test_never_textures_less() -> None:
    with pytest.raises(UserError, match="objects: fewer quads with the late depth test"):
        Pair("objects", {"quads": 2}, {"quads": 1})


@pytest.mark.slow
@pytest.mark.parametrize("block", BLOCKS)
def test_a_report_on_the_late_test(tmp_path: Path, block: str) -> None:
    """Says so throughout, and finds the same in the comparison as the one on the early test."""
    chosen = ["--scene", "objects", "--view", "0", "--size", "40x32", "--depth", LATE]
    assert main([block, *chosen, "--quick", "--seed", "3", "--out", str(tmp_path / block)]) == 0
    made = {"texcache": texcache, "texunit": texunit}[block].build(tmp_path / block, lambda words: None)
    assert made.provenance["Depth test"] == "late, after texturing (DEPTH=late)"
    assert "DEPTH=late" in made.command
    said = {figure.traffic for section in made.sections for figure in section.figures}
    assert any(when_tested(LATE) in traffic for traffic in said) and not any(
        when_tested(EARLY) in traffic for traffic in said
    )
    rows = table(made)
    assert rows
    for (scene, what), row in table(reported(block)).items():
        if scene == "objects":
            assert rows["objects-0", what] == {**row, "scene": "objects-0"}
