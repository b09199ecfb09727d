# SPDX-License-Identifier: Apache-2.0
"""Programs on the machine that fetches, loads and stores through the RTL: results, hits, cycles, errors."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import configs
from configs import UserError
from configs.mmu.schema import Config
from tb.common.replay.machine import ReplayError
from tb.mmu.commands.run import main
from tb.mmu.machine import MachineRun
from tb.mmu.outcome import ProgramOutcome, predicted
from tb.mmu.profile import columns
from tests.workloads.simt import encoding as e
from tests.workloads.simt.test_run import own
from workloads.simt.machine import Launch, Machine, Start, Trace, new_memory
from workloads.simt.programs import NINE, PROGRAMS, prepare

SMALL = {"sort": 32, "maximum": 80, "matmul": 8, "convolution": 10, "equations": 5, "lines": 4, "loop": 16}
#: the data cache serves hits under misses: results of warps overtake each other
UNDER_MISSES = (
    "tiny", "dcache.uncached_bits=0", "dcache.mshrs=3", "dcache.coalescing=true", "dcache.prefetch=true"
)  # fmt: skip
CONFIGS = {"paper": ("paper",), "tiny": ("tiny",), "under misses": UNDER_MISSES}
FENCE_I = e.i(0x0F, 1, 0, 0, 0)


def config(preset: str, *changes: str) -> Config:
    cfg: Config = configs.load("mmu", preset, changes)
    return cfg


def run(
    cfg: Config, memory: np.ndarray, launch: Launch, *, ready: bool = False
) -> tuple[Trace, ProgramOutcome]:
    """On the ideal machine, then on the RTL; hits are those of the golden models."""
    trace = Machine(memory.copy(), launch).run()
    outcome = MachineRun(cfg, Machine(memory.copy(), launch), trace, ready=ready).run()
    for stream, counts in predicted(cfg, memory, outcome.trace).counters.items():
        assert counts == {name: outcome.counters[stream][name] for name in counts}, stream
    return trace, outcome


@pytest.mark.parametrize("name", NINE)
@pytest.mark.parametrize("changes", CONFIGS.values(), ids=CONFIGS)
def test_the_nine_programs(name: str, changes: tuple[str, ...]) -> None:
    job = prepare(PROGRAMS[name], SMALL.get(name, 16 if name == "vertices" or name == "fft" else None))
    _, outcome = run(config(*changes), job.memory, job.launch)
    job.memory[:] = outcome.memory
    job.check()
    counters = outcome.counters
    assert counters["icache_perf"]["fetches"] == outcome.instructions
    assert counters["icache_perf"]["misses"] and counters["dcache_perf"]["misses"]
    waits = sum(counts["memory_wait_cycles"] for counts in counters.values())
    assert outcome.cycles > outcome.instructions and waits > 0


@pytest.mark.parametrize("changes", [("tiny",), UNDER_MISSES], ids=["tiny", "under misses"])
def test_all_blocks_with_code_of_their_own(changes: tuple[str, ...]) -> None:
    job = prepare(PROGRAMS["matmul"], 6, bases=(0, 0x2000, 0, 0x4000))
    _, outcome = run(config(*changes), job.memory, job.launch)
    job.memory[:] = outcome.memory
    job.check()


@pytest.mark.slow
def test_warps_go_on_while_others_wait() -> None:
    """With the same memory, results and work of each warp; its own order is all that is kept."""
    job = prepare(PROGRAMS["matmul"], 8)
    slow = run(config("tiny", "dcache.uncached_bits=0"), job.memory, job.launch)[1]
    ready = run(config("tiny", "dcache.uncached_bits=0"), job.memory, job.launch, ready=True)[1]
    fast = run(config(*UNDER_MISSES), job.memory, job.launch)[1]
    assert fast.cycles < 0.6 * slow.cycles and fast.cycles < ready.cycles < slow.cycles
    assert not np.array_equal(fast.trace.fetches, slow.trace.fetches)
    for warp in range(8):
        assert np.array_equal(
            *(outcome.trace.fetches[outcome.trace.fetches["warp"] == warp] for outcome in (fast, slow))
        )


def program(*code: int) -> tuple[np.ndarray, Launch]:
    memory = new_memory()
    memory[: len(code)] = code
    return memory, Launch([Start()], 1, 1)


@pytest.mark.parametrize("changes", [("tiny",), UNDER_MISSES], ids=["tiny", "under misses"])
def test_a_fence_shows_what_was_stored_to_the_fetches(changes: tuple[str, ...]) -> None:
    """An instruction is replaced by another, which is executed."""
    memory, launch = program(
        e.lui(5, 1), e.lw(6, 5), e.addi(7, 0, 1), e.sw(6, 0, 24), FENCE_I, e.addi(8, 0, 2),
        e.addi(7, 0, 3), e.sw(7, 5, 4), e.STOP,
    )  # fmt: skip
    memory[1024] = e.addi(7, 0, 5)
    _, outcome = run(config(*changes), memory, launch)
    assert outcome.memory[1025] == 5


@pytest.mark.parametrize("changes", [("tiny",), UNDER_MISSES], ids=["tiny", "under misses"])
def test_the_shared_ram_is_no_memory(changes: tuple[str, ...]) -> None:
    memory, launch = program(
        e.lui(5, 0xF0000), e.addi(6, 0, 9), e.sw(6, 5), e.lw(7, 5), e.sw(7, 0, 64), e.STOP
    )
    _, outcome = run(config(*changes), memory, launch)
    assert outcome.memory[16] == 9
    assert outcome.counters["dcache_perf"]["misses"] == 1


@pytest.mark.slow
def test_a_slower_memory_costs_cycles_and_changes_no_hit() -> None:
    job = prepare(PROGRAMS["matmul"], 8)
    runs = [
        run(config("paper", f"memory.latency={latency}"), job.memory, job.launch)[1] for latency in (10, 100)
    ]
    assert runs[1].cycles > runs[0].cycles + 90
    misses = [
        (outcome.counters["icache_perf"]["misses"], outcome.counters["dcache_perf"]["misses"])
        for outcome in runs
    ]
    assert misses[0] == misses[1]


@pytest.mark.parametrize(
    ("what", "says"),
    [
        ("word", "warp 0 fetches .* not |asks for"),
        ("no instruction", "block 0, warp 0, pc 0x0: no instruction"),
        ("access", "warp 0 asks for"),
        ("end", "ended early"),
    ],
)
def test_another_run_than_the_ideal_one_is_an_error(what: str, says: str) -> None:
    memory, launch = program(e.addi(5, 0, 64), e.addi(6, 0, 7), e.sw(6, 5), e.addi(9, 0, 1), e.STOP)
    trace: Any = Machine(memory.copy(), launch).run()
    changed = memory.copy()
    if what == "word":
        changed[0] = e.jal(0, 8)
    elif what == "no instruction":
        changed[0] = 1
    elif what == "access":
        changed[1] = e.addi(6, 0, 8)
    else:
        changed[3] = e.STOP
    with pytest.raises(ReplayError, match=says):
        MachineRun(config("tiny"), Machine(changed, launch), trace).run()


@pytest.mark.parametrize("changes", [("tiny",), UNDER_MISSES], ids=["tiny", "under misses"])
def test_every_cycle_and_every_miss_belongs_to_an_instruction(changes: tuple[str, ...]) -> None:
    job = prepare(PROGRAMS["matmul"], 8)
    cfg = config(*changes)
    _, outcome = run(cfg, job.memory, job.launch)
    by_pc = columns(outcome, predicted(cfg, job.memory, outcome.trace), job.image.code_bytes)
    assert by_pc["on-rtl"].sum() == outcome.cycles and by_pc["on-rtl"].min() >= 0
    for name, stream in (("i-misses", "icache_perf"), ("d-misses", "dcache_perf")):
        assert by_pc[name].sum() == outcome.counters[stream]["misses"] > 0


def test_a_miss_is_waited_for_by_its_own_instruction() -> None:
    """Four words of two lines: the first load of each waits for memory."""
    loads = [e.lw(6, 5), e.lw(6, 5, 4), e.lw(6, 5, 32), e.lw(6, 5, 36)]
    memory, launch = program(e.lui(5, 1), *loads, e.STOP)
    cfg = config("paper", "memory.latency=100")
    _, outcome = run(cfg, memory, launch)
    by_pc = columns(outcome, predicted(cfg, memory, outcome.trace), 4 * (2 + len(loads)))
    assert by_pc["d-misses"].tolist() == [0, 1, 0, 1, 0, 0]
    assert (by_pc["on-rtl"] > 100).tolist() == [True, True, False, True, False, False]


def test_the_listing(tmp_path: Path) -> None:
    own(tmp_path / "own.hex", [e.addi(5, 0, 64), e.lw(6, 5), e.STOP])
    assert main([str(tmp_path / "own.hex"), "--config", "tiny", "--out", str(tmp_path / "out")]) == 0
    text = (tmp_path / "out" / "listing.txt").read_text()
    assert all(name in text.splitlines()[0] for name in ("issued", "i-misses", "d-misses", "on-rtl"))
    assert "own.s:" in text and "lw t1" in text


def test_a_fault_of_the_program_says_where(tmp_path: Path) -> None:
    own(tmp_path / "own.hex", [e.addi(5, 0, 1), 1])
    with pytest.raises(
        UserError, match=r"own.hex: block 0, warp 0, pc 0x4 in .*, own.s:7 .*: no instruction"
    ):
        main([str(tmp_path / "own.hex"), "--config", "tiny"])
