# SPDX-License-Identifier: Apache-2.0
"""One cycle of ``docs/lpas.md``: :func:`cycle` is the golden model.

Everything hangs on how things stood at the cycle's begin: that is noted first (:func:`stand`).
"""

from configs.lpas.schema import LOAD
from models.kernels import copy, kernel
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
from models.lpas.switch import arbitrate, granted

LOADS, STORES, HITS, MISSES = (COUNTER[name] for name in ("loads", "stores", "hits", "misses"))
LOCAL, ERRORS = COUNTER["local"], COUNTER["errors"]
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
        if o.caches[cache].stands == SERVES:
            serve(g, m, o, m.caches[cache].owner, cache, m.caches[cache].failed)
            m.caches[cache].state = READY
        elif o.caches[cache].stands == TURNS:
            m.caches[cache].state, m.caches[cache].walk = SCAN, 0
        elif o.caches[cache].stands == STEPS:
            m.tags[cache, m.caches[cache].walk] = EMPTY
            step(g, m, cache)
    arbitrate(g, m, o)
    for cache in range(g.pes):
        if o.caches[cache].grant != EMPTY:
            grant(g, m, o, o.caches[cache].grant, cache)
    wait(g, m, o)


@kernel
def stand(g: Geometry, m: Machine, o: Outputs) -> None:
    """How each cache stands in this cycle, and who asks the network interface."""
    o.burst[0].kind = NONE
    for cache in range(g.pes):
        state = m.caches[cache].state
        if state == READY:
            o.caches[cache].stands = TURNS if m.caches[cache].pending else GRANTS
        elif state == SCAN:
            o.caches[cache].stands = ASKS if m.dirty[cache, m.caches[cache].walk] else STEPS
        else:
            o.caches[cache].stands = SERVES if state == SERVE else ASKS
        o.asks[cache] = o.caches[cache].stands == ASKS
        o.caches[cache].grant, o.caches[cache].hit = EMPTY, 0
    o.asks[g.pes] = m.outside[0].state == ASKING


@kernel
def take(g: Geometry, m: Machine, i: Inputs, o: Outputs) -> None:
    """Requests come in where none is held; they are there at once."""
    for pe in range(g.pes):
        o.pes[pe].ack, o.pes[pe].value = NONE, 0
        o.pes[pe].taken = i.pes[pe].offered and not m.pes[pe].held
        if o.pes[pe].taken:
            m.pes[pe].held = 1
            m.pes[pe].op, m.pes[pe].word, m.pes[pe].value = i.pes[pe].op, i.pes[pe].word, i.pes[pe].value
            m.pes[pe].home = (i.pes[pe].word >> g.slot_bits) & (g.pes - 1)
        o.pes[pe].active = m.pes[pe].held and not m.pes[pe].granted


@kernel
def acknowledge(g: Geometry, m: Machine, o: Outputs) -> None:
    """What was served in the cycle before is acknowledged and, unless it has been, released."""
    for pe in range(g.pes):
        if m.pes[pe].due != NONE:
            say(m, o, pe, m.pes[pe].due, m.pes[pe].due_value, m.pes[pe].due_op)
            m.pes[pe].due, m.pes[pe].due_value = NONE, 0
            if m.pes[pe].granted:
                m.pes[pe].held = m.pes[pe].granted = 0


@kernel
def say(m: Machine, o: Outputs, pe: int, ack: int, value: int, op: int) -> None:
    """The acknowledge of a PE in this cycle."""
    o.pes[pe].ack, o.pes[pe].value, o.pes[pe].op = ack, value, op
    m.counters[ERRORS] += ack == FAILED


@kernel
def grant(g: Geometry, m: Machine, o: Outputs, pe: int, cache: int) -> None:
    """A request is granted: it is served, or its cache misses it."""
    granted(g, m, pe, cache)
    line = m.pes[pe].word >> g.index_low
    o.caches[cache].hit = m.tags[cache, line & (g.sets - 1)] == line // g.sets
    m.counters[LOCAL] += pe // g.columns == cache // g.columns
    m.counters[HITS if o.caches[cache].hit else MISSES] += 1
    m.pes[pe].granted = 1
    if o.caches[cache].hit:
        serve(g, m, o, pe, cache, 0)
    else:
        m.caches[cache].state, m.caches[cache].owner = MISS, pe


@kernel
def serve(g: Geometry, m: Machine, o: Outputs, pe: int, cache: int, failed: int) -> None:
    """A load or store whose line is there, or that memory failed."""
    line = m.pes[pe].word >> g.index_low
    index, slot = line & (g.sets - 1), m.pes[pe].word & ((1 << g.slot_bits) - 1)
    ack, value, loads = FAILED if failed else FINE, 0, m.pes[pe].op == LOAD
    if loads and not failed:
        value = m.data[cache, index, slot]
    elif not failed:
        m.data[cache, index, slot] = m.pes[pe].value
        m.dirty[cache, index] = 1
    m.counters[LOADS if loads else STORES] += 1
    if loads or g.pipelined:
        m.pes[pe].due, m.pes[pe].due_value, m.pes[pe].due_op = ack, value, m.pes[pe].op
    else:
        say(m, o, pe, ack, value, m.pes[pe].op)
    if g.pipelined or not loads:
        m.pes[pe].held = m.pes[pe].granted = 0


@kernel
def wait(g: Geometry, m: Machine, o: Outputs) -> None:
    """Requests that are there and were not granted wait, for others or for a busy cache."""
    for pe in range(g.pes):
        waits = False
        if o.pes[pe].active:
            cache = m.pes[pe].home
            waits = o.caches[cache].grant != pe
            m.counters[CONFLICTS if o.caches[cache].stands == GRANTS else BLOCKED] += waits
        m.pes[pe].waited = min(m.pes[pe].waited + 1, g.age) if waits else 0


@kernel
def reset(g: Geometry, m: Machine, i: Inputs, memory: bool) -> None:
    """A cycle with a reset: all is forgotten but a burst under way, ``memory`` that too."""
    net, answer = m.net[0], i.answer[0]
    ended = answer.response or (answer.beat and answer.last)
    under_way = net.stale or (net.phase != IDLE and net.begun)
    left = under_way and not memory and not ended
    for pe in m.pes:
        pe.held = pe.granted = pe.waited = pe.due = pe.due_value = 0
    for cache in m.caches:
        cache.state = cache.pending = cache.urgent = 0
    m.link_pointers[:] = 0
    m.counters[:] = 0
    m.tags[:] = EMPTY
    m.dirty[:] = 0
    m.pointers[:] = 0
    for credits in m.credits:
        copy(credits, g.start)
    m.outside[0].state = 0
    net.phase, net.begun, net.pointer, net.stale = IDLE, 0, 0, left
