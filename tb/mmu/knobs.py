# SPDX-License-Identifier: Apache-2.0
"""What the test ``steered`` can be told: traffic, paces, memory, and what happens beside it."""

from tb.common.components.pacing import request_knobs
from tb.dcache.items import Distribution as DcacheDistribution
from tb.icache.items import Distribution as IcacheDistribution
from tb.mmu.items import Distribution

#: option by name, of each knob
KNOBS = request_knobs(
    {
        "any": Distribution(),
        "memory": Distribution(IcacheDistribution(sets=1), DcacheDistribution(sets=1, tags=3), shared=0.0),
        "shared": Distribution(data=DcacheDistribution(full=0.8, states=0.0), shared=1.0),
        "one bank": Distribution(data=DcacheDistribution(full=0.8), shared=0.9, rows=8, banks=1),
    }
)
