# SPDX-License-Identifier: Apache-2.0
"""Golden models and cache analyses: no simulator in here, every kernel readable Python compiled by numba.

================  ====================================================================================
``<block>``       a block's golden model, access by access or a whole trace at once; what is its own alone
``memory``        contents of memory: a pure function of seed and address, an image, poisoned lines
``lru``           the set-associative core: true LRU over the ways of a set
``streams``       numbers the lines of a look-up stream
``stack``         depths in LRU stacks: the hits of every number of ways from one pass
``belady``        hits of the optimal replacement
``classify``      compulsory, capacity and conflict misses
``rasterizer``    triangles to fragments and quads; ``sampler`` filters texels, ``wrapping`` wraps coordinates
``depth``         the depth test, before texturing or after it
``kernels``       how kernels are compiled and kept
================  ====================================================================================
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray


def records(kind: np.dtype[Any], columns: Mapping[str, NDArray[Any]] | NDArray[Any]) -> NDArray[Any]:
    """Columns [n], or records [n] of another kind, as an array [n] of records; each field has its column."""
    names = kind.names or ()
    array = np.zeros(len(columns[names[0]]) if names else 0, kind)
    for name in names:
        array[name] = columns[name]
    return array
