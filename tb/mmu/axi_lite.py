# SPDX-License-Identifier: Apache-2.0
"""The master of an AXI4-Lite port: writes and reads of registers, which may be under way at the same time."""

from collections import deque
from collections.abc import Mapping
from typing import NamedTuple

from cocotb.triggers import Event
from pyuvm import uvm_analysis_port, uvm_component

from configs.parts import AxiLitePort
from tb.common.components.axi.handshake import Handshake, Payload, Transfer, number
from tb.common.components.bench import KEY, Bench, look
from tb.common.components.transactions import Observation

ALL_BYTES = 15


class Access(NamedTuple):
    """A register that was written (``data`` as given) or read, and the response, 0 if all is well."""

    write: bool
    address: int
    data: int
    response: int


class _Access:
    """One that is under way: channels on which something is still to be taken, and the answer."""

    def __init__(self, channels: Mapping[str, Mapping[str, int]]) -> None:
        self.open = set(channels)
        self.answer: Payload | None = None  # stays so if a reset comes
        self.ended = Event()


class _Word(NamedTuple):
    """What is to be offered on a channel, from cycle ``due`` on."""

    access: _Access
    fields: Mapping[str, int]
    due: int


class AxiLiteMaster(uvm_component):
    """Offers addresses and data and takes answers, at once or as ``late`` and ``hold`` say, or when a channel
    that was stopped is let go (:meth:`stop`). An access that begins while others are under way is offered as
    soon as their words have been taken; answers are those of the oldest. Looks on that the handshakes obey
    the rules, and logs them.

    ``done`` publishes each :class:`Access` once it is answered. The master is reset with the design
    (:meth:`reset`), and what is under way is never answered.
    """

    port: AxiLitePort  # set by the environment
    late: Mapping[str, int] = {}  # by channel: cycles before it is offered
    hold = 0  # cycles before an answer is taken

    def build_phase(self) -> None:
        """Nothing offered; answers are taken."""
        self.done = uvm_analysis_port("done", self)
        self.busy = 0  # accesses that were begun and not answered
        self._driving = self._sampling = False
        self._stopped: set[str] = set()  # channels
        self._bench: Bench = self.cdb_get(KEY)
        self._clocking = self._bench.clockings[self.port.clock]
        self._channels = self.port.channels
        self._rules = {name: Handshake(channel) for name, channel in self._channels.items()}
        self._pins = {
            (name, signal): getattr(self._bench.dut, f"{self.port.prefix}_{name}{signal}")
            for name, channel in self._channels.items()
            for signal in ("valid", "ready", *(field.name for field in channel.fields))
        }
        self._looks = {key: look(pin) for key, pin in self._pins.items()}
        self._levels: dict[tuple[str, str], int] = {}  # of pins that were driven
        self._words: dict[str, deque[_Word]] = {}  # by channel; the first may be offered
        self._offered: set[str] = set()  # channels on which it is
        self._open: dict[str, deque[_Access]] = {}  # by the channel of the answer
        for name, channel in self._channels.items():
            if channel.direction == "out":
                self._put(name, "ready", 1)
                self._open[name] = deque()
                continue
            self._words[name] = deque()
            for field in ("valid", *(field.name for field in channel.fields)):
                self._put(name, field, 0)

    async def write(self, address: int, data: int, strobe: int = ALL_BYTES) -> int | None:
        """Write a register; the response, once it is here, or None: a reset came. Call it while driving is
        allowed.
        """
        words = {"aw": {"addr": address, "prot": 0}, "w": {"data": data, "strb": strobe}}
        answer = await self._access(words, "b")
        if answer is None:
            return None
        response = number(answer["resp"])
        self.done.write(Access(True, address, data, response))
        return response

    async def read(self, address: int) -> Access | None:
        """Read a register; None: a reset came. Call it while driving is allowed."""
        answer = await self._access({"ar": {"addr": address, "prot": 0}}, "r")
        if answer is None:
            return None
        access = Access(False, address, number(answer["data"]), number(answer["resp"]))
        self.done.write(access)
        return access

    def reset(self) -> None:
        """The design is being reset: nothing is offered any more, nothing that was asked for is answered."""
        for name, rules in self._rules.items():
            if rules.waited:
                self._bench.log.lost(self._channels[name], self._clocking.cycle, rules.waited)
            rules.reset()
        for name, words in self._words.items():
            words.clear()
            self._put(name, "valid", 0)
        self._offered.clear()
        for accesses in self._open.values():
            while accesses:
                accesses.popleft().ended.set()

    def stop(self, channel: str) -> None:
        """From the next cycle on offer nothing more on a channel, or take nothing more from it, until
        :meth:`let_go`. To be called while driving is allowed, as that is.
        """
        self._stopped.add(channel)
        self._wake()

    def let_go(self, channel: str) -> None:
        """Go on, from the next cycle on."""
        self._stopped.discard(channel)
        self._wake()

    def loaded(self, channel: str) -> bool:
        """Whether something happens on a channel as soon as it is let go."""
        return bool(self._words.get(channel)) or self._rules[channel].waiting

    async def _access(self, words: Mapping[str, Mapping[str, int]], answer: str) -> Payload | None:
        """Offer ``words`` on their channels and wait for the answer: its payload, None if a reset came."""
        while self._clocking.in_reset:
            await self._clocking.cycles(1)
        self.busy += 1
        mine, now = _Access(words), self._clocking.cycle
        for name, fields in words.items():
            self._words[name].append(_Word(mine, fields, now + self.late.get(name, 0)))
        self._open[answer].append(mine)
        self._drive_pins()
        self._wake()
        if not self._sampling:
            self._sampling = True
            self._clocking.on_sample(self._sample)
        await mine.ended.wait()
        await self._clocking.cycles(1)
        self.busy -= 1
        return mine.answer

    def _wake(self) -> None:
        if not self._driving:
            self._driving = True
            self._clocking.on_drive(self._drive)

    def _drive(self) -> bool:
        self._drive_pins()
        self._driving = any(self._open.values())
        return self._driving

    def _drive_pins(self) -> None:
        """The levels of this cycle."""
        for name, words in self._words.items():
            if name in self._offered:
                continue
            offers = words and words[0].due <= self._clocking.cycle and name not in self._stopped
            for field, value in words[0].fields.items() if offers else ():
                self._put(name, field, value)
            self._put(name, "valid", int(bool(offers)))
            if offers:
                self._offered.add(name)
        for name, accesses in self._open.items():
            waits = accesses and self._rules[name].waited < self.hold
            self._put(name, "ready", int(not waits and name not in self._stopped))

    def _sample(self) -> bool:
        self._sampling = any(self._open.values()) and self._look()
        return self._sampling

    def _look(self) -> bool:
        """What happens in this cycle; whether more will."""
        for name in sorted(self._offered):
            if self._seen(name):
                self._offered.discard(name)
                self._words[name].popleft().access.open.discard(name)
        for name, accesses in self._open.items():
            if transfer := self._seen(name):
                if not accesses or accesses[0].open:
                    self._rules[name].fail(self._clocking.cycle, "answered before all of it was taken")
                ended = accesses.popleft()
                ended.answer = transfer.payload
                ended.ended.set()
        return any(self._open.values())

    def _seen(self, name: str) -> Transfer | None:
        """A cycle of a channel; what was taken in it."""
        channel, rules = self._channels[name], self._rules[name]
        valid, ready = self._looks[name, "valid"](), self._looks[name, "ready"]()
        if valid == "0" and not rules.waiting:
            return None
        payload = {field.name: self._looks[name, field.name]() for field in channel.fields}
        transfer = rules.sample(self._clocking.cycle, valid, ready, payload)
        if transfer is not None:
            word = channel.pack({field: number(text) for field, text in payload.items()})
            self._bench.log.add(channel, Observation(transfer.cycle, word, transfer.waited))
        return transfer

    def _put(self, name: str, signal: str, value: int) -> None:
        if self._levels.get((name, signal)) != value:
            self._levels[name, signal] = value
            self._pins[name, signal].value = value
