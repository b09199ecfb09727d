# SPDX-License-Identifier: Apache-2.0
"""What the test ``steered`` can be told: traffic, paces, memory, and what happens beside it."""

from typing import Any

from tb.common.components.pacing import ALWAYS, MemoryPacing, Pacing
from tb.icache.items import Distribution

PACES = {"full": ALWAYS, "bursts": Pacing(12, 5), "slow": Pacing(1, 6)}
STALLS = Pacing(2, 4)
#: option by name, of each knob
KNOBS: dict[str, dict[str, Any]] = {
    "distribution": {
        "any": Distribution(),
        "hits": Distribution(sets=1, tags=-2, again=0.5, policies=0),
        "conflicts": Distribution(sets=1, tags=3, again=0.2),
        "control": Distribution(bases=0.1, states=0.1, invalidations=0.1, policies=0.1),
        "far": Distribution(bases=0.1, far=True),
    },
    "request": PACES,
    "result": PACES,
    "memory": {
        "exact": MemoryPacing(),
        "jitter": MemoryPacing(60),
        "stalls": MemoryPacing(9, STALLS, STALLS),
    },
    "beside": {name: name for name in ("nothing", "errors", "reset")},
}
