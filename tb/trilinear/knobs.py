# SPDX-License-Identifier: Apache-2.0
"""What the test ``steered`` can be told: traffic, paces, memory, and what happens beside it."""

from tb.common.components.pacing import request_knobs
from tb.texcache.sequences import Distribution as Footprints
from tb.trilinear.items import Distribution

#: option by name, of each knob
KNOBS = request_knobs(
    {
        "any": Distribution(Footprints(textures=3, span=32)),
        "hits": Distribution(
            Footprints(textures=1, span=8, edges=0, far=0), tables=0, invalidations=0, apart=0
        ),
        "walk": Distribution(Footprints(textures=2, step=2), tables=0),
        "everywhere": Distribution(Footprints(textures=1000)),
        "edges": Distribution(Footprints(textures=3, edges=1, modes=(1, 1, 1))),
        "control": Distribution(Footprints(textures=2, span=16), tables=0.2, invalidations=0.1),
        "single": Distribution(Footprints(textures=2, span=32), single=0.8),
    },
    writes=False,
)
