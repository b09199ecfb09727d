# SPDX-License-Identifier: Apache-2.0
"""The golden model of ``lpas`` beside a design: in each cycle it is given what was seen at the pins.

Memory's answers come from the pins, what it holds from the model's own: it is written when the response to
a write comes, and read when a burst begins.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from models.kernels import copy, kernel
from models.lpas.cycle import cycle, reset
from models.lpas.machine import (
    EMPTY,
    FAILED,
    FINE,
    NONE,
    READ,
    WRITE,
    Geometry,
    Inputs,
    Ints,
    Machine,
    Outputs,
    Words,
)
from models.lpas.traffic import Memory
from models.sparse import read_line, write_line

#: what a cycle was like: no reset, one of the design, one of the memory's side too
RUNS, RESET, ALL_RESET = range(3)
REQ, RESPONSE, BEAT = range(3)
#: seen at the pins, by ``cycle``: a request that was taken; a response, a beat: ``value`` FINE or FAILED
SEEN = np.dtype(
    [
        *(("cycle", "i8"), ("kind", "i8"), ("pe", "i8"), ("op", "i8"), ("word", "i8"), ("value", "i8")),
        ("last", "i8"),
    ]
)
#: what must be seen: an acknowledge
ACK = np.dtype([("cycle", "i8"), ("pe", "i8"), ("value", "i8"), ("err", "i8"), ("op", "i8")])
#: ``asked``: PEs that asked the cache; ``waited``: cycles since the request came
GRANTED = np.dtype(
    [
        *(("cycle", "i8"), ("cache", "i8"), ("pe", "i8"), ("hit", "i8"), ("asked", "i8"), ("waited", "i8")),
        *(("op", "i8"), ("word", "i8")),
    ]
)
BEGUN = np.dtype(
    [("cycle", "i8"), ("kind", "i8"), ("id", "i8"), ("address", "i8"), ("single", "i8"), ("slot", "i8")]
)


class Logs(NamedTuple):
    """What a stretch of cycles must show; ``counts`` [3]: rows of the first three in use.

    ``words`` [n, W]: data of the bursts.
    """

    acks: NDArray[Any]
    grants: NDArray[Any]
    bursts: NDArray[Any]
    words: Words
    counts: Ints


def logs(pes: int, cycles: int, words: int) -> Logs:
    """Room for so many cycles."""
    rows = pes * cycles
    return Logs(
        np.zeros(rows, ACK), np.zeros(rows, GRANTED), np.zeros(cycles, BEGUN),
        np.zeros((cycles, words), np.uint16), np.zeros(3, np.int64),
    )  # fmt: skip


@kernel
def follow(
    g: Geometry, m: Machine, i: Inputs, o: Outputs, memory: Memory,
    observed: Any, modes: Ints, start: int, firsts: Ints, out: Logs,
) -> None:  # fmt: skip
    """Cycles from ``start`` on, one for each of ``modes``; ``firsts`` [N]: when each PE's request came."""
    place = 0
    for step in range(len(modes)):
        now, mode = start + step, modes[step]
        for pe in range(g.pes):
            i.pes[pe].offered = 0
        i.answer[0].response = i.answer[0].beat = i.answer[0].last = NONE
        while place < len(observed) and observed[place].cycle == now:
            put(i, memory, observed[place])
            place += 1
        if mode != RUNS:
            reset(g, m, i, mode == ALL_RESET)
            if mode == ALL_RESET:
                memory.burst[1] = NONE
            continue
        cycle(g, m, i, o)
        note(g, m, o, now, firsts, out)
        if o.burst[0].kind != NONE:
            begin(g, memory, o)


@kernel
def put(i: Inputs, memory: Memory, event: Any) -> None:
    """What was seen goes to the model's inputs, and what is written to memory."""
    if event.kind == REQ:
        offer = i.pes[event.pe]
        offer.offered, offer.op, offer.word, offer.value = 1, event.op, event.word, event.value
    elif event.kind == RESPONSE:
        i.answer[0].response = event.value
        if event.value == FINE and memory.burst[1] == WRITE:
            write_line(memory.written, memory.burst[0], memory.line)
        memory.burst[1] = NONE
    else:
        i.answer[0].beat, i.answer[0].last = event.value, event.last
        for word in range(len(i.words)):
            low = memory.burst[4] + 2 * word
            i.words[word] = memory.line[low] | np.uint16(memory.line[low + 1]) << np.uint16(8)
        memory.burst[4] += 2 * len(i.words)


@kernel
def begin(g: Geometry, memory: Memory, o: Outputs) -> None:
    """The line that a burst is about, with what it writes."""
    burst, size = o.burst[0], len(memory.line)
    line, at = burst.address // size, burst.address % size
    read_line(memory.contents, memory.written, line, memory.line)
    memory.burst[0], memory.burst[1], memory.burst[4] = line, burst.kind, at
    if burst.kind == READ:
        return
    first = at + 2 * burst.slot if burst.single else 0
    for word in range(1 if burst.single else size // 2):
        memory.line[first + 2 * word] = o.words[word] & 255
        memory.line[first + 2 * word + 1] = o.words[word] >> 8


@kernel
def note(g: Geometry, m: Machine, o: Outputs, now: int, firsts: Ints, out: Logs) -> None:
    """Acknowledges, grants and bursts of a cycle."""
    for pe in range(g.pes):
        if o.pes[pe].taken:
            firsts[pe] = now
        if o.pes[pe].ack != NONE:
            ack = out.acks[out.counts[0]]
            ack.cycle, ack.pe, ack.value, ack.err = now, pe, o.pes[pe].value, o.pes[pe].ack == FAILED
            ack.op = o.pes[pe].op
            out.counts[0] += 1
    for cache in range(g.pes):
        pe = o.caches[cache].grant
        if pe != EMPTY:
            grant = out.grants[out.counts[1]]
            grant.cycle, grant.cache, grant.pe, grant.hit = now, cache, pe, o.caches[cache].hit
            grant.asked, grant.waited = asked(g, m, o, cache), now - firsts[pe]
            grant.op, grant.word = m.pes[pe].op, m.pes[pe].word
            out.counts[1] += 1
    if o.burst[0].kind != NONE:
        row, burst = out.counts[2], o.burst[0]
        begun = out.bursts[row]
        begun.cycle, begun.kind, begun.id, begun.address = now, burst.kind, burst.id, burst.address
        begun.single, begun.slot = burst.single, burst.slot
        copy(out.words[row], o.words)
        out.counts[2] += 1


@kernel
def asked(g: Geometry, m: Machine, o: Outputs, cache: int) -> int:
    """PEs that asked a cache in this cycle."""
    count = 0
    for pe in range(g.pes):
        count += o.pes[pe].active and m.pes[pe].home == cache
    return count
