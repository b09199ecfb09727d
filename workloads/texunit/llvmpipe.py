# SPDX-License-Identifier: Apache-2.0
"""The samples of a frame of quads by Mesa's llvmpipe."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from models.sampler import BILINEAR, NEAREST, TRILINEAR
from workloads.textures.llvmpipe import Llvmpipe
from workloads.texunit.quads import QuadFrame


def sampled(gl: Llvmpipe, frame: QuadFrame, lod: NDArray[Any] | None = None) -> NDArray[np.uint32]:
    """All samples of ``frame``, packed RGBA8 [n, 4]; ``lod`` [n]: levels instead of llvmpipe's own."""
    textures: dict[int, Any] = {}
    packed = np.zeros((len(frame.quads), 4), np.uint32)
    first = np.searchsorted(frame.prim_of_quad, np.arange(len(frame.prims) + 1))
    for number, prim in enumerate(frame.prims):
        texture = int(frame.texture_of_prim[number])
        if texture not in textures:
            textures[texture] = gl.texture(frame.textures[texture])
        here = slice(first[number], first[number + 1])
        level = None if lod is None else np.repeat(lod[here, None].astype("f4"), 4, axis=1)
        modes = int(prim["mode_u"]), int(prim["mode_v"])
        filtering = TRILINEAR if prim["trilinear"] else BILINEAR if prim["bilinear"] else NEAREST
        colours = gl.quads(
            textures[texture], frame.quads["uv"][here], modes=modes, filtering=filtering, lod=level
        )
        packed[here] = np.ascontiguousarray(colours).view("<u4")[..., 0]
    for texture in textures.values():
        texture.release()
    return packed
