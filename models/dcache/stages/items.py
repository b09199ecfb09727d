# SPDX-License-Identifier: Apache-2.0
"""What goes through the stages, and what is seen at the ports."""

from dataclasses import dataclass, field
from typing import NamedTuple

from configs.dcache.schema import LOAD, STORE

Row = tuple[int, int]
"""Where a line is: set and way."""


class Group(NamedTuple):
    """Lanes that are looked up together; or none: of a request without lanes, of an operation, of a line that
    is looked up ahead, of one that is read to be written to memory (``victim``).

    ``line``: negative if it has none; ``failed``: memory failed it; ``ahead``: what is looked up behind it.
    """

    asked: "Asked | None" = None
    line: int = -1
    row: Row = (0, 0)
    lanes: bool = False
    hit: bool = False
    store: bool = False
    failed: bool = False
    ahead: "Group | None" = None
    victim: bool = False


@dataclass(eq=False)
class Asked:
    """A request. ``groups`` in order; ``begun`` of them have left the door, ``left`` have not ended."""

    op: int
    warp: int
    groups: list[Group] = field(default_factory=list)
    begun: int = 0
    left: int = 0

    @property
    def access(self) -> bool:
        """Whether it is a load or a store."""
        return self.op in (LOAD, STORE)


class Beat(NamedTuple):
    """A beat that was read: its id, whether it is the last."""

    id: int
    last: bool


@dataclass
class Seen:
    """Handshakes of a cycle. ``w``: whether the beat was the last one; ``b``: whether memory refused.

    ``in_reset``: the block is being reset; ``forgotten``: memory, too.
    """

    req: Asked | None = None
    res: bool = False
    ar: bool = False
    r: Beat | None = None
    aw: bool = False
    w: bool | None = None
    b: bool | None = None
    in_reset: bool = False
    forgotten: bool = False


class Offer(NamedTuple):
    """What is offered on a channel, and the first cycle in which it is."""

    what: tuple[int, ...]
    since: int
