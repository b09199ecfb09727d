# SPDX-License-Identifier: Apache-2.0
"""The lines that ``icache`` reads with restart at the word, as memory's port shows them: docs/icache.md."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from pyuvm import uvm_component

from configs.icache.schema import Config
from models.icache.serving import Seen
from tb.common.components.axi.burst_rules import BeatEvent
from tb.common.components.axi.bursts import INCR, PLAIN, BurstUse
from tb.common.components.axi.handshake import BurstEvent
from tb.common.components.bench import KEY, Bench
from tb.common.components.transactions import AnalysisImp, Observation

NEVER = 1 << 62  # a cycle
BURSTS = 2  # of a line


def early_use(cfg: Config) -> BurstUse:
    """The bursts of lines that are read from any beat on."""
    shapes = ((beats, cfg.axi.strobe_bits.bit_length() - 1) for beats in range(1, cfg.beats + 1))
    return BurstUse(
        frozenset(shapes), frozenset({INCR}), cfg.axi.strobe_bits, PLAIN, ids=cfg.axi.ids, per_id=BURSTS
    )


@dataclass
class Fill:
    """A line: its bursts at their addresses; cycles of its beats in the order in which they come; which of
    them failed, by their place in the line.
    """

    bursts: list[BurstEvent]
    failed: NDArray[np.bool_]
    cycles: list[int] = field(default_factory=list)
    since: int = NEVER  # the cycle in which a beat failed first

    def come(self, place: int) -> int:
        """The cycle of the beat that comes as number ``place``."""
        return self.cycles[place] if place < len(self.cycles) else NEVER

    @property
    def end(self) -> int:
        """The cycle of its last beat."""
        return self.come(len(self.failed) - 1)


class FillWatch(uvm_component):
    """Puts together the lines that were asked for since reset, and looks how they are asked for.

    ``alone``: nobody else asks memory, so that a second address is offered right behind the first. Else one
    from before a reset may not be seen until after it: it comes before the first of the ``requests``.
    """

    cfg: Config  # set by the environment, as are
    id = 0  # of its bursts
    alone = True

    def build_phase(self) -> None:
        self.addresses = AnalysisImp("addresses", self, self._address)
        self.beats = AnalysisImp("beats", self, self._beat)
        self.requests = AnalysisImp("requests", self, self._request)
        self._bench: Bench = self.cdb_get(KEY)
        self.reset()

    def reset(self) -> None:
        """What was asked for before counts no more."""
        self.fills: list[Fill] = []
        self._ended = 0  # of them
        self._asked = self.alone  # a request was taken
        self._stale = 0  # beats to come that were asked for before

    def seen(self, taken: list[Observation]) -> Seen:
        """What the model has to know of requests [n] that were ``taken``, of all lines so far."""
        beats, fills = self.cfg.beats, self.fills
        return Seen(
            np.array([transfer.cycle for transfer in taken], np.int64),
            np.array([fill.failed for fill in fills], np.bool_).reshape(-1, beats),
            np.array([fill.since for fill in fills], np.int64),
        )

    def _request(self, _request: Observation) -> None:
        self._asked = True

    def _address(self, event: Observation) -> None:
        """An address was taken."""
        assert isinstance(event, BurstEvent)
        if event.burst.id != self.id:
            return
        if not self._asked:
            self._stale += event.burst.beats
            return
        line, place = divmod(event.burst.address, self.cfg.cache.line_bytes)
        first = place // self.cfg.axi.strobe_bits
        bursts = self.fills[-1].bursts if self.fills else []
        if not bursts or sum(earlier.burst.beats for earlier in bursts) == self.cfg.beats:
            if first + event.burst.beats != self.cfg.beats:
                self._fail(event, f"a line begins with {self.cfg.beats - first} beats to its end")
            self.fills.append(Fill([event], np.zeros(self.cfg.beats, np.bool_)))
            return
        begun = bursts[0].burst
        if (line, first) != (begun.address // self.cfg.cache.line_bytes, 0):
            self._fail(event, f"behind the end of the line, from {begun.address:#x} on, comes its beginning")
        if event.burst.beats != self.cfg.beats - begun.beats:
            self._fail(event, f"behind {begun.beats} of {self.cfg.beats} beats come the others")
        if self.alone and event.cycle - event.waited != bursts[0].cycle + 1:
            self._fail(event, f"it is offered right behind that of cycle {bursts[0].cycle}")
        bursts.append(event)

    def _beat(self, event: BeatEvent) -> None:
        """A beat was taken."""
        if event.burst.id != self.id:
            return
        if self._stale:
            self._stale -= 1
            return
        fill = self.fills[self._ended]
        fill.cycles.append(event.cycle)
        self._ended += len(fill.cycles) == self.cfg.beats
        if event.failed:
            fill.failed[event.address % self.cfg.cache.line_bytes // self.cfg.axi.strobe_bits] = True
            fill.since = min(fill.since, event.cycle)

    def _fail(self, event: BurstEvent, rule: str) -> None:
        burst, offered = event.burst, event.cycle - event.waited
        where = f"read of {burst.beats} beats from {burst.address:#x} on, offered in cycle {offered}"
        self._bench.fail(f"{where}: {rule}")

    def check_phase(self) -> None:
        """At the end every line that was begun is whole."""
        if self._ended != len(self.fills):
            self._fail(self.fills[-1].bursts[0], "the line has not ended")
