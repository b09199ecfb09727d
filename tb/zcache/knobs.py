# SPDX-License-Identifier: Apache-2.0
"""What the test ``steered`` can be told: traffic, paces, memory, and what happens beside it."""

from tb.common.components.pacing import request_knobs
from tb.zcache.items import Distribution

#: option by name, of each knob
KNOBS = request_knobs(
    {
        "any": Distribution(),
        "local": Distribution(sets=3, tags=2, again=0.6),
        "rivals": Distribution(sets=1, tags=12, again=0.1),
        "walk": Distribution(walk=0.8, again=0.1, full=0.8),
        "unseen": Distribution(sets=2, tags=8, empty=0.4, killed=0.4),
        "barriers": Distribution(sets=4, flushes=0.15, clears=0.1, bases=0.1, tiles=4),
    }
)
