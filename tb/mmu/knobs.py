# SPDX-License-Identifier: Apache-2.0
"""What the test ``steered`` can be told: traffic, paces, memory, and what happens beside it."""

from typing import Any

from tb.common.components.pacing import ALWAYS, MemoryPacing, Pacing
from tb.dcache.items import Distribution as DcacheDistribution
from tb.icache.items import Distribution as IcacheDistribution
from tb.mmu.items import Distribution

PACES = {"full": ALWAYS, "bursts": Pacing(12, 5), "slow": Pacing(1, 6)}
STALLS = Pacing(2, 4)
#: option by name, of each knob
KNOBS: dict[str, dict[str, Any]] = {
    "distribution": {
        "any": Distribution(),
        "memory": Distribution(IcacheDistribution(sets=1), DcacheDistribution(sets=1, tags=3), shared=0.0),
        "shared": Distribution(data=DcacheDistribution(full=0.8, states=0.0), shared=1.0),
        "one bank": Distribution(data=DcacheDistribution(full=0.8), shared=0.9, rows=8, banks=1),
    },
    "request": PACES,
    "result": PACES,
    "memory": {
        "exact": MemoryPacing(),
        "jitter": MemoryPacing(60),
        "stalls": MemoryPacing(9, STALLS, STALLS, STALLS, STALLS, STALLS),
    },
    "beside": {name: name for name in ("nothing", "errors", "reset")},
}
