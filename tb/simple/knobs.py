# SPDX-License-Identifier: Apache-2.0
"""What the test ``steered`` can be told: traffic, paces, memory, and what happens beside it."""

from tb.common.components.pacing import request_knobs
from tb.simple.items import Distribution

#: option by name, of each knob
KNOBS = request_knobs(
    {
        "any": Distribution(),
        "hits": Distribution(sets=4, tags=1, again=0.8),
        "conflicts": Distribution(sets=2, tags=4, again=0.2),
        "stores": Distribution(stores=0.9, flushes=0.05),
        "control": Distribution(sets=8, flushes=0.2, invalidations=0.2),
    }
)
