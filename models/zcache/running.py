# SPDX-License-Identifier: Apache-2.0
"""Whole runs of ``zcache``: words in, results, requests, fills, counters and memory out."""

from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from configs.parts import MemoryTiming
from configs.zcache.schema import BASE, CLEAR, COUNTERS, PIXELS, TILE, Config
from models.kernels import kernel
from models.memory import Memory
from models.sparse import SparseMemory
from models.zcache.cycles import cycle, is_owed
from models.zcache.state import FULL, INPUTS, LINE_BYTES, OUTPUTS, WORD, State, new_state
from models.zcache.world import BURST, CHANNELS, OPEN, PLACES, World, drive, sample

_I8 = "i8"
#: What became of a word. Cycles: in which it was ``taken``, ``came`` to the test (a barrier: was the oldest
#: but for T1's), ``moved`` to T1, and its result ``left``; -1 if that did not happen.
RESULT = np.dtype(
    [(name, _I8) for name in "op kind way first dirty passed err taken came moved left".split()]
)
#: A request to prefetch: its word, its tile's number, the outcome (FULL beside OUTCOMES), when it was decided.
REQUEST = np.dtype([(name, _I8) for name in ("word", "number", "outcome", "cycle")])
#: A line that was reserved, as on the stream ``pre``, and when.
FILLED = np.dtype(
    [(name, _I8) for name in "cycle demand number way evict unused dirty victim".split()]
)
MORE, ENDED, STUCK = range(3)


class Pacing(Protocol):
    """In which cycles each of CHANNELS may move: patterns of 0 and 1, repeated without end."""

    @property
    def patterns(self) -> list[NDArray[np.uint8]]:
        """In the order of CHANNELS."""
        ...


class Run(NamedTuple):
    """What a run was; all arrays are copies."""

    results: NDArray[Any]
    requests: NDArray[Any]
    fills: NDArray[Any]
    counters: dict[str, int]
    cycles: int
    memory: SparseMemory


@kernel
def advance(state: State, world: World, cycles: int, patience: int) -> int:
    """At most so many cycles; MORE, or ENDED when all is answered and nothing is under way.

    STUCK after ``patience`` cycles in which nothing moved at any port.
    """
    at = world.at[0]
    for _ in range(cycles):
        drive(world)
        cycle(state, world.inputs[0], world.outputs[0])
        at.quiet = 0 if note(state, world) else at.quiet + 1
        sample(world)
        at.cycle += 1
        if at.answered == len(world.words) and state.now.decided == state.now.asked and not is_owed(state):
            return ENDED
        if at.quiet > patience:
            return STUCK
    return MORE


@kernel
def note(state: State, world: World) -> bool:
    """Records what moved in a cycle that is over; whether anything did."""
    at, inputs, outputs, now = world.at[0], world.inputs[0], world.outputs[0], state.now
    if inputs.rst:
        return True
    taken = inputs.tile_valid and outputs.tile_ready
    if taken:
        world.results[at.sent].taken = at.cycle
        world.results[at.sent].op = inputs.op
        if now.pre_full:
            note_request(world, at.sent, state.words[(now.taken - 1) % state.settings.tiles].number, FULL)
        at.sent += 1
        inputs.tile_valid = 0
    answered = outputs.res_valid and inputs.res_ready
    if answered:
        result, word = world.results[at.answered], state.words[(now.left - 1) % state.settings.tiles]
        result.kind, result.way, result.first, result.dirty = (
            now.evt_kind, now.evt_way, now.evt_first, now.evt_dirty,
        )  # fmt: skip
        result.passed, result.err = outputs.res_passed, outputs.res_err
        result.came, result.moved, result.left = word.came, word.moved, at.cycle
        at.answered += 1
    if now.pre_decided:
        note_request(world, at.origin + now.pre_word, now.pre_request, now.pre_outcome)
    if now.pre_fill:
        fill = world.fills[at.fills]
        fill.cycle, fill.demand, fill.number, fill.way = at.cycle, now.pre_demand, now.pre_number, now.pre_way
        fill.evict, fill.unused, fill.dirty = now.pre_evict, now.pre_unused, now.pre_dirty
        fill.victim = now.pre_victim
        at.fills += 1
    at.shaded += outputs.shade_ready
    beats = inputs.r_valid or inputs.b_valid or (outputs.w_valid and inputs.w_ready)
    return bool(taken or answered or beats or (outputs.ar_valid and inputs.ar_ready))


@kernel
def note_request(world: World, word: int, number: int, outcome: int) -> None:
    """A request that was decided, or found the queue full."""
    at = world.at[0]
    request = world.requests[at.requests]
    request.word, request.number, request.outcome, request.cycle = word, number, outcome, at.cycle
    at.requests += 1


class Machine:
    """The block with all that is around it, cycle by cycle or to the end.

    ``delay`` (scalar or [words]) and ``kill`` [words] are the shader's where the configuration has one: cycles,
    1 or more, from a tile's intake to its word, and the word.
    """

    def __init__(
        self,
        cfg: Config,
        words: NDArray[Any],
        memory: Memory,
        timing: MemoryTiming | None = None,
        pacing: Pacing | None = None,
        delay: ArrayLike = 1,
        kill: ArrayLike = 0,
    ) -> None:
        self.cfg, self.state = cfg, new_state(cfg)
        timing, count = timing or cfg.memory, len(words)
        self.memory = SparseMemory(memory, LINE_BYTES)
        self.memory.reserve(count + _cleared(words))
        at = np.zeros(1, PLACES)
        at["latency"], at["gap"] = timing.latency, timing.gap
        active, period = _padded(pacing)
        results = np.zeros(count, RESULT)
        for name in ("taken", "came", "moved", "left"):
            results[name] = -1
        self.world = World(
            at, memory.contents, self.memory.written, np.zeros(OPEN, BURST), np.zeros(OPEN, BURST),
            np.zeros(LINE_BYTES, np.uint8), active, period, np.ascontiguousarray(words, WORD),
            np.array(np.broadcast_to(delay, count), np.int64),
            np.array(np.broadcast_to(kill, count), np.int64) & ((1 << PIXELS) - 1),
            results, np.zeros(count, REQUEST), np.zeros(2 * count, FILLED),
            np.zeros(1, INPUTS), np.zeros(1, OUTPUTS),
        )  # fmt: skip
        slowest = int(period.max()) + 64 * (timing.latency + timing.gap) + int(self.world.delay.max(initial=0))
        self.patience = 1000 + 8 * slowest + cfg.shading.cycles + 2 * cfg.cache.sets * cfg.cache.ways

    def go(self, cycles: int = 1 << 62) -> bool:
        """At most so many cycles; whether all is done. Raises RuntimeError if it stands still."""
        status = advance(self.state[0], self.world, cycles, self.patience)
        if status == STUCK:
            at = self.world.at[0]
            raise RuntimeError(
                f"{self.cfg.name}: nothing moved for {self.patience} cycles before cycle {at['cycle']}; "
                f"{at['sent']} words were taken, {at['answered']} results given"
            )
        return status == ENDED

    def reset(self, power: bool = False) -> None:
        """One cycle of ``rst``; with ``power`` also of the memory's. Words in flight have no results then."""
        at = self.world.at[0]
        self.world.inputs["tile_valid"] = 0
        at["rst"], at["m_axi_rst"] = 1, power
        advance(self.state[0], self.world, 1, self.patience)
        at["rst"] = at["m_axi_rst"] = 0
        at["answered"] = at["shaded"] = at["origin"] = at["sent"]
        if power:
            self.world.inputs["r_valid"] = self.world.inputs["b_valid"] = 0
            at["read"], at["wrote"], at["addressed"], at["beats"] = at["reads"], at["writes"], 0, 0

    @property
    def counters(self) -> dict[str, int]:
        """The counters since the last reset."""
        return {name: int(self.state[0]["counters"][i]) for i, (name, _) in enumerate(COUNTERS)}

    def run(self) -> Run:
        """All that there is up to now."""
        at, world = self.world.at[0], self.world
        requests, fills = world.requests[: at["requests"]].copy(), world.fills[: at["fills"]].copy()
        return Run(world.results.copy(), requests, fills, self.counters, int(at["cycle"]), self.memory)


def run(cfg: Config, words: NDArray[Any], memory: Memory, **around: Any) -> Run:
    """A whole run: WORD array [n] in order; ``around`` as :class:`Machine` takes it."""
    machine = Machine(cfg, words, memory, **around)
    machine.go()
    return machine.run()


def _cleared(words: NDArray[Any]) -> int:
    """Most lines that the clears among ``words`` write."""
    lines, surface = 0, 1
    for word in words[words["op"] != TILE]:
        if word["op"] == BASE:
            surface = int(word["depth"][2])
        elif word["op"] == CLEAR:
            lines += surface
    return lines


def _padded(pacing: Pacing | None) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """Patterns as an array [channels, longest], and their periods [channels]."""
    patterns = pacing.patterns if pacing else [np.ones(1, np.uint8)] * len(CHANNELS)
    periods = np.array([len(pattern) for pattern in patterns], np.int64)
    active = np.zeros((len(patterns), int(periods.max())), np.uint8)
    for row, pattern in zip(active, patterns, strict=True):
        row[: len(pattern)] = pattern
    return active, periods
