# SPDX-License-Identifier: Apache-2.0
"""The page of ``trilinear``: machines that differ in one thing, the published one beside, damage named."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from configs import UserError, load
from models.memory import Memory
from models.texcache import TexcacheModel
from models.trilinear import REQUEST, TrilinearModel
from report.memory import MEAN
from report.results import read_index, read_json
from report.tables import Value, number
from report.trilinear import FAR, NEAR, OURS, PARTS, PUBLISHED, build
from tb.trilinear.measuring import (
    DEPTHS,
    LATENCIES,
    PUBLISHED_LATENCIES,
    QUICK_LATENCIES,
    cfgs,
    idle_behind,
    published,
)
from tests.report.small import ARGUMENTS, copy, measured, reported
from utils.files import write_checked
from workloads.scenes import built_in
from workloads.texcache.frame import render
from workloads.traces.requests import records
from workloads.trilinear.samples import of_trace

SCENES = ARGUMENTS[-1].split(",")
Rows = list[Mapping[str, Value]]


def table(name: str) -> Rows:
    [match] = [
        candidate for candidate in reported("trilinear").tables if candidate.name == f"trilinear_{name}"
    ]
    return list(match.rows)


def damage(folder: Path, role: str, **changes: Any) -> Path:
    """The file of a role's first run, changed."""
    listed = json.loads((folder / "index.json").read_text())["runs"]
    path = folder / next(entry["file"] for entry in listed if entry["role"] == role)
    write_checked(path, {**json.loads(path.read_text()), **changes})
    return path


def test_machines_differ_in_one_thing() -> None:
    base = load("trilinear")
    by_role = cfgs(base)
    far = by_role[FAR]
    for block, latencies in (("trilinear", LATENCIES), ("texcache", PUBLISHED_LATENCIES)):
        own = {cfg.memory.latency for role, cfg in by_role.items() if "cycle" in role and cfg.block == block}
        assert own == set(latencies) >= set(QUICK_LATENCIES)
    for depth in DEPTHS:
        cfg = by_role[f"FIFOs of {depth}"]
        assert cfg.half.fifo.depth == depth
        assert cfg.with_(half={"fifo": {"depth": far.half.fifo.depth}}) == far, "nothing else"
    assert not [role for role in cfgs(load("trilinear", "tiny")) if "FIFO" in role], "its own are shorter"
    assert len(cfgs(base, quick=True)) == len(by_role) - len(LATENCIES) - len(PUBLISHED_LATENCIES) + 6


@pytest.mark.parametrize("preset", ["base", "double", "tiny"])
def test_the_published_cache_has_the_same_size_and_memory(preset: str) -> None:
    base: Any = load("trilinear", preset)
    there = published(base)
    assert there.capacity_bytes == base.capacity_bytes and there.memory == base.memory
    assert (there.axi.data_bits, there.layout) == (base.axi.data_bits, base.half.layout)
    paper: Any = load("texcache", "paper")
    for name in ("banks", "banking", "fill_port", "resume", "held_hit", "lookup", "fifo"):
        assert getattr(there, name) == getattr(paper, name), name
    assert there.cache.ways == paper.cache.ways


def test_both_machines_have_the_counts_of_their_models() -> None:
    """Misses, look-ups that hit, and what they say by texel, of each scene: nothing is exchanged."""
    base: Any = load("trilinear")
    there = published(base)
    rows = {(row["role"], row["scene"]): row for row in table("beside")}
    assert len(rows) == 2 * len(SCENES)
    for scene in SCENES:
        frame = render(built_in(scene), 40, 32, "scan", "trilinear")
        trace = frame.trace(there)
        model = TexcacheModel(there, Memory(3, trace.base, trace.image), trace.lut)
        model.replay(trace.footprints)
        mine = TrilinearModel(base, Memory(3))
        mine.replay(records(REQUEST, of_trace(base, frame.trace(base.half)).columns))
        halves = [half.counters for half in mine.halves.values()]
        totals = {name: sum(half[name] for half in halves) for name in halves[0]}
        for machine, counters in ((PUBLISHED, model.counters), (OURS, totals)):
            row, misses = rows[machine, scene], counters["misses"]
            assert row["misses"] == misses and row["samples"] == trace.pixels
            assert row["hits"] == pytest.approx(counters["hits"] / counters["lookups"])
            assert row["fetched"] == pytest.approx(1 - misses / (4 * len(trace)))
            assert row["read"] == pytest.approx(32 * misses / trace.pixels)
        assert number(rows[PUBLISHED, scene]["per_clock"]) < 0.5 < number(rows[OURS, scene]["per_clock"])


def test_each_cycle_has_one_cause() -> None:
    """Shares are all; the lowest is the rate; what far memory takes is what it does not leave."""
    rates = {(row["role"], row["scene"]): row["per_clock"] for row in table("beside")}
    kept = {(row["machine"], row["scene"]): row["kept"] for row in table("latency") if row["latency"] == 100}
    rows = table("cycles")
    assert len(rows) == 2 * len(SCENES)
    for row in rows:
        key, shares = (row["machine"], row["scene"]), {name: number(row[name]) for name in PARTS}
        assert sum(shares.values()) == pytest.approx(1) and min(shares.values()) >= 0
        assert shares["ideal"] == pytest.approx(rates[key])
        assert 1 - shares["misses"] == pytest.approx(kept[key])
        alone = shares["second"] > 0 and shares["conflicts"] > 0 and shares["stop"] > 0
        assert alone == (row["machine"] == PUBLISHED) and shares["order"] >= 0


def test_a_full_fifo_is_told_from_lines_that_are_asked_for_one_by_one() -> None:
    folder = measured("trilinear")
    runs = {
        entry["role"]: read_json(folder / entry["file"]) for entry in read_index(folder, "trilinear")["runs"]
    }
    assert runs[NEAR]["full"] == 0 < runs[NEAR]["taken"] - runs[NEAR]["requests"]
    assert runs["FIFOs of 16"]["full"] > runs["FIFOs of 64"]["full"] > 0


def test_cycles_behind_open_requests_are_counted() -> None:
    rng = np.random.default_rng(4)
    requests = np.cumsum(rng.integers(1, 4, 200)).astype(np.int64)
    requests -= requests[0]
    answered = np.maximum.accumulate(requests + rng.integers(1, 30, 200)) + np.arange(200)
    for opened in (1, 8, 20):
        slow = sum(
            cycle not in requests and int((requests < cycle).sum() - (answered < cycle).sum()) >= opened
            for cycle in range(int(requests[-1]))
        )
        assert idle_behind(requests, answered, opened) == slow
    assert idle_behind(requests, answered, 8) > idle_behind(requests, answered, 20) > 0


@pytest.mark.parametrize(("name", "key"), [("latency", "cycle"), ("depth", "FIFO")])
def test_points_are_rates_of_the_scenes_and_their_mean(name: str, key: str) -> None:
    folder = measured("trilinear")
    listed = [entry for entry in read_index(folder, "trilinear")["runs"] if key in entry["role"]]
    rates: dict[tuple[str, int], dict[str, float]] = {}
    for entry in listed:
        run = read_json(folder / entry["file"])
        machine = OURS if run["machine"] == OURS else PUBLISHED
        rates.setdefault((machine, run[name]), {})[entry["workload"]] = run["samples"] / run["cycles"]
    shown = {(row.get("machine", OURS), row[name], row["scene"]): row["per_clock"] for row in table(name)}
    for (machine, value), of_scenes in rates.items():
        assert set(of_scenes) == set(SCENES)
        for scene, rate in of_scenes.items():
            assert shown[machine, value, scene] == pytest.approx(rate)
        assert shown[machine, value, MEAN] == pytest.approx(sum(of_scenes.values()) / len(SCENES))
    points = len(rates) + (key == "FIFO")  # beside them that of the configuration
    assert len(shown) == points * (len(SCENES) + 1)


def test_the_rate_falls_with_latency_and_grows_with_depth() -> None:
    for machine in (OURS, PUBLISHED):
        own = [row for row in table("latency") if row["machine"] == machine and row["scene"] == MEAN]
        late = [number(row["per_clock"]) for row in own]
        assert late == sorted(late, reverse=True) and late[0] > late[-1]
    deep = [number(row["per_clock"]) for row in table("depth") if row["scene"] == MEAN]
    assert deep == sorted(deep) and deep[-1] > deep[0]


@pytest.mark.parametrize(
    ("role", "name", "by"),
    [
        (FAR, "pairs", 10_000), (FAR, "lines", 1), (FAR, "full", 1 << 20), (FAR, "taken", 1 << 20),
        (FAR, "requests", 500), (f"published, {FAR}", "taken", 1), (f"published, {FAR}", "pairs", 1),
        (f"published, {NEAR}", "lines", -1), (f"published, {NEAR}", "cycles", -1000),
    ],
)  # fmt: skip
def test_what_does_not_add_up_is_refused(role: str, name: str, by: int, tmp_path: Path) -> None:
    folder = copy(tmp_path, "trilinear")
    path = damage(folder, role)
    damage(folder, role, **{name: read_json(path)[name] + by})
    with pytest.raises(UserError, match=f"{path.name}: .*(not add up|in one place and .* in another)"):
        build(folder, lambda words: None)


def test_counters_that_do_not_add_up_are_refused(tmp_path: Path) -> None:
    """A cycle more that the published cache stopped; a hit less in a half."""
    for role, where in (
        (f"published, {FAR}", ("counters", "stop_cycles")),
        (FAR, ("halves", "even", "hits")),
    ):
        folder = copy(tmp_path / role, "trilinear")
        path = damage(folder, role)
        run = inner = read_json(path)
        for name in where[:-1]:
            inner = inner[name]
        inner[where[-1]] += 1
        write_checked(path, run)
        with pytest.raises(UserError, match=f"{path.name}: .* in one place and .* in another"):
            build(folder, lambda words: None)


@pytest.mark.parametrize(
    ("role", "other", "said"),
    [
        (NEAR, FAR, r"its cycles do not add up \(misses: -"),
        (FAR, f"published, {FAR}", "its machine does not add up"),
    ],
)
def test_runs_that_are_exchanged_are_refused(role: str, other: str, said: str, tmp_path: Path) -> None:
    folder = copy(tmp_path, "trilinear")
    index = json.loads((folder / "index.json").read_text())
    roles = {role: other, other: role}
    for run in index["runs"]:
        run["role"] = roles.get(run["role"], run["role"])
    write_checked(folder / "index.json", index)
    with pytest.raises(UserError, match=said):
        build(folder, lambda words: None)
