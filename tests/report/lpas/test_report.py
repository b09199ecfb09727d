# SPDX-License-Identifier: Apache-2.0
"""The page of ``lpas``: the source's figures for three switches, from checked results."""

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from configs import UserError, load
from report import costs, lpas
from report.lpas import source, waits
from report.lpas.loads import PARTS, SWITCH, TRAFFICS, UNIFORM_RATE, draw_resources
from report.lpas.results import FS, LPAS, LR2SS, SWITCHES, LpasResults, saturation
from report.pages import Page
from report.results import read_index
from report.tables import percent, whole
from tb.common.measuring.stored import write_arrays
from tb.lpas.measuring import MEASUREMENT, loads, programs, shots
from tests.report.small import copy, figure, measured, reported
from utils.files import write_checked
from workloads.lpas.cases import CONFLICTS, LENGTHS, SIMPLE


def table(name: str) -> list[dict[str, Any]]:
    [match] = [candidate for candidate in reported("lpas").tables if candidate.name == name]
    return [dict(row) for row in match.rows]


def test_latencies_that_are_exact() -> None:
    for row in table("lpas_figure_4"):
        if row["switch"] != LR2SS:
            assert (row["write"], row["read"]) == (1, 2)
    for row in table("lpas_figure_5"):
        if row["switch"] == LPAS:
            share = 4 * row["percent"]
            assert [row[name] for name in ("LA", "RA1", "RA2", "RA3")] == pytest.approx(
                [2.5, *(4.5 + share * (area - 0.5) for area in (1, 2, 3))]
            )
        if (row["switch"], row["percent"]) == (FS, 1):
            assert [row[name] for name in ("LA", "RA1", "RA2", "RA3")] == [8.5] * 4, "nobody is near"
        if (row["switch"], row["percent"]) == (LR2SS, 1):
            assert [row[name] for name in ("LA", "RA1", "RA2", "RA3")] == pytest.approx([8.5] * 4, abs=1)
    assert len(table("lpas_figure_5")) == len(SWITCHES) * len(CONFLICTS)
    for row in table("lpas_figure_6")[: len(SIMPLE)]:
        for role in SWITCHES:
            assert row[f"{role} read"] == pytest.approx(row[f"{role} write"] + 1, abs=1e-12)
            assert row[f"{role} write"] == 1 or role == LR2SS
    one_write = [row for row in table("lpas_classes") if "one write" in row["kind"]]
    assert len(one_write) == 6
    for row in one_write:
        assert row[LPAS] == row[FS], "no policy changes the mean of one write"
        assert row[f"source {LPAS}"] == source.CLASSES[row["class"]][LPAS]


def test_readings_of_lr2ss() -> None:
    rows = {row["reading"]: row for row in table("lpas_readings")}
    names = ("I", "II", "III", "IV", "III uniform")
    assert [rows["C"][name] for name in names] == [rows["FS"][name] for name in names]
    assert (rows["A (default)"]["I"], rows["A (default)"]["II"], rows["A (default)"]["IV"]) == (1, 2.5, 2.5)
    assert rows["B"]["I"] > 1 and rows["B"]["II"] == 2.5


def test_lengths_and_lesson() -> None:
    rows = table("lpas_lengths")
    assert len(rows) == 4 * len(LENGTHS)
    assert all(row[LPAS] == row[FS] for row in rows if row["length"] == 1)
    for row in rows:
        assert row["gap"] == pytest.approx(row[LPAS] - row[FS])
        if row["class"] == "III":
            hot = row["kind"] == "hot"  # FS begins with the PE that is at home there, more often than not
            assert -0.06 * hot - 4 * row["error"] <= row["gap"] <= 4 * row["error"], "one area alone contends"
    four = {(row["kind"], row["length"]): row for row in rows if row["class"] == "IV"}
    for (kind, length), row in four.items():
        if kind == "hot" and length > 3:
            assert row["gap"] > 3 * row["error"], "far PEs are left with the hot cache"
        if kind == "uniform" and length > 3:
            assert row["gap"] < -3 * row["error"]
    assert four["hot", 2]["gap"] < 0
    served = {role: [row for row in table("lpas_lesson") if row["switch"] == role] for role in SWITCHES}
    assert [row["pe"] for row in served[LPAS]] == [
        "PE 00", "PE 01", "PE 00", "PE 00", "PE 10", "PE 11", "PE 20", "PE 30"
    ]  # fmt: skip
    assert [row["pe"] for row in served[FS]][:6] == ["PE 00", "PE 01", "PE 10", "PE 11", "PE 20", "PE 30"]


def test_conflicts_by_probability() -> None:
    rows = table("lpas_probabilities")
    assert len(rows) == 4 * len(CONFLICTS)
    for row in rows:
        assert row[LPAS] == row[FS] == pytest.approx(row["exact"], rel=0.07), "64 cases or more"
        assert row[LR2SS] >= row[LPAS] - 1e-9
    hot = [row for row in rows if row["kind"] == "hot" and row["percent"] == 100]
    assert [row[LPAS] for row in hot] == [2.5, 2.5], "all four of a row at one cache"


def longest_seen() -> dict[str, float]:
    """The longest stores of far PEs with local priority: at full load, and the longest wait in a siege."""
    far = ("RA1", "RA2", "RA3")
    return {
        name: max(row[area] for row in table(kept) if row["switch"] == LPAS for area in far)
        for name, kept in (("full", "lpas_worst"), ("siege", "lpas_siege"))
    }


def test_accepted_is_that_of_full_load() -> None:
    """Not the largest of some loads, each of which is off by its draw."""
    for traffic in TRAFFICS:
        rows = table(f"lpas_load_{traffic.replace(' ', '_')}")
        said = figure("lpas", f"lpas-{saturation(traffic)}").learn
        for role in SWITCHES:
            [full] = [row["accepted"] for row in rows if (row["switch"], row["offered"]) == (role, 1)]
            assert f"{role} {full:.3f} (" in said.partition("Accepted at full load: ")[2]
            if (traffic, role) == ("uniform", LPAS):
                assert full == pytest.approx(UNIFORM_RATE, abs=0.02), "400 cycles"


def test_the_distribution_loses_nothing() -> None:
    """What is drawn adds up to all stores: the last bar is the tail."""
    rows = table("lpas_distribution")
    shown = figure("lpas", "lpas-distribution")
    for role, area in ((LPAS, "own row"), (LPAS, "other rows"), (FS, "all rows")):
        mine = [row for row in rows if (row["switch"], row["area"]) == (role, area)]
        assert sum(row["share"] for row in mine) == pytest.approx(1)
        tail = sum(row["share"] for row in mine if row["cycles"] >= waits.SHOWN)
        assert f"{role}, {area} {percent(tail)}" in shown.learn
        assert f"{role}, {area}&#10;{waits.SHOWN}: {tail:.5f}" in shown.body


def test_waits_and_their_bounds() -> None:
    for traffic in ("local", "hot spot"):
        rows = {row["switch"]: row for row in table("lpas_worst") if row["traffic"] == traffic}
        longest = {role: max(row[area] for area in ("LA", "RA1", "RA2", "RA3")) for role, row in rows.items()}
        assert longest[FS] <= 16 and longest["LPAS, age"] <= 16 + 15 + 1
    assert longest[LPAS] > 100, "far PEs wait for all that near ones have for the hot cache"
    for row in table("lpas_siege"):
        wait = max(row["RA1"], row["RA2"], row["RA3"])
        if row["switch"] == LPAS:
            assert wait >= row["near"] - 1
        elif row["switch"] != "LPAS, weights":
            assert wait <= 31
    observed, claims = longest_seen(), {row["what"]: row for row in table("lpas_source")}
    keys = {key.name: key for key in reported("lpas").key_figures}
    assert keys["longest"].value == max(observed["full"], observed["siege"] + 1)
    local = {row["switch"]: row for row in table("lpas_worst") if row["traffic"] == "local"}
    assert keys["latency"].value == local[LPAS]["latency"]
    [_, result, _] = reported("lpas").summary
    [four] = [
        row for row in table("lpas_classes") if (row["class"], row["kind"]) == ("IV", "hot 0.4, one write")
    ]
    sizes = {row["switch"]: row["lut"] for row in table("lpas_cost_switch") if row["size"] == "4x4"}
    for value in (f"{four[FS]:.2f}", whole(keys["longest"].value), *map(whole, (sizes[LPAS], sizes[FS]))):
        assert value in result and "LPAS writes as fast as FS" in result
    assert claims["the longest store of a far PE under full load"]["value"] == observed["full"]
    claim = claims["a far PE whose near ones never pause"]
    assert claim["value"] == observed["siege"] and claim["traffic"].startswith("two PEs load, ")
    for row in table("lpas_load_transposed"):
        if row["offered"] == 1 and row["switch"] != LR2SS:
            assert row["accepted"] == 1 and row["latency"] == 1


def test_loads_with_read_pipeline_are_as_fast_as_stores() -> None:
    rows = {(row["traffic"], row["accesses"]): row for row in table("lpas_reads")}
    for traffic in TRAFFICS:
        stores, loads, slow = (
            rows[traffic, accesses]
            for accesses in ("stores", "loads with read_pipeline", "loads as published")
        )
        assert loads["worst"] == stores["worst"] + 1, "the same grants, acknowledged a cycle later"
        assert loads["accepted"] == pytest.approx(stores["accepted"], rel=0.01)
        assert slow["accepted"] <= 0.5, "every second cycle at most"
    free = [
        rows["transposed", accesses]["accepted"]
        for accesses in ("loads as published", "loads with read_pipeline")
    ]
    assert free == [pytest.approx(0.5, abs=0.003), pytest.approx(1, abs=0.003)]


def test_the_application_and_the_sources_numbers() -> None:
    rows = table("lpas_programs")
    assert rows[-1]["cycles"] == source.CYCLES == 53040
    ours = {(row["program"], row["switch"]): row for row in rows[:-1]}
    assert len(ours) == 6 and all(row["ms"] == row["cycles"] / 221e3 for row in ours.values())
    claims = {row["what"]: row for row in table("lpas_source")}
    assert claims["the application"]["source"] == "0.24 ms"
    assert claims["bandwidth of the application"]["source"] == "478.125 MB/s"
    assert claims["peak bandwidth, LPAS"]["value"] == 16 * 2 * 221e6
    for role in (LPAS, FS):
        claim = claims[f"class IV, {role}"]
        assert "64 cases" in claim["traffic"] and "exactly 1.42 is expected" in claim["remark"]
        assert re.fullmatch(r"1\.\d\d ± 0\.0\d", claim["ours"])
    memory = figure("lpas", "lpas-memory")
    away = re.search(r"a memory (\S+) cycles away", claims["the application"]["remark"])
    assert away and f"a memory about {away[1]} cycles away" in memory.learn, "one number for both"
    for row in table("lpas_images"):
        assert sum(int(cell) for cell in row["matrix"].replace(";", "").split()) == 7808


def test_the_base_is_the_sources_array() -> None:
    others = [("fs", ()), ("tiny", ()), ("age", ()), ("pipelined", ()), ("paper", ("areas=cyclic",))]
    for preset, changes in others:
        arguments: Any = type("", (), {"out": Path(), "seed": 1, "quick": True})
        with pytest.raises(UserError, match=f"CONFIG={preset} is of"):
            MEASUREMENT.order(arguments, load("lpas", preset, changes), "")
    base: Any = load("lpas")
    on_rtl = {
        workload.id for workload in (*shots.plan(base, False), *loads.plan(base, False)) if workload.cfgs
    }
    assert on_rtl == {
        "cases",
        "bounded",
        "siege",
        "reads",
        *(f"load-{traffic}" for traffic in ("uniform", "local", "transposed", "hot-spot")),
        *(f"sizes-{size}" for size in ("2x2", "2x4", "4x4", "4x8", "8x8")),
    }
    assert all(workload.cfgs for workload in programs.plan(base, False)[:2])


@pytest.mark.parametrize(
    ("workload", "array", "says"),
    [
        ("cases", "latency", "do not add up"),
        ("load-uniform", "latencies", "stores are not counted once each"),
    ],
)
def test_numbers_that_do_not_add_up_are_refused(tmp_path: Path, workload: str, array: str, says: str) -> None:
    folder = copy(tmp_path, "lpas")
    run = next(run for run in read_index(folder, "lpas")["runs"] if run["workload"] == workload)
    path = folder / run["file"]
    about = json.loads(path.read_text())
    with np.load(path.with_suffix(".npz")) as stored:
        arrays = {name: stored[name] for name in stored.files}
    if workload == "cases":
        numbers = [n for n, case in enumerate(about["cases"]) if case[0] == "figure 5"]
        arrays[array][np.flatnonzero(arrays["case"] == numbers[0])[0]] += 1
    else:
        arrays[array][0, 3] += 1
    about["sha256"] = write_arrays(path.with_suffix(".npz"), arrays)
    write_checked(path, about)
    with pytest.raises(UserError, match=says):
        lpas.build(folder, lambda words: None)


def test_a_missing_run_is_named(tmp_path: Path) -> None:
    folder = copy(tmp_path, "lpas")
    index = json.loads((folder / "index.json").read_text())
    index["runs"] = [run for run in index["runs"] if run["workload"] != "load-local"]
    write_checked(folder / "index.json", index)
    with pytest.raises(UserError, match="load-local"):
        lpas.build(folder, lambda words: None)
    assert LpasResults(measured("lpas")).quick


def test_resources_that_are_kept_and_those_that_are_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    head = "preset,changes,part,key,lut,lut_least,lut_memory,ff,bram,path_ns,luts_in_path,seconds\n"
    size = "array.rows=2 array.columns=2 observe=false axi.id_bits=3"
    lines = [
        f",switch={name} {size},{SWITCH},k,{luts},1,0,9,0.0,{path},5,7\n"
        for name, luts, path in (("lpas", 50, 1.5), ("fs", 44, 1.25), ("lr2ss-a", 53, 2.0))
    ]
    (tmp_path / "lpas.csv").write_text(head + "".join(lines))
    monkeypatch.setattr(costs, "FOLDER", tmp_path)
    page = Page("lpas")
    for part, words in PARTS.items():
        draw_resources(page, part, words)
    switch, arbiters, block = (drawn for section in page.sections() for drawn in section.figures)
    assert switch.learn == (
        "At 2x2 FS needs the least. Longest paths of logic there: LPAS 1.50 ns, FS 1.25 ns, LR2SS 2.00 ns."
    )
    assert "LUT" in switch.body and "longest path of logic, ns" in switch.body
    assert switch.table and [(row["size"], row["switch"], row["lut"]) for row in switch.table.rows] == [
        ("2x2", LPAS, 50), ("2x2", FS, 44), ("2x2", LR2SS, 53),
    ]  # fmt: skip
    for other in (arbiters, block):
        assert other.table and not other.table.rows and "Too few" in other.learn
