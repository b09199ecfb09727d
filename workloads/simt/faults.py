# SPDX-License-Identifier: Apache-2.0
"""Why a program cannot go on, in words: the outcome of an instruction, its operands, and what to do."""

from configs import UserError
from workloads.simt import isa
from workloads.simt import state as codes
from workloads.simt.control import scalar
from workloads.simt.csr import UNKNOWN, value
from workloads.simt.isa import BARRIERS, LANES, STACK, WARPS, WORD, imm_i, imm_s

RAM = f"the data RAM at {codes.SHARED_BASE:#x} ({codes.SHARED_BYTES >> 10} KB)"
#: why, and what to do, of outcomes whose words depend on nothing else
ERRORS = {
    codes.DIVERGENT: (
        "active lanes disagree about the branch",
        "write simt_if, simt_else and simt_while (C; a ? b : c, && and || are branches, too) or split, join "
        "and pred (assembly) where threads may differ",
    ),
    codes.SCATTERED: (
        "active lanes jump to different addresses",
        "call one function at a time, each in a simt_if (C) or between split and join (assembly)",
    ),
    codes.STACK_FULL: (f"more than {STACK} open splits", "end each split with its join"),
    codes.STACK_EMPTY: ("join without an open split", "give join the depth of its split, once on each path"),
    codes.BAD_BARRIER: (
        f"a barrier's number must be below {BARRIERS}, and it must wait for 1 to {WARPS} warps",
        "check both operands of bar",
    ),
    codes.EMPTY_MASK: ("pred or wspawn leaves no lane active", "give pred the mask of the lanes that go on"),
    codes.BAD_ROUNDING: (
        "rounding modes other than to nearest even are for conversions to integers only",
        "leave frm 0 and the rounding mode rne or dyn",
    ),
    codes.NO_CODE: ("there is no code", "check the jump or the return address"),
    codes.MIXED: (f"some lanes address {RAM}, others memory", "divide them with simt_if or split"),
    codes.MISALIGNED_PC: ("an address that is not a multiple of 4", "check the jump or the return address"),
    codes.ILLEGAL_WORD: ("no instruction of this machine", "compile for rv32imf"),
}
#: instructions that other RISC-V machines have, by opcode
FOREIGN = {
    0x2F: "it has no atomic ones: give each thread a word of its own",
    **dict.fromkeys((0x43, 0x47, 0x4B, 0x4F), "it has no fused multiply-add: compile with -ffp-contract=off"),
    **dict.fromkeys((isa.LOAD_FP, isa.STORE_FP, isa.OP_FP), "floats have 32 bits: compile for rv32imf"),
}
ECALL, EBREAK = 0x73, 0x100073
ENDED = "end the program with tmc x0 (assembly) or return from main (C)"


class Fault(UserError):
    """A program that cannot go on: where, why, and what to do.

    ``pc`` of the instruction, without the base of its block; ``word``: the instruction, None where none was
    read; ``before``: pc of the warp's instruction before it, if known.
    """

    def __init__(self, w: int, pc: int, why: str, advice: str, *, word: int | None = None) -> None:
        self.block, self.warp, self.pc, self.why, self.advice = w // WARPS, w % WARPS, pc, why, advice
        self.word, self.before = word, None

    before: int | None

    def at(self, place: str = "") -> str:
        """The message; ``place``: where ``pc`` is in the source."""
        return f"block {self.block}, warp {self.warp}, pc {self.pc:#x}{place}: {self.why}; {self.advice}"

    def __str__(self) -> str:
        return self.at()


def fault(state: codes.MachineState, w: int, outcome: int, memory_bytes: int) -> Fault:
    """The fault of warp ``w`` whose instruction had ``outcome``."""
    warp = state.warps[w]
    word = None if outcome in (codes.NO_CODE, codes.MISALIGNED_PC) else int(warp["word"])
    why, advice = ERRORS.get(outcome, ("", ""))
    if outcome in (codes.MISALIGNED, codes.OUTSIDE):
        why, advice = _access(state, w, outcome, memory_bytes)
    elif outcome == codes.OVERFLOW:
        why, advice = _overflow(state, w)
    elif outcome == codes.ILLEGAL_WORD:
        why, advice = _illegal(state, w)
    pc = int(warp["pc"]) - (4 if outcome == codes.OUTSIDE else 0)  # memory answers behind the instruction
    return Fault(w, pc, why, advice, word=word)


def deadlock(state: codes.MachineState, waiting: list[int]) -> Fault:
    """All warps that have not ended, ``waiting``, wait at barriers; the fault is the first one's."""
    w = waiting[0]
    warp = state.warps[w]
    word = int(warp["word"])
    barrier, count = (scalar(warp, word >> place & 31) for place in (15, 20))
    arrived = [other % WARPS for other in waiting if other // WARPS == w // WARPS]
    why = (
        f"waits at a barrier, as {len(waiting) - 1} other warps do, and no warp is left to arrive: barrier "
        f"{barrier} waits for {count} warps, of block {w // WARPS} only {', '.join(map(str, arrived))} wait"
    )
    advice = "let all warps reach the same barriers, each as often"
    return Fault(w, int(warp["pc"]) - 4, why, advice, word=word)


def endless(state: codes.MachineState, w: int, limit: int) -> Fault:
    """A program that has not ended after ``limit`` instructions; ``w``: the warp that executed the last."""
    running = int((state.status != 0).sum())
    why = f"still running after {limit} instructions, {running} warps have not ended"
    advice = f"{ENDED}, or allow more (LIMIT=..., Machine.run(limit=...))"
    return Fault(w, int(state.warps[w]["pc"]), why, advice)


def thread(state: codes.MachineState, w: int, lane: int) -> str:
    """A thread by its number in its block, ``simt_index()`` of C."""
    return f"thread {w % WARPS * int(state.record['launch'][2]) + lane}"


def _access(state: codes.MachineState, w: int, outcome: int, memory_bytes: int) -> tuple[str, str]:
    warp = state.warps[w]
    word = int(warp["word"])
    store, size = word & 127 in (isa.STORE, isa.STORE_FP), 1 << (word >> 12 & 3)
    offset = imm_s(word) if store else imm_i(word)
    register = warp["x"][word >> 15 & 31]
    addresses = {lane: (int(register[lane]) + offset) & WORD for lane in codes.lanes(warp["mask"])}
    wrong = next(
        (lane, at)
        for lane, at in addresses.items()
        if (at % size if outcome == codes.MISALIGNED else memory_bytes <= at)
    )
    what = f"{thread(state, w, wrong[0])} {'stores' if store else 'loads'} {size} bytes at {wrong[1]:#x}"
    if outcome == codes.MISALIGNED:
        return f"{what}: an address that is not a multiple of the access", f"align it to {size} bytes"
    return (
        f"{what}: an address outside memory",
        f"check the index or the pointer: memory ends at {memory_bytes:#x}, beside it is {RAM}",
    )


def _overflow(state: codes.MachineState, w: int) -> tuple[str, str]:
    warp, size, top = state.warps[w], int(state.record["stack"]), int(state.record["top"])
    for lane in codes.lanes(warp["mask"]):
        needs = top - (w * LANES + lane) * size - int(warp["x"][isa.SP, lane])
        if needs > size:
            break
    return (
        f"the stack of {thread(state, w, lane)} overflowed: it has {size} bytes, {needs} are needed",
        "call less deeply, and make large arrays static",
    )


def _illegal(state: codes.MachineState, w: int) -> tuple[str, str]:
    word = int(state.warps[w]["word"])
    why, advice = ERRORS[codes.ILLEGAL_WORD]
    if word == ECALL:
        return f"{why}: ecall has no operating system to call", ENDED
    if word == EBREAK:
        return (
            f"{why}: ebreak, the program stopped itself",
            "see its assert, abort and exit (of some lanes only)",
        )
    return why, _foreign(state, w, word) or advice


def _foreign(state: codes.MachineState, w: int, word: int) -> str:
    """What to do about an instruction that other machines have; empty if there is nothing to say."""
    if word & 3 != 3:
        return (
            f"no code was written here: {ENDED}, check jumps and stores through wild pointers; compressed "
            "instructions are none of rv32imf"
        )
    if word & 127 == isa.SYSTEM and value(state.record, w, word >> 20, 0) == UNKNOWN:
        return f"CSR {word >> 20:#x} is not there: it has {', '.join(isa.CSRS.values())}"
    return FOREIGN.get(word & 127, "")


__all__ = ["Fault", "deadlock", "endless", "fault"]
