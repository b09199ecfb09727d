# SPDX-License-Identifier: Apache-2.0
"""The checker of AXI4: it accepts what the protocol allows, and flags each planted fault by its rule."""

import pytest

from tb.common.components.axi.bursts import DECERR, EXOKAY, FIXED, INCR, SLVERR, WRAP, Burst
from tests.tb.axi_faults import FAULTS, LINES, Fault, s, x


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_a_fault_is_flagged(fault: Fault) -> None:
    with pytest.raises(AssertionError, match=fault.says):
        fault.samples().check(fault.use, fault.use)


def test_both_sides_and_all_channels_have_faults() -> None:
    assert len({fault.name for fault in FAULTS}) == len(FAULTS) >= 25
    assert {fault.side for fault in FAULTS} == {"master", "memory"}


LEGAL = {
    "a line": lambda: s().read(1).write(20),
    "data before its address": lambda: s().write(9, beats=[1, 2, 5, 12]),
    "data wholly before its address": lambda: s().write(9, beats=[1, 2, 3, 4]),
    "two bursts before their addresses": lambda: (
        s().write(20, beats=[1, 2], len=1).write(21, beats=[3, 4], len=1, addr=0x3000, answer_at=24)
    ),
    "data with its address": lambda: s().write(5, beats=[5, 6, 7, 8]),
    "stalled": lambda: s().send(5, "ar", wait=4, len=0).send(20, "r", wait=9, data=0x1000, last=1),
    "up to the end of a page": lambda: s().read(1, addr=0x1FE0),
    "unaligned up to the end of a page": lambda: s().read(1, addr=0x1FE3),
    "256 beats": lambda: s().read(1, len=255, size=2),
    "WRAP": lambda: s().read(1, burst=WRAP, addr=0x1018).write(20, burst=WRAP, addr=0x1010),
    "narrow WRAP": lambda: s().read(1, burst=WRAP, addr=0x1006, size=1),
    "FIXED": lambda: s().read(1, burst=FIXED, len=15).write(40, burst=FIXED, len=3, addr=0x1003, size=2),
    "narrow": lambda: s().read(1, size=0, addr=0x1005).write(40, size=1, addr=0x1003, len=6),
    "interleaved ids": lambda: (
        s().send(1, "ar", len=1).send(2, "ar", len=1, id=1, addr=0x2000)
        .send(4, "r", data=0x1000).send(5, "r", id=1, data=0x2000)
        .send(6, "r", data=0x1008, last=1).send(7, "r", id=1, data=0x2008, last=1)
    ),
    "ids overtake": lambda: (
        s().read(1, data_at=20).read(2, id=1, data_at=6).write(30, answer_at=60).write(40, id=1)
    ),
    "errors": lambda: (
        s().send(1, "ar", len=0).send(3, "r", resp=SLVERR, data="X" * 64, last=1)
        .send(1, "aw", len=0).send(2, "w", last=1).send(4, "b", resp=DECERR)
    ),
    "X where no strobe is": lambda: (
        s().send(1, "aw", len=0).send(2, "w", last=1, strb=0x7F, data=x(64)).send(4, "b")
    ),
    "X where a narrow read does not look": lambda: (
        s().send(1, "ar", len=0, size=2).send(4, "r", last=1, data="X" * 32 + f"{0x1000:032b}")
    ),
    "no strobes": lambda: s().send(1, "aw", len=0).send(2, "w", last=1, strb=0).send(4, "b"),
    "exclusive": lambda: (
        s().send(1, "ar", len=0, lock=1).send(3, "r", data=0x1000, resp=EXOKAY, last=1)
        .send(5, "aw", len=0, lock=1).send(6, "w", last=1).send(8, "b", resp=EXOKAY)
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", LEGAL)
def test_what_is_legal_passes(name: str) -> None:
    LEGAL[name]().check()


def test_a_line_cache_within_its_promises_passes() -> None:
    judged = s().read(1, data_at=10).read(2, id=1, data_at=20).read(3, data_at=30).check(LINES, LINES)
    assert judged.rules.reads.most == 3
    assert judged.rules.reads.most_per_id == 2


def test_bursts_are_published_with_their_data() -> None:
    events = s().read(1).write(20, size=2, addr=0x1004, len=1).check().events
    assert [(name, event.cycle, event.word) for name, event in events] == [
        ("addresses", 1, 0x1000), ("lines", 6, 0), ("write_addresses", 20, 0x1004), ("writes", 22, 0x1004),
        ("answers", 24, 0),
    ]  # fmt: skip
    assert events[1][1].beats == ((0x1000, 0), (0x1008, 0), (0x1010, 0), (0x1018, 0))
    assert events[3][1].beats == ((0x55, 0xF0), (0x56, 0x0F))
    assert events[3][1].burst == Burst(0x1004, 2, 2, INCR)


def test_the_first_beat_that_fails_is_told() -> None:
    samples = s().send(1, "ar", len=2).send(3, "r", data=0x1000)
    samples.send(4, "r", resp=SLVERR).send(5, "r", resp=DECERR, last=1)
    assert samples.check().events[-1][1].word == 2


def test_waits_are_counted() -> None:
    judged = s().send(5, "ar", wait=4, len=0).send(20, "r", wait=9, data=0x1000, last=1).check()
    assert judged.rules.channels["ar"].waits == 4
    assert judged.rules.channels["r"].waits == 9
    assert [event.waited for _, event in judged.events] == [4, 9]
