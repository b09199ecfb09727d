# SPDX-License-Identifier: Apache-2.0
"""What the test ``steered`` can be told: traffic, paces, memory, and what happens beside it."""

from typing import Any

from tb.common.components.pacing import ALWAYS, MemoryPacing, Pacing
from tb.dcache.items import Distribution

PACES = {"full": ALWAYS, "bursts": Pacing(12, 5), "slow": Pacing(1, 6)}
STALLS = Pacing(2, 4)
#: option by name, of each knob
KNOBS: dict[str, dict[str, Any]] = {
    "distribution": {
        "any": Distribution(),
        "hits": Distribution(sets=1, tags=-2, again=0.5, policies=0),
        "conflicts": Distribution(sets=1, tags=3, again=0.2),
        "words": Distribution(sets=1, tags=-2, words=1, again=0.7, full=0.6),
        "control": Distribution(cleans=0.1, flushes=0.1, invalidations=0.05, states=0.1, policies=0.1),
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
