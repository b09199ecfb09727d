# SPDX-License-Identifier: Apache-2.0
"""What is around ``zcache`` in a run: memory in order of requests, rasterizer, shader and consumer.

Memory behaves as that of the replay: a read is answered with what memory held when its address was taken, the
first beat ``latency`` cycles after that or when the beats before have left; a write counts when its response
is offered, ``latency`` cycles after its last beat; ``gap`` idle cycles follow each beat and each response.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from configs.zcache.schema import PIXELS, TILE
from models.kernels import kernel
from models.memory import Contents, is_poisoned
from models.sparse import Written, read_line, write_line
from models.zcache.filling import SLAVE_ERROR
from models.zcache.state import BEATS, LINE_BYTES

OPEN = 16  # bursts of a channel on their way; the block has no more fills, and fewer lines in its write buffer
#: Ports that a pattern may hold back: words of ``tile``, ``res``, AR, R, AW, W, B.
CHANNELS = ("request", "result", "address", "data", "write_address", "write_data", "response")
REQUEST, RESULT, ADDRESS, DATA, WRITE_ADDRESS, WRITE_DATA, RESPONSE = range(len(CHANNELS))

BURST = np.dtype(
    [(name, "i8") for name in ("line", "due", "id", "error", "sent")] + [("data", "u4", (PIXELS,))]
)
#: ``sent`` of all words were taken and ``shaded`` are tiles that moved or barriers before them; ``reads`` and
#: ``writes`` are bursts taken, ``read`` and ``wrote`` those that ended.
PLACES = np.dtype(
    [
        (name, "i8")
        for name in (
            "latency gap cycle sent answered origin shaded quiet reads read writes wrote read_from write_from "
            "rst m_axi_rst addressed beats requests fills"
        ).split()
    ]
)


class World(NamedTuple):
    """``at`` is a record of PLACES; ``active`` [7, n] says in which cycles each of CHANNELS may move, modulo
    its ``period`` [7].

    ``delay`` and ``kill`` [words] are the shader's: cycles from a tile's intake to its word, and the word.
    ``results`` [words], ``requests`` and ``fills`` are filled as things happen.
    """

    at: NDArray[Any]
    contents: Contents
    written: Written
    reads: NDArray[Any]
    writes: NDArray[Any]
    bytes: NDArray[np.uint8]  # [64], for a line on its way
    active: NDArray[np.uint8]
    period: NDArray[np.int64]
    words: NDArray[Any]
    delay: NDArray[np.int64]
    kill: NDArray[np.int64]
    results: NDArray[Any]
    requests: NDArray[Any]
    fills: NDArray[Any]
    inputs: NDArray[Any]
    outputs: NDArray[Any]


@kernel
def may_move(world: World, channel: int) -> bool:
    """Whether the pattern of a channel lets it move in this cycle."""
    return bool(world.active[channel, world.at[0].cycle % world.period[channel]])


@kernel
def drive(world: World) -> None:
    """The block's inputs in a cycle."""
    at, inputs = world.at[0], world.inputs[0]
    inputs.rst, inputs.m_axi_rst = at.rst, at.m_axi_rst
    if not inputs.tile_valid and may_move(world, REQUEST) and at.sent < len(world.words) and not at.rst:
        offer(inputs, world.words[at.sent])
    while at.shaded < at.sent and world.words[at.shaded].op != TILE:
        at.shaded += 1
    inputs.shade_valid = inputs.kill = 0
    if at.shaded < at.sent and at.cycle - world.results[at.shaded].taken >= world.delay[at.shaded]:
        inputs.shade_valid, inputs.kill = 1, world.kill[at.shaded]
    inputs.res_ready = may_move(world, RESULT)
    inputs.ar_ready, inputs.aw_ready = may_move(world, ADDRESS), may_move(world, WRITE_ADDRESS)
    inputs.w_ready = may_move(world, WRITE_DATA)
    if may_move(world, RESPONSE) and not inputs.b_valid and at.cycle >= at.write_from:
        respond(world)
    if may_move(world, DATA) and not inputs.r_valid and at.cycle >= at.read_from:
        send_beat(world)


@kernel
def offer(inputs: Any, word: Any) -> None:
    """A word of the stream ``tile``."""
    inputs.tile_valid = 1
    inputs.op, inputs.x, inputs.y, inputs.mask, inputs.test = word.op, word.x, word.y, word.mask, word.test
    inputs.func, inputs.write, inputs.format = word.func, word.write, word.format
    for pixel in range(PIXELS):
        inputs.depth[pixel] = word.depth[pixel]


@kernel
def respond(world: World) -> None:
    """Memory takes the oldest write that is due, and offers its response."""
    at, inputs = world.at[0], world.inputs[0]
    burst = world.writes[at.wrote % OPEN]
    if at.wrote == at.writes or at.cycle < burst.due:
        return
    if not burst.error:
        for byte in range(LINE_BYTES):
            world.bytes[byte] = (int(burst.data[byte // 4]) >> (8 * (byte & 3))) & 255
        write_line(world.written, burst.line, world.bytes)
    inputs.b_valid, inputs.b_resp = 1, SLAVE_ERROR if burst.error else 0


@kernel
def send_beat(world: World) -> None:
    """Memory offers the next beat of the oldest read, if it is due."""
    at, inputs = world.at[0], world.inputs[0]
    burst = world.reads[at.read % OPEN]
    if at.read == at.reads or at.cycle < burst.due:
        return
    for pixel in range(BEATS):
        inputs.r_data[pixel] = burst.data[BEATS * burst.sent + pixel]
    inputs.r_valid, inputs.r_id, inputs.r_resp = 1, burst.id, SLAVE_ERROR if burst.error else 0


@kernel
def sample(world: World) -> None:
    """What memory takes in a cycle, and what is taken from it."""
    at, inputs, outputs = world.at[0], world.inputs[0], world.outputs[0]
    if outputs.ar_valid and inputs.ar_ready:
        take_read(world)
    if inputs.r_valid and outputs.r_ready:
        inputs.r_valid, at.read_from = 0, at.cycle + 1 + at.gap
        burst = world.reads[at.read % OPEN]
        burst.sent += 1
        at.read += burst.sent == BEATS
    if inputs.b_valid:
        inputs.b_valid, at.write_from = 0, at.cycle + 1 + at.gap
        at.wrote += 1
    take_write(world)


@kernel
def take_read(world: World) -> None:
    """The address of a read."""
    at, outputs = world.at[0], world.outputs[0]
    burst = world.reads[at.reads % OPEN]
    burst.line, burst.id, burst.sent = outputs.ar_addr // LINE_BYTES, outputs.ar_id, 0
    burst.due, burst.error = at.cycle + at.latency, is_poisoned(world.contents, burst.line)
    read_line(world.contents, world.written, burst.line, world.bytes)
    for pixel in range(PIXELS):
        word = 0
        for byte in range(4):
            word |= int(world.bytes[4 * pixel + byte]) << (8 * byte)
        burst.data[pixel] = word
    at.reads += 1


@kernel
def take_write(world: World) -> None:
    """The address or a beat of the one write that is being sent; it is whole with both."""
    at, inputs, outputs = world.at[0], world.inputs[0], world.outputs[0]
    burst = world.writes[at.writes % OPEN]
    if outputs.aw_valid and inputs.aw_ready:
        burst.line, at.addressed = outputs.aw_addr // LINE_BYTES, 1
    if outputs.w_valid and inputs.w_ready:
        for pixel in range(BEATS):
            burst.data[BEATS * at.beats + pixel] = outputs.w_data[pixel]
        at.beats += 1
    if at.addressed and at.beats == BEATS:
        burst.due, burst.error = at.cycle + at.latency, is_poisoned(world.contents, burst.line)
        at.writes += 1
        at.addressed = at.beats = 0
