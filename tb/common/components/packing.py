# SPDX-License-Identifier: Apache-2.0
"""Packs and unpacks the words of a stream by the thousand: :meth:`configs.Stream.pack`, in columns.

A word is a Python int of any width, a column a numpy array of one field over all words.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from configs import Stream

Columns = dict[str, NDArray[np.int64]]


def unpack_words(stream: Stream, words: Sequence[int]) -> Columns:
    """The fields of ``words`` [n]: field name -> int64 [n]. Fields have at most 63 bits."""
    size = (stream.width + 7) // 8
    raw = np.frombuffer(b"".join(word.to_bytes(size, "little") for word in words), np.uint8)
    bits = np.unpackbits(raw.reshape(len(words), size), axis=1, bitorder="little")
    columns, position = {}, 0
    for field in stream.fields:
        powers = np.int64(1) << np.arange(field.width, dtype=np.int64)
        if field.signed:
            powers[-1] = -powers[-1]
        columns[field.name] = bits[:, position : position + field.width].astype(np.int64) @ powers
        position += field.width
    return columns


def pack_words(stream: Stream, columns: Mapping[str, Any]) -> list[int]:
    """The words [n] of columns [n], the inverse of :func:`unpack_words`.

    Raises KeyError for a missing field and ValueError for a value out of its field's range.
    """
    arrays = [np.asarray(columns[field.name], np.int64) for field in stream.fields]
    count = len(arrays[0]) if arrays else 0
    size = (stream.width + 7) // 8
    bits = np.zeros((count, size * 8), np.uint8)
    position = 0
    for field, column in zip(stream.fields, arrays, strict=True):
        low = -(1 << field.width - 1) if field.signed else 0
        high = low + (1 << field.width) - 1
        if count and not (low <= column.min() and column.max() <= high):
            raise ValueError(f"stream {stream.name}: field {field.name} holds values beyond {low}..{high}")
        shifts = np.arange(field.width, dtype=np.int64)
        bits[:, position : position + field.width] = (column[:, None] >> shifts) & 1
        position += field.width
    raw = np.packbits(bits, axis=1, bitorder="little").tobytes()
    return [int.from_bytes(raw[at : at + size], "little") for at in range(0, count * size, size)]
