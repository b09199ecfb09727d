# SPDX-License-Identifier: Apache-2.0
"""Texture sampling by Mesa's llvmpipe, headless through EGL: a renderer that nobody here wrote.

Samples are drawn as pixels: their coordinates come from a float texture, so that a sample of ours and one of
llvmpipe's start from the same numbers.
"""

from collections.abc import Sequence
from typing import Any

import moderngl
import numpy as np
from numpy.typing import NDArray

from configs import UserError
from models.sampler import BILINEAR, NEAREST, TRILINEAR

WRAP, CLAMP, MIRROR = range(3)
ROW = 512  # quads in a row of the picture that is drawn
FILTERS = {
    NEAREST: (moderngl.NEAREST_MIPMAP_NEAREST, moderngl.NEAREST),
    BILINEAR: (moderngl.LINEAR_MIPMAP_NEAREST, moderngl.LINEAR),
    TRILINEAR: (moderngl.LINEAR_MIPMAP_LINEAR, moderngl.LINEAR),
}
EGL: Any = {"backend": "egl"}  # the stubs of moderngl do not know such settings
VERTICES = """#version 330
void main() { gl_Position = vec4(vec2((gl_VertexID & 1) * 4 - 1, (gl_VertexID >> 1) * 4 - 1), 0, 1); }"""
# GL's own level from the quad's differences, or the level given. Where a coordinate is mirrored the texture
# clamps and the coordinate is folded here, since moderngl has no such wrap mode; differences stay those of
# the coordinates before that.
FRAGMENTS = """#version 330
uniform sampler2D src; uniform sampler2D tex; uniform bvec2 mirror; uniform bool given; out vec4 colour;
void main() {
    vec4 s = texelFetch(src, ivec2(gl_FragCoord.xy), 0);
    vec2 folded = 1 - abs(mod(s.xy, 2.0) - 1);
    vec2 at = vec2(mirror.x ? folded.x : s.x, mirror.y ? folded.y : s.y);
    colour = given ? textureLod(tex, at, s.z) : textureGrad(tex, at, dFdx(s.xy), dFdy(s.xy));
}"""


def context() -> Any:
    """A GL context on the CPU. Raises :class:`UserError` where Mesa is missing."""
    try:
        made: Any = moderngl.create_context(330, standalone=True, **EGL)
    except Exception as error:  # moderngl raises plain Exception for whatever EGL says
        raise UserError(
            f"Mesa's llvmpipe does not start ({error}): install libegl1, libgl1 and libgl1-mesa-dri, "
            "or their like; 'make setup' names the packages"
        ) from None
    driver: str = made.info["GL_RENDERER"]
    if "llvmpipe" not in driver:
        raise UserError(f"OpenGL is {driver}, not llvmpipe: set LIBGL_ALWAYS_SOFTWARE=1")
    return made


class Llvmpipe:
    """Samples of textures. Raises :class:`UserError` where Mesa is missing."""

    def __init__(self) -> None:
        self._gl = context()
        self.driver: str = self._gl.info["GL_RENDERER"]
        self._program = self._gl.program(VERTICES, FRAGMENTS)
        self._program["src"], self._program["tex"] = 0, 1

    def texture(self, levels: Sequence[NDArray[np.uint8]]) -> Any:
        """A texture of ``levels`` [h, w, 4], the largest first and complete."""
        height, width = levels[0].shape[:2]
        texture = self._gl.texture((width, height), 4, dtype="f1")
        texture.build_mipmaps()
        for number, pixels in enumerate(levels):
            texture.write(np.ascontiguousarray(pixels).tobytes(), level=number)
        return texture

    def quads(
        self,
        texture: Any,
        uv: NDArray[np.int64],
        *,
        modes: tuple[int, int],
        filtering: str,
        lod: NDArray[np.float32] | None = None,
    ) -> NDArray[np.uint8]:
        """RGBA [n, 4, 4] of quads with coordinates ``uv`` s16.16 [n, 4, 2]: UL, UR, LL, LR.

        ``lod`` [n, 4]: levels of detail; without them llvmpipe takes its own from the quad's differences.
        """
        count = len(uv)
        rows = max(1, -(-count // ROW))
        source = np.zeros((rows * ROW, 4, 4), "f4")
        source[:count, :, :2] = uv / 65536
        if lod is not None:
            source[:count, :, 2] = lod
        # quad, pixel -> row of quads, lower, quad in it, right
        pixels = source.reshape(rows, ROW, 2, 2, 4).transpose(0, 2, 1, 3, 4)
        size = (2 * ROW, 2 * rows)
        texture.repeat_x, texture.repeat_y = (mode == WRAP for mode in modes)
        texture.filter = FILTERS[filtering]
        places = self._gl.texture(size, 4, np.ascontiguousarray(pixels).tobytes(), dtype="f4")
        places.filter = moderngl.NEAREST, moderngl.NEAREST
        target = self._gl.texture(size, 4, dtype="f1")
        frame = self._gl.framebuffer([target])
        frame.use()
        self._gl.viewport = (0, 0, *size)
        places.use(0)
        texture.use(1)
        self._program["mirror"] = tuple(mode == MIRROR for mode in modes)
        self._program["given"] = lod is not None
        drawn = self._gl.vertex_array(self._program, [])
        drawn.render(moderngl.TRIANGLES, vertices=3)
        colours = np.frombuffer(target.read(), np.uint8).reshape(rows, 2, ROW, 2, 4)
        for resource in (drawn, frame, target, places):
            resource.release()
        return colours.transpose(0, 2, 1, 3, 4).reshape(-1, 4, 4)[:count]
