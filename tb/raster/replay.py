# SPDX-License-Identifier: Apache-2.0
"""Scenes through the Verilated rasterizer, without Python in a cycle, compared with the golden model."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from configs.raster.schema import OPS, Config
from models.raster import TILE, RasterModel
from models.raster.cycles import cycles
from tb.common.components.packing import columns as by_field
from tb.common.components.packing import pack_lanes, unpack_lanes
from tb.common.replay.compare import Mismatch, compare_counters, compare_records
from tb.common.replay.library import Port, Roles
from tb.common.replay.machine import Replay, default_patience
from tb.common.replay.traffic import Traffic
from tb.common.replay.work import Work

ROLES = Roles((Port("vtx", "tile", None),))
QUIET = 1000  # cycles after the last word
PINS = [name for name in TILE.names or () if name != "step"]
#: what the pins show of a TILE
SHOWN = np.dtype([(name, TILE[name]) for name in PINS])


@dataclass(frozen=True)
class Rtl:
    """What the design did with n words of ``vtx``: SHOWN [m] of ``tile``; cycles of the handshakes of both
    ports, ``t_request`` [n] and ``t_result`` [m], from the first in which a word could be offered.
    """

    tiles: NDArray[Any]
    t_request: NDArray[np.int64]
    t_result: NDArray[np.int64]
    counters: dict[str, int]

    @property
    def cycles(self) -> int:
        """Cycles until the last word went in or out."""
        return int(max(self.t_request.max(initial=-1), self.t_result.max(initial=-1))) + 1


@dataclass(frozen=True)
class Model:
    """What the golden model says: TILE [m], WORK [n], counters that do not count cycles."""

    tiles: NDArray[Any]
    work: NDArray[Any]
    counters: dict[str, int]


def predict(cfg: Config, words: NDArray[Any]) -> Model:
    """The golden model's view of VERTEX array [n]. Raises :class:`configs.UserError` for a wrong begin."""
    model = RasterModel(cfg)
    tiles, work = model.feed(words)
    return Model(tiles, work, model.counters)


def replay(
    cfg: Config,
    words: NDArray[Any],
    model: Model,
    seed: int = 1,
    rtl_dir: Path | None = None,
    progress: Callable[[int], None] | None = None,
    *,
    traffic: Traffic | None = None,
    plusarg: str | None = None,
) -> Rtl:
    """Run VERTEX array [n], of which as many words of ``tile`` must come as of the ``model``, from reset.

    ``seed`` gives the power-up state; ``progress`` is told the number of words that went in. Raises
    :class:`tb.common.replay.machine.ReplayError` when the RTL stops or gives more.
    """
    patience = default_patience(cfg.memory, traffic or Traffic()) + 2 * int(model.work["walk"].max(initial=0))
    machine = Replay(
        cfg, seed=seed, rtl_dir=rtl_dir, roles=ROLES, traffic=traffic, patience=patience, plusarg=plusarg
    )
    machine.check_counters()
    first = machine.cycle
    packed = pack_lanes(cfg.streams["vtx"], by_field(words), len(words))
    tiles: list[NDArray[Any]] = []
    taken: list[NDArray[np.int64]] = []
    came: list[NDArray[np.int64]] = []
    for chunk in machine.run(
        Work(packed, describe=lambda index: describe(words, index), due=len(model.tiles))
    ):
        [port] = chunk.ports
        tiles.append(shown(cfg, port.results))
        taken.append(port.request_cycle.astype(np.int64) - first)
        came.append(port.result_cycle.astype(np.int64) - first)
        if progress:
            progress(sum(map(len, taken)))
    silent = model.work[np.flatnonzero(model.work["words"])[-1:].sum() :]  # what may give nothing at the end
    machine.idle(int(silent["setup"].sum() + silent["walk"].sum()) + QUIET)
    return Rtl(np.concatenate(tiles), np.concatenate(taken), np.concatenate(came), machine.counters())


def shown(cfg: Config, results: NDArray[np.uint32]) -> NDArray[Any]:
    """SHOWN [m] of packed words [m, lanes]."""
    tiles = np.zeros(len(results), SHOWN)
    stream = cfg.streams["tile"]
    for name in PINS:
        if name == "depth":
            for pixel in range(16):
                tiles["depth"][:, pixel] = unpack_lanes(stream, results, f"depth{pixel}")
        else:
            tiles[name] = unpack_lanes(stream, results, name)
    return tiles


def describe(words: NDArray[Any], index: int) -> str:
    """A word of ``vtx`` in messages."""
    if index >= len(words):
        return f"all {len(words)} words taken"
    word = words[index]
    return f"word {index} ({OPS[word['op']]}, x {word['x']}, y {word['y']}, z {word['z']})"


def check(
    cfg: Config, words: NDArray[Any], model: Model, rtl: Rtl, traffic: Traffic | None = None
) -> list[Mismatch]:
    """All that must agree: words of ``tile``, cycles of each, counters.

    When words are offered is taken from the RTL where ``traffic`` lets them not come back to back; so one
    that was taken late would not show there.
    """
    traffic = traffic or Traffic()
    sources = np.repeat(np.arange(len(words)), model.work["words"])

    def of(index: int) -> str:
        return f"tile {index}, of {describe(words, int(sources[index]))}"

    golden = np.zeros(len(model.tiles), SHOWN)
    for name in PINS:
        golden[name] = model.tiles[name]
    mismatches = compare_records(golden, rtl.tiles, of)
    ready = np.resize(traffic.result.astype(np.bool_), rtl.cycles + 1)
    valid = np.zeros(len(words), np.int64) if traffic.request.all() else rtl.t_request
    timed = cycles(model.work, model.tiles["step"], valid, ready)
    mismatches += compare_records(_times(timed.left), _times(rtl.t_result), of)
    mismatches += compare_records(
        _times(timed.taken), _times(rtl.t_request), lambda index: describe(words, index)
    )
    counted = {**model.counters, **timed.counters}
    return mismatches + compare_counters(counted, {name: rtl.counters[name] for name in counted})


def _times(cycle: NDArray[np.int64]) -> NDArray[Any]:
    return np.ascontiguousarray(cycle).view([("cycle", "i8")])


def verified(
    cfg: Config, words: NDArray[Any], seed: int = 1, *, traffic: Traffic | None = None, **options: Any
) -> tuple[Rtl, Model, list[Mismatch]]:
    """:func:`predict`, :func:`replay`, :func:`check`."""
    model = predict(cfg, words)
    rtl = replay(cfg, words, model, seed, traffic=traffic, **options)
    return rtl, model, check(cfg, words, model, rtl, traffic)
