# SPDX-License-Identifier: Apache-2.0
"""What the test ``steered`` can be told: traffic, paces, memory, and what happens beside it."""

from tb.common.components.pacing import request_knobs
from tb.lpas.items import Distribution

#: option by name, of each knob
KNOBS = request_knobs(
    {
        "any": Distribution(),
        "local": Distribution(local=0.9, hot=0, tags=1, again=0.5),
        "hot": Distribution(hot=0.9, tags=1),
        "uniform": Distribution(local=0, hot=0, tags=1, sets=1),
        "conflicts": Distribution(sets=1, tags=4, again=0.1),
        "control": Distribution(outside=0.4, flushes=0.2),
    }
)
