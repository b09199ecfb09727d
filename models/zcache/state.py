# SPDX-License-Identifier: Apache-2.0
"""What the kernels of ``zcache`` work on: its ports in a cycle, and all that it keeps between cycles.

Numbers in brackets, here and in the kernels, are the rules of ``docs/zcache.md``. Integers are ``i8`` so that
numba never mixes signed and unsigned ones; depths are ``u4``.
"""

from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from configs.depth import PIXELS
from configs.zcache.schema import COUNTERS, Config
from models.kernels import kernel

BEATS = 4  # of a line: rows of a tile
LINE_BYTES = 4 * PIXELS
#: Status of a line. ``PF_TOUCH``: filling by a prefetch, "touch" noted.
EMPTY, PF, PF_TOUCH, DF, FRESH, TOUCHED = range(6)
#: What a barrier does in a cycle: waits for what is before it, looks at the rows, puts the lines of marked
#: tiles, waits for the writes, marks the tiles of a clear, puts its lines, waits for their writes, is done.
WAITS, WALKS, SWEEPS, DRAINS, MARKS, CLEARS, ENDS, DONE = range(8)
OFF, QUEUE, AHEAD = range(3)  # modes of prefetch; adaptive is ahead with a distance that changes
BLOCKED, LINEAR, XOR = range(3)  # the set index
MOST_SETS, MOST_WAYS, MOST_WORDS, MOST_REQUESTS = 1024, 8, 1024, 64  # limits of Config
MOST_FILLS, MOST_PUT, MOST_MARKS = 16, 8, 1 << 18
FULL = 7  # the outcome of a request that found the queue full, beside configs.zcache.schema.OUTCOMES
NUMBER_OF = {name: number for number, (name, _) in enumerate(COUNTERS)}


def fields(names: str, kind: str = "i8") -> list[tuple[str, str]]:
    """Of a record: integers of these names."""
    return [(name, kind) for name in names.split()]


_DEPTH = ("depth", "u4", (PIXELS,))
_WORD = fields("op x y mask test func write format")
#: A word of the stream ``tile``.
WORD = np.dtype([*_WORD, _DEPTH])
INPUTS = np.dtype(
    [
        *fields("rst m_axi_rst tile_valid"),
        *_WORD,
        _DEPTH,
        *fields("shade_valid kill res_ready ar_ready r_valid r_id r_resp"),
        ("r_data", "u4", (BEATS,)),
        *fields("aw_ready w_ready b_valid b_resp"),
    ]
)
_EVT = "evt_valid evt_op evt_kind evt_way evt_first evt_dirty evt_rejected"
_FILL = "fill demand number way evict unused dirty victim"
_PRE = " ".join(
    f"pre_{name}" for name in ("valid", *_FILL.split(), "decided", "outcome", "request", "full", "blank")
)
#: AXI fields that never change are left out: 4 beats of 16 bytes INCR, writes' id 0, all strobes set.
OUTPUTS = np.dtype(
    [
        *fields("tile_ready shade_ready res_valid res_x res_y res_passed res_err"),
        *fields(f"{_EVT} {_PRE} ar_valid ar_addr ar_id r_ready aw_valid aw_addr w_valid w_last b_ready"),
        ("w_data", "u4", (BEATS,)),
        ("counters", "i8", (len(COUNTERS),)),
    ]
)
#: A word in flight. ``taken``, ``came`` and ``moved``: the cycles in which it was taken, was first at the
#: test (a barrier: the oldest) and moved to T1; the last two are for the records of a run alone. ``low``,
#: ``high``: with bounds, the codes of its pixels.
FLYING = np.dtype([*_WORD, *fields("number index taken came moved low high"), _DEPTH])
#: Bounds of a tile: codes, if ``learnt``, of this format.
BOUND = np.dtype([("learnt", "u1"), ("format", "u1"), ("low", "u2"), ("high", "u2")])
#: A request to prefetch: the word it is of, its tile's number and set.
REQUEST = np.dtype(fields("word number index"))
LINE = np.dtype([*fields("number"), *fields("status dirty", "i4"), ("data", "u4", (PIXELS,))])
#: A read under way. ``forgotten``: asked for before a reset, its beats are dropped.
FILL = np.dtype(fields("busy forgotten number index way beats error"))
#: A line of the write buffer.
PUT = np.dtype([*fields("number address"), ("data", "u4", (PIXELS,))])
SETTINGS = np.dtype(
    fields(
        "sets ways column_bits row_bits index number_bits coordinate_bits tiles given cycles mode queue "
        "distance adapts patience weight step drop_busy evict_untouched ott fills write_buffer marks bounds "
        "bound_bits"
    )
)
#: Single registers. Words are counted from 0: ``taken`` were taken, ``moved`` moved to T1, ``left`` gave
#: their result. ``asked``, ``decided``: requests that joined and left the queue; ``pointer``: the word that
#: mode ahead looks at. Of the word at the test: ``kind`` (0: not known), ``first`` (counted as useful),
#: ``failed``. Lines: ``put`` were put, ``arrived`` came into the write buffer, ``inside`` may be offered,
#: ``sent`` have had their address and all data taken, ``written`` were answered; of the one being sent,
#: ``addressed`` and ``beats``. ``marking``: tiles may be marked, of which memory lacks ``blank``;
#: ``bounding``: bounds count.
#: Modes ahead and adaptive: ``distance``, and the ``score`` that changes it.
REGISTERS = np.dtype(
    [
        *fields("clock resetting taken moved left barrier asked decided pointer kind first failed"),
        *fields("t1_first t1_access t1_index t1_way t1_live t1_passed t1_err t1_kind t1_useful t1_stored"),
        *fields("ar_valid ar_addr ar_id put arrived inside sent written addressed beats write_error"),
        *fields("step row cleared base pitch surface distance score"),
        *fields("marking bounding t1_rejected"),
        *fields(f"{_EVT} {_PRE} pre_word"),
    ]
)


#: The whole block: one record, as large as the largest configuration, so that kernels pass one pointer and
#: are compiled once. Word n lies at n modulo `shading.tiles`, and so on.
STATE = np.dtype(
    [
        ("settings", SETTINGS),
        ("now", REGISTERS),
        ("counters", "i8", (len(COUNTERS),)),
        ("queue", REQUEST, (MOST_REQUESTS,)),
        ("fills", FILL, (MOST_FILLS,)),
        ("buffer", PUT, (MOST_PUT,)),
        ("blank", "u4", (PIXELS,)),  # what the last clear gave a tile
        ("marked", "u1", (MOST_MARKS,)),  # of the first `fast_clear` tiles
        ("bound", BOUND, (MOST_MARKS,)),  # of the first `hierarchical.tiles` tiles
        ("plru", "i8", (MOST_SETS,)),  # bit i is node i
        ("words", FLYING, (MOST_WORDS,)),
        ("lines", LINE, (MOST_SETS, MOST_WAYS)),
    ]
)
State: TypeAlias = Any  # a record of STATE


class Look(NamedTuple):
    """What T0 does in a cycle: the ``rule`` that holds, 0 if no tile is at the test; (2) may be ``rejected``.

    ``set_index``: that of its tile if it is tested, else -1; ``way``: of its line (4), or for its fill (8).
    """

    rule: int
    live: int
    set_index: int
    way: int
    moves: bool
    reserves: bool
    rejected: bool


class Ask(NamedTuple):
    """What becomes of the request looked at: ``decided`` with an ``outcome``, or ``passed`` without one."""

    decided: bool
    passed: bool
    outcome: int
    word: int
    number: int
    set_index: int
    way: int


def new_state(cfg: Config) -> NDArray[Any]:
    """The state after power-up's reset, a STATE array [1]."""
    shading, prefetch = cfg.shading, cfg.prefetch
    values = {
        "sets": cfg.cache.sets, "ways": cfg.cache.ways,
        "column_bits": cfg.column_bits, "row_bits": cfg.row_bits,
        "index": ("blocked", "linear", "xor").index(cfg.index),
        "number_bits": cfg.tile_bits, "coordinate_bits": cfg.coordinate_bits,
        "tiles": shading.tiles, "given": cfg.given, "cycles": shading.cycles,
        "mode": AHEAD if cfg.walks else ("off", "queue").index(prefetch.mode),
        "queue": prefetch.queue, "distance": prefetch.distance, "adapts": cfg.adapts,
        "patience": prefetch.patience, "weight": prefetch.weight, "step": prefetch.step,
        "drop_busy": prefetch.when_busy == "drop", "evict_untouched": prefetch.when_untouched == "evict",
        "ott": cfg.ott, "fills": cfg.fills, "write_buffer": cfg.write_buffer,
        "marks": cfg.fast_clear, "bounds": cfg.hierarchical.tiles, "bound_bits": cfg.hierarchical.bits,
    }  # fmt: skip
    state = np.zeros(1, STATE)
    for name, value in values.items():
        state["settings"][name] = value
    state["now"]["pitch"] = state["now"]["surface"] = 1
    state["now"]["distance"] = prefetch.distance
    return state


@kernel
def step_counter(state: State, number: int, by: int) -> None:
    """A counter of 32 bits steps."""
    state.counters[number] = (state.counters[number] + by) & 0xFFFFFFFF


@kernel
def find(state: State, index: int, number: int) -> int:
    """The way of set ``index`` that is ready or filling with tile ``number``; -1 if there is none."""
    for way in range(state.settings.ways):
        line = state.lines[index, way]
        if line.status != EMPTY and line.number == number:
            return way
    return -1


@kernel
def is_being_written(state: State, number: int) -> bool:
    """Whether a tile's line is in the write buffer, or being put there."""
    now = state.now
    for line in range(now.written, now.put):
        if state.buffer[line % state.settings.write_buffer].number == number:
            return True
    return False


@kernel
def is_marked(state: State, number: int) -> bool:
    """Whether memory lacks what a clear gave this tile."""
    now = state.now
    return bool(
        now.marking and number < state.settings.marks and number < now.surface and state.marked[number]
    )


@kernel
def has_place(state: State) -> bool:
    """Whether the write buffer does."""
    return state.now.put - state.now.written < state.settings.write_buffer


@kernel
def is_owed(state: State) -> bool:
    """Whether a fill is under way, or a line in the write buffer or being put."""
    for number in range(state.settings.fills):
        if state.fills[number].busy:
            return True
    return bool(state.now.put != state.now.written)
