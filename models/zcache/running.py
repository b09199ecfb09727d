# SPDX-License-Identifier: Apache-2.0
"""Whole runs of ``zcache``: words in, results, requests, fills, counters and memory out."""

from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from configs.depth import BASE, CLEAR, TILE
from configs.parts import MemoryTiming
from configs.zcache.schema import Config
from models.kernels import kernel
from models.memory import Memory
from models.sparse import SparseMemory
from models.zcache.cycles import cycle
from models.zcache.records import FILLED, REQUEST, RESULT, note_fill, note_requests, note_result, note_word
from models.zcache.state import LINE_BYTES, NUMBER_OF, WORD, State, is_owed, new_state
from models.zcache.world import AROUND, CHANNELS, SCRIPT, World, answer, drive, pace, sample

MORE, ENDED, STUCK = range(3)


class RequestPacing(Protocol):
    """In which cycles each of CHANNELS may move: patterns of 0 and 1, repeated without end."""

    @property
    def patterns(self) -> list[NDArray[np.uint8]]:
        """In the order of CHANNELS."""
        ...


class ModelRun(NamedTuple):
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
    around = world.around[0]
    inputs, outputs, now = around.inputs, around.outputs, state.now
    for _ in range(cycles):
        pace(around, world.patterns, world.periods)
        drive(around, world.script, world.results)
        answer(world)
        cycle(state, inputs, outputs)
        around.quiet = 0 if has_moved(around) else around.quiet + 1
        if not inputs.rst:
            if inputs.tile_valid and outputs.tile_ready:
                note_word(around, world.results[around.sent])
            if outputs.res_valid and inputs.res_ready:
                note_result(state, around, world.results[around.answered])
            if now.pre_decided or now.pre_full:
                note_requests(state, around, world.requests)
            if now.pre_fill:
                note_fill(now, around, world.fills[around.fills])
            around.shaded += outputs.shade_ready
        sample(world)
        around.cycle += 1
        if around.answered == len(world.script) and now.decided == now.asked and not is_owed(state):
            return ENDED
        if around.quiet > patience:
            return STUCK
    return MORE


@kernel
def has_moved(around: Any) -> bool:
    """Whether there was a handshake in this cycle, at any port."""
    inputs, outputs = around.inputs, around.outputs
    return bool(
        inputs.rst
        or inputs.r_valid
        or inputs.b_valid
        or (inputs.tile_valid and outputs.tile_ready)
        or (outputs.res_valid and inputs.res_ready)
        or (outputs.ar_valid and inputs.ar_ready)
        or (outputs.w_valid and inputs.w_ready)
    )


class Machine:
    """The block with all that is around it, cycle by cycle or to the end.

    ``delay`` (scalar or [words]) and ``kill`` [words] are the shader's where the configuration has one:
    cycles, 1 or more, from a tile's intake to its word, and the word.
    """

    def __init__(
        self,
        cfg: Config,
        words: NDArray[Any],
        memory: Memory,
        timing: MemoryTiming | None = None,
        pacing: RequestPacing | None = None,
        delay: ArrayLike = 1,
        kill: ArrayLike = 0,
    ) -> None:
        self.cfg, self.state = cfg, new_state(cfg)
        timing, count = timing or cfg.memory, len(words)
        self.memory = SparseMemory(memory, LINE_BYTES)
        cleared = _cleared(cfg, words)
        self.memory.reserve(count + cleared)
        around = np.zeros(1, AROUND)
        around["latency"], around["gap"] = timing.latency, timing.gap
        script, results = np.zeros(count, SCRIPT), np.zeros(count, RESULT)
        for name in WORD.names or ():
            script[name] = words[name]
        script["delay"], script["kill"] = delay, kill
        for name in ("taken", "came", "moved", "left"):
            results[name] = -1
        patterns, periods = _padded(pacing)
        self.world = World(
            around, memory.contents, self.memory.written, patterns, periods, script,
            results, np.zeros(count, REQUEST), np.zeros(2 * count, FILLED),
        )  # fmt: skip
        slowest = (
            int(periods.max()) + 64 * (timing.latency + timing.gap) + int(script["delay"].max(initial=0))
        )
        walks = 2 * cfg.cache.sets * cfg.cache.ways + cleared  # a flush also looks at what a clear has marked
        self.patience = 1000 + 8 * slowest + cfg.shading.cycles + walks

    def go(self, cycles: int = 1 << 62) -> bool:
        """At most so many cycles; whether all is done. Raises RuntimeError if it stands still.

        Lines may be poisoned and healed between calls.
        """
        world = self.world._replace(contents=self.memory.below.contents)
        status = advance(self.state[0], world, cycles, self.patience)
        if status == STUCK:
            around = self.world.around[0]
            raise RuntimeError(
                f"{self.cfg.name}: nothing moved for {self.patience} cycles before cycle {around['cycle']}; "
                f"{around['sent']} words were taken, {around['answered']} results given"
            )
        return status == ENDED

    def reset(self, power: bool = False) -> None:
        """One cycle of ``rst``; with ``power`` also of the memory's. Words in flight have no results then."""
        around = self.world.around[0]
        around["inputs"]["tile_valid"] = 0
        around["rst"], around["m_axi_rst"] = 1, power
        advance(self.state[0], self.world, 1, self.patience)
        around["rst"] = around["m_axi_rst"] = 0
        around["answered"] = around["shaded"] = around["origin"] = around["sent"]
        if power:
            around["inputs"]["r_valid"] = around["inputs"]["b_valid"] = 0
            around["read"], around["wrote"] = around["reads"], around["writes"]
            around["addressed"] = around["beats"] = 0

    @property
    def counters(self) -> dict[str, int]:
        """The counters since the last reset."""
        return {name: int(self.state[0]["counters"][NUMBER_OF[name]]) for name in self.cfg.counters}

    def run(self) -> ModelRun:
        """All that there is up to now."""
        world, around = self.world, self.world.around[0]
        requests, fills = world.requests[: around["requests"]], world.fills[: around["fills"]]
        return ModelRun(
            world.results.copy(),
            requests.copy(),
            fills.copy(),
            self.counters,
            int(around["cycle"]),
            self.memory,
        )


def run(cfg: Config, words: NDArray[Any], memory: Memory, **around: Any) -> ModelRun:
    """A whole run: WORD array [n] in order; ``around`` as :class:`Machine` takes it."""
    machine = Machine(cfg, words, memory, **around)
    machine.go()
    return machine.run()


def _cleared(cfg: Config, words: NDArray[Any]) -> int:
    """Most lines that the clears among ``words`` write: the tiles of each surface."""
    surfaces: dict[int, int] = {}
    base, tiles = 0, 1
    for word in words[words["op"] != TILE]:
        if word["op"] == BASE:
            base, tiles = int(word["depth"][0]) // LINE_BYTES, int(word["depth"][2]) % (2 << cfg.tile_bits)
        elif word["op"] == CLEAR:
            surfaces[base] = max(surfaces.get(base, 0), tiles)
    return min(sum(surfaces.values()), (1 << 32) // LINE_BYTES)


def _padded(pacing: RequestPacing | None) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """Patterns as an array [channels, longest], and their periods [channels]."""
    patterns = pacing.patterns if pacing else [np.ones(1, np.uint8)] * len(CHANNELS)
    periods = np.array([len(pattern) for pattern in patterns], np.int64)
    active = np.zeros((len(patterns), int(periods.max())), np.uint8)
    for row, pattern in zip(active, patterns, strict=True):
        row[: len(pattern)] = pattern
    return active, periods
