# SPDX-License-Identifier: Apache-2.0
"""Packed words, as lanes and as integers, agree with the definition in :class:`configs.Stream`."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from configs import Field, Stream
from tb.common.components.packing import lanes, pack_lanes, pack_words, unpack_lanes, unpack_words


def words_of(stream: Stream, packed: Any) -> list[int]:
    return [sum(int(lane) << 32 * i for i, lane in enumerate(row)) for row in packed]


@st.composite
def streams(draw: st.DrawFn) -> tuple[Stream, list[dict[str, int]]]:
    widths = draw(st.lists(st.tuples(st.integers(1, 64), st.booleans()), min_size=1, max_size=8))
    fields = tuple(Field(f"f{i}", width, signed) for i, (width, signed) in enumerate(widths))
    rows = []
    for _ in range(draw(st.integers(0, 5))):
        row = {}
        for field in fields:
            low = -(1 << field.width - 1) if field.signed else 0
            row[field.name] = draw(st.integers(low, low + (1 << field.width) - 1))
        rows.append(row)
    return Stream("s", "in", fields), rows


@given(streams())
def test_agrees_with_the_definition(given_: tuple[Stream, list[dict[str, int]]]) -> None:
    stream, rows = given_
    columns = {
        field.name: np.array([row[field.name] for row in rows], np.int64 if field.signed else np.uint64)
        for field in stream.fields
    }
    packed = pack_lanes(stream, columns, len(rows))
    assert packed.shape == (len(rows), lanes(stream))
    assert words_of(stream, packed) == [stream.pack(row) for row in rows]
    for field in stream.fields:
        assert unpack_lanes(stream, packed, field.name).tolist() == [row[field.name] for row in rows]


def test_wide_fields_are_arrays_of_lanes() -> None:
    stream = Stream("s", "out", (Field("a", 5), Field("line", 100), Field("b", 7)))
    line = np.array([[1, 2, 3, 4], [0xFFFFFFFF, 0, 0xFFFFFFFF, 0xF]], np.uint32)
    packed = pack_lanes(stream, {"a": np.array([31, 0]), "line": line, "b": np.array([0, 127])}, 2)
    whole = [sum(int(lane) << 32 * i for i, lane in enumerate(row)) for row in line]
    assert words_of(stream, packed) == [31 | whole[0] << 5, whole[1] << 5 | 127 << 105]
    assert (unpack_lanes(stream, packed, "line") == line).all()
    assert unpack_lanes(stream, packed, "b").tolist() == [0, 127]


def test_a_stream_without_fields_has_no_lanes() -> None:
    assert pack_lanes(Stream("inv", "in", ()), {}, 3).shape == (3, 0)


@pytest.mark.parametrize(("signed", "value"), [(False, 8), (False, -1), (True, 4), (True, -5)])
def test_refuses_what_does_not_fit(signed: bool, value: int) -> None:
    stream = Stream("s", "in", (Field("f", 3, signed),))
    with pytest.raises(ValueError, match="field f holds values beyond"):
        pack_lanes(stream, {"f": np.array([0, value])}, 2)


@given(streams())
def test_words_agree_with_the_definition(given_: tuple[Stream, list[dict[str, int]]]) -> None:
    stream, rows = given_
    columns = {name: [row[name] for row in rows] for name in (field.name for field in stream.fields)}
    words = pack_words(stream, columns)
    assert words == [stream.pack(row) for row in rows]
    assert [stream.unpack(word) for word in words] == rows
    assert {name: column.tolist() for name, column in unpack_words(stream, words).items()} == columns
