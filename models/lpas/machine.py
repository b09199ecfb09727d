# SPDX-License-Identifier: Apache-2.0
"""What the golden model of ``lpas`` works on: the machine's registers, its inputs and outputs of a cycle.

N: PEs, and caches; A: areas of a cache at most; W: words of a line; all numbers as in ``docs/lpas.md``.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from configs.lpas.schema import COUNTERS, Config

Ints = NDArray[np.int64]
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

NET = np.dtype(
    [
        *(("phase", "i8"), ("begun", "i8"), ("stale", "i8")),  # ``stale``: a burst from before a reset
        *(("job", "i8"), ("pointer", "i8")),  # the requester that is served
        *(("write", "i8"), ("evicts", "i8")),  # there is a dirty line to write, a valid one to replace
        *(("beat", "i8"), ("failed", "i8")),  # of a read: beats that came, one had an error
    ]
)
OUTSIDE = np.dtype([("state", "i8"), ("failed", "i8")])  # ``failed``: a write of a flush was refused
#: a burst that begins: NONE, READ or WRITE; its id and byte address; of a single beat, the word's place in it
BURST = np.dtype([("kind", "i8"), ("id", "i8"), ("address", "i8"), ("single", "i8"), ("slot", "i8")])
#: what memory says in a cycle: the response to a write, a beat, and whether it is the last of its burst
ANSWER = np.dtype([("response", "i8"), ("beat", "i8"), ("last", "i8")])
COUNTER = {name: number for number, (name, _) in enumerate(COUNTERS)}


class Geometry(NamedTuple):
    """The configuration as kernels see it. ``area``, ``position`` [row, PE] of each cache row, ``size`` [row, area].

    ``links`` [PE, cache], ``member`` and ``group`` [PE] of a two-stage switch; ``start`` [A]: credits.
    """

    pes: int
    columns: int
    slot_bits: int
    pe_bits: int
    sets: int
    beat_words: int
    two_stage: bool
    bound: int
    age: int
    pipelined: bool
    area: Ints
    position: Ints
    size: Ints
    start: Ints
    links: Ints
    member: Ints
    group: Ints
    groups: int
    members: int


class Machine(NamedTuple):
    """All registers. Of the PEs [N], of the caches [N, ...], of switch and network."""

    held: Ints
    granted: Ints
    op: Ints
    word: Ints
    value: Ints
    waited: Ints
    due: Ints  # to be acknowledged in the next cycle: NONE, FINE, FAILED
    due_value: Ints
    state: Ints
    pending: Ints  # a flush is
    owner: Ints  # the PE whose request missed
    failed: Ints
    walk: Ints  # the line that a flush has come to
    tags: Ints  # [N, sets], EMPTY if invalid
    dirty: Ints
    data: NDArray[np.uint16]  # [N, sets, W]
    pointers: Ints  # [N, A]; of a two-stage switch [N, 1]
    urgent: Ints
    credits: Ints
    link_pointers: Ints
    net: NDArray[Any]  # NET [1]
    outside: NDArray[Any]  # OUTSIDE [1]
    counters: Ints


class Inputs(NamedTuple):
    """A cycle's inputs: requests that are offered [N], memory's answer [1] and the words of its beat."""

    offered: Ints
    op: Ints
    word: Ints
    value: Ints
    answer: NDArray[Any]
    words: NDArray[np.uint16]


class Outputs(NamedTuple):
    """What a cycle shows: requests taken, acknowledges (NONE, FINE, FAILED) and values [N]; grants: the PE or EMPTY
    and whether it hit [N]; the burst that begins [1] and its data, one word of it for a single beat.

    ``stands`` [N], ``active`` [N], ``asks`` [N + 1] are how things stand at the cycle's begin.
    """

    taken: Ints
    ack: Ints
    value: Ints
    grant: Ints
    hit: Ints
    burst: NDArray[Any]
    words: NDArray[np.uint16]
    stands: Ints
    active: Ints
    asks: Ints


def geometry(cfg: Config) -> Geometry:
    """The tables of ``cfg``."""
    rows, columns, pes = cfg.array.rows, cfg.array.columns, cfg.pes
    areas = max(len(row) for row in cfg.area_pes)
    area, position = np.zeros((rows, pes), np.int64), np.zeros((rows, pes), np.int64)
    size = np.ones((rows, areas), np.int64)
    for row, listed in enumerate(cfg.area_pes):
        for number, members in enumerate(listed):
            size[row, number] = len(members)
            area[row, list(members)], position[row, list(members)] = number, np.arange(len(members))
    pe = np.arange(pes)
    by_rows = cfg.switch == "lr2ss-c"
    return Geometry(
        pes, columns, cfg.slot_bits, cfg.array.pe_bits, cfg.cache.sets, cfg.beat_words, cfg.two_stage,
        ("none", "age", "weights").index(cfg.bound), cfg.age, cfg.read_pipeline, area, position, size,
        np.array([cfg.credits(number) for number in range(areas)]), np.array(cfg.links),
        pe % columns if by_rows else pe // columns, pe // columns if by_rows else pe % columns,
        rows if by_rows else columns, columns if by_rows else rows,
    )  # fmt: skip


def machine(cfg: Config, g: Geometry) -> Machine:
    """After power-up and reset."""
    n, sets, areas = cfg.pes, cfg.cache.sets, g.size.shape[1]

    def zeros(*shape: int) -> Ints:
        return np.zeros(shape, np.int64)

    return Machine(
        *(zeros(n) for _ in range(13)), zeros(n, sets) + EMPTY, zeros(n, sets),
        np.zeros((n, sets, 1 << cfg.slot_bits), np.uint16), zeros(n, areas), zeros(n),
        np.tile(g.start, (n, 1)), zeros(int(g.links.max()) + 1),
        np.zeros(1, NET), np.zeros(1, OUTSIDE), zeros(len(COUNTERS)),
    )  # fmt: skip


def inputs(cfg: Config) -> Inputs:
    """Nothing offered, nothing answered."""
    columns = (np.zeros(cfg.pes, np.int64) for _ in range(4))
    return Inputs(*columns, np.zeros(1, ANSWER), np.zeros(cfg.beat_words, np.uint16))


def outputs(cfg: Config) -> Outputs:
    """Nothing shown."""
    columns = [np.zeros(cfg.pes, np.int64) for _ in range(7)]
    words, asks = np.zeros(1 << cfg.slot_bits, np.uint16), np.zeros(cfg.pes + 1, np.int64)
    return Outputs(*columns[:5], np.zeros(1, BURST), words, *columns[5:], asks)
