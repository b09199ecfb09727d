# SPDX-License-Identifier: Apache-2.0
"""Who is granted: the arbiters of ``docs/lpas.md``. Each requester has a rank, and the lowest one wins."""

import numpy as np

from models.kernels import kernel
from models.lpas.machine import AGE, EMPTY, GRANTS, WEIGHTS, Geometry, Ints, Machine, Outputs


@kernel
def cache_of(g: Geometry, word: int) -> int:
    """The cache that is a word's home."""
    return (word >> g.slot_bits) & (g.pes - 1)


@kernel
def rank(g: Geometry, m: Machine, pe: int, cache: int) -> int:
    """Of a PE at a cache: urgent ones first, then by area, then by the distance from the pointer.

    Areas without a credit come after those that have one.
    """
    if g.bound == AGE and m.waited[pe] == g.age:
        return int((pe - m.urgent[cache]) % g.pes)
    row = cache // g.columns
    area = g.area[row, pe]
    distance = (g.position[row, pe] - m.pointers[cache, area]) % g.size[row, area]
    spent = g.bound == WEIGHTS and m.credits[cache, area] == 0
    return int((1 + area + (m.credits.shape[1] if spent else 0)) * g.pes + distance)


@kernel
def granted(g: Geometry, m: Machine, pe: int, cache: int) -> None:
    """What a grant changes in the arbiters that made it."""
    row = cache // g.columns
    area = g.area[row, pe]
    if g.two_stage:
        m.link_pointers[g.links[pe, cache]] = (g.member[pe] + 1) % g.members
        m.pointers[cache, 0] = (g.group[pe] + 1) % g.groups
    elif g.bound == AGE and m.waited[pe] == g.age:
        m.urgent[cache] = (pe + 1) % g.pes
    else:
        m.pointers[cache, area] = (g.position[row, pe] + 1) % g.size[row, area]
        if g.bound == WEIGHTS:
            if m.credits[cache, area] == 0:
                m.credits[cache] = g.start
            m.credits[cache, area] -= 1


@kernel
def arbitrate(g: Geometry, m: Machine, o: Outputs) -> None:
    """Fills ``o.grant`` for the requests that are there (``o.active``) and the caches that can grant."""
    if g.two_stage:
        over_links(g, m, o)
        return
    for pe in range(g.pes):
        cache = cache_of(g, m.word[pe])
        if o.active[pe] and o.stands[cache] == GRANTS:
            best = o.grant[cache]
            if best == EMPTY or rank(g, m, pe, cache) < rank(g, m, best, cache):
                o.grant[cache] = pe


@kernel
def over_links(g: Geometry, m: Machine, o: Outputs) -> None:
    """Each link chooses a request, then each cache a link."""
    choice: Ints = np.full(len(m.link_pointers), EMPTY, np.int64)
    for pe in range(g.pes):
        cache = cache_of(g, m.word[pe])
        if o.active[pe] and o.stands[cache] == GRANTS:
            link = g.links[pe, cache]
            best, pointer = choice[link], m.link_pointers[link]
            if best == EMPTY or (g.member[pe] - pointer) % g.members < (g.member[best] - pointer) % g.members:
                choice[link] = pe
    for pe in choice:
        if pe != EMPTY:
            cache = cache_of(g, m.word[pe])
            best, pointer = o.grant[cache], m.pointers[cache, 0]
            if best == EMPTY or (g.group[pe] - pointer) % g.groups < (g.group[best] - pointer) % g.groups:
                o.grant[cache] = pe
