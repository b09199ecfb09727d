# SPDX-License-Identifier: Apache-2.0
"""Who is granted: the arbiters of ``docs/lpas.md``. Each requester has a rank, and the lowest one wins."""

from typing import Any

from models.kernels import copy, kernel
from models.lpas.machine import AGE, EMPTY, GRANTS, WEIGHTS, Geometry, Ints, Machine, Outputs


@kernel
def arbitrate(g: Geometry, m: Machine, o: Outputs) -> None:
    """Fills ``o.caches.grant`` for the requests that are there and the caches that can grant."""
    if g.two_stage:
        over_links(g, m, o)
        return
    for pe in range(g.pes):
        home = m.pes[pe].home
        grant = o.caches[home]
        if o.pes[pe].active and grant.stands == GRANTS:
            if g.bound == AGE and m.pes[pe].waited == g.age:
                rank = (pe - m.caches[home].urgent) % g.pes
            else:
                rank = area_rank(
                    g.pes, g.bound, g.places[home // g.columns, pe], m.pointers[home], m.credits[home]
                )
            if grant.grant == EMPTY or rank < grant.rank:
                grant.grant, grant.rank = pe, rank


@kernel
def area_rank(pes: int, bound: int, place: Any, pointers: Ints, credits: Ints) -> int:
    """Behind all that are urgent: by area, then by the distance from the area's pointer.

    Areas without a credit come after those that have one.
    """
    turn = 1 + place.area
    if bound == WEIGHTS and credits[place.area] == 0:
        turn += len(credits)
    return int(turn * pes + distance(place.position, pointers[place.area], place.size))


@kernel
def distance(position: int, pointer: int, size: int) -> int:
    """Positions from the pointer on, cyclically."""
    return position - pointer if position >= pointer else position - pointer + size


@kernel
def over_links(g: Geometry, m: Machine, o: Outputs) -> None:
    """Each link chooses a request, then each cache a link."""
    o.links[:] = EMPTY
    for pe in range(g.pes):
        home = m.pes[pe].home
        if o.pes[pe].active and o.caches[home].stands == GRANTS:
            link = g.links[pe, home]
            best, pointer = o.links[link], m.link_pointers[link]
            rank = distance(g.member[pe], pointer, g.members)
            if best == EMPTY or rank < distance(g.member[best], pointer, g.members):
                o.links[link] = pe
    for pe in o.links:
        if pe != EMPTY:
            home = m.pes[pe].home
            grant = o.caches[home]
            rank = distance(g.group[pe], m.pointers[home, 0], g.groups)
            if grant.grant == EMPTY or rank < grant.rank:
                grant.grant, grant.rank = pe, rank


@kernel
def granted(g: Geometry, m: Machine, pe: int, cache: int) -> None:
    """What a grant changes in the arbiters that made it."""
    if g.two_stage:
        m.link_pointers[g.links[pe, cache]] = (g.member[pe] + 1) % g.members
        m.pointers[cache, 0] = (g.group[pe] + 1) % g.groups
    elif g.bound == AGE and m.pes[pe].waited == g.age:
        m.caches[cache].urgent = (pe + 1) % g.pes
    else:
        place = g.places[cache // g.columns, pe]
        m.pointers[cache, place.area] = (place.position + 1) % place.size
        if g.bound == WEIGHTS:
            if m.credits[cache, place.area] == 0:
                copy(m.credits[cache], g.start)
            m.credits[cache, place.area] -= 1
