# SPDX-License-Identifier: Apache-2.0
"""Samples of AXI4 channels, cycle by cycle, for tests of the rules without a simulator."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from configs.parts import AxiPort
from tb.common.components.axi.bursts import INCR, Burst, BurstUse
from tb.common.components.axi.handshake import BurstEvent
from tb.common.components.axi.rules import ANY, CHANNELS, AxiRules

PORT = AxiPort(data_bits=64, address_bits=32, id_bits=4, ids=2, outstanding=2)
BUS = PORT.strobe_bits
ADDRESS = {
    "id": 0,
    "addr": 0x1000,
    "len": 3,
    "size": 3,
    "burst": INCR,
    "lock": 0,
    "cache": 3,
    "prot": 0,
    "qos": 0,
}
DEFAULTS: dict[str, dict[str, int]] = {
    "ar": ADDRESS,
    "aw": ADDRESS,
    "r": {"id": 0, "data": 0, "resp": 0, "last": 0},
    "w": {"data": 0, "strb": 0xFF, "last": 0},
    "b": {"id": 0, "resp": 0},
}


def contents(address: int, count: int) -> bytes:
    """Memory in which every bus word is its own address."""
    return b"".join((address + at).to_bytes(BUS, "little") for at in range(0, count, BUS))


class Sampled:
    """What is on the pins: each method adds to it, :meth:`check` has it judged.

    ``at`` is the cycle in which something is taken; it is offered ``wait`` cycles before.
    """

    def __init__(self) -> None:
        self.cycles: dict[int, dict[str, tuple[str, str, dict[str, str]]]] = defaultdict(dict)

    def set(self, cycle: int, channel: str, valid: str = "1", ready: str = "1", **fields: Any) -> "Sampled":
        """A sample; fields are numbers, or text where they hold X."""
        widths = {field.name: field.width for field in PORT.channels[channel].fields}
        values = {**DEFAULTS[channel], **fields}
        payload = {
            name: values[name] if isinstance(values[name], str) else f"{values[name]:0{width}b}"
            for name, width in widths.items()
        }
        self.cycles[cycle][channel] = valid, ready, payload
        return self

    def send(self, at: int, channel: str, wait: int = 0, **fields: Any) -> "Sampled":
        """A handshake after ``wait`` cycles."""
        for cycle in range(at - wait, at):
            self.set(cycle, channel, ready="0", **fields)
        return self.set(at, channel, **fields)

    def read(self, at: int, *, data_at: int = 0, **address: int) -> "Sampled":
        """A whole, correct read burst."""
        self.send(at, "ar", **address)
        burst = Burst.of({**ADDRESS, **address})
        for beat in range(burst.beats):
            word = burst.beat(beat)[0] // BUS * BUS
            last = int(beat + 1 == burst.beats)
            self.send((data_at or at + 2) + beat, "r", id=burst.id, data=word, last=last)
        return self

    def write(self, at: int, *, beats: Sequence[int] = (), answer_at: int = 0, **address: int) -> "Sampled":
        """A whole, correct write burst; ``beats``: the cycles of its data, else behind the address."""
        self.send(at, "aw", **address)
        burst = Burst.of({**ADDRESS, **address})
        cycles = list(beats) or [at + 1 + beat for beat in range(burst.beats)]
        for beat, cycle in enumerate(cycles):
            last = int(beat + 1 == burst.beats)
            self.send(cycle, "w", data=0x55 + beat, strb=burst.lanes(beat, BUS), last=last)
        return self.send(answer_at or max(at, *cycles) + 2, "b", id=burst.id)

    def check(self, reads: BurstUse = ANY, writes: BurstUse = ANY) -> "Judged":
        """Have the rules judge it. Raises AssertionError."""
        judged = Judged()
        rules = AxiRules(PORT, reads, writes, judged.publish, contents)
        judged.rules = rules
        low = {name: ("0", "0", {}) for name in CHANNELS}
        for cycle in range(min(self.cycles), max(self.cycles) + 2):
            for channel in CHANNELS:
                transfer = rules.sample(
                    channel, cycle, *self.cycles.get(cycle, {}).get(channel, low[channel])
                )
                if transfer is not None:
                    rules.take(channel, transfer)
        rules.check_complete()
        return judged


class Judged:
    """The rules after a check without a fault, and what they published."""

    def __init__(self) -> None:
        self.events: list[tuple[str, BurstEvent]] = []
        self.rules: Any = None

    def publish(self, name: str, event: BurstEvent) -> None:
        """Keep it."""
        self.events.append((name, event))
