# SPDX-License-Identifier: Apache-2.0
"""The page of ``mmu``: programs through the RTL, beside the published caches."""

import json
from pathlib import Path

import pytest

from ci.synth import result
from configs import UserError, load
from configs.dcache.schema import STALLS
from configs.mmu.schema import Config
from report import costs, mmu
from report.results import read_index
from report.tables import Table, number
from tb.mmu.machine import MachineRun
from tb.mmu.measuring import CASES, CHANGES, FASTEST, LATENCY, PRODUCT, PUBLISHED, QUICK_CASES, cfgs
from tb.mmu.outcome import wide
from tests.report.small import copy, measured, reported
from utils.files import write_checked
from workloads.simt.machine import Machine
from workloads.simt.programs import NINE, PROGRAMS, prepare


def tables() -> dict[str, Table]:
    return {table.name: table for table in reported("mmu").tables}


def test_the_sources_nine_run_on_all_caches() -> None:
    base = load("mmu")
    assert isinstance(base, Config)
    assert tuple(case.program for case in CASES) == NINE
    made, fast = cfgs(base, quick=False), load("mmu", "fast")
    assert isinstance(fast, Config)
    assert set(made) == set(CHANGES) and len({cfg.hash for cfg in made.values()}) == len(made) - 1
    assert {cfg.memory.latency for cfg in made.values()} == {LATENCY}
    for role, cfg in ((PUBLISHED, base), (FASTEST, fast)):
        assert made[role].hash == wide(cfg).hash


@pytest.mark.slow
def test_matmul_and_fft_are_three_times_as_fast_as_published() -> None:
    """The problems of the report, memory 100 cycles away; "fast" has a wider bus (docs/simt.md)."""
    base = load("mmu")
    assert isinstance(base, Config)
    made = cfgs(base, quick=False)
    for program, n in CASES:
        if program in ("matmul", "fft"):
            job = prepare(PROGRAMS[program], n)
            trace = Machine(job.memory.copy(), job.launch).run()
            published, fast = (
                MachineRun(made[role], Machine(job.memory.copy(), job.launch), trace).run().cycles
                for role in (PUBLISHED, FASTEST)
            )
            assert published >= 3 * fast, program


@pytest.mark.slow
def test_speeds_are_ratios_of_cycles() -> None:
    folder = measured("mmu")
    runs = [entry for entry in read_index(folder, "mmu")["runs"] if entry["workload"] != PRODUCT.id]
    table = tables()["mmu_programs"]
    assert len(table.rows) == len(runs) == 3 * len(QUICK_CASES)
    published: dict[str, int] = {}
    for row, entry in zip(table.rows, runs, strict=True):
        run = json.loads((folder / entry["file"]).read_text())
        if entry["role"] == PUBLISHED:
            published[entry["workload"]] = run["cycles"]
        assert row["times"] == published[entry["workload"]] / run["cycles"]
        assert (row["cycles"], row["instructions"]) == (run["cycles"], run["instructions"])
        assert row["times"] >= (1.5 if entry["role"] == FASTEST else 1)  # type: ignore[operator]
        assert run["fetch_misses"] and run["data_wait_cycles"] > LATENCY


@pytest.mark.slow
def test_what_look_ups_waited_for_stands_beside_caches_that_count_it() -> None:
    folder, causes = measured("mmu"), [name for name, _ in STALLS]
    runs = [entry for entry in read_index(folder, "mmu")["runs"] if entry["role"] == FASTEST]
    rows = tables()["mmu_stalls"].rows
    assert len(rows) == len(runs) == len(QUICK_CASES)
    for row, entry in zip(rows, runs, strict=True):
        run = json.loads((folder / entry["file"]).read_text())
        assert [row[name] for name in causes] == [run[name] for name in causes]
        assert 0 < sum(run[name] for name in causes) < run["cycles"]


def test_the_sources_claims_stand_beside_what_was_measured() -> None:
    rows = {row["what"]: row for row in tables()["mmu_source"].rows}
    assert rows["programs that ran"]["value"] == len(QUICK_CASES)
    product = rows["4 x 4 product, 4 warps on 4 PEs"]
    assert product["source"] == "1e 46 32 3c 46 ae 72 8c 32 72 54 64 3c 8c 64 78"
    [run] = [entry for entry in read_index(measured("mmu"), "mmu")["runs"] if entry["workload"] == PRODUCT.id]
    assert run["role"] == PUBLISHED and str(product["traffic"]).startswith(f"{run['checked']} instructions")
    published = [row for row in tables()["mmu_programs"].rows if row["caches"] == PUBLISHED]
    assert rows["cycles per instruction"]["value"] == min(number(row["cpi"]) for row in published)
    stated = result.published(load("mmu"))
    assert f"{stated['mhz']} MHz" in str(rows["frequency"]["source"])
    assert rows["area"]["value"] == costs.kept("mmu")["", "", ""]["lut"]


def test_numbers_that_do_not_add_up_are_refused(tmp_path: Path) -> None:
    folder = copy(tmp_path, "mmu")
    path = folder / read_index(folder, "mmu")["runs"][1]["file"]
    run = json.loads(path.read_text())
    write_checked(path, {**run, "instructions": run["instructions"] + 1})
    with pytest.raises(UserError, match="its instructions do not add up"):
        mmu.build(folder, lambda words: None)
