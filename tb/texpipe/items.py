# SPDX-License-Identifier: Apache-2.0
"""What observers of the pipelined unit see, in words; primitives and quads are those of ``texunit``."""

from typing import Any

from numpy.typing import NDArray

from configs.texpipe.schema import BANKS, Config
from tb.common.components.packing import pack_words
from tb.texpipe.replay import EVENT


def event_words(cfg: Config, beats: NDArray[Any]) -> list[int]:
    """What the pins show for BEAT array [n]."""
    columns = {f"{name}{bank}": beats[name][:, bank] for name in EVENT for bank in range(BANKS)}
    return pack_words(cfg.streams["evt0"], columns)


def missing_lines(beats: NDArray[Any]) -> list[int]:
    """Line addresses that BEAT array [n] reads from memory, in order: of a pixel the lowest bank first."""
    missed = (beats["valid"] == 1) & (beats["hit"] == 0)
    return [int(line) for line in beats["line"][missed]]
