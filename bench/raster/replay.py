# SPDX-License-Identifier: Apache-2.0
"""Speed of trace replay beside the bare Verilated model, on the same words of ``vtx``.

See :mod:`bench.replays`. Compared are every word of ``tile``, the cycles of each and all counters.
"""

from typing import Any

from numpy.typing import NDArray

from bench import replays
from bench.benchmark import Benchmark
from bench.timing import ROUNDS, Row, Say, silent
from configs.raster.schema import Config
from tb.common.components.packing import Lanes, columns, pack_lanes
from tb.common.replay.machine import Replay
from tb.common.replay.work import Work
from tb.raster.replay import ROLES, predict, replay, verified
from workloads.raster.vertices import check_window, vertex_frame
from workloads.scenes.depth_scenes import DEPTH_SCENES

#: counters that go on after the last word
QUIET = ("tile_wait_cycles",)


def scene(cfg: Config, name: str, count: int) -> NDArray[Any]:
    """The first ``count`` words of ``vtx`` of a scene for depth blocks, or all if it has fewer.

    The picture is as large as usual, or as ``cfg`` takes it.
    """
    side = 4 << cfg.coordinate_bits
    width, height = min(640, side), min(480, side)
    check_window(cfg, width, height)
    words: NDArray[Any] = vertex_frame(DEPTH_SCENES[name](), width, height).words[:count]
    return words


def packed(cfg: Config, words: NDArray[Any]) -> Lanes:
    """Words of ``vtx`` as the library takes them."""
    return pack_lanes(cfg.streams["vtx"], columns(words), len(words))


def bare_run(cfg: Config, words: Lanes, tiles: int, patience: int) -> dict[str, int]:
    """Run packed words, of which ``tiles`` words of ``tile`` come, and drop these; the RTL's counters."""
    machine = Replay(cfg, roles=ROLES, patience=patience)
    for _ in machine.run(Work(words, due=tiles)):
        pass
    return machine.counters()


def same(counters: dict[str, int]) -> dict[str, int]:
    """Those that two runs share, whenever they end."""
    return {name: value for name, value in counters.items() if name not in QUIET}


def measure(cfg: Config, pattern: str, count: int, rounds: int = ROUNDS, say: Say = silent) -> list[Row]:
    """Words of ``vtx`` per second."""
    say("rendering, building")
    words = scene(cfg, pattern, count)
    model = predict(cfg, words)  # compiles
    lanes, tiles = packed(cfg, words), len(model.tiles)
    patience = 10_000 + 2 * int(model.work["walk"].max(initial=0))
    whole = replay(cfg, words, model)
    bare = bare_run(cfg, lanes, tiles, patience)
    assert same(bare) == same(whole.counters), f"{cfg.name}, {pattern}: the runs differ"

    def compared() -> None:
        _, _, wrong = verified(cfg, words)
        assert not wrong, wrong[0].text

    compared()  # compiles what says when each word comes
    return replays.compare(
        lambda: bare_run(cfg, lanes, tiles, patience), lambda: replay(cfg, words, model), compared,
        len(words), whole.cycles, rounds, say,
    )  # fmt: skip


BENCHMARK = Benchmark(
    "trace replay", "words of vtx", preset="base", patterns=("wires", "shore"), count=20_000, measure=measure
)
