# SPDX-License-Identifier: Apache-2.0
"""The rules of the channels AW, W and B."""

from collections import deque
from collections.abc import Mapping
from typing import NamedTuple

from configs.parts import AxiPort
from tb.common.components.axi.addresses import Direction, Open, Publish
from tb.common.components.axi.bursts import EXOKAY, Burst
from tb.common.components.axi.handshake import Transfer, known_lanes, number
from tb.common.components.axi.use import BurstUse


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

    def offered(self, cycle: int, payload: Mapping[str, str]) -> None:
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
