# SPDX-License-Identifier: Apache-2.0
"""What the test ``steered`` can be told: traffic, paces, memory, and what happens beside it."""

from tb.common.components.pacing import request_knobs
from tb.icache.items import Distribution

#: option by name, of each knob
KNOBS = request_knobs(
    {
        "any": Distribution(),
        "hits": Distribution(sets=1, tags=-2, again=0.5, policies=0),
        "conflicts": Distribution(sets=1, tags=3, again=0.2),
        "control": Distribution(bases=0.1, states=0.1, invalidations=0.1, policies=0.1),
        "far": Distribution(bases=0.1, far=True),
    },
    writes=False,
)
