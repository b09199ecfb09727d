# SPDX-License-Identifier: Apache-2.0
"""What is noted of a run of ``zcache``: words, requests to prefetch, lines that were reserved."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from models.kernels import kernel
from models.zcache.state import FULL, State, fields

#: What became of a word. Cycles: in which it was ``taken``, ``came`` to the test (a barrier: was the oldest
#: but for T1's), ``moved`` to T1, and its result ``left``; -1 if that did not happen.
RESULT = np.dtype(fields("op kind way first dirty rejected passed err taken came moved left"))
#: A request to prefetch: its word, its tile's number, the outcome (or FULL), the cycle of the decision.
REQUEST = np.dtype(fields("word number outcome cycle"))
#: A line that was reserved, as on the stream ``pre``, and when.
FILLED = np.dtype(fields("cycle demand number way evict unused dirty victim"))


@kernel
def note_word(around: Any, result: Any) -> None:
    """A word was taken in this cycle, which is over."""
    result.taken, result.op = around.cycle, around.inputs.op
    around.sent += 1
    around.inputs.tile_valid = 0


@kernel
def note_result(state: State, around: Any, result: Any) -> None:
    """A result was taken in this cycle, which is over: ``evt`` shows the rest of it in the next."""
    now, outputs = state.now, around.outputs
    word = state.words[(now.left - 1) % state.settings.tiles]
    result.kind, result.way = now.evt_kind, now.evt_way
    result.first, result.dirty = now.evt_first, now.evt_dirty
    result.rejected = now.evt_rejected
    result.passed, result.err = outputs.res_passed, outputs.res_err
    result.came, result.moved, result.left = word.came, word.moved, around.cycle
    around.answered += 1


@kernel
def note_requests(state: State, around: Any, requests: NDArray[Any]) -> None:
    """A request was decided in this cycle, which is over, or found the queue full, or one each."""
    now = state.now
    if now.pre_decided:
        request = requests[around.requests]
        request.word, request.number = around.origin + now.pre_word, now.pre_request
        request.outcome, request.cycle = now.pre_outcome, around.cycle
        around.requests += 1
    if now.pre_full:
        request = requests[around.requests]
        request.word = around.origin + now.taken - 1
        request.number = state.words[(now.taken - 1) % state.settings.tiles].number
        request.outcome, request.cycle = FULL, around.cycle
        around.requests += 1


@kernel
def note_fill(now: Any, around: Any, fill: Any) -> None:
    """A line was reserved in this cycle, which is over."""
    fill.cycle, fill.demand, fill.number, fill.way = around.cycle, now.pre_demand, now.pre_number, now.pre_way
    fill.evict, fill.unused, fill.dirty, fill.victim = (
        now.pre_evict, now.pre_unused, now.pre_dirty, now.pre_victim,
    )  # fmt: skip
    around.fills += 1
