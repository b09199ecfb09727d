# SPDX-License-Identifier: Apache-2.0
"""Compares acknowledges, grants and bursts of ``lpas`` with the model: what, and in which cycle."""

from configs import Stream
from tb.common.components.bench import KEY
from tb.common.components.scoreboard import Channel, Expected, Scoreboard
from tb.common.components.transactions import Observation
from tb.lpas.reference import CHANNELS


class LpasScoreboard(Scoreboard):
    """Channels: ``res0`` and so on, ``evt``; ``aw``, ``w``, ``ar`` of memory's port, in order each.

    The index of an expected word is its cycle. Addresses must be offered in it; of data the first beat at the
    earliest, others follow as memory takes them.
    """

    logged: dict[str, Stream]  # how words of AXI channels are packed: set by the environment

    def stream_of(self, channel: str) -> Stream:
        return self.logged[channel] if channel in CHANNELS else super().stream_of(channel)

    def build_phase(self) -> None:
        """The channels of this configuration."""
        cfg = self.cdb_get(KEY).cfg
        observed = ("evt",) if cfg.observe else ()
        self.channels = (*(f"res{pe}" for pe in range(cfg.pes)), *observed, *CHANNELS)
        super().build_phase()
        self.timed = 0  # words whose cycle was compared

    def agreed(self, channel: Channel, expected: Expected, transfer: Observation) -> None:
        """The right word; was it in the right cycle?"""
        offered, want = transfer.cycle - transfer.waited, expected.transaction
        exact = channel.name != "w"
        self.timed += exact
        if offered < want or (exact and offered != want):
            rule = "in" if exact else "not before"
            word = f"{channel.name} ({expected.word:#x})"
            self.fail(f"{word} was seen in cycle {offered}, expected {rule} cycle {want}")

    def explain(self, channel: str, index: int, expected: int, transfer: Observation) -> str:
        """What differs."""
        where = f"{channel} in cycle {transfer.cycle}, expected in cycle {index}"
        return "\n".join([where, *self.differences(channel, expected, transfer.word)])

    def reset(self) -> None:
        """What was begun on memory's port comes nevertheless, unless memory's side is reset, too."""
        forgotten = self.bench.clocking.axi_in_reset
        for channel in self.by_name.values():
            if channel.name in CHANNELS and not forgotten:
                continue
            if surplus := channel.unexpected:
                self.fail(f"{channel.name} in cycle {surplus[0].cycle}: nothing was expected")
            channel.drop()
            channel.matched.clear()
