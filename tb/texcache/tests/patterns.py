# SPDX-License-Identifier: Apache-2.0
"""Every access pattern of ``workloads.texcache.patterns`` as a test ``pattern_<name>`` of ``N`` footprints.

The paper's generator, random addresses within a range in a loop, is among them, as are walks over textured
quads, trilinear pairs, streams, thrashing, and tile orders.
"""

from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from tb.common.components.testcase import register
from tb.texcache.base import TexcacheSequence
from workloads.texcache.patterns import PATTERNS, Pattern


class PatternSequence(TexcacheSequence):
    """Writes the pattern's look-up table."""

    pattern: ClassVar[Pattern]

    def make_table(self) -> NDArray[np.uint32]:
        """The table that goes with the pattern."""
        self.trace = self.pattern.make(self.cfg, self.count, self.rng)
        return self.trace.lut


def _make(pattern: Pattern) -> None:
    async def traffic(run: PatternSequence) -> None:
        await run.send(run.trace.footprints)

    traffic.__name__, traffic.__doc__ = f"pattern_{pattern.name.replace('-', '_')}", pattern.doc
    register(__name__, PatternSequence, traffic, pattern=pattern)


for _pattern in PATTERNS.values():
    _make(_pattern)
