# SPDX-License-Identifier: Apache-2.0
"""Programs through the golden models of the caches: data, counts by hand and by instruction, fences."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from configs.simt import POLICIES
from models import policies
from tests.workloads.simt import encoding as e
from workloads.simt import machine as machines
from workloads.simt.__main__ import main
from workloads.simt.caches import Caches, configured
from workloads.simt.machine import Launch, Machine, Start, Trace, new_memory
from workloads.simt.programs import PROGRAMS, prepare
from workloads.simt.recording import Recording

FENCE_I = e.i(0x0F, 1, 0, 0, 0)


def caches_of(job: Any, icache: str, dcache: str, policy: str | None = None) -> tuple[Machine, Caches]:
    """Before the run."""
    machine = Machine(job.memory, job.launch)
    made = (configured("icache", icache, policy), configured("dcache", dcache, policy))
    return machine, Caches(*made, machine.state.base, job.image.code_bytes, job.memory.copy())


def words_of(trace: Trace) -> np.ndarray[Any, Any]:
    """Byte addresses of the words that the data cache serves, in order."""
    active = (trace.accesses["mask"][:, None] >> np.arange(8)) & 1 == 1
    return trace.accesses["addr"][active & (trace.accesses["shared"] == 0)[:, None]].astype(np.int64)


@pytest.mark.parametrize(("name", "n"), [("matmul", 9), ("sort", 64), ("maximum", 100), ("lines", 8)])
@pytest.mark.parametrize("preset", ["paper", "tiny", "through"])
def test_the_models_give_the_words_that_the_machine_had(name: str, n: int, preset: str) -> None:
    """Instructions and loads, evicted and read again; in the end memory is the machine's."""
    job = prepare(PROGRAMS[name], n, bases=(0, 0x800))
    machine, caches = caches_of(job, "tiny" if preset == "through" else preset, preset)
    code = job.memory.copy()
    trace = machine.run()
    fetched, accessed = caches.run(trace, results=True)
    assert (fetched["inst"] == code[trace.addresses // 4]).all()
    loads = (trace.accesses["op"] == 0) & (trace.accesses["shared"] == 0)
    lanes = (trace.accesses["mask"][loads, None] >> np.arange(8)) & 1 == 1
    assert loads.any()
    assert (accessed["data"][loads][lanes] == trace.accesses["data"][loads][lanes]).all()
    caches.finish()
    memory, size = caches.dcache.memory, caches.data.cache.line_bytes // 4
    for line in memory.lines.tolist():
        assert (memory.line(line).view(np.uint32) == machine.memory[line * size : (line + 1) * size]).all()
    assert len(memory.lines)


@pytest.mark.parametrize("policy", POLICIES)
def test_misses_are_those_of_the_policy_on_the_lines(policy: str) -> None:
    """All lanes lowest first, the data RAM left out; by instruction they add up to the same."""
    job = prepare(PROGRAMS["sort"], 128)
    machine, caches = caches_of(job, "tiny", "tiny", policy)
    trace = machine.run()
    caches.run(trace)
    streams = (caches.icache, trace.addresses, "i-misses"), (caches.dcache, words_of(trace), "d-misses")
    for model, addresses, column in streams:
        cache = model.cfg.cache
        lines = addresses // cache.line_bytes
        hits, _ = policies.run(
            POLICIES.index(policy), lines % cache.sets, lines, cache.sets, cache.ways, cache.invalid_first
        )
        assert model.counters["hits"] == hits.sum()
        assert model.counters["misses"] == (hits == 0).sum() == caches.by_pc[column].sum() > 100
    stalls = caches.stalls["instructions"] + caches.stalls["data"]
    assert caches.by_pc["stalls"].sum() == stalls


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize(
    "preset", ["tiny", "through", "paper uncached_bits=0 mshrs=2 coalescing=true sets=4 ways=4"]
)
def test_what_is_used_again_is_counted_as_the_model_does(preset: str, policy: str) -> None:
    """Without results the models are not asked about a line that its set used last: all else is the same."""
    both = []
    for results in (False, True):
        job = prepare(PROGRAMS["sort"], 64, bases=(0, 0x800))
        machine, caches = caches_of(job, "tiny", preset, policy)
        fetched, accessed = caches.run(machine.run(), results=results)
        assert (len(fetched) > 0, len(accessed) > 0) == (results, results)
        caches.finish()
        both.append(caches)
    quick, full = both
    assert quick.icache.counters == full.icache.counters and quick.dcache.counters == full.dcache.counters
    assert quick.stalls == full.stalls and quick.dcache.counters["misses"] > 0
    for name, column in quick.by_pc.items():
        assert (full.by_pc[name] == column).all()
    for mine, other in ((quick.icache, full.icache), (quick.dcache, full.dcache)):
        assert (mine._ranks == other._ranks).all(), "the policy's state"
    memory, other_memory = quick.dcache.memory, full.dcache.memory
    assert (memory.lines == other_memory.lines).all()
    assert all((memory.line(line) == other_memory.line(line)).all() for line in memory.lines.tolist())


def test_accesses_out_of_order_are_refused() -> None:
    job = prepare(PROGRAMS["sort"], 64)
    machine, caches = caches_of(job, "tiny", "tiny")
    trace = machine.run()
    with pytest.raises(ValueError, match="in the order of their fetches"):
        caches.run(trace._replace(accesses=trace.accesses[::-1].copy()))


def test_a_run_in_pieces_is_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    job = prepare(PROGRAMS["maximum"], 300)
    machine, whole = caches_of(job, "tiny", "tiny")
    trace = machine.run()
    whole.run(trace)
    monkeypatch.setattr(machines, "CHUNK", 97)
    job = prepare(PROGRAMS["maximum"], 300)
    machine, parts = caches_of(job, "tiny", "tiny")
    recording = Recording(machine.state.base)
    for part in machine.chunks():
        parts.run(part)
        recording.add(part)
    assert parts.icache.counters == whole.icache.counters and parts.dcache.counters == whole.dcache.counters
    assert parts.stalls == whole.stalls
    for name, column in whole.by_pc.items():
        assert (parts.by_pc[name] == column).all()
    recorded = recording.trace()
    assert (recorded.fetches == trace.fetches).all() and (recorded.accesses == trace.accesses).all()


def test_restart_with_the_word_changes_stalls_alone() -> None:
    """By hand: a line of 16 instructions in a row, missed at the first; a beat comes each second cycle."""
    memory = new_memory()
    code = [e.i(0x13, 0, 5, 5, 1)] * 15 + [e.STOP]
    memory[: len(code)] = code
    stalls = {}
    for how in ("line", "word"):
        machine = Machine(memory.copy(), Launch([Start()], 1, 1))
        cache = configured("icache", f"paper line_bytes=64 latency=20 gap=1 restart={how}")
        caches = Caches(cache, configured("dcache"), [0], 4 * len(code))
        caches.run(machine.run())
        assert caches.icache.counters["misses"] == 1
        stalls[how] = caches.stalls["instructions"]
        assert caches.by_pc["stalls"].sum() == stalls[how]
    # the first beat comes in the 21st cycle, and each of the others a cycle after its fetch is there
    assert stalls == {"line": 21 + 15 * 2, "word": 21 + 15}


def test_fence_i_writes_back_and_forgets_instructions() -> None:
    """One line of code: a miss at the beginning and one behind the fence."""
    memory = new_memory()
    code = [e.lui(5, 1), e.sw(5, 5), FENCE_I, e.sw(5, 5), e.STOP]
    memory[: len(code)] = code
    machine = Machine(memory, Launch([Start()], 1, 1))
    caches = Caches(configured("icache"), configured("dcache"), [0], 20)
    caches.run(machine.run())
    assert caches.icache.counters["misses"] == 2 and caches.by_pc["i-misses"].tolist() == [1, 0, 0, 1, 0]
    assert caches.dcache.counters["writes"] == 1 and caches.dcache.counters["misses"] == 1
    # the fence: a clean of one line, as below, then 2 + sets of the instruction cache (docs/icache.md)
    clean, line = 3 + 256 + 2 + 26 + 8 - 2, 26 + 128
    assert caches.by_pc["stalls"].tolist() == [line, 26 + 8, clean + 2 + 4, line, 0]
    assert caches.stalls == {"instructions": 2 * line + 2 + 4, "data": 26 + 8 + clean}
    # 3 + sets + 2 + L + B cycles (docs/dcache.md), two of which a clean of nothing takes in any cache
    assert caches.finish() == (1, clean)


def test_fence_i_waits_for_the_line_that_comes() -> None:
    """By hand: the fence is the first of 16 instructions, and its line comes until cycle 51."""
    memory = new_memory()
    memory[:2] = FENCE_I, e.STOP
    stalls = {}
    for how in ("line", "word"):
        machine = Machine(memory.copy(), Launch([Start()], 1, 1))
        cache = configured("icache", f"paper line_bytes=64 latency=20 gap=1 restart={how}")
        caches = Caches(cache, configured("dcache", "tiny"), [0], 8)
        caches.run(machine.run())
        assert caches.icache.counters["misses"] == 2 and caches.stalls["data"] == 1 + 2
        stalls[how] = caches.stalls["instructions"]
    # both misses, and between them 2 + sets; by word from cycle 21 + 1 + 3 on, when the clean is done, to 51
    assert stalls == {"line": 2 * 51 + 2 + 4, "word": 2 * 21 + (51 - 25) + 2 + 4}


@pytest.mark.parametrize("preset", ["fast", "under-miss", "coalescing"])
def test_cycles_of_hits_under_misses_are_left_to_the_rtl(
    preset: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The models have the hits and misses; what others do behind a miss no formula of one at a time says."""
    main(["product", "--dcache", preset, "--out", str(tmp_path)])
    text = capsys.readouterr().out
    assert f"dcache {preset}, pseudo-lru: " in text and "hit rate" in text
    assert f"cycles: RTL=1 (behind a miss of {preset} other warps go on)" in text
    assert "stall cycles" not in text and "the clean at the end" not in text
    columns = (tmp_path / "listing.txt").read_text().splitlines()[0].split()
    assert "d-misses" in columns and "stalls" not in columns


def test_presets_and_policies_are_chosen(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--icache", "small", "--dcache", "ways=8", "--policy", "round-robin"]
    main(["product", *options, "--out", str(tmp_path)])
    text = capsys.readouterr().out
    assert "icache small+cache.policy=round-robin, round-robin: 384 fetches" in text
    assert "ways=8" in text.split("dcache ")[1] and "round-robin: " in text.split("dcache ")[1]
