# SPDX-License-Identifier: Apache-2.0
"""Warps: how they diverge, meet, start and stop, in what order they run; and the step interface."""

from collections.abc import Sequence

import numpy as np
import pytest

from configs import UserError
from tests.workloads.simt import encoding as e
from workloads.simt import isa
from workloads.simt.machine import Fault, Launch, Machine, Start, Trace, new_memory
from workloads.simt.programs import PROGRAMS, prepare
from workloads.simt.state import FENCE_I, SHARED_BASE

T0, T1, T2, A0 = 5, 6, 7, 10
DATA = 0x1000


def machine(code: Sequence[int], **launch: object) -> Machine:
    memory = new_memory(0x4000)
    memory[: len(code)] = code
    launch = {"warps": 1, "blocks": (Start(registers={A0: DATA}),), **launch}
    return Machine(memory, Launch(**launch))  # type: ignore[arg-type]


def masks(trace: Trace) -> list[tuple[int, int]]:
    return [(int(fetch["pc"]), int(fetch["mask"])) for fetch in trace.fetches]


def diverging(condition: Sequence[int]) -> list[int]:
    """split on t0; then: t1 = 1, else: t1 = 2; join."""
    return [
        *condition, e.simt(isa.SPLIT, T2, T0), e.branch(0, T0, 0, 12),
        e.addi(T1, 0, 1), e.jal(0, 8), e.addi(T1, 0, 2), e.simt(isa.JOIN, 0, T2), e.STOP,
    ]  # fmt: skip


def test_a_split_runs_both_paths_the_one_with_more_lanes_first() -> None:
    run = machine(diverging([e.csrr(T0, isa.THREAD_ID), e.i(isa.OP_IMM, 3, T0, T0, 3)]))  # t0 = lane < 3
    trace = run.run()
    assert run.state.x[0, T1].tolist() == [1, 1, 1, 2, 2, 2, 2, 2]
    order = [mask for _, mask in masks(trace)]
    assert order == [255, 255, 255, 0xF8, 0xF8, 0xF8, 7, 7, 7, 7, 255]
    assert run.state.depth[0] == 0


def test_in_a_tie_the_lanes_in_which_it_holds_go_first() -> None:
    trace = machine(diverging([e.csrr(T0, isa.THREAD_ID), e.i(isa.OP_IMM, 7, T0, T0, 1)])).run()
    assert [mask for _, mask in masks(trace)][3] == 0xAA


@pytest.mark.parametrize(("value", "result"), [(1, 1), (0, 2)])
def test_a_split_about_which_all_agree_is_none(value: int, result: int) -> None:
    run = machine(diverging([e.addi(T0, 0, value)]))
    assert {mask for _, mask in masks(run.run())} == {255}
    assert (run.state.x[0, T1] == result).all()


def test_a_negated_split_and_pred() -> None:
    """split with rs2 = x1, pred with rd = x1: bit 0 counts when it is 0."""
    code = [e.csrr(T0, isa.THREAD_ID), e.simt(isa.SPLIT, T2, T0, 1), e.simt(isa.JOIN, 0, T2), e.STOP]
    assert [mask for _, mask in masks(machine(code).run())] == [255, 255, 0x55, 0xAA, 255]
    code = [e.csrr(T0, isa.THREAD_ID), e.simt(isa.PRED, 1, T0, 0), e.STOP]
    assert [mask for _, mask in masks(machine(code).run())] == [255, 255, 0x55]


def test_nested_splits_come_back_in_order() -> None:
    """Seven of them, each leaves a lane behind; the stack has no room for more, and needs none."""
    code = [e.csrr(T0, isa.THREAD_ID)]
    for depth in range(7):
        code += [e.i(isa.OP_IMM, 2, T1, T0, 7 - depth), e.simt(isa.SPLIT, 8 + depth, T1), e.addi(T2, T2, 1)]
    code += [e.simt(isa.JOIN, 0, 8 + depth) for depth in reversed(range(7))]
    run = machine([*code, e.STOP])
    run.run()
    assert run.state.depth[0] == 0 and run.finished


def test_pred_keeps_lanes_until_none_is_left() -> None:
    """Each lane counts to its number."""
    loop = [
        e.csrr(T0, isa.THREAD_ID), e.csrr(8, isa.ACTIVE_THREADS),
        e.r(isa.OP, 2, 0, T2, T1, T0), e.simt(isa.PRED, 0, T2, 8), e.branch(0, T2, 0, 12),
        e.addi(T1, T1, 1), e.jal(0, -16), e.STOP,
    ]  # fmt: skip
    run = machine(loop)
    trace = run.run()
    assert run.state.x[0, T1].tolist() == list(range(8))
    assert masks(trace)[-1] == (28, 255)
    assert [mask for pc, mask in masks(trace) if pc == 20] == [255 << lane & 255 for lane in range(1, 8)]


def test_wspawn_starts_lane_0_of_idle_warps_only() -> None:
    code = [
        e.addi(T0, 0, 3), e.addi(T1, 0, 16), e.simt(isa.WSPAWN, 0, T0, T1), e.STOP,
        e.csrr(T2, isa.WARP_ID), e.csrr(T2, isa.ACTIVE_WARPS), e.STOP,
    ]  # fmt: skip
    trace = machine(code).run()
    spawned = trace.fetches[trace.fetches["pc"] >= 16]
    assert set(spawned["warp"].tolist()) == {1, 2} and set(spawned["mask"].tolist()) == {1}
    assert spawned["sign"].tolist()[:2] == [isa.JUMP, isa.JUMP]


def test_a_barrier_waits_for_as_many_warps_as_it_says() -> None:
    """Each warp stores before the barrier; behind it all see the stores of the others."""
    code = [
        e.csrr(T0, isa.WARP_ID), e.i(isa.OP_IMM, 1, T1, T0, 2), e.r(isa.OP, 0, 0, T1, T1, A0),
        e.branch(0, T0, 0, 12), e.addi(T2, T2, 1), e.addi(T2, T2, 1),  # warp 0 arrives earlier
        e.sw(A0, T1), e.addi(T2, 0, 5), e.simt(isa.BAR, 0, 0, T2),
        *(e.lw(11 + warp, A0, 4 * warp) for warp in range(5)), e.STOP,
    ]  # fmt: skip
    for schedule in ("round-robin", "oldest"):
        run = machine(code, warps=5, schedule=schedule)
        run.run()
        assert (run.state.x[:5, 11:16] == DATA).all()


def test_round_robin_takes_all_blocks_in_turn_and_oldest_stays() -> None:
    code = [e.addi(T0, 0, 1)] * 3 + [e.STOP]
    blocks = (Start(), Start())
    warps = [(0, 0), (0, 1), (1, 0), (1, 1)]
    for schedule, turns in (
        ("round-robin", warps * 4),
        ("oldest", [warp for warp in warps for _ in range(4)]),
    ):
        fetches = machine(code, warps=2, blocks=blocks, schedule=schedule).run().fetches
        assert fetches[["block", "warp"]].tolist() == turns


def test_oldest_goes_on_with_the_warp_that_waited_longest() -> None:
    """Behind a barrier: the one that came last stays, then the others in the order of their arrival."""
    code = [e.addi(T0, 0, 3), e.simt(isa.BAR, 0, 0, T0), e.STOP]
    trace = machine(code, warps=3, schedule="oldest").run()
    assert trace.fetches["warp"].tolist() == [0, 0, 1, 1, 2, 2, 2, 0, 1]


def test_signs_say_how_a_fetch_came_about() -> None:
    """Sequence; taken and untaken branch; jump; call and return; an indirect call and jump."""
    code = [
        e.branch(1, 0, 0, 8), e.branch(0, 0, 0, 8), 0, e.jal(0, 8), 0,
        e.jal(1, 8), e.STOP, e.i(isa.JALR, 0, 0, 1, 0),
    ]  # fmt: skip
    signs = [(int(fetch["pc"]), isa.SIGNS[fetch["sign"]]) for fetch in machine(code).run().fetches]
    assert signs == [(0, "none"), (4, "none"), (12, "jump"), (20, "jump"), (28, "call"), (24, "retn")]
    code = [e.addi(T0, 0, 12), e.i(isa.JALR, 0, 1, T0, 0), 0]
    code += [e.addi(T0, T0, 8), e.i(isa.JALR, 0, 0, T0, 0), e.STOP]
    assert [isa.SIGNS[sign] for sign in machine(code).run().fetches["sign"]][2:] == ["call", "none", "jump"]


def test_bytes_and_halves_are_parts_of_words() -> None:
    code = [
        e.csrr(T0, isa.THREAD_ID), e.r(isa.OP, 0, 0, T1, A0, T0), e.addi(T2, T0, -3),
        e.s(0, T1, T2, 0), e.i(isa.LOAD, 0, 11, T1, 0), e.i(isa.LOAD, 4, 12, T1, 0),
        e.i(isa.LOAD, 1, 13, A0, 2), e.i(isa.LOAD, 5, 14, A0, 0), e.STOP,
    ]  # fmt: skip
    run = machine(code)
    trace = run.run()
    store = trace.accesses[0]
    assert store["strobe"].tolist() == [1, 2, 4, 8] * 2
    assert store["addr"].tolist() == [DATA] * 4 + [DATA + 4] * 4
    assert store["data"].tolist()[:3] == [0xFD, 0xFE00, 0xFF0000]
    assert run.memory[DATA // 4 : DATA // 4 + 2].tolist() == [0x00FFFEFD, 0x04030201]
    assert run.state.x[0, 11].astype(np.int32).tolist() == list(range(-3, 5))
    assert run.state.x[0, 12].tolist()[:3] == [0xFD, 0xFE, 0xFF]
    assert (run.state.x[0, 13, 0], run.state.x[0, 14, 0]) == (0x00FF, 0xFEFD)


def test_the_highest_lane_wins_where_lanes_store_to_one_word() -> None:
    run = machine([e.csrr(T0, isa.THREAD_ID), e.sw(T0, A0), e.STOP], threads=6)
    run.run()
    assert run.memory[DATA // 4] == 5


def test_the_data_ram_is_apart_from_memory() -> None:
    run = machine([e.lui(T0, SHARED_BASE >> 12), e.sw(A0, T0, 8), e.lw(T1, T0, 8), e.STOP])
    trace = run.run()
    assert trace.accesses["shared"].tolist() == [1, 1] and run.shared[2] == DATA
    assert (run.state.x[0, T1] == DATA).all() and not run.memory[DATA // 4 :].any()


def test_fences_are_accesses_without_lanes() -> None:
    trace = machine([e.i(isa.MISC_MEM, 0, 0, 0, 0xFF), e.i(isa.MISC_MEM, 1, 0, 0, 0), e.STOP]).run()
    assert trace.accesses["mask"].tolist() == [0, 0]
    assert trace.accesses["op"].tolist() == [FENCE_I - 1, FENCE_I]


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ([e.csrr(T0, isa.THREAD_ID), e.branch(0, T0, 0, 8)], "pc 0x4: active lanes disagree"),
        ([e.csrr(T0, isa.THREAD_ID), e.i(isa.JALR, 0, 0, T0, 0)], "active lanes jump to different addresses"),
        ([e.lw(T0, A0, 2)], "pc 0x0: thread 0 loads 4 bytes at 0x1002: an address that is not a multiple"),
        ([e.addi(T0, 0, 6), e.i(isa.JALR, 0, 0, T0, 0)], "pc 0x6: an address that is not a multiple of 4"),
        ([e.csrr(T0, 0xC00)], "CSR 0xc00 is not there: it has fflags"),
        ([0x73], "ecall has no operating system to call; end the program with tmc x0"),
        ([0x100073], "ebreak, the program stopped itself; see"),
        ([0x0000302F], "no instruction of this machine; it has no atomic ones"),
        ([0x00000043], "it has no fused multiply-add: compile with -ffp-contract=off"),
        ([e.addi(T0, 0, 1)], "pc 0x4: no instruction .*; no code was written here: end the program with"),
        ([e.lui(T0, 0x10), e.sw(T0, T0)], "pc 0x4: thread 0 stores 4 bytes at 0x10000: an address"),
        ([e.addi(T0, 0, 1), e.simt(isa.JOIN, 0, T0)], "join without"),
        ([e.addi(T0, 0, 16), e.simt(isa.BAR, 0, T0, T0)], "a barrier's number"),
        ([e.simt(isa.BAR, 0, 0, 0)], "a barrier's number"),
        ([e.simt(isa.PRED)], "leaves no lane"),
        ([e.addi(T0, 0, 2), e.simt(isa.BAR, 0, 0, T0)], "pc 0x4: waits at a barrier, as 0 other .*: "
         "barrier 0 waits for 2 warps, of block 0 only 0 wait; let all warps"),
        ([e.jal(0, 0x8000)], "there is no code"),
        ([e.csrr(T0, isa.THREAD_ID), e.i(isa.OP_IMM, 7, T0, T0, 1), e.lui(T1, SHARED_BASE >> 12),
          e.r(isa.OP, 0, 1, T0, T0, T1), e.lw(T1, T0)], "some lanes address the data RAM"),
    ],
)  # fmt: skip
def test_a_program_that_cannot_go_on_says_where_and_why(code: list[int], words: str) -> None:
    with pytest.raises(Fault, match=words):
        machine(code).run()


def test_an_endless_program_is_ended_to_the_instruction() -> None:
    run = machine([e.jal(0, 0)])
    with pytest.raises(Fault, match=r"pc 0x0: still running after 1000 instructions, 1 warps .* allow more"):
        run.run(limit=1000)
    assert run.state.fetched == 1000
    assert len(machine([e.STOP]).run(limit=1).fetches) == 1


def test_a_stack_pointer_below_its_stack_is_a_fault() -> None:
    """Stacks of 64 bytes from the end of memory down, thread 9 is lane 1 of warp 1."""
    size = 64
    run = machine([e.addi(isa.SP, isa.SP, -size), e.STOP], warps=2, stack=size)
    run.run()
    assert run.state.x[1, isa.SP].tolist() == [0x4000 - size * (9 + lane) for lane in range(8)]
    code = [e.csrr(T0, isa.MHARTID), e.i(isa.OP_IMM, 0, T0, T0, -9), e.i(isa.OP_IMM, 3, T0, T0, 1)]
    code += [e.i(isa.OP_IMM, 1, T0, T0, 4), e.addi(isa.SP, isa.SP, -size), e.r(isa.OP, 0, 0x20, 2, 2, T0)]
    with pytest.raises(Fault, match=r"warp 1, pc 0x14: the stack of thread 9 overflowed: it has 64 .*, 80"):
        machine([*code, e.STOP], warps=2, stack=size).run()


# --- the step interface -------------------------------------------------------------------------------------


def stepped(run: Machine, rng: np.random.Generator | None) -> Trace:
    """Run it with the step interface: in the order of ``choose``, or warps and answers in any order."""
    fetches, accesses, open_ = [], [], {}
    while not run.finished:
        if open_ and (rng is None or not run.ready() or rng.random() < 0.4):
            w = list(open_)[0 if rng is None else rng.integers(len(open_))]
            kind, record = open_.pop(w)
            if kind == "fetch":
                address = int(run.state.base[record["block"]] + record["pc"]) // 4
                access = run.execute(w, run.memory[address])
                if access is not None:
                    open_[w] = ("access", access)
                continue
            words = run.shared if record["shared"] else run.memory
            for lane in range(8):
                if record["mask"] >> lane & 1:
                    index = int(record["addr"][lane] - (SHARED_BASE if record["shared"] else 0)) // 4
                    if record["op"] == 0:
                        record["data"][lane] = words[index]
                    else:
                        keep = sum(
                            255 << 8 * byte for byte in range(4) if not record["strobe"][lane] >> byte & 1
                        )
                        words[index] = (words[index] & np.uint32(keep)) | record["data"][lane]
            accesses.append(record)
            run.complete(w, record["data"])
        else:
            w = run.choose() if rng is None else run.ready()[rng.integers(len(run.ready()))]
            assert w is not None
            open_[w] = ("fetch", run.fetch(w))
            fetches.append(open_[w][1])
    return Trace(run.state.base, np.array(fetches), np.array(accesses))


def test_steps_give_the_trace_of_a_run() -> None:
    job = prepare(PROGRAMS["maximum"], 40, bases=(0, 0))
    steps = stepped(Machine(job.memory.copy(), job.launch), None)
    trace = job.run()
    assert (trace.fetches == steps.fetches).all() and (trace.accesses == steps.accesses).all()


@pytest.mark.parametrize("name", ["sort", "lines", "equations"])
def test_results_do_not_depend_on_the_order_of_answers(name: str) -> None:
    job = prepare(PROGRAMS[name], 8, warps=4)
    stepped(Machine(job.memory, job.launch), np.random.default_rng(5))
    job.check()


def test_steps_out_of_turn_are_refused() -> None:
    run = machine([e.lw(T0, A0), e.STOP])
    with pytest.raises(ValueError, match="warp 0 has not asked"):
        run.execute(0, e.STOP)
    run.fetch(0)
    with pytest.raises(ValueError, match="warp 0 is not ready"):
        run.fetch(0)
    with pytest.raises(ValueError, match="warp 0 has no access"):
        run.complete(0)
    run.execute(0, e.lw(T0, A0))
    with pytest.raises(UserError, match="complete its step"):
        run.run()
