# SPDX-License-Identifier: Apache-2.0
"""Which of AXI4's bursts a block uses: what it promises beyond the protocol."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from configs.parts import AxiPort
from tb.common.components.axi.bursts import INCR, Burst

#: attributes that say the same in every burst: no exclusive access; normal memory, not cacheable, bufferable;
#: unprivileged, secure data; no quality of service
PLAIN: Mapping[str, int] = {"lock": 0, "cache": 0b0011, "prot": 0, "qos": 0}


@dataclass(frozen=True)
class BurstUse:
    """The bursts of one direction.

    ``shapes``: pairs (beats, log2 of a beat's bytes), None for any; ``kinds``: burst types; ``aligned``:
    bytes of which the address is a multiple; ``attributes``: their values in every burst; ``ids``: 0 to
    ``ids`` - 1; ``per_id`` and ``total``: most bursts on their way, None for no limit; ``data_first``:
    whether data may be offered before its address.
    """

    shapes: frozenset[tuple[int, int]] | None = None
    kinds: frozenset[int] | None = None
    aligned: int = 1
    attributes: Mapping[str, int] = field(default_factory=dict)
    ids: int | None = None
    per_id: int | None = None
    total: int | None = None
    data_first: bool = True

    def broken(self, burst: Burst) -> Iterator[str]:
        """Which promises ``burst`` breaks, in words."""
        expected: dict[str, Any] = {}
        got: dict[str, Any] = {}
        shape = (burst.beats, burst.size)
        if self.shapes is not None and shape not in self.shapes:
            nearest = min(self.shapes, key=lambda own: (own[1] != burst.size, abs(own[0] - burst.beats)))
            expected |= {"len": nearest[0] - 1, "size": nearest[1]}
            got |= {"len": burst.beats - 1, "size": burst.size}
        if self.kinds is not None and burst.kind not in self.kinds:
            expected["burst"], got["burst"] = min(self.kinds), burst.kind
        for name, value in self.attributes.items():
            if getattr(burst, name) != value:
                expected[name], got[name] = value, getattr(burst, name)
        if expected:
            yield f"expected {expected}, got {got}"
        if self.ids is not None and burst.id >= self.ids:
            yield f"id {burst.id}, below {self.ids} in use"
        if burst.address % self.aligned:
            yield f"not the address of a line of {self.aligned} bytes"


def whole_lines(port: AxiPort, *line_bytes: int) -> BurstUse:
    """Whole lines of one of these lengths, at most ``port.outstanding`` of each id at a time."""
    size = port.strobe_bits.bit_length() - 1
    return BurstUse(
        shapes=frozenset((port.beats(length), size) for length in line_bytes),
        kinds=frozenset({INCR}),
        aligned=min(line_bytes),
        attributes=PLAIN,
        ids=port.ids,
        per_id=port.outstanding,
    )
