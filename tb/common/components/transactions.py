# SPDX-License-Identifier: Apache-2.0
"""What monitors report, and the log of it."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from configs import Stream
from configs.files import write_atomic

DECIMAL = 16  # bits of a field up to which its values are written in decimal


class Observation(NamedTuple):
    """One transfer seen at the pins.

    ``cycle`` of the handshake (see ``clocking``), the packed ``word`` (0 for a stream without data), the
    cycles it ``waited`` with valid high, and whether the monitor's ``flag`` (e.g. busy) was high.
    """

    cycle: int
    word: int
    waited: int = 0
    flag: bool = False


class TransactionLog:
    """Every transfer of a test, a line each, sorted by cycle, then channel::

        812 req lut=3 level=2 x=0x1f y=0x0

    Values are decimal, of fields of more than 16 bits hexadecimal. Same seed, same log, whatever the
    simulator: that is what the order is for, because monitors of one cycle may be woken in any order.
    """

    def __init__(self) -> None:
        self._entries: list[tuple[int, str, int]] = []
        self._streams: dict[str, Stream] = {}

    def __len__(self) -> int:
        return len(self._entries)

    def add(self, stream: Stream, observation: Observation) -> None:
        """Record a transfer."""
        self._streams[stream.name] = stream
        self._entries.append((observation.cycle, stream.name, observation.word))

    def text(self) -> str:
        """The whole log."""
        return "".join(
            f"{cycle} {channel}{fields_text(self._streams[channel], word)}\n"
            for cycle, channel, word in sorted(self._entries)
        )

    def save(self, path: Path) -> None:
        """Write the log."""
        write_atomic(path, self.text())


def fields_text(stream: Stream, word: int) -> str:
    """The fields of a packed word as `` name=value ...``, with a blank before each."""
    values = stream.unpack(word)
    return "".join(
        f" {field.name}={values[field.name]:{'#x' if field.width > DECIMAL else 'd'}}"
        for field in stream.fields
    )


def parse_fields(stream: Stream, words: Sequence[str]) -> int:
    """The packed word of ``name=value`` words, as the log has them."""
    values = {name: int(value, 0) for name, _, value in (word.partition("=") for word in words)}
    return stream.pack(values)
