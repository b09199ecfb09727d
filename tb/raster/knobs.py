# SPDX-License-Identifier: Apache-2.0
"""What the test ``steered`` can be told: scenes, paces, and what happens beside them."""

from typing import Any

from configs.raster.schema import FAN, LINE_STRIP, LINES, POINTS, STRIP, TRIANGLES
from tb.common.components.pacing import PACES
from tb.raster.items import Distribution

#: option by name, of each knob
KNOBS: dict[str, dict[str, Any]] = {
    "distribution": {
        "any": Distribution(),
        "points": Distribution(topologies=(POINTS,), each=12, outside=0.5),
        "lines": Distribution(topologies=(LINES, LINE_STRIP), size=40, round=0.5),
        "short lines": Distribution(topologies=(LINES, LINE_STRIP), size=1.5, round=0.6),
        "triangles": Distribution(topologies=(TRIANGLES, STRIP, FAN), size=40),
        "slivers": Distribution(topologies=(TRIANGLES, STRIP, FAN), size=3, round=0.7, again=0.3),
        "far": Distribution(far=0.05, window=24, outside=0.8),
        "cuts": Distribution(each=6, restarts=0.15, passes=0.15, rebegins=0.1, window=24),
    },
    "request": PACES,
    "result": PACES,
    "beside": {name: name for name in ("nothing", "reset")},
}
