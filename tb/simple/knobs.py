# SPDX-License-Identifier: Apache-2.0
"""What the test ``steered`` can be told: traffic, paces, memory, and what happens beside it."""

from typing import Any

from tb.common.components.pacing import ALWAYS, MemoryPacing, Pacing
from tb.simple.items import Distribution

PACES = {"full": ALWAYS, "bursts": Pacing(12, 5), "slow": Pacing(1, 6)}
STALLS = Pacing(2, 4)
#: option by name, of each knob
KNOBS: dict[str, dict[str, Any]] = {
    "distribution": {
        "any": Distribution(),
        "hits": Distribution(sets=4, tags=1, again=0.8),
        "conflicts": Distribution(sets=2, tags=4, again=0.2),
        "stores": Distribution(stores=0.9, flushes=0.05),
        "control": Distribution(sets=8, flushes=0.2, invalidations=0.2),
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
