# SPDX-License-Identifier: Apache-2.0
"""The depth test of Mesa's llvmpipe, headless through EGL, with buffers of 24 and 16 bits and of floats.

Rows count in the order of memory: our y runs down, OpenGL's up, so that y is turned over on the way in.
"""

import ctypes
from functools import cache
from typing import Any

import moderngl
import numpy as np
from numpy.typing import NDArray

from configs.depth import D16, D24X8, D32
from models.depth import ALWAYS, DEPTH_MAX, DEPTH_TEST, DEPTH_WRITE, FUNCTIONS
from workloads.textures.llvmpipe import VERTICES, context

#: compare functions as moderngl writes them
WRITTEN = {
    "never": "0", "less": "<", "equal": "==", "lequal": "<=", "greater": ">", "notequal": "!=",
    "gequal": ">=", "always": "1",
}  # fmt: skip
CORNERS = "#version 330\nin vec4 p; void main() { gl_Position = p; }"
#: how often a pixel passes, by blending, and the number of what passed last
NUMBERED = """#version 330
uniform uint number; layout(location = 0) out float count; layout(location = 1) out uint last;
void main() { count = 1.0 / 255.0; last = number; }"""
GIVEN = """#version 330
uniform sampler2D levels; layout(location = 0) out float count; layout(location = 1) out uint last;
void main() {
    gl_FragDepth = texelFetch(levels, ivec2(gl_FragCoord.xy), 0).x;
    count = 1.0 / 255.0;
    last = 1u;
}"""


#: by format: the largest depth, which stands for 1.0, and what OpenGL calls the buffer; of floats a depth is
#: the word that holds it. moderngl knows buffers of 24 bits alone
BUFFERS = {D24X8: (DEPTH_MAX, 0), D16: (0xFFFF, 0x81A5), D32: (0, 0x8CAC)}
TEXTURE_2D, DEPTH_COMPONENT, FLOAT, DEPTH_SIZE = 0x0DE1, 0x1902, 0x1406, 0x884A


@cache
def opengl() -> ctypes.CDLL:
    """OpenGL's own functions, which act on the context that is current."""
    return ctypes.CDLL("libGL.so.1")


def as_floats(level: NDArray[np.int64], form: int) -> NDArray[np.float32]:
    """Depths as OpenGL takes them."""
    most, _ = BUFFERS[form]
    return (level / most).astype("f4") if most else level.astype("<u4").view("<f4")


class GlDepth:
    """A GL context on the CPU. Raises :class:`configs.UserError` where Mesa is missing."""

    def __init__(self) -> None:
        self._gl = context()
        self._gl.blend_func = moderngl.ONE, moderngl.ONE  # of the count; integers are never blended
        self._given = self._gl.vertex_array(self._gl.program(VERTICES, GIVEN), [])
        self._numbered = self._gl.program(CORNERS, NUMBERED)

    def levels(
        self,
        stored: NDArray[np.int64],
        level: NDArray[np.int64],
        function: int,
        write: bool,
        form: int = D24X8,
    ) -> tuple[NDArray[np.bool_], NDArray[np.int64]]:
        """Which pixels of ``level`` pass against ``stored``, depths [h, w] both, and the buffer after it."""
        target = _Target(self._gl, (stored.shape[1], stored.shape[0]), 0, form)
        self._fill(target, stored, ALWAYS, True)
        self._fill(target, level, function, write)
        return target.count > 1, target.depth

    def _fill(self, target: "_Target", level: NDArray[np.int64], function: int, write: bool) -> None:
        size = level.shape[1], level.shape[0]
        source = self._gl.texture(size, 1, as_floats(level, target.form).tobytes(), dtype="f4")
        source.filter = moderngl.NEAREST, moderngl.NEAREST
        source.use(0)
        target.state(DEPTH_TEST | (DEPTH_WRITE if write else 0), function)
        self._given.render(moderngl.TRIANGLES, vertices=3)

    def triangles(
        self,
        clip: NDArray[np.float64],
        flags: NDArray[np.uint8],
        function: NDArray[np.uint8],
        clear: int,
        size: tuple[int, int],
    ) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
        """How often each pixel passes, the triangle that passed last (from 1), and the buffer; [h, w] all."""
        target = _Target(self._gl, size, clear)
        vertices = (clip * (1, -1, 1, 1)).astype("f4")
        buffer = self._gl.buffer(vertices.tobytes())
        array = self._gl.vertex_array(self._numbered, [(buffer, "4f", "p")])
        for number in range(len(clip)):
            target.state(int(flags[number]), int(function[number]))
            self._numbered["number"] = number + 1
            array.render(moderngl.TRIANGLES, vertices=3, first=3 * number)
        return target.count, target.last, target.depth


class _Target:
    """A framebuffer of count, number and depth, cleared to the depth ``clear``."""

    def __init__(self, gl: Any, size: tuple[int, int], clear: int, form: int = D24X8) -> None:
        self._gl, self._shape, self.form = gl, (size[1], size[0]), form
        self._colours = [gl.texture(size, 1, dtype="f1"), gl.texture(size, 1, dtype="u4")]
        self._depth = gl.depth_texture(size, alignment=1)
        if internal := BUFFERS[form][1]:
            opengl().glBindTexture(TEXTURE_2D, self._depth.glo)
            opengl().glTexImage2D(TEXTURE_2D, 0, internal, *size, 0, DEPTH_COMPONENT, FLOAT, None)
            bits = ctypes.c_int()
            opengl().glGetTexLevelParameteriv(TEXTURE_2D, 0, DEPTH_SIZE, ctypes.byref(bits))
            assert bits.value == {D16: 16, D32: 32}[form], "the buffer is not of the format"
        self._frame = gl.framebuffer(self._colours, self._depth)
        self._frame.use()
        gl.viewport = (0, 0, *size)
        gl.enable(moderngl.BLEND)
        self._frame.clear(depth=float(as_floats(np.array([clear]), form)[0]))

    def state(self, flags: int, function: int) -> None:
        """What the next draw does."""
        (self._gl.enable if flags & DEPTH_TEST else self._gl.disable)(moderngl.DEPTH_TEST)
        self._gl.depth_func = WRITTEN[FUNCTIONS[function]]
        self._frame.depth_mask = bool(flags & DEPTH_WRITE)

    @property
    def count(self) -> NDArray[np.int64]:
        """How often each pixel passed, up to 254."""
        count = np.frombuffer(self._colours[0].read(alignment=1), "u1").reshape(self._shape).astype(np.int64)
        assert count.max() < 255, "the count is saturated"
        return count

    @property
    def last(self) -> NDArray[np.int64]:
        """The number of what passed last."""
        return np.frombuffer(self._colours[1].read(), "u4").reshape(self._shape).astype(np.int64)

    @property
    def depth(self) -> NDArray[np.int64]:
        """The buffer, as the depths that were given."""
        buffer, (most, _) = np.frombuffer(self._depth.read(alignment=1), "<f4"), BUFFERS[self.form]
        words = np.rint(buffer.astype(np.float64) * most) if most else buffer.view("<u4")
        return words.reshape(self._shape).astype(np.int64)
