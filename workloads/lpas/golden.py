# SPDX-License-Identifier: Apache-2.0
"""Programs on the golden model of ``lpas``, cycle by cycle, and what they asked for."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from configs import UserError
from configs.lpas.schema import FLUSH, LDM, Config
from models.kernels import kernel
from models.lpas import LpasModel, traffic
from models.lpas.cycle import cycle
from models.lpas.machine import FAILED, NONE, Geometry, Inputs, Machine, Outputs
from models.lpas.traffic import REQUEST, answer, begin
from models.memory import Memory
from workloads.lpas import pe as pes
from workloads.lpas.assembler import Program
from workloads.lpas.pe import ACCESS, ASKS, ENDED, RUNS, WAITS, Code

FIRST_ROOM = 1 << 14  # accesses there is room for at first
#: what is wrong with a PE that cannot go on, and what to do
WRONG = {
    pes.NOWHERE: "goes on behind the program's last instruction: end it with HALT or a jump",
    pes.NO_WORD: "word {word:#x} is beyond the memory of {cfg.name}, which has {words:#x}: check the address",
    pes.NO_OUTSIDE: "only the last PE, {last}, reaches the outside: let the others branch around it (r15)",
    pes.REFUSED: "memory answers word {word:#x} with an error",
    pes.TOO_LONG: "has not ended after {limit} cycles; LIMIT=... or .limit allows more",
}


@dataclass(frozen=True)
class GoldenOutcome:
    """A run: ``accesses`` ACCESS [n], in the order of their acknowledges, then of PEs; ``cycles`` to the last
    instruction's end; ``instructions`` of all PEs; ``flush``: cycles to write all lines back, after that;
    ``counters`` before it. ``words`` uint16: memory at the end.
    """

    accesses: NDArray[Any]
    cycles: int
    instructions: int
    flush: int
    counters: dict[str, int]
    words: NDArray[np.uint16]


def run_golden(cfg: Config, program: Program, words: NDArray[np.uint16]) -> GoldenOutcome:
    """``program`` on all PEs; ``words`` uint16 [n]: memory before. Raises :class:`UserError`."""
    limit = program.limit
    model = LpasModel(cfg, Memory(image=words.view(np.uint32)))
    model.memory.reserve(len(words) >> cfg.slot_bits)
    state = pes.reset(cfg.pes)
    room, timing = FIRST_ROOM, cfg.memory
    accesses = np.zeros(room, ACCESS)
    memory = traffic.Memory(
        model.memory.below.contents, model.memory.written, timing.latency, timing.gap,
        np.zeros(5, np.int64), np.zeros(cfg.cache.line_bytes, np.uint8),
    )  # fmt: skip
    first = np.zeros(cfg.pes, np.int64)
    start(program.code, state, cfg, limit)
    count = 0
    while True:
        model.now, count = run(
            model.geometry, model.machine, model.inputs, model.outputs, memory, program.code, state, first,
            accesses, count, model.now, len(words), limit,
        )  # fmt: skip
        if count + cfg.pes <= len(accesses):
            break
        accesses = np.concatenate([accesses, np.zeros(len(accesses), ACCESS)])
    check(cfg, program, state, first, accesses[:count])
    cycles, counters = int(state["at"].max()) + 1, model.counters
    model.inputs.pes["offered"] = 0
    flush = np.zeros(1, REQUEST)
    flush["pe"], flush["op"] = cfg.pes - 1, FLUSH
    [done] = model.replay(flush)
    taken = int(done["done"] - done["first"] + 1)
    return GoldenOutcome(
        accesses[:count], cycles, int(state["retired"].sum()), taken, counters, memory_words(model, words)
    )


def memory_words(model: LpasModel, before: NDArray[np.uint16]) -> NDArray[np.uint16]:
    """Memory as the model has it."""
    after, size = before.copy(), 1 << model.cfg.slot_bits
    for line in np.sort(model.memory.written.lines[model.memory.written.lines >= 0]):
        after[line * size : (line + 1) * size] = model.memory.line(int(line)).view(np.uint16)
    return after


def start(code: Code, state: NDArray[Any], cfg: Config, limit: int) -> None:
    """All PEs go to their first access."""
    for number in range(cfg.pes):
        go_on(code, state, number, cfg.pes, memory_size(cfg), limit)


def memory_size(cfg: Config) -> int:
    """Words that a program can name."""
    return 1 << min(cfg.word_address_bits, 16)


def check(
    cfg: Config, program: Program, state: NDArray[Any], first: NDArray[np.int64], accesses: NDArray[Any]
) -> None:
    """Raise :class:`UserError`, with the place in the text, if a PE cannot go on or has not ended.

    ``first`` [N]: when each one's last request came; ``accesses`` ACCESS: what was acknowledged.
    """
    stopped = np.flatnonzero(np.isin(state["status"], list(WRONG)))
    left = np.flatnonzero(state["status"] != ENDED)
    if not left.size:
        return
    number = (*stopped, *left)[0]
    pe, status = state[number], int(state[number]["status"])
    late = status not in WRONG or status == pes.TOO_LONG
    words = WRONG[pes.TOO_LONG if late else status].format(
        cfg=cfg, word=int(pe["word"]), words=memory_size(cfg), last=cfg.pes - 1, limit=program.limit
    )
    cycle = program.limit if late else pe["at"]
    place, statement = program.where(int(pe["pc"]))
    raise UserError(
        f"{place}: PE {number}, cycle {cycle}, {statement}: {words}"
        + (waiting(cfg, state, first, accesses) if late else "")
    )


def waiting(cfg: Config, state: NDArray[Any], first: NDArray[np.int64], accesses: NDArray[Any]) -> str:
    """Which PEs wait for which cache, the longest wait first, and who was served there last."""
    waits = (state["status"] == WAITS) & (state["op"] < LDM)
    home = {int(pe): home_of(cfg, state["word"][pe]) for pe in np.argsort(first, kind="stable") if waits[pe]}
    inside, text = accesses[accesses["op"] < LDM], ""
    for cache in dict.fromkeys(home.values()):
        since = ", ".join(f"PE {pe} since cycle {first[pe]}" for pe, its in home.items() if its == cache)
        served = inside[home_of(cfg, inside["word"]) == cache][-1:]
        last = "".join(f"PE {access['pe']} in cycle {access['done']}" for access in served) or "nobody"
        text += f"; waiting for cache {cache}: {since}; served there last: {last}"
    return text


def home_of(cfg: Config, word: Any) -> Any:
    """The cache that has a word."""
    return (word >> cfg.slot_bits) % cfg.pes


@kernel
def go_on(code: Code, state: Any, number: int, count: int, words: int, limit: int) -> None:
    """A PE goes to its next access."""
    pes.advance(code, state[number], number == count - 1, words, limit)


@kernel
def settle(
    code: Code, state: Any, number: int, value: int, failed: int, now: int, words: int, limit: int
) -> None:
    """A PE's access was acknowledged in cycle ``now``: it goes to its next one."""
    pes.complete(code, state[number], value, failed, now)
    go_on(code, state, number, len(state), words, limit)


@kernel
def due(state: Any, now: int, asking: Any) -> tuple[int, int]:
    """PEs that ask in cycle ``now`` go into ``asking`` [N]; how many, and when the next one asks, or -1."""
    count, later = 0, -1
    for number in range(len(state)):
        pe = state[number]
        if pe.status == ASKS and pe.at <= now:
            asking[count], pe.status = number, WAITS
            count += 1
        elif pe.status == ASKS and (later < 0 or pe.at < later):
            later = pe.at
    return count, later


@kernel
def run(
    g: Geometry, m: Machine, i: Inputs, o: Outputs, memory: traffic.Memory, code: Code, state: Any,
    first: Any, accesses: Any, count: int, now: int, words: int, limit: int,
) -> tuple[int, int]:  # fmt: skip
    """Cycles from ``now`` to ``limit`` until all PEs have ended, one cannot go on, or ``accesses`` has no
    room. Returns the next cycle, and how many accesses there are.
    """
    while count + g.pes <= len(accesses) and now <= limit and busy(state):
        for number in range(g.pes):
            pe = state[number]
            i.pes[number].offered = pe.status == ASKS and pe.at <= now
            i.pes[number].op, i.pes[number].word, i.pes[number].value = pe.op, pe.word, pe.value
        answer(memory, i, now)
        cycle(g, m, i, o)
        if o.burst[0].kind != NONE:
            begin(g, memory, o, now)
        for number in range(g.pes):
            if o.pes[number].taken:
                first[number], state[number].status = now, WAITS
            if o.pes[number].ack != NONE:
                note(state[number], accesses[count], number, first[number], now, o.pes[number])
                count += 1
                failed = o.pes[number].ack == FAILED
                settle(code, state, number, o.pes[number].value, failed, now, words, limit)
        now += 1
    return now, count


@kernel
def busy(state: Any) -> bool:
    """Whether a PE has something to do, and none has stopped for a fault."""
    left = False
    for pe in state:
        if pe.status > ENDED:
            return False
        left |= pe.status != ENDED
    return left


@kernel
def note(pe: Any, access: Any, number: int, first: int, now: int, shown: Any) -> None:
    """An access that was acknowledged."""
    access.pe, access.op, access.word, access.pc = number, pe.op, pe.word, pe.pc
    access.value = pe.value if pe.op == 1 or pe.op == 3 else shown.value
    access.first, access.done, access.err = first, now, shown.ack == FAILED


assert RUNS == 0 < ENDED, "states in order"
