# SPDX-License-Identifier: Apache-2.0
"""What is around ``zcache`` in a run: memory in order of requests, rasterizer, shader and consumer.

Memory behaves as that of the replay: a read is answered with what memory held when its address was taken, the
first beat ``latency`` cycles after that or when the beats before have left; a write counts when its response
is offered, ``latency`` cycles after its last beat; ``gap`` idle cycles follow each beat and each response.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from configs.depth import PIXELS, TILE
from models.kernels import allocating, kernel
from models.memory import Contents, is_poisoned
from models.sparse import Written, read_line, write_line
from models.zcache.filling import SLAVE_ERROR
from models.zcache.state import BEATS, INPUTS, LINE_BYTES, OUTPUTS, WORD, fields

OPEN = (
    16  # bursts of a channel on their way; the block has no more fills, and fewer lines in its write buffer
)
#: Ports that a pattern may hold back: words of ``tile``, ``res``, AR, R, AW, W, B.
CHANNELS = ("request", "result", "address", "data", "write_address", "write_data", "response")
REQUEST, RESULT, ADDRESS, DATA, WRITE_ADDRESS, WRITE_DATA, RESPONSE = range(len(CHANNELS))

BURST = np.dtype([*fields("line due id error sent"), ("data", "u4", (PIXELS,))])
#: A word with the shader's: cycles from a tile's intake to its word, and the word.
SCRIPT = np.dtype([*((name, WORD[name]) for name in WORD.names or ()), ("delay", "i8"), ("kill", "i8")])
#: All but the arrays of a run, in one record as :data:`models.zcache.state.STATE`. ``active``: which of
#: CHANNELS may move in this cycle, a bit each. Words: ``sent`` were taken, ``answered`` gave results,
#: ``shaded`` are tiles that moved, or barriers before them; ``origin`` were taken before the last reset.
#: Bursts: ``reads`` and ``writes`` were taken, ``read`` and ``wrote`` ended.
AROUND = np.dtype(
    [
        *fields("latency gap cycle active sent answered shaded origin quiet reads read writes wrote"),
        *fields("read_from write_from rst m_axi_rst addressed beats requests fills"),
        ("read_bursts", BURST, (OPEN,)),
        ("write_bursts", BURST, (OPEN,)),
        ("inputs", INPUTS),
        ("outputs", OUTPUTS),
    ]
)


class World(NamedTuple):
    """``around`` is a record of AROUND; ``patterns`` [7, n] say when CHANNELS may move, modulo ``periods``.

    ``results`` [words], ``requests`` and ``fills`` (models/zcache/records.py) are filled as things happen.
    """

    around: NDArray[Any]
    contents: Contents
    written: Written
    patterns: NDArray[np.uint8]
    periods: NDArray[np.int64]
    script: NDArray[Any]
    results: NDArray[Any]
    requests: NDArray[Any]
    fills: NDArray[Any]


@kernel
def pace(around: Any, patterns: NDArray[np.uint8], periods: NDArray[np.int64]) -> None:
    """Which channels may move in this cycle."""
    around.active = 0
    for channel in range(len(CHANNELS)):
        around.active |= int(patterns[channel, around.cycle % periods[channel]]) << channel


@kernel
def drive(around: Any, script: NDArray[Any], results: NDArray[Any]) -> None:
    """The block's inputs in a cycle, but for memory's answers."""
    inputs, active = around.inputs, around.active
    inputs.rst, inputs.m_axi_rst = around.rst, around.m_axi_rst
    offers = around.sent < len(script) and not around.rst
    if not inputs.tile_valid and active >> REQUEST & 1 and offers:
        offer(inputs, script[around.sent])
    while around.shaded < around.sent and script[around.shaded].op != TILE:
        around.shaded += 1
    at = around.shaded
    inputs.shade_valid = at < around.sent and around.cycle - results[at].taken >= script[at].delay
    inputs.kill = script[at].kill if inputs.shade_valid else 0
    inputs.res_ready = active >> RESULT & 1
    inputs.ar_ready, inputs.aw_ready = active >> ADDRESS & 1, active >> WRITE_ADDRESS & 1
    inputs.w_ready = active >> WRITE_DATA & 1


@kernel
def offer(inputs: Any, word: Any) -> None:
    """A word of the stream ``tile``."""
    inputs.tile_valid = 1
    inputs.op, inputs.x, inputs.y, inputs.mask, inputs.test = word.op, word.x, word.y, word.mask, word.test
    inputs.func, inputs.write, inputs.format = word.func, word.write, word.format
    for pixel in range(PIXELS):
        inputs.depth[pixel] = word.depth[pixel]


@kernel
def answer(world: World) -> None:
    """What memory offers in a cycle: the oldest write's response and a beat of the oldest read, if due."""
    around, inputs = world.around[0], world.around[0].inputs
    write = around.write_bursts[around.wrote % OPEN]
    due = around.wrote < around.writes and around.cycle >= max(write.due, around.write_from)
    if due and around.active >> RESPONSE & 1:
        inputs.b_valid, inputs.b_resp = 1, respond(write, world.contents, world.written)
    read = around.read_bursts[around.read % OPEN]
    due = around.read < around.reads and around.cycle >= max(read.due, around.read_from)
    if due and not inputs.r_valid and around.active >> DATA & 1:
        for pixel in range(BEATS):
            inputs.r_data[pixel] = read.data[BEATS * read.sent + pixel]
        inputs.r_valid, inputs.r_id, inputs.r_resp = 1, read.id, read.error


@allocating
def respond(write: Any, contents: Contents, written: Written) -> int:
    """Memory takes a write, unless it refuses it; the response."""
    if is_poisoned(contents, write.line):
        return SLAVE_ERROR
    line = np.empty(LINE_BYTES, np.uint8)
    for byte in range(LINE_BYTES):
        line[byte] = (int(write.data[byte // 4]) >> (8 * (byte & 3))) & 255
    write_line(written, write.line, line)
    return 0


@kernel
def sample(world: World) -> None:
    """What memory takes in a cycle, and what is taken from it."""
    around = world.around[0]
    inputs, outputs = around.inputs, around.outputs
    if outputs.ar_valid and inputs.ar_ready:
        read = around.read_bursts[around.reads % OPEN]
        read.line, read.id, read.sent = outputs.ar_addr // LINE_BYTES, outputs.ar_id, 0
        read.due = around.cycle + around.latency
        capture(read, world.contents, world.written)
        around.reads += 1
    if inputs.r_valid and outputs.r_ready:
        inputs.r_valid, around.read_from = 0, around.cycle + 1 + around.gap
        read = around.read_bursts[around.read % OPEN]
        read.sent += 1
        around.read += read.sent == BEATS
    if inputs.b_valid:
        inputs.b_valid, around.write_from = 0, around.cycle + 1 + around.gap
        around.wrote += 1
    take_write(around)


@allocating
def capture(read: Any, contents: Contents, written: Written) -> None:
    """What memory holds when it takes the address of a read."""
    line = np.empty(LINE_BYTES, np.uint8)
    read.error = SLAVE_ERROR if is_poisoned(contents, read.line) else 0
    read_line(contents, written, read.line, line)
    for pixel in range(PIXELS):
        word = 0
        for byte in range(4):
            word |= int(line[4 * pixel + byte]) << (8 * byte)
        read.data[pixel] = word


@kernel
def take_write(around: Any) -> None:
    """The address or a beat of the one write that is being sent; it is whole with both."""
    inputs, outputs = around.inputs, around.outputs
    write = around.write_bursts[around.writes % OPEN]
    if outputs.aw_valid and inputs.aw_ready:
        write.line, around.addressed = outputs.aw_addr // LINE_BYTES, 1
    if outputs.w_valid and inputs.w_ready:
        for pixel in range(BEATS):
            write.data[BEATS * around.beats + pixel] = outputs.w_data[pixel]
        around.beats += 1
    if around.addressed and around.beats == BEATS:
        write.due = around.cycle + around.latency
        around.writes += 1
        around.addressed = around.beats = 0
