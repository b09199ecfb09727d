# SPDX-License-Identifier: Apache-2.0
"""Programs in the reports of the SIMT processor's caches: complete, the figures of ``make run``, checked."""

import json
import re
from collections.abc import Callable
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ci.synth import result
from configs import UserError, load
from configs.simt import LFU, LRU, POLICIES
from models import policies
from models.comparison import COMPARED, Geometry, compared
from models.lru import EMPTY
from report import costs
from report.dcache import lost
from report.results import read_index
from report.simt_results import largest, read_programs
from report.tables import number
from tb.common.measuring.command import measurement
from tb.common.measuring.programs import ProgramWorkload
from tb.common.measuring.stored import Order
from tests.report.small import copy, measured, reported
from utils.files import write_checked
from workloads.simt import requests
from workloads.simt.caches import Caches, configured
from workloads.simt.machine import Machine
from workloads.simt.programs import NINE, PROGRAMS, prepare

BLOCKS = ("icache", "dcache")
EACH = pytest.mark.parametrize("block", BLOCKS)


def programs(block: str) -> Any:
    return read_programs(measured(block), read_index(measured(block), block))


@EACH
def test_the_sources_nine_run_under_each_policy(block: str, tmp_path: Path) -> None:
    base = load(block)
    planned = measurement(block).plan(Order(base, tmp_path, "make report"))
    workloads = [workload for workload in planned if isinstance(workload, ProgramWorkload)]
    assert set(NINE) <= {workload.case.program for workload in workloads}
    assert all(tuple(workload.cfgs) == POLICIES for workload in workloads)
    assert workloads[0].cfgs[base.cache.policy] == base, "the preset's build is shared"
    points = workloads[0].simt.sweeps(base).points()
    for name, least in (("ways", 3), ("line_bytes", 3), ("capacity_bytes", 8)):
        assert len({getattr(point, name) for point in points}) >= least
    assert len(set(points)) == len(points) and min(point.sets for point in points) >= 2


@pytest.mark.parametrize("policy", POLICIES)
def test_cycles_lost_are_those_of_make_run(policy: str) -> None:
    """The RTL, asked without a pause, waits as long as the models say of a machine that waits for each."""
    for block in BLOCKS:
        for program in programs(block):
            job = prepare(PROGRAMS[program.program], program.n)
            machine = Machine(job.memory, job.launch)
            cfgs = configured("icache", "", policy), configured("dcache", "", policy)
            caches = Caches(*cfgs, machine.state.base, job.image.code_bytes)
            caches.run(machine.run())
            run = program.runs[policy]
            if block == "icache":
                assert run["memory_wait_cycles"] == caches.stalls["instructions"] > 0
            else:
                assert lost(run) == caches.stalls["data"] > 0
                assert run["evictions"] == caches.dcache.counters["evictions"]


@EACH
def test_fewer_warps_are_another_run(block: str) -> None:
    program = programs(block)[0]
    trace = prepare(PROGRAMS[program.program], program.n, warps=1).run()
    addresses = trace.addresses if block == "icache" else requests.words(trace)
    alone, all_of_them = program.by_warps
    assert (alone.warps, all_of_them.warps) == (1, 8)
    assert (alone.misses, alone.evictions) == compared(addresses, program.around)
    assert alone.looked_up == len(addresses)
    assert all_of_them.misses == program.at(program.around).misses != alone.misses


@EACH
def test_the_page_has_each_program_policy_and_geometry(block: str) -> None:
    all_programs, tables = programs(block), {table.name: table for table in reported(block).tables}
    rates, points = tables[f"{block}_hit_rates"].rows, tables[f"{block}_geometries"].rows
    assert [(row["program"], row["n"]) for row in rates] == [
        (program.program, program.n) for program in all_programs
    ]
    for program, row in zip(all_programs, rates, strict=True):
        for policy in POLICIES:
            run = program.runs[policy]
            assert row[policy] == pytest.approx(run["hits"] / (run["hits"] + run["misses"]), abs=1e-12)
            assert row[f"{policy}_evictions"] == run["evictions"]
    assert len(points) == len(all_programs) * len(all_programs[0].points)
    assert all(0 <= row[policy] <= row["optimum"] <= 1 for row in points for policy in COMPARED)
    for policy in COMPARED:
        evictions = [row[f"{policy}_evictions"] for row in points]
        assert evictions == [
            point.evictions[policy] for program in all_programs for point in program.points
        ] and any(evictions)
    assert len(tables[f"{block}_costs"].rows) == len(all_programs) * len(POLICIES)


@EACH
def test_lfu_is_lru_and_true_lfu_is_not(block: str) -> None:
    """The chapter's example are the models' ranks; its counter-example: A A B C D E A in a set."""
    [chapter] = [section for section in reported(block).sections if section.anchor == f"{block}-programs"]
    tables: list[list[str]] = []
    for policy in (LRU, LFU):
        [state], tags = policies.new_states(policy, 1, 4), np.full(4, EMPTY)
        shown = []
        for line in "ABCDAB":
            policies.access(policy, False, tags, state, ord(line))
            shown.append(" ".join(str(state[tags == ord(each)][0]) for each in "ABCD" if ord(each) in tags))
        assert policies.access(policy, False, tags, state, ord("E"))[2] == ord("C")
        tables.append(shown[3:])
    for line, lru, lfu in zip("DAB", *tables, strict=True):
        assert re.search(f"{line} +{lru} +{lfu}\n", chapter.intro)
    misses, _ = compared(64 * np.array([0, 0, 1, 2, 3, 4, 0]), Geometry(2, 4, 32))
    assert (misses["lru"], misses["lfu"], misses["true LFU"]) == (6, 6, 5)
    assert "of the accesses A A B C D E A it misses 5, LRU and “LFU” miss 6" in chapter.intro


@EACH
def test_the_sources_claims_stand_beside_what_was_measured(block: str) -> None:
    [table] = [table for table in reported(block).tables if table.name == f"{block}_source"]
    rows, all_programs = {row["what"]: row for row in table.rows}, programs(block)
    assert rows["size"]["ours"] == rows["size"]["source"]
    assert (
        rows["programs that ran"]["value"]
        == sum(program.program in NINE for program in all_programs)
        < len(NINE)
    )
    [matmul] = [program for program in all_programs if program.program == "matmul"]
    assert rows["first access of a matrix product"]["value"] == matmul.runs["pseudo-lru"]["begins"][0][1]
    assert 1 <= number(rows["then, in a line"]["value"]) < 1.5
    product = matmul.runs["pseudo-lru"]["misses"]
    assert rows["the whole product, 8 warps on 8 PEs"]["value"] == product
    assert rows["“LFU”"]["value"] == sum(
        len([*program.points, *program.by_warps]) for program in all_programs
    )
    stated = result.published(load(block))
    kept, path = costs.kept(block)["", "", ""], rows["longest path"]
    assert (path["source"], path["value"]) == (f"{stated['path_ns']} ns", kept["path_ns"])
    assert f"{stated['mhz']} MHz" in str(rows["frequency"]["source"])
    assert rows["frequency"]["value"] == pytest.approx(1000 / kept["path_ns"])
    assert rows["area"]["value"] == kept["lut"] and f"{kept['ff']:,.0f}" in str(rows["area"]["ours"])


def test_the_first_line_is_waited_for_then_each_cycle_has_its_answer() -> None:
    """As in the source's waveforms: 128 words of the instruction cache's line, 8 of the data cache's."""
    for block, line, hit in (("icache", 128, 1), ("dcache", 8, 8)):
        table = {table.name: table for table in reported(block).tables}[f"{block}_cold_start"]
        [matmul] = [program for program in programs(block) if program.program == "matmul"]
        requested, answered, misses = zip(*matmul.runs["pseudo-lru"]["begins"], strict=True)
        assert [row["answered"] for row in table.rows] == list(answered)
        words, wait = (1, 1) if block == "icache" else (8, 8)  # the first load's, all in lines of their own
        assert misses[0] == wait and requested[0] == 0
        assert answered[0] == 2 + words * (load(block).memory.latency + line) + (words - 1)
        steps = pairwise(zip(answered, misses, strict=True))
        apart = [late - early for (early, _), (late, missed) in steps if not missed]
        assert apart.count(hit) > 30 and set(apart) <= {hit, hit + 1}


def test_means_are_of_each_program_once() -> None:
    [small, *others] = programs("dcache")
    large = type(small)(small.program, small.n + 1, small.about, small.runs)
    assert largest([small, large, *others]) == [large, *others]


def more(about: dict[str, Any], policy: str, by: int) -> None:
    about["points"][1]["misses"][policy] += by


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            lambda about: about["points"][0]["misses"].update(lru=1),
            "misses of the RTL under lru, 1 of the sweep",
        ),
        (
            lambda about: about["points"][0]["evictions"].update(lru=1_000_000),
            "evictions of the RTL under lru, 1000000 of the sweep",
        ),
        (lambda about: about["warps"][0]["evictions"].pop("optimum"), "a policy is missing in Geometry"),
        (lambda about: about["points"][1]["evictions"].update(lfu=-1), '"LFU" and LRU differ in Geometry'),
        (lambda about: about.update(looked_up=about["looked_up"] + 1), "hits and [0-9]+ misses under"),
        (lambda about: more(about, "lfu", 1), '"LFU" and LRU differ in Geometry'),
        (lambda about: more(about, "optimum", 10_000), "a policy beats the optimum in Geometry"),
    ],
)
def test_numbers_that_do_not_add_up(
    tmp_path: Path, change: Callable[[dict[str, Any]], None], message: str
) -> None:
    folder = copy(tmp_path, "dcache")
    listed = next(entry for entry in read_index(folder, "dcache")["workloads"] if entry.get("program"))
    about = json.loads((folder / listed["file"]).read_text())
    assert Geometry(*list(about["points"][0].values())[:3]) == Geometry.of(load("dcache").cache)
    change(about)
    write_checked(folder / listed["file"], about)
    with pytest.raises(UserError, match=f"does not add up, .*{message}"):
        import_module("report.dcache").build(folder, lambda words: None)
