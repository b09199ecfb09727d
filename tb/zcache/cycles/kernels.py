# SPDX-License-Identifier: Apache-2.0
"""A golden model that is a kernel on records of a block's ports, as :class:`CycleModel` wants it."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from configs import Stream


class RecordModel:
    """``step(state, inputs, outputs)`` on arrays [1] of records, of which ``state`` is given; those of the
    ports are made of integers of 64 bits. (Such a call takes 2 us; with large records themselves, or a tuple
    of ten arrays, it would take 50 or 8.)

    ``answered``: of each level of the design, by pin, its field in OUTPUTS. A block's class says what the
    inputs are.
    """

    def __init__(
        self,
        step: Callable[[Any, Any, Any], None],
        state: NDArray[Any],
        records: tuple[np.dtype[Any], np.dtype[Any]],
        answered: Mapping[str, str],
    ) -> None:
        inputs, outputs = (np.zeros(1, kind) for kind in records)
        self._step, self._arrays = step, (state, inputs, outputs)
        self.state_record, self.inputs, self.outputs = state[0], inputs[0], outputs[0]
        self._flat: NDArray[np.int64] = outputs.view(np.int64)
        kind = records[1]
        offsets = {name: kind.fields[name][1] for name in kind.names or ()} if kind.fields else {}
        self._places = {name: offset // 8 for name, offset in offsets.items() if kind[name] == np.int64}
        self._levels = np.array([self._places[field] for field in answered.values()])
        self._texts: dict[bytes, str] = {}  # those that were
        self._readers: dict[str, Callable[[], int]] = {}

    def step(self) -> None:
        self._step(*self._arrays)

    def levels(self) -> str:
        levels = self._flat[self._levels]
        text = self._texts.get(key := levels.tobytes())
        if text is None:
            text = self._texts[key] = "".join(map(str, levels.tolist()))
        return text

    def word(self, channel: str) -> int:
        return self._readers[channel]()

    def read_as(self, stream: Stream, sources: Mapping[str, str | int]) -> None:
        """Words of ``stream`` are made of fields of OUTPUTS, by name, and of constants."""
        parts, constant = [], 0
        for field in stream.fields:
            source, low = sources[field.name], stream.offset(field.name)
            if isinstance(source, int):
                constant |= source << low
            else:
                parts.append((self._places[source], low))
        self._readers[stream.name] = partial(_packed, self._flat, tuple(parts), constant)

    def read_by(self, channel: str, reader: Callable[[], int]) -> None:
        """Words of ``channel`` are what ``reader`` says."""
        self._readers[channel] = reader


def _packed(flat: NDArray[np.int64], parts: tuple[tuple[int, int], ...], constant: int) -> int:
    word = constant
    for place, low in parts:
        word |= int(flat[place]) << low
    return word
