# SPDX-License-Identifier: Apache-2.0
"""What the test ``steered`` can be told: traffic, paces, memory, and what happens beside it."""

from tb.common.components.pacing import request_knobs
from tb.dcache.items import Distribution

#: option by name, of each knob
KNOBS = request_knobs(
    {
        "any": Distribution(),
        "hits": Distribution(sets=1, tags=-2, again=0.5, policies=0),
        "conflicts": Distribution(sets=1, tags=3, again=0.2),
        "words": Distribution(sets=1, tags=-2, words=1, again=0.7, full=0.6),
        "control": Distribution(cleans=0.1, flushes=0.1, invalidations=0.05, states=0.1, policies=0.1),
    }
)
