# SPDX-License-Identifier: Apache-2.0
"""Beats of the lines that memory sends."""

from typing import Any

from models.kernels import kernel
from models.zcache.state import BEATS, DF, EMPTY, FRESH, PF, TOUCHED, State
from models.zcache.victims import point_away

SLAVE_ERROR = 2  # of AXI's responses: this and the next are errors


@kernel
def fills(state: State, inputs: Any) -> None:
    """The end of a cycle in which R is ready: takes the beat that is offered."""
    if not inputs.r_valid:
        return
    fill = state.fills[inputs.r_id]
    fill.error |= inputs.r_resp >= SLAVE_ERROR
    if not fill.forgotten:
        line = state.lines[fill.index, fill.way]
        for pixel in range(BEATS):
            line.data[BEATS * fill.beats + pixel] = inputs.r_data[pixel]
    fill.beats += 1
    if fill.beats == BEATS:
        fill.busy = 0
        if not fill.forgotten:
            end(state, fill)


@kernel
def end(state: State, fill: Any) -> None:
    """The last beat of a fill: its line is ready, or, after an error, empty."""
    line = state.lines[fill.index, fill.way]
    if fill.error:
        state.now[0].failed |= line.status == DF
        line.status = EMPTY
        return
    line.status = FRESH if line.status == PF else TOUCHED
    state.plru[fill.index] = point_away(state.plru[fill.index], state.settings[0].ways, fill.way)
