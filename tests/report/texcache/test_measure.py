# SPDX-License-Identifier: Apache-2.0
"""The measurement: complete, checked against the model, resumed after an interruption, nothing done twice."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from configs import UserError, load
from models.texcache import TexcacheModel
from report.texcache.results import TexcacheResults
from tb.common.measuring.command import main
from tb.common.measuring.workload import DisagreementError, hardware
from tb.common.replay.compare import Mismatch
from tb.texcache.measuring import workload
from tb.texcache.measuring.plan import (
    FAR_MEMORY,
    FAST,
    FAST_LATENCIES,
    LATENCIES,
    Order,
    conflict_free,
    plan,
    roles,
)
from tb.texcache.replay import predict
from tests.report.small import ARGUMENTS, copy
from tests.report.small import measured as small_measurement
from workloads.scenes import SCENES
from workloads.scenes.options import Pictures
from workloads.scenes.views import built_in_view
from workloads.textures import NAMES

MEASURE = ["texcache", *ARGUMENTS]


def order(out: Path, *scenes: str, quick: bool = False) -> Order:
    pictures = Pictures(40, 32, tuple(map(built_in_view, scenes or SCENES)))
    command = "python -m tb measure texcache"
    return Order(load("texcache", "paper"), out, command, quick=quick, pictures=pictures)


def planned(order: Order, name: str) -> workload.Workload:
    return next(entry for entry in plan(order) if entry.id == name)


def files(folder: Path) -> dict[str, int]:
    return {str(path.relative_to(folder)): path.stat().st_mtime_ns for path in folder.rglob("*.npz")}


def test_covers_what_the_report_promises() -> None:
    """Every scene, filter, order; every texture by generator and walk; baselines and layouts."""
    workloads = plan(order(Path()))
    scenes = {
        (entry.meta["scene"], entry.meta["filter"], entry.meta["order"])
        for entry in workloads
        if entry.kind == "scene"
    }
    assert len(scenes) == 4 * 2 * 4
    for kind in ("generator", "walk"):
        assert {entry.meta["texture"] for entry in workloads if entry.kind == kind} == set(NAMES)
    cfgs = roles(order(Path()))
    assert cfgs["single-port"].lookup == "texel" and cfgs["single-port"].banks == 1
    assert {cfg.capacity_bytes for cfg in cfgs.values()} == {8192}
    assert {"tile4x4", "morton", "space,fifo=16", "drained,fifo=4"} <= set(cfgs)
    for prefix, latencies in (("", LATENCIES), (f"{FAST},", FAST_LATENCIES)):
        for latency in latencies:
            assert cfgs[f"{prefix}latency={latency}"].memory.latency == latency
    assert {f"latency={cycles}" for cycles in (1, FAR_MEMORY)} <= set(roles(order(Path(), quick=True)))
    assert cfgs["single-port"].name == "single-port", "a preset is recognized, so that its build is shared"


def test_the_fast_machine_is_the_preset() -> None:
    """Before far memory, and as it is before its own; in the size of another base, too."""
    preset: Any = load("texcache", "conflict-free")
    cfgs = roles(order(Path()))
    assert cfgs[FAST] == preset.with_(memory={"latency": FAR_MEMORY})
    assert cfgs[f"{FAST},latency={preset.memory.latency}"] == preset
    assert hardware(cfgs[FAST]) == preset, "a preset's build is shared"
    assert conflict_free(load("texcache", "single-port")).geometry == preset.geometry
    large: Any = load("texcache", "large")
    assert conflict_free(large).capacity_bytes == large.capacity_bytes


@pytest.mark.slow
def test_results_are_those_of_the_model() -> None:
    """Stored records equal a fresh prediction, for a run in a layout that is not the base's."""
    results = TexcacheResults(small_measurement())
    workload = results.of_kind("scene", scene="objects", filter="trilinear", order="tile8")[0]
    run = results.run(workload, "morton")
    from workloads.scenes import built_in
    from workloads.texcache.frame import render

    trace = render(built_in("objects"), 40, 32, "tile8", "trilinear").trace(run.cfg)
    from models.memory import Memory

    expected = TexcacheModel(run.cfg, Memory(3, trace.base, trace.image), trace.lut).replay(trace.footprints)
    for name in expected.dtype.names or ():
        assert (run.result[name] == expected[name]).all(), name
    assert (run.lut == trace.lut).all()


@pytest.mark.slow
def test_resumes_and_measures_nothing_twice(tmp_path: Path) -> None:
    """One run is lost, as after an interruption: that run alone is measured again, to the same bytes; what
    the index does not list is removed.
    """
    folder = copy(tmp_path)
    before, lost = files(folder), next(iter(sorted(folder.glob("runs/*base*.npz"))))
    content = lost.read_bytes()
    lost.unlink()
    (folder / "index.json").unlink()
    (folder / "runs" / "old-base-0123456789abcdef.npz").write_bytes(b"old")
    assert main([*MEASURE, "--out", str(folder)]) == 0
    after = files(folder)
    name = str(lost.relative_to(folder))
    assert set(after) == set(before)
    assert {other for other in after if after[other] != before[other]} == {name}
    assert lost.read_bytes() == content


def test_a_disagreement_is_not_stored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where RTL and model differ, the run fails with the place and leaves no result behind."""

    def differs(*_: Any) -> list[Mismatch]:
        return [Mismatch("hit", 7, 1, "access 7: hit is [1 0 0 0], expected [0 0 0 0]")]

    monkeypatch.setattr(workload, "check", differs)
    small = order(tmp_path, "objects", quick=True)
    with pytest.raises(DisagreementError, match=r"scene/objects/bilinear/scan .* access 7: hit is"):
        planned(small, "scene/objects/bilinear/scan").measure(small)
    assert not list(tmp_path.glob("runs/*"))


def test_a_planted_difference_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The comparison is alive: a model that calls one hit a miss stops the measurement."""
    honest = predict

    def lying(*arguments: Any) -> Any:
        model = honest(*arguments)
        records = model.result.copy()
        row = int(np.flatnonzero(records["hit"][:, 0])[0])
        records["hit"][row, 0] = 0
        return replace(model, result=records)

    monkeypatch.setattr(workload, "predict", lying)
    small = order(tmp_path, "objects", quick=True)
    with pytest.raises(DisagreementError, match="hit"):
        planned(small, "cycles").measure(small)


def test_provenance() -> None:
    index = json.loads((small_measurement() / "index.json").read_text())
    assert index["seed"] == 3 and index["hash"] == load("texcache", "paper").hash
    assert index["command"] == "make report BLOCK=texcache CONFIG=paper SIZE=40x32 SEED=3 QUICK=1"
    run = json.loads((small_measurement() / index["runs"][0]["file"]).read_text())
    assert {"config", "config_hash", "library", "seed", "counters", "versions", "command"} <= set(run)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--size", "40"], "--size 40: write it as WIDTHxHEIGHT"),
        (["--size", "4x4"], "each 16 to 2048"),
        (["--scenes", "castle"], "unknown scene 'castle': choose among corridors"),
        (["--scenes", ","], "name at least one of"),
        (["--seed", "0"], "--seed 0"),
        (["--config", "nope"], "unknown configuration 'nope'"),
        (["--set", "ways=3"], "ways=3"),
    ],
)
def test_bad_arguments(arguments: list[str], message: str) -> None:
    with pytest.raises(UserError, match=message):
        main(["texcache", *arguments])
