# SPDX-License-Identifier: Apache-2.0
"""Frames through the Verilated renderer, without Python in the cycle loop, compared with the golden model."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from configs import MemoryTiming
from configs.depth import PIXELS
from configs.renderer.schema import Config
from models.memory import Memory
from models.renderer import PIX, Rendered, render
from tb.common.components.packing import columns, pack_lanes, unpack_lanes
from tb.common.replay.compare import (
    Mismatch,
    compare_counters,
    compare_memory,
    compare_records,
    compare_sequences,
)
from tb.common.replay.library import Port, Roles
from tb.common.replay.machine import Replay, default_patience, quiet
from tb.common.replay.traffic import Traffic
from tb.common.replay.work import Work
from tb.raster.replay import describe
from workloads.renderer.frame import RenderFrame

LINE, BEAT = 64, 16  # bytes of a line of the depth cache, and of a beat
COUNTED = "_perf"


def roles(cfg: Config) -> Roles:
    """Vertices give words of ``pix``; quads follow the state that they are sampled with."""
    counters = tuple(name for name in cfg.streams if name.endswith("perf") or COUNTED in name)
    return Roles((Port("vtx", "pix", None, None), Port("quad", None, None, None, "tex")), counters=counters)


@dataclass(frozen=True)
class Rtl:
    """What the design did: PIX ``words`` [n]; ``counters`` by part; byte addresses of bursts, ``reads`` and
    ``writes``; ``t_result`` [n]: cycles in which words were given, from the first in which one could be.
    """

    words: NDArray[Any]
    counters: dict[str, dict[str, int]]
    reads: NDArray[np.uint64]
    writes: NDArray[np.uint64]
    t_result: NDArray[np.int64]
    machine: Replay

    @property
    def cycles(self) -> int:
        """Cycles until the last word was given."""
        return int(self.t_result[-1]) + 1


def memory_of(frame: RenderFrame, seed: int = 1) -> Memory:
    """Memory with the frame's textures; the rest of it is hashed from ``seed``."""
    return Memory(seed, 0, frame.quads.image)


def predict(cfg: Config, frame: RenderFrame, memory: Memory) -> Rendered:
    """The golden model's view of a frame."""
    quads = frame.quads
    return render(cfg, frame.vertices.words, frame.states, quads.quads["uv"], quads.prim_of_quad, memory)


def started(
    cfg: Config,
    frame: RenderFrame,
    memory: Memory,
    seed: int = 1,
    rtl_dir: Path | None = None,
    *,
    timing: MemoryTiming | None = None,
    traffic: Traffic | None = None,
    plusarg: str | None = None,
) -> Replay:
    """The RTL of ``cfg``, or in ``rtl_dir``, out of reset, patient enough for the frame; ``seed`` gives its
    power-up state. Raises :class:`configs.UserError` for Verilog that cannot be built.
    """
    lines = frame.vertices.pitch * frame.vertices.rows  # that a clear writes before the next word of pix
    patience = default_patience(timing or cfg.memory, traffic or Traffic()) + 2 * LINE // BEAT * lines
    return Replay(
        cfg, memory, BEAT, seed=seed, rtl_dir=rtl_dir, roles=roles(cfg), timing=timing, traffic=traffic,
        patience=patience, plusarg=plusarg,
    )  # fmt: skip


def run(
    machine: Replay, cfg: Config, frame: RenderFrame, progress: Callable[[int], None] | None = None
) -> Rtl:
    """Run a frame through a machine that was reset; ``progress`` is told the number of words of ``pix``.

    Raises :class:`tb.common.replay.machine.ReplayError` when the RTL stops or gives more.
    """
    machine.idle(4 * cfg.texunit.cache.sets)  # until the texture caches have swept their sets
    first = machine.cycle
    parts: list[NDArray[Any]] = []
    times: list[NDArray[np.int64]] = []
    reads, writes = [], []
    for chunk in machine.run(*work(cfg, frame), tail=quiet(cfg.memory)):
        port, [bursts] = chunk.ports[0], chunk.axi
        parts.append(folded(cfg, port.results))
        times.append(port.result_cycle.astype(np.int64) - first)
        reads.append(bursts.reads.copy())
        writes.append(bursts.writes.copy())
        if progress:
            progress(sum(map(len, times)))
    return Rtl(
        np.concatenate(parts), counters(cfg, machine), np.concatenate(reads), np.concatenate(writes),
        np.concatenate(times), machine,
    )  # fmt: skip


def work(cfg: Config, frame: RenderFrame) -> tuple[Work, Work]:
    """What each port is given, in packed words."""
    vertices, quads = frame.vertices.words, frame.quads
    uv = {f"{'uv'[axis]}{p}": quads.quads["uv"][:, p, axis] for p in range(4) for axis in range(2)}
    states = frame.states
    before = np.searchsorted(quads.prim_of_quad, np.arange(len(states))).astype(np.uint64)

    def quad(index: int) -> str:
        return f"quad {index}, at pixel ({quads.x[index]}, {quads.y[index]})"

    return (
        Work(
            pack_lanes(cfg.streams["vtx"], columns(vertices), len(vertices)),
            describe=lambda index: describe(vertices, index), due=frame.count,
        ),
        Work(
            pack_lanes(cfg.streams["quad"], uv, len(quads.quads)),
            pack_lanes(cfg.streams["tex"], columns(states), len(states)), before, quad,
        ),
    )  # fmt: skip


def folded(cfg: Config, results: NDArray[np.uint32]) -> NDArray[Any]:
    """PIX [n] of packed words [n, lanes]."""
    words, stream = np.zeros(len(results), PIX), cfg.streams["pix"]
    for name in PIX.names or ():
        if name == "texel":
            for pixel in range(PIXELS):
                words["texel"][:, pixel] = unpack_lanes(stream, results, f"texel{pixel}")
        else:
            words[name] = unpack_lanes(stream, results, name)
    return words


def counters(cfg: Config, machine: Replay) -> dict[str, dict[str, int]]:
    """All counters, by part; those of the renderer's own under its name."""
    counts = {}
    for number, name in enumerate(machine.roles.counted):
        if name:
            part = name.replace(COUNTED, "") if COUNTED in name else cfg.block
            counts[part] = machine.counters(number)
    return counts


def check(frame: RenderFrame, model: Rendered, rtl: Rtl) -> list[Mismatch]:
    """All that must agree: words of ``pix``, counters, the depth buffer and all else that was written, and
    how often each part went to memory, as it counts itself and as memory saw it.
    """

    def word(index: int) -> str:
        shown = model.words[index]
        what = f"tile {shown['x']}, {shown['y']}, primitive {shown['prim']}" if shown["tile"] else "a barrier"
        return f"word {index} of pix ({what})"

    mismatches = compare_records(model.words, rtl.words, word)
    for part, counted in model.counters.items():
        mismatches += compare_counters(
            {f"{part}.{name}": value for name, value in counted.items()},
            {f"{part}.{name}": value for name, value in rtl.counters[part].items()},
        )
    mismatches += compare_memory(
        lambda line: line_bytes(model, memory_of(frame), line), model.lines, LINE, rtl.machine
    )
    return mismatches + _bursts(frame, rtl)


def line_bytes(model: Rendered, memory: Memory, line: int) -> NDArray[np.uint8]:
    """The bytes [64] of a line of 64 as the model leaves it."""
    words = model.lines.get(line, memory.line(line, PIXELS))
    return np.ascontiguousarray(words, "<u4").view(np.uint8)


def _bursts(frame: RenderFrame, rtl: Rtl) -> list[Mismatch]:
    """Bursts that memory saw, beside the parts' own counters; texture units read below the surface alone."""
    depth, own = rtl.counters["zcache"], rtl.counters["renderer"]
    of_depth = rtl.reads >= frame.vertices.base
    observed = {
        "texture_beats": int((~of_depth).sum()), "depth_beats": 4 * int(of_depth.sum()),
        "written_beats": 4 * len(rtl.writes),
    }  # fmt: skip
    expected = {
        "texture_beats": sum(
            counts["misses"] for part, counts in rtl.counters.items() if part.startswith("texunit")
        ),
        "depth_beats": 4 * (depth["fills"] + depth["prefetches"]), "written_beats": 4 * depth["writebacks"],
    }  # fmt: skip
    outside = rtl.writes[rtl.writes < frame.vertices.base]
    return [
        *compare_counters(observed, own),
        *compare_counters({f"{name} by its part": value for name, value in observed.items()},
                          {f"{name} by its part": value for name, value in expected.items()}),
        *compare_sequences("bursts written outside the depth buffer, number", outside[:0], outside),
    ]  # fmt: skip


def verified(
    cfg: Config,
    frame: RenderFrame,
    seed: int = 1,
    progress: Callable[[int], None] | None = None,
    **options: Any,
) -> tuple[Rtl, Rendered, list[Mismatch]]:
    """:func:`predict`, :func:`started`, :func:`run`, :func:`check`."""
    memory = memory_of(frame)
    model = predict(cfg, frame, memory)
    rtl = run(started(cfg, frame, memory, seed, **options), cfg, frame, progress)
    return rtl, model, check(frame, model, rtl)
