# SPDX-License-Identifier: Apache-2.0
"""One cycle of ``docs/lpas.md``: :func:`cycle` is the golden model.

Everything hangs on how things stood at the cycle's begin: that is noted first (:func:`stand`).
"""

from configs.lpas.schema import LOAD
from models.kernels import kernel
from models.lpas.machine import (
    ASKING,
    ASKS,
    COUNTER,
    EMPTY,
    FAILED,
    FINE,
    GRANTS,
    IDLE,
    MISS,
    NONE,
    READY,
    SCAN,
    SERVE,
    SERVES,
    STEPS,
    TURNS,
    Geometry,
    Inputs,
    Machine,
    Outputs,
)
from models.lpas.network import network, outside, step
from models.lpas.switch import arbitrate, cache_of, granted

LOADS, STORES, HITS, MISSES = (COUNTER[name] for name in ("loads", "stores", "hits", "misses"))
LOCAL, BESIDE, ERRORS = COUNTER["local"], COUNTER["outside"], COUNTER["errors"]
CONFLICTS, BLOCKED = COUNTER["conflict_cycles"], COUNTER["blocked_cycles"]


@kernel
def cycle(g: Geometry, m: Machine, i: Inputs, o: Outputs) -> None:
    """The machine goes on by one cycle; ``o`` is what it shows in it."""
    stand(g, m, o)
    take(g, m, i, o)
    acknowledge(g, m, o)
    outside(g, m, o)
    network(g, m, i, o)
    for cache in range(g.pes):
        if o.stands[cache] == SERVES:
            serve(g, m, o, m.owner[cache], cache, m.failed[cache])
            m.state[cache] = READY
        elif o.stands[cache] == TURNS:
            m.state[cache], m.walk[cache] = SCAN, 0
        elif o.stands[cache] == STEPS:
            m.tags[cache, m.walk[cache]] = EMPTY
            step(g, m, cache)
    arbitrate(g, m, o)
    for cache in range(g.pes):
        if o.grant[cache] != EMPTY:
            grant(g, m, o, o.grant[cache], cache)
    wait(g, m, o)


@kernel
def stand(g: Geometry, m: Machine, o: Outputs) -> None:
    """How each cache stands in this cycle, and who asks the network interface."""
    o.burst[0].kind = NONE
    for cache in range(g.pes):
        state = m.state[cache]
        if state == READY:
            o.stands[cache] = TURNS if m.pending[cache] else GRANTS
        elif state == SCAN:
            o.stands[cache] = ASKS if m.dirty[cache, m.walk[cache]] else STEPS
        else:
            o.stands[cache] = SERVES if state == SERVE else ASKS
        o.asks[cache] = o.stands[cache] == ASKS
        o.grant[cache], o.hit[cache] = EMPTY, 0
    o.asks[g.pes] = m.outside[0].state == ASKING


@kernel
def take(g: Geometry, m: Machine, i: Inputs, o: Outputs) -> None:
    """Requests come in where none is held; they are there at once."""
    for pe in range(g.pes):
        o.ack[pe], o.value[pe] = NONE, 0
        o.taken[pe] = i.offered[pe] and not m.held[pe]
        if o.taken[pe]:
            m.held[pe] = 1
            m.op[pe], m.word[pe], m.value[pe] = i.op[pe], i.word[pe], i.value[pe]
        o.active[pe] = m.held[pe] and not m.granted[pe]


@kernel
def acknowledge(g: Geometry, m: Machine, o: Outputs) -> None:
    """What was served in the cycle before is acknowledged and, unless it has been, released."""
    for pe in range(g.pes):
        if m.due[pe] != NONE:
            say(m, o, pe, m.due[pe], m.due_value[pe])
            m.due[pe], m.due_value[pe] = NONE, 0
            if m.granted[pe]:
                m.held[pe] = m.granted[pe] = 0


@kernel
def say(m: Machine, o: Outputs, pe: int, ack: int, value: int) -> None:
    """The acknowledge of a PE in this cycle."""
    o.ack[pe], o.value[pe] = ack, value
    m.counters[ERRORS] += ack == FAILED


@kernel
def grant(g: Geometry, m: Machine, o: Outputs, pe: int, cache: int) -> None:
    """A request is granted: it is served, or its cache misses it."""
    granted(g, m, pe, cache)
    line = m.word[pe] >> (g.slot_bits + g.pe_bits)
    o.hit[cache] = m.tags[cache, line & (g.sets - 1)] == line // g.sets
    m.counters[LOCAL] += pe // g.columns == cache // g.columns
    m.counters[HITS if o.hit[cache] else MISSES] += 1
    m.granted[pe] = 1
    if o.hit[cache]:
        serve(g, m, o, pe, cache, 0)
    else:
        m.state[cache], m.owner[cache] = MISS, pe


@kernel
def serve(g: Geometry, m: Machine, o: Outputs, pe: int, cache: int, failed: int) -> None:
    """A load or store whose line is there, or that memory failed."""
    line = m.word[pe] >> (g.slot_bits + g.pe_bits)
    index, slot = line & (g.sets - 1), m.word[pe] & ((1 << g.slot_bits) - 1)
    ack, value, loads = FAILED if failed else FINE, 0, m.op[pe] == LOAD
    if loads and not failed:
        value = m.data[cache, index, slot]
    elif not failed:
        m.data[cache, index, slot] = m.value[pe]
        m.dirty[cache, index] = 1
    m.counters[LOADS if loads else STORES] += 1
    if loads or g.pipelined:
        m.due[pe], m.due_value[pe] = ack, value
    else:
        say(m, o, pe, ack, value)
    if g.pipelined or not loads:
        m.held[pe] = m.granted[pe] = 0


@kernel
def wait(g: Geometry, m: Machine, o: Outputs) -> None:
    """Requests that are there and were not granted wait, for others or for a busy cache."""
    for pe in range(g.pes):
        waits = False
        if o.active[pe]:
            cache = cache_of(g, m.word[pe])
            waits = o.grant[cache] != pe
            m.counters[CONFLICTS if o.stands[cache] == GRANTS else BLOCKED] += waits
        m.waited[pe] = min(m.waited[pe] + 1, g.age) if waits else 0


@kernel
def reset(g: Geometry, m: Machine, i: Inputs, memory: bool) -> None:
    """A cycle with a reset: all is forgotten but a burst under way, ``memory`` that too."""
    net, answer = m.net[0], i.answer[0]
    ended = answer.response or (answer.beat and answer.last)
    under_way = net.stale or (net.phase != IDLE and net.begun)
    left = under_way and not memory and not ended
    for registers in (m.held, m.granted, m.waited, m.due, m.due_value, m.state, m.pending, m.urgent):
        registers[:] = 0
    m.link_pointers[:] = 0
    m.counters[:] = 0
    m.tags[:] = EMPTY
    m.dirty[:] = 0
    m.pointers[:] = 0
    m.credits[:] = g.start
    m.outside[0].state = 0
    net.phase, net.begun, net.pointer, net.stale = IDLE, 0, 0, left
