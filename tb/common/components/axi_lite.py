# SPDX-License-Identifier: Apache-2.0
"""The master of an AXI4-Lite port: writes and reads of registers, one at a time each."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from cocotb.triggers import Event
from pyuvm import uvm_analysis_port, uvm_component

from configs.parts import AxiLitePort
from tb.common.components.axi.handshake import Handshake, Transfer
from tb.common.components.bench import KEY, Bench

ALL_BYTES = 15
OKAY = 0  # a response
RANK = 0  # of its samples


class Access(NamedTuple):
    """A register that was written (``data`` as given) or read, and the response, 0 if all is well."""

    write: bool
    address: int
    data: int
    response: int


class AxiLiteMaster(uvm_component):
    """Offers addresses and data and takes answers, at once or as ``late`` and ``hold`` say; looks on that the
    handshakes obey the rules.

    ``done`` publishes each :class:`Access` once it is answered. The master is reset with the design
    (:meth:`reset`), and what is under way is never answered.
    """

    port: AxiLitePort  # set by the environment
    late: Mapping[str, int] = {}  # by channel: cycles before it is offered
    hold = 0  # cycles before an answer is taken

    def __init__(self, name: str, parent: uvm_component) -> None:
        super().__init__(name, parent)
        self.done = uvm_analysis_port("done", self)
        self.busy = 0  # transfers that were begun and not answered
        self._resets = 0

    def build_phase(self) -> None:
        """Nothing offered; answers are taken."""
        self._bench: Bench = self.cdb_get(KEY)
        self._clocking = self._bench.clockings[self.port.clock]
        self._rules = {name: Handshake(channel) for name, channel in self.port.channels.items()}
        for name, channel in self.port.channels.items():
            if channel.direction == "out":
                self._pin(name, "ready").value = 1
                continue
            for field in ("valid", *(field.name for field in channel.fields)):
                self._pin(name, field).value = 0

    async def write(self, address: int, data: int, strobe: int = ALL_BYTES) -> int | None:
        """Write a register; the response, once it is here, or None: a reset came. Call it while driving is
        allowed.
        """
        words = {"aw": {"addr": address, "prot": 0}, "w": {"data": data, "strb": strobe}}
        answer = await self._transfer(words, "b")
        if answer is None:
            return None
        response = int(answer["resp"], 2)
        self.done.write(Access(True, address, data, response))
        return response

    async def read(self, address: int) -> Access | None:
        """Read a register; None: a reset came. Call it while driving is allowed."""
        answer = await self._transfer({"ar": {"addr": address, "prot": 0}}, "r")
        if answer is None:
            return None
        access = Access(False, address, int(answer["data"], 2), int(answer["resp"], 2))
        self.done.write(access)
        return access

    def reset(self) -> None:
        """The design is being reset: nothing is offered any more, nothing that was asked for is answered."""
        self._resets += 1
        for name, channel in self.port.channels.items():
            self._rules[name].reset()
            if channel.direction == "in":
                self._pin(name, "valid").value = 0

    async def _transfer(
        self, words: Mapping[str, Mapping[str, int]], answer: str
    ) -> Mapping[str, str] | None:
        """Offer ``words`` on their channels and wait for the answer: its payload, None if a reset came."""
        while self._clocking.in_reset:
            await self._clocking.cycles(1)
        self.busy += 1
        taken, found, resets, began = dict.fromkeys(words, False), Event(), self._resets, self._clocking.cycle
        payload: dict[str, str] = {}
        due = dict(words)
        self._pin(answer, "ready").value = int(not self.hold)

        def offer() -> None:
            for name in [name for name in due if self._clocking.cycle - began >= self.late.get(name, 0)]:
                for field, value in {**due.pop(name), "valid": 1}.items():
                    self._pin(name, field).value = value

        def sample() -> bool:
            if self._resets != resets:
                return False
            for name in words:
                taken[name] = taken[name] or self._seen(name) is not None
            if transfer := self._seen(answer):
                if not all(taken.values()):
                    self._rules[answer].fail(self._clocking.cycle, "answered before all of it was taken")
                payload.update(transfer.payload)
                found.set()
            return not found.is_set()

        def drive() -> None:
            if self._resets != resets:
                return
            for name in words:
                if taken[name]:
                    self._pin(name, "valid").value = 0
            offer()
            if self._rules[answer].waited >= self.hold:
                self._pin(answer, "ready").value = 1

        offer()
        await self._clocking.active(sample, drive, RANK)
        await self._clocking.cycles(1)
        self._pin(answer, "ready").value = 1
        self.busy -= 1
        return payload if found.is_set() else None

    def _seen(self, name: str) -> Transfer | None:
        """A cycle of a channel."""
        channel, rules = self.port.channels[name], self._rules[name]
        valid, ready = (str(self._pin(name, signal).value) for signal in ("valid", "ready"))
        if valid == "0" and not rules.waiting:
            return None
        payload = {field.name: str(self._pin(name, field.name).value) for field in channel.fields}
        return rules.sample(self._clocking.cycle, valid, ready, payload)

    def _pin(self, name: str, signal: str) -> Any:
        return getattr(self._bench.dut, f"{self.port.prefix}_{name}{signal}")
