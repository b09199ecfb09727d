# SPDX-License-Identifier: Apache-2.0
"""Whole traces through the golden model of ``lpas``: PEs that ask as fast as they may, and a memory.

A read's first beat comes ``latency`` cycles after its address, a write's response ``latency`` cycles after
its last beat; the memory is always ready, ``gap`` idle cycles follow each beat that is read.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from models.kernels import kernel
from models.lpas.cycle import cycle
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
)
from models.memory import Contents, is_poisoned
from models.sparse import Written, read_line, write_line

#: a PE's requests are in their order; it offers one from cycle ``at`` on at the earliest
REQUEST = np.dtype([("pe", "u1"), ("op", "u1"), ("word", "i8"), ("value", "u2"), ("at", "i8")])
#: cycles in which a request was first there, granted and acknowledged (NEVER if it was not), and its outcome
RESULT = np.dtype(
    [("first", "i8"), ("granted", "i8"), ("done", "i8"), ("hit", "u1"), ("value", "u2"), ("err", "u1")]
)
BURSTS = np.dtype([("write", "u1"), ("id", "u1"), ("address", "i8")])
NEVER = -1


class Memory(NamedTuple):
    """What lies behind the port, and its timing; ``burst``: of the one under way, see :func:`begin`.

    ``line`` [bytes]: of a read.
    """

    contents: Contents
    written: Written
    latency: int
    gap: int
    burst: Ints
    line: NDArray[np.uint8]


class Queues(NamedTuple):
    """``order`` [n]: numbers of requests, PE by PE; ``first``, ``end`` [N]: where a PE's begin and end there;
    ``sent``, ``answered`` [N]: where it is.
    """

    order: Ints
    first: Ints
    end: Ints
    sent: Ints
    answered: Ints


@kernel
def run(
    g: Geometry, m: Machine, i: Inputs, o: Outputs, memory: Memory, queues: Queues,
    requests: Any, results: Any, bursts: Any, start: int, limit: int,
) -> tuple[int, int]:  # fmt: skip
    """From cycle ``start`` until all are answered, or ``limit``; the next cycle, the bursts that began."""
    left, count, now = len(requests), 0, start
    while left and now < limit:
        for pe in range(g.pes):
            place = queues.sent[pe]
            i.pes[pe].offered = 0
            if place < queues.end[pe]:
                request = requests[queues.order[place]]
                if request.at <= now:
                    i.pes[pe].offered = 1
                    i.pes[pe].op, i.pes[pe].word, i.pes[pe].value = request.op, request.word, request.value
        answer(memory, i, now)
        cycle(g, m, i, o)
        if o.burst[0].kind != NONE:
            if count < len(bursts):
                bursts[count].write = o.burst[0].kind == WRITE
                bursts[count].id, bursts[count].address = o.burst[0].id, o.burst[0].address
            count += 1
            begin(g, memory, o, now)
        left -= note(g, m, o, queues, results, now)
        now += 1
    return now, count


@kernel
def note(g: Geometry, m: Machine, o: Outputs, queues: Queues, results: Any, now: int) -> int:
    """Into ``results``: what a cycle showed; returns the acknowledges."""
    done = 0
    for pe in range(g.pes):
        if o.pes[pe].taken:
            results[queues.order[queues.sent[pe]]].first = now
            queues.sent[pe] += 1
    for cache in range(g.pes):
        pe = o.caches[cache].grant
        if pe != EMPTY:
            result = results[queues.order[queues.sent[pe] - 1]]
            result.granted, result.hit = now, o.caches[cache].hit
    for pe in range(g.pes):
        if o.pes[pe].ack != NONE:
            result = results[queues.order[queues.answered[pe]]]
            result.done, result.err, result.value = now, o.pes[pe].ack == FAILED, o.pes[pe].value
            queues.answered[pe] += 1
            done += 1
    return done


@kernel
def begin(g: Geometry, memory: Memory, o: Outputs, now: int) -> None:
    """Memory is asked for a burst; a write changes it at once, nobody reads before the response."""
    burst, size = o.burst[0], len(memory.line)
    line, at = burst.address // size, burst.address % size
    bus = 2 * g.beat_words
    beats = 1 if burst.single else size // bus
    read_line(memory.contents, memory.written, line, memory.line)
    failed = is_poisoned(memory.contents, line)
    if burst.kind == READ:
        first = now + 1 + memory.latency
    else:
        first = now + 1 + beats + memory.latency
        words = 1 if burst.single else size // 2
        offset = at + 2 * burst.slot if burst.single else 0
        for word in range(words):
            memory.line[offset + 2 * word] = o.words[word] & 255
            memory.line[offset + 2 * word + 1] = o.words[word] >> 8
        if not failed:
            write_line(memory.written, line, memory.line)
    memory.burst[0], memory.burst[1], memory.burst[2] = first, burst.kind, beats
    memory.burst[3], memory.burst[4] = failed, at  # at: byte of the line that the next beat begins with


@kernel
def answer(memory: Memory, i: Inputs, now: int) -> None:
    """What memory says in a cycle."""
    said, burst = i.answer[0], memory.burst
    said.response = said.beat = said.last = NONE
    if burst[1] == NONE or now < burst[0]:
        return
    outcome = FAILED if burst[3] else FINE
    if burst[1] == WRITE:
        said.response, burst[1] = outcome, NONE
        return
    for word in range(len(i.words)):
        low = burst[4] + 2 * word
        i.words[word] = memory.line[low] | np.uint16(memory.line[low + 1]) << np.uint16(8)
    burst[0] += 1 + memory.gap
    burst[2] -= 1
    burst[4] += 2 * len(i.words)
    said.beat, said.last = outcome, burst[2] == 0
    if burst[2] == 0:
        burst[1] = NONE
