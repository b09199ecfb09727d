# SPDX-License-Identifier: Apache-2.0
"""The network interface of ``docs/lpas.md`` and its requester *outside*: LDM, STM, FLUSH of the last PE."""

from configs.lpas.schema import LDM, STM
from models.kernels import copy, kernel
from models.lpas.machine import (
    ASKING,
    COUNTER,
    EMPTY,
    FAILED,
    FINE,
    FLUSHING,
    FREE,
    IDLE,
    MISS,
    READ,
    READY,
    SERVE,
    WRITE,
    Geometry,
    Inputs,
    Machine,
    Outputs,
)

EVICTIONS, WRITE_BACKS = COUNTER["evictions"], COUNTER["write_backs"]
MEMORY_CYCLES, BESIDE = COUNTER["memory_cycles"], COUNTER["outside"]


@kernel
def outside(g: Geometry, m: Machine, o: Outputs) -> None:
    """Takes what the last PE asks of the outside; a flush that is over ends."""
    unit, pe = m.outside[0], g.pes - 1
    if unit.state == FLUSHING and not pending(m):
        unit.state = FREE
        m.pes[pe].due = FAILED if unit.failed else FINE
        m.pes[pe].due_op = m.pes[pe].op
    if o.pes[pe].active and m.pes[pe].op >= LDM:
        m.pes[pe].granted = 1
        o.pes[pe].active = 0
        unit.state = ASKING if m.pes[pe].op <= STM else FLUSHING
        unit.failed = 0
        if unit.state == FLUSHING:
            for cache in range(g.pes):
                m.caches[cache].pending = 1


@kernel
def pending(m: Machine) -> bool:
    """Whether a cache has still to be flushed."""
    for cache in m.caches:  # noqa: SIM110
        if cache.pending:
            return True
    return False


@kernel
def network(g: Geometry, m: Machine, i: Inputs, o: Outputs) -> None:
    """One cycle: picks a job, begins a burst, or takes what memory answers."""
    net, answer = m.net[0], i.answer[0]
    m.counters[MEMORY_CYCLES] += net.phase != IDLE
    if net.phase == IDLE:
        if net.stale:
            net.stale = not (answer.response or (answer.beat and answer.last))
        else:
            pick(g, m, o)
    elif not net.begun:
        net.begun = 1
        begin(g, m, o)
    elif net.phase == WRITE and answer.response:
        written(g, m, answer.response == FAILED)
    elif net.phase == READ and answer.beat:
        received(g, m, i)


@kernel
def place_of(g: Geometry, m: Machine, job: int) -> int:
    """The line of its cache that a job is about: of a flush or of a miss."""
    if m.caches[job].state == MISS:
        return int(m.pes[m.caches[job].owner].word >> g.index_low) & (g.sets - 1)
    return int(m.caches[job].walk)


@kernel
def pick(g: Geometry, m: Machine, o: Outputs) -> None:
    """The next requester at or after the pointer."""
    net, size = m.net[0], g.pes + 1
    for step in range(size):
        job = (net.pointer + step) % size
        if o.asks[job]:
            net.job, net.pointer = job, (job + 1) % size
            net.evicts = net.beat = net.failed = net.begun = 0
            if job == g.pes:
                net.write = m.pes[g.pes - 1].op == STM
            else:
                index = place_of(g, m, job)
                net.write = m.dirty[job, index]
                net.evicts = m.caches[job].state == MISS and m.tags[job, index] != EMPTY
            net.phase = WRITE if net.write else READ
            return


@kernel
def begin(g: Geometry, m: Machine, o: Outputs) -> None:
    """Says which burst begins: of the dirty line, of the line that was missed, or a single beat."""
    net, burst = m.net[0], o.burst[0]
    job = net.job
    burst.kind, burst.id, burst.single = net.phase, job, job == g.pes
    if burst.single:
        word = m.pes[g.pes - 1].word
        burst.slot = word % g.beat_words
        burst.address = 2 * (word - burst.slot)
        o.words[0] = m.pes[g.pes - 1].value
        return
    index = place_of(g, m, job)
    tag = m.tags[job, index] if net.phase == WRITE else m.pes[m.caches[job].owner].word // words_above(g)
    burst.address = 2 * (((tag * g.sets + index) << g.index_low) + (job << g.slot_bits))
    if net.phase == WRITE:
        copy(o.words, m.data[job, index])
    elif net.evicts:
        m.counters[EVICTIONS] += 1


@kernel
def words_above(g: Geometry) -> int:
    """Words below a tag."""
    return g.sets << g.index_low


@kernel
def written(g: Geometry, m: Machine, failed: bool) -> None:
    """The response to a write has come."""
    net, job = m.net[0], m.net[0].job
    net.phase = IDLE
    if job == g.pes:
        m.outside[0].state = FREE
        m.counters[BESIDE] += 1
        m.pes[job - 1].due = FAILED if failed else FINE
        m.pes[job - 1].due_op = m.pes[job - 1].op
        return
    index = place_of(g, m, job)
    if not failed:
        m.dirty[job, index] = 0
        m.counters[WRITE_BACKS] += 1
    if m.caches[job].state == MISS:
        if failed:
            m.caches[job].state, m.caches[job].failed = SERVE, 1
        else:
            net.phase, net.begun = READ, 0
    elif failed:
        m.outside[0].failed = 1
        step(g, m, job)


@kernel
def received(g: Geometry, m: Machine, i: Inputs) -> None:
    """A beat of a read has come."""
    net, answer = m.net[0], i.answer[0]
    job = net.job
    net.failed |= answer.beat == FAILED
    if job == g.pes:
        pe = job - 1
        m.pes[pe].due = FAILED if net.failed else FINE
        m.pes[pe].due_op = m.pes[pe].op
        m.pes[pe].due_value = 0 if net.failed else i.words[m.pes[pe].word % g.beat_words]
        m.outside[0].state, net.phase = FREE, IDLE
        m.counters[BESIDE] += 1
        return
    index, first = place_of(g, m, job), net.beat * g.beat_words
    copy(m.data[job, index, first : first + g.beat_words], i.words)
    net.beat += 1
    if answer.last:
        m.tags[job, index] = EMPTY if net.failed else m.pes[m.caches[job].owner].word // words_above(g)
        m.caches[job].state, m.caches[job].failed, net.phase = SERVE, net.failed, IDLE


@kernel
def step(g: Geometry, m: Machine, cache: int) -> None:
    """A flush goes to the next line of a cache; behind the last one it is over."""
    m.caches[cache].walk = (m.caches[cache].walk + 1) % g.sets
    if m.caches[cache].walk == 0:
        m.caches[cache].pending, m.caches[cache].state = 0, READY
