# SPDX-License-Identifier: Apache-2.0
"""What the test ``steered`` can be told: traffic, pace of each channel, memory, and what happens beside it.

Those of ``texunit``, and traffic of three-byte texels in narrow textures, whose lines meet soonest.
"""

from typing import Any

from tb.texunit.items import Distribution
from tb.texunit.knobs import DISTRIBUTIONS as THEIRS
from tb.texunit.knobs import KNOBS as THEIR_KNOBS

DISTRIBUTIONS = {**THEIRS, "narrow": Distribution(log2=(2, 4), formats=(1,), filters=(1,), lods=(-2, 1))}
#: option by name, of each knob
KNOBS: dict[str, dict[str, Any]] = {
    **THEIR_KNOBS,
    "distribution": {**THEIR_KNOBS["distribution"], "narrow": DISTRIBUTIONS["narrow"]},
}
