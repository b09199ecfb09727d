# SPDX-License-Identifier: Apache-2.0
"""Planted faults of the AXI4 protocol, over all five channels and both sides."""

from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

from tb.common.components.axi.bursts import EXOKAY, FIXED, SLVERR, WRAP, BurstUse, whole_lines
from tb.common.components.axi.rules import ANY
from tests.tb.axi_samples import PORT, Sampled

LINES = whole_lines(PORT, 32)


class Fault(NamedTuple):
    """A fault of the protocol: who makes it, how, and what must be said about it."""

    name: str
    side: str
    samples: Callable[[], Sampled]
    says: str
    use: BurstUse = ANY


def s() -> Sampled:
    return Sampled()


def x(width: int) -> str:
    return "X" + "0" * (width - 1)


FAULTS = [
    # the handshake, on each channel: the master's three, the memory's two
    Fault("AR withdrawn", "master", lambda: s().set(5, "ar", ready="0"), "m_axi_ar: valid withdrawn"),
    Fault("AW withdrawn", "master", lambda: s().set(5, "aw", ready="0"), "m_axi_aw: valid withdrawn"),
    Fault("W withdrawn", "master", lambda: s().set(5, "w", ready="0"), "m_axi_w: valid withdrawn"),
    Fault(
        "R withdrawn", "memory", lambda: s().send(1, "ar").set(5, "r", ready="0"),
        "m_axi_r: valid withdrawn",
    ),
    Fault(
        "B withdrawn", "memory",
        lambda: s().send(1, "aw", len=0).send(2, "w", last=1).set(5, "b", ready="0"),
        "m_axi_b: valid withdrawn",
    ),
    Fault(
        "AR changed", "master", lambda: s().set(5, "ar", ready="0").set(6, "ar", addr=0x2000),
        "m_axi_ar: data changed while waiting for ready .addr",
    ),
    Fault(
        "AW changed", "master", lambda: s().set(5, "aw", ready="0").set(6, "aw", len=0),
        "m_axi_aw: data changed while waiting for ready .len",
    ),
    Fault(
        "W data changed", "master", lambda: s().set(5, "w", ready="0").set(6, "w", data=1),
        "m_axi_w: data changed while waiting for ready .data",
    ),
    Fault(
        "W strobes changed", "master", lambda: s().set(5, "w", ready="0").set(6, "w", strb=1),
        "m_axi_w: data changed while waiting for ready .strb",
    ),
    Fault(
        "R data changed", "memory",
        lambda: s().send(1, "ar").set(5, "r", ready="0", data=0x1000).set(6, "r", data=0x1001),
        "m_axi_r: data changed while waiting for ready .data",
    ),
    Fault(
        "B changed", "memory",
        lambda: s().send(1, "aw", len=0).send(2, "w", last=1).set(5, "b", ready="0").set(6, "b", resp=SLVERR),
        "m_axi_b: data changed while waiting for ready .resp",
    ),
    Fault("AR valid X", "master", lambda: s().set(5, "ar", valid="X"), "m_axi_ar: valid is X"),
    Fault("W valid Z", "master", lambda: s().set(5, "w", valid="Z"), "m_axi_w: valid is Z"),
    Fault("AW ready X", "memory", lambda: s().set(5, "aw", ready="X"), "m_axi_aw: ready is X"),
    Fault("R ready X", "master", lambda: s().send(1, "ar").set(5, "r", ready="X"), "m_axi_r: ready is X"),
    Fault("address X", "master", lambda: s().set(5, "ar", addr=x(32)), "m_axi_ar: addr is X0+ while valid"),
    Fault("strobes X", "master", lambda: s().set(5, "w", strb=x(8)), "m_axi_w: strb is X0+ while valid"),
    Fault("written data X", "master", lambda: s().set(5, "w", data=x(64), strb=0x80), "m_axi_wdata is X"),
    Fault("data read X", "memory", lambda: s().send(1, "ar").send(5, "r", data=x(64)), "m_axi_rdata is X"),
    Fault(
        "answer X", "memory",
        lambda: s().send(1, "aw", len=0).send(2, "w", last=1).send(5, "b", resp=x(2)),
        "m_axi_b: resp is X0 while valid",
    ),
    # illegal bursts
    Fault(
        "page crossed", "master", lambda: s().send(1, "ar", addr=0x1FF0, len=2),
        "page: .* crosses a 4 KiB",
    ),
    Fault(
        "page crossed by a narrow burst", "master", lambda: s().send(1, "aw", addr=0x1FFF, len=1, size=0),
        "page: .* crosses a 4 KiB",
    ),
    Fault("beat wider than the bus", "master", lambda: s().send(1, "ar", size=4), "size: beats of 16 bytes"),
    Fault("reserved burst type", "master", lambda: s().send(1, "aw", burst=3), "burst: type 3 is reserved"),
    Fault(
        "long FIXED burst", "master", lambda: s().send(1, "ar", burst=FIXED, len=16),
        "FIXED burst of 17 beats",
    ),
    Fault(
        "WRAP of three beats", "master", lambda: s().send(1, "ar", burst=WRAP, len=2),
        "WRAP burst of 3 beats",
    ),
    Fault("WRAP of one beat", "master", lambda: s().send(1, "aw", burst=WRAP, len=0), "WRAP burst of 1 beat"),
    Fault(
        "WRAP unaligned", "master", lambda: s().send(1, "ar", burst=WRAP, addr=0x1004),
        "alignment: a WRAP",
    ),
    Fault("reserved memory type", "master", lambda: s().send(1, "ar", cache=4), "cache: 0b0100 is reserved"),
    Fault(
        "exclusive of 24 bytes", "master", lambda: s().send(1, "ar", lock=1, len=2, cache=2),
        "exclusive: 3 beats, 24 bytes",
    ),
    Fault(
        "exclusive unaligned", "master", lambda: s().send(1, "ar", lock=1, addr=0x1008, cache=2),
        "exclusive: 32 bytes at 0x1008",
    ),
    Fault(
        "exclusive cacheable", "master", lambda: s().send(1, "ar", lock=1, cache=15),
        "to cacheable memory",
    ),
    Fault(
        "exclusive write without its read", "master",
        lambda: s().read(1, lock=1, cache=2, addr=0x1040).write(20, lock=1, cache=2),
        "no exclusive read of the same bytes",
    ),
    Fault(
        "exclusive write before its read has ended", "master",
        lambda: s().read(1, lock=1, cache=2, data_at=30).write(10, lock=1, cache=2),
        "no exclusive read of the same bytes",
    ),
    # data written
    Fault(
        "WLAST early", "master",
        lambda: s().send(1, "aw").send(2, "w").send(3, "w", last=1), "last=1 in beat 2 of 4",
    ),
    Fault(
        "WLAST missing", "master",
        lambda: s().send(1, "aw", len=1).send(2, "w").send(3, "w"), "last=0 in beat 2 of 2",
    ),
    Fault(
        "WLAST early, before the address", "master",
        lambda: s().send(2, "w").send(3, "w", last=1).send(9, "aw"), "last=1 in beat 2 of 4",
    ),
    Fault(
        "strobes beside a narrow beat", "master",
        lambda: s().send(1, "aw", size=1, len=1).send(2, "w", strb=3).send(3, "w", strb=3, last=1),
        "strobes 0x3 outside the lanes 0xc of beat 2",
    ),
    Fault(
        "strobes below an unaligned start", "master",
        lambda: s().send(1, "aw", addr=0x1003, len=0).send(2, "w", last=1),
        "strobes 0xff outside the lanes 0xf8 of beat 1",
    ),
    Fault(
        "data before its address", "master", lambda: s().write(5, beats=[4, 6, 7, 8]),
        "comes before its address is offered", BurstUse(data_first=False),
    ),
    Fault("data without an address", "master", lambda: s().send(1, "w", last=1), "its address never came"),
    # answers
    Fault("B nobody asked for", "memory", lambda: s().send(5, "b"), "nothing was asked for with id 0"),
    Fault(
        "B for another id", "memory",
        lambda: s().send(1, "aw", len=0, id=1).send(2, "w", last=1).send(5, "b"),
        "nothing was asked for with id 0",
    ),
    Fault(
        "B before the last W", "memory",
        lambda: s().send(1, "aw", len=1).send(2, "w").send(5, "b").send(6, "w", last=1),
        "answered before its last beat was taken",
    ),
    Fault(
        "B in the cycle of the last W", "memory",
        lambda: s().send(1, "aw", len=0).send(2, "w", last=1).send(2, "b"), "answered before its last beat",
    ),
    Fault(
        "B offered before the last W", "memory",
        lambda: s().send(1, "aw", len=0).send(4, "w", last=1).send(6, "b", wait=3),
        "answered before its last beat",
    ),
    Fault(
        "B before the address", "memory",
        lambda: s().send(1, "w", last=1).send(4, "b").send(6, "aw", len=0), "nothing was asked for",
    ),
    Fault("two Bs", "memory", lambda: s().write(1).send(30, "b"), "nothing was asked for with id 0"),
    Fault(
        "B with EXOKAY", "memory",
        lambda: s().send(1, "aw", len=0).send(2, "w", last=1).send(5, "b", resp=EXOKAY), "EXOKAY to a write",
    ),
    Fault(
        "B never comes", "memory", lambda: s().send(1, "aw", len=0).send(2, "w", last=1),
        "AXI write of 0x1000 in cycle 1 has not ended",
    ),
    # data read
    Fault("R nobody asked for", "memory", lambda: s().send(5, "r"), "nothing was asked for with id 0"),
    Fault(
        "R offered to nobody", "memory", lambda: s().set(5, "r", ready="0").set(6, "r", ready="0"),
        "nothing was asked for with id 0",
    ),
    Fault(
        "R of an id without an open burst", "memory",
        lambda: s().send(1, "ar", id=1).send(5, "r", id=3), "nothing was asked for with id 3",
    ),
    Fault("R after the last", "memory", lambda: s().read(1).send(20, "r"), "nothing was asked for with id 0"),
    Fault(
        "R with its address", "memory", lambda: s().send(1, "ar").send(1, "r"),
        "before its address was taken",
    ),
    Fault(
        "RLAST early", "memory",
        lambda: s().send(1, "ar").send(3, "r", data=0x1000).send(4, "r", data=0x1008, last=1),
        "last=1 in beat 2 of 4",
    ),
    Fault(
        "RLAST missing", "memory",
        lambda: s().send(1, "ar", len=0).send(3, "r", data=0x1000), "last=0 in beat 1 of 1",
    ),
    Fault(
        "R with EXOKAY", "memory",
        lambda: s().send(1, "ar").send(3, "r", data=0x1000, resp=EXOKAY), "EXOKAY to a read",
    ),
    Fault(
        "bursts of an id exchanged", "memory",
        lambda: s().send(1, "ar", len=0).send(2, "ar", len=0, addr=0x2000).send(5, "r", data=0x2000, last=1),
        "out of order within an id: .* has the data of beat 1 of the read of 0x2000",
    ),
    Fault(
        "beats exchanged", "memory", lambda: s().send(1, "ar").send(3, "r", data=0x1008),
        "out of order within an id: .* has the data of beat 2",
    ),
    Fault(
        "WRAP read like INCR", "memory",
        lambda: s().send(1, "ar", burst=WRAP, addr=0x1018)
        .send(3, "r", data=0x1018).send(4, "r", data=0x1020),
        "expected 0x1000, got 0x1020",
    ),
    Fault("wrong data", "memory", lambda: s().send(1, "ar").send(3, "r", data=1), "expected 0x1000, got 0x1"),
    Fault("R never ends", "memory", lambda: s().send(1, "ar"), "AXI read of 0x1000 in cycle 1 has not ended"),
    # what the block promised
    Fault(
        "short line", "master", lambda: s().send(1, "ar", len=2),
        "expected {'len': 3.*got {'len': 2", LINES,
    ),
    Fault("narrow line", "master", lambda: s().send(1, "ar", size=2), "'size': 3.*'size': 2", LINES),
    Fault(
        "no line's address", "master", lambda: s().send(1, "aw", addr=0x1008),
        "not the address of a", LINES,
    ),
    Fault("WRAP line", "master", lambda: s().send(1, "ar", burst=WRAP), "'burst': 1.*'burst': 2", LINES),
    Fault("privileged line", "master", lambda: s().send(1, "ar", prot=1), "'prot': 0.*'prot': 1", LINES),
    Fault("id not in use", "master", lambda: s().send(1, "ar", id=2), "id 2, below 2 in use", LINES),
    Fault(
        "more of an id than allowed", "master",
        lambda: s().send(1, "ar").send(2, "ar").send(3, "ar", id=1).send(4, "ar"),
        "3 bursts outstanding of id 0, limit 2", LINES,
    ),
    Fault(
        "more writes of an id than allowed", "master",
        lambda: s().send(1, "aw").send(2, "aw").send(3, "aw", id=1).send(4, "aw"),
        "3 bursts outstanding of id 0, limit 2", LINES,
    ),
    Fault(
        "more than allowed in all", "master",
        lambda: s().send(1, "ar").send(2, "ar").send(3, "ar", id=1).send(4, "ar", id=1),
        "4 bursts outstanding, limit 3", replace(LINES, total=3),
    ),
]  # fmt: skip
