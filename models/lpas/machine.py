# SPDX-License-Identifier: Apache-2.0
"""What the golden model of ``lpas`` works on: the machine's registers, its inputs and outputs of a cycle.

N: PEs, and caches; A: areas of a cache at most; W: words of a line; all numbers as in ``docs/lpas.md``.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from configs.lpas.schema import COUNTERS, Config

Ints = NDArray[np.int64]
Words = NDArray[np.uint16]
Records = NDArray[Any]
EMPTY = -1

#: states of a cache, and how it stands in a cycle: able to grant, about to scan, asking the network, ...
READY, MISS, SERVE, SCAN = range(4)
GRANTS, TURNS, ASKS, SERVES, STEPS = range(5)
#: phases of the network interface, states of its requester *outside*
IDLE, WRITE, READ = range(3)
FREE, ASKING, FLUSHING = range(3)
#: an answer of memory, an acknowledge: none, without an error, with one
NONE, FINE, FAILED = range(3)
#: what bounds a wait
UNBOUNDED, AGE, WEIGHTS = range(3)
COUNTER = {name: number for number, (name, _) in enumerate(COUNTERS)}


def _record(*names: str) -> np.dtype[Any]:
    return np.dtype([(name, "i8") for name in names])


#: a PE's select: the request that is held, whether it was granted, how long it waited; the cache that is the
#: word's home; what is to be acknowledged in the next cycle, NONE, FINE or FAILED
PE = _record("held", "granted", "op", "word", "value", "waited", "home", "due", "due_value", "due_op")
#: a cache: ``pending``: a flush is; ``owner``: the PE that missed; ``walk``: the line that a flush is at;
#: ``urgent``: the pointer among urgent requests
CACHE = _record("state", "pending", "owner", "failed", "walk", "urgent")
#: the network interface: a burst from before a reset is under way; the requester that is served; there is a
#: dirty line to write, a valid one to replace; of a read: beats that came, one had an error
NET = _record("phase", "begun", "stale", "job", "pointer", "write", "evicts", "beat", "failed")
#: ``failed``: a write of a flush was refused
OUTSIDE = _record("state", "failed")
#: where a PE stands at the caches of a row: its area, its position there, the positions of the area
PLACE = _record("area", "position", "size")
#: what a PE offers in a cycle
OFFER = _record("offered", "op", "word", "value")
#: what memory says in a cycle: the response to a write, a beat, and whether it is the last of its burst
ANSWER = _record("response", "beat", "last")
#: what a PE is shown in a cycle: its request was taken; the acknowledge, of what; ``active``: it asks a cache
SHOWN = _record("taken", "ack", "value", "op", "active")
#: a cache's grant: the PE or EMPTY, whether it hit; ``rank`` of the PE; how the cache stands
GRANT = _record("grant", "hit", "rank", "stands")
#: a burst that begins: NONE, READ or WRITE; its id and byte address; of a single beat, the word's place in it
BURST = _record("kind", "id", "address", "single", "slot")


class Geometry(NamedTuple):
    """The configuration as kernels see it. ``places``: PLACE [row, PE] of each cache row.

    ``links`` [PE, cache], ``member`` and ``group`` [PE] of a two-stage switch; ``start`` [A]: credits.
    """

    pes: int
    columns: int
    slot_bits: int
    index_low: int  # word >> this: tag and line of its cache
    sets: int
    beat_words: int
    two_stage: bool
    bound: int
    age: int
    pipelined: bool
    groups: int
    members: int
    places: Records
    start: Ints
    links: Ints
    member: Ints
    group: Ints


class Machine(NamedTuple):
    """All registers."""

    pes: Records  # PE [N]
    caches: Records  # CACHE [N]
    tags: Ints  # [N, sets], EMPTY if invalid
    dirty: Ints  # [N, sets]
    data: Words  # [N, sets, W]
    pointers: Ints  # [N, A]; of a two-stage switch [N, 1]
    credits: Ints  # [N, A]
    link_pointers: Ints
    net: Records  # NET [1]
    outside: Records  # OUTSIDE [1]
    counters: Ints


class Inputs(NamedTuple):
    """A cycle's inputs: OFFER [N], memory's ANSWER [1] and the words of its beat."""

    pes: Records
    answer: Records
    words: Words


class Outputs(NamedTuple):
    """What a cycle shows: SHOWN [N], GRANT [N]; the BURST [1] that begins and its data (of a single beat one
    word). ``asks`` [N + 1]: who asks the network interface. ``links``: for each the PE that it chose.
    """

    pes: Records
    caches: Records
    burst: Records
    words: Words
    asks: Ints
    links: Ints


def geometry(cfg: Config) -> Geometry:
    """The tables of ``cfg``."""
    rows, columns, pes = cfg.array.rows, cfg.array.columns, cfg.pes
    places = np.zeros((rows, pes), PLACE)
    for row, areas in enumerate(cfg.area_pes):
        for number, area in enumerate(areas):
            for position, member_pe in enumerate(area):
                places[row, member_pe] = number, position, len(area)
    pe, by_rows = np.arange(pes), cfg.switch == "lr2ss-c"
    member, group = (pe % columns, pe // columns) if by_rows else (pe // columns, pe % columns)
    members, groups = (columns, rows) if by_rows else (rows, columns)
    return Geometry(
        pes, columns, cfg.slot_bits, cfg.slot_bits + cfg.array.pe_bits, cfg.cache.sets, cfg.beat_words,
        cfg.two_stage, ("none", "age", "weights").index(cfg.bound), cfg.age, cfg.read_pipeline, groups,
        members, places, np.array([cfg.credits(area) for area in range(_areas(cfg))]),
        np.array(cfg.links), member, group,
    )  # fmt: skip


def _areas(cfg: Config) -> int:
    return max(len(areas) for areas in cfg.area_pes)


def machine(cfg: Config, g: Geometry) -> Machine:
    """After power-up and reset."""
    n, sets = cfg.pes, cfg.cache.sets
    return Machine(
        np.zeros(n, PE), np.zeros(n, CACHE),
        np.full((n, sets), EMPTY, np.int64), np.zeros((n, sets), np.int64),
        np.zeros((n, sets, 1 << cfg.slot_bits), np.uint16), np.zeros((n, _areas(cfg)), np.int64),
        np.tile(g.start, (n, 1)), np.zeros(int(g.links.max()) + 1, np.int64),
        np.zeros(1, NET), np.zeros(1, OUTSIDE), np.zeros(len(COUNTERS), np.int64),
    )  # fmt: skip


def inputs(cfg: Config) -> Inputs:
    """Nothing offered, nothing answered."""
    return Inputs(np.zeros(cfg.pes, OFFER), np.zeros(1, ANSWER), np.zeros(cfg.beat_words, np.uint16))


def outputs(cfg: Config, g: Geometry) -> Outputs:
    """Nothing shown."""
    return Outputs(
        np.zeros(cfg.pes, SHOWN), np.zeros(cfg.pes, GRANT), np.zeros(1, BURST),
        np.zeros(1 << cfg.slot_bits, np.uint16), np.zeros(cfg.pes + 1, np.int64),
        np.zeros(int(g.links.max()) + 1, np.int64),
    )  # fmt: skip
