# SPDX-License-Identifier: Apache-2.0
"""How ``zcache`` is asked in a replay, and what its golden model says: of results, of events, in which cycles
hang on memory's, of lines read and counters.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from configs import MemoryTiming, UserError
from configs.depth import BASE, CLEAR, PIXELS
from configs.zcache.schema import Config
from models.memory import Memory
from models.zcache import WORD, ModelRun, run
from models.zcache.state import BEATS
from tb.common.replay.library import Port
from tb.common.replay.requests import Columns, Model, Requester, WrittenMemory
from tb.common.replay.traffic import Traffic
from tb.zcache.items import LINE_BYTES


def requester(cfg: Config) -> Requester:
    """One port, results in order. Raises :class:`UserError` for a shader's port, which nobody drives."""
    if cfg.given:
        raise UserError(f"{cfg.name}: a replay has no shader; set shading.source=fixed")
    return Requester(LINE_BYTES, port=Port(request="tile"), beats=cleared_beats)


def cleared_beats(columns: Columns) -> int:
    """Beats that the largest clear writes before its result."""
    if not (columns["op"] == CLEAR).any():
        return 0
    return BEATS * int(columns["depth2"][columns["op"] == BASE].max(initial=1))


def words(columns: Columns) -> NDArray[Any]:
    """Fields of port ``tile`` as the model's WORD array [n]."""
    made = np.zeros(len(columns["x"]), WORD)
    for name in WORD.names or ():
        if name == "depth":
            made[name] = np.stack([columns[f"depth{pixel}"] for pixel in range(PIXELS)], axis=1)
        else:
            made[name] = columns[name]
    return made


def predict(
    cfg: Config,
    columns: Columns,
    memory: Memory,
    timing: MemoryTiming | None = None,
    traffic: Traffic | None = None,
) -> Model:
    """What the golden model says of tiles: back to back and with the configuration's memory by default."""
    return model_of(cfg, columns, run(cfg, words(columns), memory, timing=timing, pacing=traffic))


def model_of(cfg: Config, columns: Columns, golden: ModelRun) -> Model:
    """A run of the golden model, for the comparison."""
    return Model(
        result_columns(columns, golden),
        golden.counters,
        event_columns(cfg, golden),
        memory=WrittenMemory(golden.memory.line, golden.memory.lines.tolist()),
    )


def result_columns(columns: Columns, golden: ModelRun) -> Columns:
    """The fields of port ``res``."""
    same = {name: golden.results[name] for name in ("passed", "err")}
    return {"x": columns["x"], "y": columns["y"], **same}


def event_columns(cfg: Config, golden: ModelRun) -> Columns:
    """The fields of port ``evt``."""
    return {field.name: golden.results[field.name] for field in cfg.all_streams["evt"].fields}
