# SPDX-License-Identifier: Apache-2.0
"""The rules of AXI4 for all five channels and both sides, as an engine that takes samples, cycle by cycle.

It needs no simulator: ``tests/tb/test_axi_rules.py`` plants faults into tables of samples. Within a cycle
channels are sampled in the order of :data:`CHANNELS`, what a master sends before what it gets.
"""

from collections.abc import Callable

from configs.parts import AxiPort
from tb.common.components.axi.burst_rules import Peek, ReadRules, WriteRules
from tb.common.components.axi.bursts import Burst, BurstUse
from tb.common.components.axi.handshake import Handshake, Payload, Publish, Transfer

CHANNELS = ("ar", "r", "aw", "w", "b")
PUBLISHED = ("addresses", "lines", "dropped", "write_addresses", "writes", "answers")
ANY = BurstUse()


class AxiRules:
    """All rules for one port. Raises AssertionError that names the rule and the cycle.

    ``reads`` and ``writes``: what the block promises beyond AXI; ``peek``: what memory holds, to check data
    read. ``publish`` is called with one of :data:`PUBLISHED` and the burst.
    """

    def __init__(
        self,
        port: AxiPort,
        reads: BurstUse = ANY,
        writes: BurstUse = ANY,
        publish: Publish = lambda name, event: None,
        peek: Peek | None = None,
    ) -> None:
        self.port = port
        self.reads, self.writes = ReadRules(port, reads, publish, peek), WriteRules(port, writes, publish)
        lax = ("data",)  # lanes that nobody addresses may be anything
        offered = {"r": self.reads.offered, "w": self._data_offered, "b": self.writes.offered}
        self.channels = {
            name: Handshake(stream, lax, offered.get(name)) for name, stream in port.channels.items()
        }
        self._takes: dict[str, Callable[[Transfer], object]] = {
            "ar": self.reads.address, "r": self._take_read_data,
            "aw": self._take_write_address, "w": self.writes.data, "b": self.writes.answer,
        }  # fmt: skip
        self._exclusive: dict[int, Burst] = {}  # by id: the last exclusive read that has ended
        self._taken_address = -1

    def reset(self) -> None:
        """Forget open bursts and offers."""
        self.reads.reset()
        self.writes.reset()
        self._exclusive.clear()
        for channel in self.channels.values():
            channel.reset()

    def sample(self, channel: str, cycle: int, valid: str, ready: str, payload: Payload) -> Transfer | None:
        """The signals of a channel in a cycle with valid, or after one; returns what is taken: :meth:`take`
        it.

        ``payload``: text of all fields by name, of no matter what while valid is low.
        """
        return self.channels[channel].sample(cycle, valid, ready, payload)

    def take(self, channel: str, transfer: Transfer) -> None:
        """A handshake."""
        self._takes[channel](transfer)

    def _take_read_data(self, transfer: Transfer) -> None:
        burst = self.reads.data(transfer)
        if burst is not None and burst.lock:
            self._exclusive[burst.id] = burst

    def _take_write_address(self, transfer: Transfer) -> None:
        self._taken_address = transfer.cycle
        self._check_exclusive(transfer.cycle, self.writes.address(transfer))

    @property
    def outstanding(self) -> int:
        """Bursts that have not ended."""
        return self.reads.outstanding + self.writes.outstanding

    def check_complete(self) -> None:
        """At the end: nothing may be open."""
        self.reads.check_complete()
        self.writes.check_complete()

    def _data_offered(self, cycle: int, payload: Payload) -> None:
        self.writes.data_offered(cycle, self.channels["aw"].waiting or self._taken_address == cycle)

    def _check_exclusive(self, cycle: int, burst: Burst) -> None:
        if burst.lock:
            read = self._exclusive.pop(burst.id, None)
            if read is None or read._replace(qos=burst.qos) != burst:
                raise AssertionError(
                    f"AXI write of {burst.address:#x} in cycle {cycle}: exclusive, and no exclusive read of "
                    "the same bytes and id has ended before"
                )
