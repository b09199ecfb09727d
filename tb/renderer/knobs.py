# SPDX-License-Identifier: Apache-2.0
"""What the test ``steered`` can be told: scenes, paces, memory, and what happens beside them."""

from configs.raster.schema import FAN, LINE_STRIP, LINES, POINTS, STRIP, TRIANGLES
from tb.common.components.pacing import request_knobs
from tb.raster.items import Distribution as Shapes
from tb.renderer.items import Distribution
from tb.texunit.items import Distribution as Textures

#: option by name, of each knob
KNOBS = request_knobs(
    {
        "any": Distribution(),
        "small": Distribution(Shapes(window=16, size=6, passes=0)),
        "lines": Distribution(Shapes(topologies=(POINTS, LINES, LINE_STRIP), window=32, size=24, passes=0)),
        "triangles": Distribution(Shapes(topologies=(TRIANGLES, STRIP, FAN), window=32, size=32, passes=0)),
        "barriers": Distribution(passes=0.2, tiles=4),
        "one state": Distribution(each=60, kept=1.0),
        "many states": Distribution(each=1.0, kept=0.2),
        "everywhere": Distribution(textures=Textures(log2=(4, 8), walk=0.1)),
    }
)
