# SPDX-License-Identifier: Apache-2.0
"""The rules of the channels AR and R, and of AW, W and B."""

from collections import deque
from collections.abc import Callable, Iterator
from typing import NamedTuple

from configs.parts import AxiPort
from tb.common.components.axi.bursts import EXOKAY, Burst, BurstUse
from tb.common.components.axi.handshake import (
    Direction,
    Open,
    Payload,
    Publish,
    Transfer,
    is_known,
    known_lanes,
    number,
)

#: ``peek(address, count)``: the bytes that a read is to give
Peek = Callable[[int, int], bytes]


class OpenRead(Open):
    """``expected``: the bus word of each beat as it was when the address was taken, if that is known."""

    expected: tuple[int, ...] = ()


class BeatEvent(NamedTuple):
    """A beat of a read that was taken in ``cycle``: its byte address, and whether it ``failed``."""

    cycle: int
    address: int
    failed: bool
    burst: Burst


class ReadRules(Direction[OpenRead]):
    """Data of an id comes in order, after its address, as many beats as asked for, the last one marked.

    ``peek``: what memory holds, if data is to be checked: a byte must be as it was when the address was
    taken, or as it is now.
    """

    def __init__(self, port: AxiPort, use: BurstUse, publish: Publish, peek: Peek | None = None) -> None:
        super().__init__(port, use, "read", publish)
        self.peek = peek
        #: whether an address that is taken now was asked for before the last reset
        self.from_before: Callable[[Transfer], bool] = lambda _: False
        #: called with each beat of a read that was asked for since the last reset
        self.each: Callable[[BeatEvent], None] | None = None

    def block_reset(self) -> None:
        """The block is reset and memory is not: what is open is stale."""
        for mine in self.open.values():
            for opened in mine:
                opened.stale = True

    @property
    def stale(self) -> int:
        """Open bursts that were asked for before the last reset."""
        return sum(opened.stale for mine in self.open.values() for opened in mine)

    def address(self, transfer: Transfer) -> Burst:
        """AR was taken."""
        opened = self.begin(transfer, OpenRead)
        if self.peek is not None:
            opened.expected = tuple(self._words(opened.burst))
        opened.stale = self.from_before(transfer)
        if not opened.stale:
            self.publish("addresses", opened.event(transfer, opened.burst.address))
        return opened.burst

    def offered(self, cycle: int, payload: Payload) -> None:
        """R is valid."""
        if self.oldest(cycle, payload).cycle >= cycle:
            self.fail(cycle, "it comes before its address was taken")

    def data(self, transfer: Transfer) -> Burst | None:
        """R was taken; returns the burst when it was its last beat."""
        cycle, payload = transfer.cycle, transfer.payload
        opened = self.oldest(cycle, payload)
        burst, beat = opened.burst, len(opened.beats)
        response, last, data = (number(payload[name]) for name in ("resp", "last", "data"))
        if last != (beat + 1 == burst.beats):
            self.fail(cycle, f"last={last} in beat {beat + 1} of {burst.beats}")
        if response == EXOKAY and not burst.lock:
            self.fail(cycle, "EXOKAY to a read that is not exclusive")
        if response <= EXOKAY:
            if not is_known(payload["data"]) and not known_lanes(
                payload["data"], burst.lanes(beat, self.port.strobe_bits)
            ):
                self.fail(cycle, f"{self.port.prefix}_rdata is {payload['data']}")
            if opened.expected:
                self._check_data(cycle, opened, beat, data)
        opened.beats.append((data, response))
        if self.each is not None and not opened.stale:
            self.each(BeatEvent(cycle, burst.beat(beat)[0], response > EXOKAY, burst))
        if not last:
            return None
        self.end(opened)
        failed = next((i for i, (_, answer) in enumerate(opened.beats, 1) if answer > EXOKAY), 0)
        self.publish("dropped" if opened.stale else "lines", opened.event(transfer, failed))
        return burst

    def _words(self, burst: Burst) -> Iterator[int]:
        assert self.peek is not None
        step = self.port.strobe_bits
        for beat in range(burst.beats):
            yield int.from_bytes(self.peek(burst.beat(beat)[0] // step * step, step), "little")

    def _check_data(self, cycle: int, opened: OpenRead, beat: int, data: int) -> None:
        mask = self._mask(opened.burst, beat)
        if not (data ^ opened.expected[beat]) & mask:
            return
        now = list(self._words(opened.burst))[beat]
        if not (data ^ opened.expected[beat]) & (data ^ now) & mask:
            return  # bits that were another are bits that have been written since
        where = f"beat {beat + 1} of the read of {opened.burst.address:#x}, id {opened.burst.id}"
        for other in self.open[opened.burst.id]:
            for place, word in enumerate(other.expected):
                if not (data ^ word) & mask and (other is not opened or place != beat):
                    self.fail(
                        cycle,
                        f"out of order within an id: {where}, has the data of beat {place + 1} of the read "
                        f"of {other.burst.address:#x}",
                    )
        self.fail(cycle, f"{where}: expected {opened.expected[beat] & mask:#x}, got {data & mask:#x}")

    def _mask(self, burst: Burst, beat: int) -> int:
        lanes = burst.lanes(beat, self.port.strobe_bits)
        return sum(0xFF << 8 * lane for lane in range(self.port.strobe_bits) if lanes >> lane & 1)


class Beat(NamedTuple):
    """A beat on W."""

    transfer: Transfer
    data: int
    strobes: int
    last: bool


class WriteRules(Direction[Open]):
    """Data comes in the order of the addresses, as many beats as announced, the last one marked, strobes
    within the lanes that a beat addresses; answers of an id in order, each after address and last beat.
    """

    def __init__(self, port: AxiPort, use: BurstUse, publish: Publish) -> None:
        super().__init__(port, use, "write", publish)

    def reset(self) -> None:
        """Forget open bursts."""
        super().reset()
        self._filling: deque[Open] = deque()  # their data is still to come
        self._early: deque[Beat] = deque()  # data whose address is still to come

    def address(self, transfer: Transfer) -> Burst:
        """AW was taken."""
        opened = self.begin(transfer, Open)
        self.publish("write_addresses", opened.event(transfer, opened.burst.address))
        self._filling.append(opened)
        while self._early and self._filling:
            self._fill(transfer, self._early.popleft())
        return opened.burst

    def data_offered(self, cycle: int, address_offered: bool) -> None:
        """W is valid; ``address_offered``: so is AW, or it is taken in this cycle."""
        if not self.use.data_first and not self._filling and not address_offered:
            self.fail(cycle, "it comes before its address is offered")

    def data(self, transfer: Transfer) -> None:
        """W was taken."""
        strobes, data, last = (number(transfer.payload[name]) for name in ("strb", "data", "last"))
        if not known_lanes(transfer.payload["data"], strobes):
            self.fail(transfer.cycle, f"{self.port.prefix}_wdata is {transfer.payload['data']}")
        beat = Beat(transfer, data, strobes, bool(last))
        if self._filling:
            self._fill(transfer, beat)
        else:
            self._early.append(beat)

    def _fill(self, now: Transfer, beat: Beat) -> None:
        opened = self._filling[0]
        burst, index = opened.burst, len(opened.beats)
        cycle = beat.transfer.cycle
        if beat.last != (index + 1 == burst.beats):
            self.fail(cycle, f"last={int(beat.last)} in beat {index + 1} of {burst.beats}")
        lanes = burst.lanes(index, self.port.strobe_bits)
        if beat.strobes & ~lanes:
            self.fail(
                cycle,
                f"strobes {beat.strobes:#x} outside the lanes {lanes:#x} of beat {index + 1} of the write "
                f"of {burst.address:#x}",
            )
        opened.beats.append((beat.data, beat.strobes))
        if beat.last:
            opened.complete = now.cycle
            self._filling.popleft()
            self.publish("writes", opened.event(now, burst.address))

    def offered(self, cycle: int, payload: Payload) -> None:
        """B is valid."""
        opened = self.oldest(cycle, payload)
        if opened.complete is None or opened.complete >= cycle:
            self.fail(cycle, "it is answered before its last beat was taken")

    def answer(self, transfer: Transfer) -> None:
        """B was taken."""
        opened = self.oldest(transfer.cycle, transfer.payload)
        response = number(transfer.payload["resp"])
        if response == EXOKAY and not opened.burst.lock:
            self.fail(transfer.cycle, "EXOKAY to a write that is not exclusive")
        self.end(opened)
        self.publish("answers", opened.event(transfer, response))

    def check_complete(self) -> None:
        """See :meth:`Direction.check_complete`; no data without an address either."""
        super().check_complete()
        if self._early:
            self.fail(self._early[0].transfer.cycle, "its address never came")
