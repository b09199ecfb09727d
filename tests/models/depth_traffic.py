# SPDX-License-Identifier: Apache-2.0
"""Tiles and machines for the tests of ``zcache``: few sets, few tiles, all that can be chosen drawn."""

from typing import Any

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from configs import load
from configs.depth import BASE, FLUSH
from configs.zcache.schema import Config
from models.memory import Memory
from models.zcache import WORD, AccessOutcome, Machine, ModelRun
from tb.common.replay.traffic import CHANNELS, Traffic

LATENCY = 20  # of the memory of :func:`configured`
MEMORY = Memory(5)
SIDE = 8  # tiles of a row of the surface, and of a column
BASES = (0, 0x1_0000, 0xFFFF_FC00)  # the last one: the surface wraps at the end of the address space


def word(op: int, *depth: int) -> NDArray[Any]:
    """A barrier, [1]."""
    made = np.zeros(1, WORD)
    made["op"] = op
    made["depth"][0, : len(depth)] = depth
    return made


def surface(base: int = 0, tiles: int = SIDE * SIDE) -> NDArray[Any]:
    """The barrier, [1], that sets the surface up."""
    return word(BASE, base, SIDE, tiles)


def tile(x: int, y: int = 0, **fields: Any) -> NDArray[Any]:
    """A tile, [1], that stores depths of 0 in all pixels unless ``fields`` say otherwise."""
    made = np.zeros(1, WORD)
    values = {"x": x, "y": y, "mask": 0xFFFF, "test": 1, "func": 7, "write": 1, "format": 1} | fields
    for name, value in values.items():
        made[name] = value
    return made


def draw_words(seed: int, count: int, base: int, barriers: float = 0.04) -> NDArray[Any]:
    """The surface, ``count`` words at random, most of them tiles of a walk, and a flush."""
    rng = np.random.default_rng(seed)
    words = np.zeros(count, WORD)
    reach = int(rng.integers(1, SIDE + 1))
    for name in ("x", "y"):
        words[name] = rng.integers(0, reach, count)
    again = rng.random(count) < 0.2  # the tile before once more
    for name in ("x", "y"):
        words[name][1:] = np.where(again[1:], words[name][:-1], words[name][1:])
    words["mask"] = rng.integers(0, 1 << 16, count) * (rng.random(count) < 0.85)
    words["test"] = rng.random(count) < 0.9
    words["func"], words["format"] = rng.integers(0, 8, count), rng.integers(0, 3, count)
    words["write"] = rng.random(count) < 0.7
    depths = rng.choice(
        np.array([0, 1, 0xFFFF, 0x10000, 0xFFFFFF, 0x1000000, 0xFFFFFFFF], np.uint32), (count, 16)
    )
    words["depth"] = np.where(rng.random((count, 16)) < 0.5, depths, rng.integers(0, 1 << 32, (count, 16)))
    stops = rng.random(count) < barriers
    words["op"][stops] = rng.integers(FLUSH, BASE + 1, stops.sum())
    for at in np.nonzero(words["op"] == BASE)[0]:
        words["depth"][at, :3] = rng.choice(BASES), SIDE, rng.integers(0, SIDE * SIDE + 3)
    return np.concatenate([surface(base), words, word(FLUSH)])


@st.composite
def machines(draw: st.DrawFn) -> Config:
    """A zcache of a few lines, every choice drawn; the kernels are the same for all."""
    tiles = draw(st.sampled_from([1, 2, 3, 4, 7, 16]))
    values = {
        "cache.ways": draw(st.sampled_from([2, 4, 8])),
        "cache.sets": draw(st.sampled_from([2, 4, 8, 16])),
        "index": draw(st.sampled_from(["blocked", "linear", "xor"])),
        "coordinate_bits": 3,
        "shading.source": draw(st.sampled_from(["fixed", "given"])),
        "shading.cycles": draw(st.sampled_from([1, 2, 5, 40])),
        "shading.tiles": tiles,
        "prefetch.mode": draw(st.sampled_from(["off", "queue", "queue", "ahead", "adaptive"])),
        "prefetch.queue": draw(st.sampled_from([1, 2, 8])),
        "prefetch.distance": draw(st.integers(1, tiles)),
        "prefetch.patience": draw(st.sampled_from([2, 4, 8])),
        "prefetch.weight": draw(st.sampled_from([1, 2, 8])),
        "prefetch.step": draw(st.sampled_from([2, 8, 16])),
        "prefetch.when_busy": draw(st.sampled_from(["wait", "drop"])),
        "prefetch.when_untouched": draw(st.sampled_from(["drop", "evict"])),
        "ott": draw(st.sampled_from(["true", "true", "false"])),
        "fills": draw(st.sampled_from([1, 2, 3, 8])),
        "axi.id_bits": 3,
        "write_buffer": draw(st.sampled_from([1, 2, 3, 4])),
        "memory.latency": draw(st.sampled_from([1, 2, 3, 9, 30])),
        "memory.gap": draw(st.sampled_from([0, 0, 1, 4])),
    }
    return load("zcache", "tiny", [f"{name}={value}" for name, value in values.items()])


@st.composite
def runs(draw: st.DrawFn, most: int = 120) -> dict[str, Any]:
    """What :class:`Machine` takes beside the memory: ``cfg``, ``words``, ``pacing``, ``delay``, ``kill``."""
    cfg, seed = draw(machines()), draw(st.integers(0, 1 << 30))
    words = draw_words(seed, draw(st.integers(1, most)), draw(st.sampled_from(BASES)))
    rng = np.random.default_rng(seed + 1)
    kill = rng.integers(0, 1 << 16, len(words)) | np.where(rng.random(len(words)) < 0.2, 0xFFFF, 0)
    idle: dict[str, Any] = {name: draw(st.sampled_from([0.0, 0.0, 0.3, 0.8])) for name in CHANNELS}
    return {
        "cfg": cfg,
        "words": words,
        "pacing": Traffic.random(seed, **idle),
        "delay": rng.integers(1, draw(st.sampled_from([2, 10, 80])), len(words)),
        "kill": np.where(rng.random(len(words)) < 0.5, kill, 0) if cfg.given else np.zeros(len(words), int),
    }


def poisoned(seed: int, words: NDArray[Any]) -> list[int]:
    """A fifth of the lines of the surfaces that ``words`` set up."""
    rng = np.random.default_rng(seed)
    starts = {int(start) >> 6 for start in words["depth"][words["op"] == BASE, 0]}
    lines = (np.array(sorted(starts))[:, None] + np.arange(SIDE * SIDE)).reshape(-1) % (1 << 26)
    return [int(line) for line in lines[rng.random(len(lines)) < 0.2]]


def contents(machine: Machine, lines: Any) -> dict[int, list[int]]:
    """Words of some lines of a machine's memory."""
    return {line: machine.memory.line(line).view(np.uint32).tolist() for line in lines}


def assert_memory(machine: Machine, memory: Memory, expected: AccessOutcome) -> None:
    """All lines are those of the functional model: what it did not write is as it was."""
    for line in {*machine.memory.lines.tolist(), *expected.lines}:
        should = expected.lines.get(line, memory.line(line, 16)).tolist()
        assert contents(machine, [line])[line] == should, f"line {line:#x}"


def configured(*overrides: str) -> Config:
    """4 ways of 2 sets, tiles of even numbers in set 0; the shader takes 100 cycles."""
    given = {
        "cache.ways": 4, "cache.sets": 2, "index": "linear", "shading.source": "fixed", "shading.cycles": 100,
        "shading.tiles": 32, "prefetch.queue": 32, "fills": 4, "write_buffer": 2, "memory.latency": LATENCY,
    }  # fmt: skip
    given |= dict(override.split("=") for override in overrides)
    return load("zcache", "tiny", [f"{name}={value}" for name, value in given.items()])


def played(cfg: Config, *words: NDArray[Any], memory: Memory = MEMORY, **around: Any) -> ModelRun:
    """The surface, then some words."""
    machine = Machine(cfg, np.concatenate([surface(), *words]), memory, **around)
    machine.go()
    return machine.run()


def outcomes(run: ModelRun) -> list[int]:
    """Of the requests, in order of their words."""
    return np.sort(run.requests, order="word")["outcome"].tolist()


def even(*numbers: int, **fields: Any) -> list[NDArray[Any]]:
    """Tiles of set 0: the n-th that there is."""
    return [tile(2 * n % 8, n // 4, **fields) for n in numbers]
