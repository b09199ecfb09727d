# SPDX-License-Identifier: Apache-2.0
"""What monitors report, and the log of it."""

from pathlib import Path
from typing import NamedTuple

from configs.files import write_atomic


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
    """Every transfer of a test: one line ``cycle channel word``, sorted by cycle, then channel.

    Same seed, same log, whatever the simulator: that is what the order is for, because monitors of one cycle
    may be woken in any order.
    """

    def __init__(self) -> None:
        self._entries: list[tuple[int, str, int]] = []

    def __len__(self) -> int:
        return len(self._entries)

    def add(self, channel: str, observation: Observation) -> None:
        """Record a transfer."""
        self._entries.append((observation.cycle, channel, observation.word))

    def text(self) -> str:
        """The whole log; words in hexadecimal, packed as the configuration's streams say."""
        return "".join(f"{cycle} {channel} {word:x}\n" for cycle, channel, word in sorted(self._entries))

    def save(self, path: Path) -> None:
        """Write the log."""
        write_atomic(path, self.text())
