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


def cleared_beats(asked: Columns) -> int:
    """Beats that the largest clear writes before its result."""
    if not (asked["op"] == CLEAR).any():
        return 0
    return BEATS * int(asked["depth2"][asked["op"] == BASE].max(initial=1))


def words(asked: Columns) -> NDArray[Any]:
    """Fields of port ``tile`` as the model's WORD array [n]."""
    made = np.zeros(len(asked["x"]), WORD)
    for name in WORD.names or ():
        if name == "depth":
            made[name] = np.stack([asked[f"depth{pixel}"] for pixel in range(PIXELS)], axis=1)
        else:
            made[name] = asked[name]
    return made


def predict(
    cfg: Config,
    asked: Columns,
    memory: Memory,
    timing: MemoryTiming | None = None,
    traffic: Traffic | None = None,
) -> Model:
    """What the golden model says of tiles: back to back and with the configuration's memory by default."""
    return model_of(cfg, asked, run(cfg, words(asked), memory, timing=timing, pacing=traffic))


def model_of(cfg: Config, asked: Columns, found: ModelRun) -> Model:
    """A run of the golden model, for the comparison."""
    return Model(
        result_columns(asked, found),
        found.counters,
        event_columns(cfg, found),
        memory=WrittenMemory(found.memory.line, found.memory.lines.tolist()),
    )


def result_columns(asked: Columns, found: ModelRun) -> Columns:
    """The fields of port ``res``."""
    same = {name: found.results[name] for name in ("passed", "err")}
    return {"x": asked["x"], "y": asked["y"], **same}


def event_columns(cfg: Config, found: ModelRun) -> Columns:
    """The fields of port ``evt``."""
    return {field.name: found.results[field.name] for field in cfg.all_streams["evt"].fields}
