# SPDX-License-Identifier: Apache-2.0
"""Packs and unpacks the words of a stream by the thousand, as :meth:`configs.Stream.pack` defines them.

Columns are numpy arrays of one field over all words. A word is, for C++, a row of ``lanes(stream)`` uint32,
the least significant first, the unused bits of the last lane being zero; for simulators a Python int.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from configs import Field, Stream

LANE = 32
Lanes = NDArray[np.uint32]
Columns = dict[str, NDArray[Any]]


def lanes(stream: Stream) -> int:
    """Lanes that hold one word of ``stream``; a stream without fields has none."""
    return -(-stream.width // LANE)


def pack_lanes(stream: Stream, columns: Mapping[str, Any], count: int) -> Lanes:
    """Packs ``columns`` [n] into uint32 [n, lanes].

    A field of more than 64 bits is given as uint32 [n, its own lanes]. Raises KeyError for a missing column,
    ValueError for a value that its field cannot hold.
    """
    packed = np.zeros((count, lanes(stream)), np.uint32)
    position = 0
    for field in stream.fields:
        for bits, piece in _pieces(stream, field, np.asarray(columns[field.name])):
            lane, shift = divmod(position, LANE)
            packed[:, lane] |= (piece << np.uint64(shift)).astype(np.uint32)
            if shift + bits > LANE:
                packed[:, lane + 1] |= (piece >> np.uint64(LANE - shift)).astype(np.uint32)
            position += bits
    return packed


def _pieces(stream: Stream, field: Field, column: NDArray[Any]) -> list[tuple[int, NDArray[np.uint64]]]:
    """``column`` cut into pieces of at most 32 bits: (bits, uint64 [n]), the least significant first."""
    if field.width <= 64 and column.size:
        _check_range(stream, field, int(column.min()), int(column.max()))
    pieces = []
    for start in range(0, field.width, LANE):
        bits = min(LANE, field.width - start)
        raw = column[:, start // LANE] if field.width > 64 else column.astype(np.int64).astype(np.uint64)
        piece = raw.astype(np.uint64) >> np.uint64(start if field.width <= 64 else 0)
        pieces.append((bits, piece & np.uint64((1 << bits) - 1)))
    return pieces


def _check_range(stream: Stream, field: Field, lowest: int, highest: int) -> None:
    low, high = field.range
    if not (low <= lowest and highest <= high):
        raise ValueError(f"stream {stream.name}: field {field.name} holds values beyond {low}..{high}")


def unpack_lanes(stream: Stream, words: Lanes, name: str) -> NDArray[Any]:
    """Field ``name`` of ``words`` [n, lanes].

    Unsigned fields give uint32 [n] or uint64 [n], signed ones int32 or int64, those of more than 64 bits
    uint32 [n, their own lanes]. Raises KeyError for an unknown field.
    """
    position = stream.offset(name)
    field = stream.field(name)
    pieces = []
    for start in range(0, field.width, LANE):
        bits = min(LANE, field.width - start)
        lane, shift = divmod(position + start, LANE)
        piece = words[:, lane] >> np.uint32(shift) if shift else words[:, lane]
        if shift + bits > LANE:
            piece = piece | words[:, lane + 1] << np.uint32(LANE - shift)
        pieces.append(piece & np.uint32((1 << bits) - 1) if bits < LANE else piece)
    if len(pieces) > 2:
        return np.stack(pieces, axis=1)
    if len(pieces) == 1:
        return _signed(pieces[0], field.width, np.int32) if field.signed else pieces[0]
    value = pieces[0].astype(np.uint64) | pieces[1].astype(np.uint64) << np.uint64(LANE)
    return _signed(value, field.width, np.int64) if field.signed else value


def _signed(value: NDArray[Any], width: int, kind: type[np.signedinteger[Any]]) -> NDArray[Any]:
    """Two's complement of the lowest ``width`` bits."""
    spare = 8 * np.dtype(kind).itemsize - width
    return (value << value.dtype.type(spare)).view(kind) >> kind(spare)


def pack_words(stream: Stream, columns: Mapping[str, Any]) -> list[int]:
    """The words [n] of columns [n] as integers. Raises like :func:`pack_lanes`."""
    words, position = [0] * len(columns[stream.fields[0].name]), 0
    for field in stream.fields:  # one by one: most lists are short, and a call of numpy takes longer
        column = np.asarray(columns[field.name])
        if field.width > 64:
            values = [int.from_bytes(row.astype("<u4").tobytes(), "little") for row in column]
        elif values := column.tolist():
            _check_range(stream, field, min(values), max(values))
        mask = (1 << field.width) - 1
        words = [word | (value & mask) << position for word, value in zip(words, values, strict=True)]
        position += field.width
    return words


def unpack_words(stream: Stream, words: Sequence[int]) -> Columns:
    """The fields of ``words`` [n]: field name -> int64 [n]; uint64 of an unsigned field of 64 bits."""
    size = 4 * lanes(stream)
    raw = np.frombuffer(b"".join(word.to_bytes(size, "little") for word in words), "<u4")
    rows = raw.reshape(len(words), -1) if len(words) else np.zeros((0, lanes(stream)), np.uint32)
    columns = {}
    for field in stream.fields:
        column = unpack_lanes(stream, rows, field.name)
        columns[field.name] = column if field.width == 64 else column.astype(np.int64)
    return columns


def columns(array: NDArray[Any]) -> Columns:
    """Array [n] of records as its columns [n]: the inverse of :func:`models.records`."""
    return {name: array[name] for name in array.dtype.names or ()}
