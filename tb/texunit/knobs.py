# SPDX-License-Identifier: Apache-2.0
"""What the test ``steered`` can be told: traffic, pace of each channel, memory, and what happens beside it.

A run takes one option of each knob; coverage closure moves the weights towards options that hit rare bins.
"""

from typing import Any

from tb.common.components.pacing import PACES, memory_paces
from tb.texunit.items import Distribution

#: all sizes, formats and filters, and what each makes rare
DISTRIBUTIONS = {
    "any": Distribution(),
    "tiny": Distribution(log2=(0, 3), edges=0.5, full=0.3),
    "minified": Distribution(log2=(0, 11), lods=(-3, 12), walk=0.2),
    "walk": Distribution(log2=(5, 8), lods=(-2, 0.5), walk=0.95, reach=1),
    "three bytes": Distribution(formats=(1,), filters=(1,), walk=0.5),
    "jumps": Distribution(log2=(4, 7), lods=(-1, 1), walk=0, reach=0.2),
}
_TABLES = {"tables": Distribution(log2=(0, 11), formats=(2, 3), lods=(-1, 1))}
#: option by name, of each knob
KNOBS: dict[str, dict[str, Any]] = {
    "distribution": {
        name: {**DISTRIBUTIONS, **_TABLES}[name]
        for name in ("any", "tiny", "minified", "walk", "three bytes", "tables", "jumps")
    },
    "request": PACES,
    "result": PACES,
    "memory": memory_paces(100),
    "beside": {name: name for name in ("nothing", "errors", "reset both", "reset gpu", "reset tex")},
}
