# SPDX-License-Identifier: Apache-2.0
"""What the test ``steered`` can be told: traffic, pace of each channel, memory, and what happens beside it.

A run takes one option of each knob; coverage closure moves the weights towards options that hit rare bins.
"""

from typing import Any

from tb.common.components.pacing import PACES, memory_paces
from tb.texcache.sequences import Distribution

#: from nothing but hits to nothing but misses, on a few levels or all, at edges and far beyond
DISTRIBUTIONS = {
    "hits": Distribution(textures=1, span=8, edges=0, far=0),
    "walk": Distribution(textures=2, step=3),
    "local": Distribution(textures=4, span=32),
    "everywhere": Distribution(textures=1000),
    "edges": Distribution(textures=3, edges=1, modes=(1, 1, 1)),
    "far": Distribution(textures=2, far=1),
}
#: option by name, of each knob
KNOBS: dict[str, dict[str, Any]] = {
    "distribution": {**DISTRIBUTIONS, "small levels": Distribution(textures=2, levels=(-1, -2, -3))},
    "request": PACES,
    "result": PACES,
    "memory": memory_paces(60),
    "beside": {name: name for name in ("nothing", "rewrite", "drop", "restart", "errors")},
}
