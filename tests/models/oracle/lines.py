# SPDX-License-Identifier: Apache-2.0
"""Makes ``lines.npz``: points and lines of llvmpipe, compared in ``tb/raster/measuring/coverage.py``.

Not part of the tests: it needs Mesa (Debian: apt-get install libegl1 libgl1 libgl1-mesa-dri)::

    .venv/bin/python tests/models/oracle/lines.py

The stored file was made with Mesa 22.3.6 (llvmpipe, LLVM 15.0.6, 256 bits), moderngl 5.12.0. Each point or
line is drawn in a square of its own, so that its pixels can be told from those of the others. The window is a
power of two, so that corners, integers in 1/256 pixel, come through float32 as they are. Rows count in the
order of memory, as OpenGL's y does.
"""

from pathlib import Path
from typing import Any

import moderngl
import numpy as np
from numpy.typing import NDArray

WINDOW = 2048
POINTS, LINES = 3000, 600
OUT = Path(__file__).with_name("lines.npz")
PLACED = "#version 330\nin vec2 p; void main() { gl_Position = vec4(p, 0, 1); gl_PointSize = 1.0; }"
COUNT = "#version 330\nout float c; void main() { c = 1.0 / 255.0; }"


def placed(rng: np.random.Generator, square: int, count: int, ends: int) -> NDArray[np.int64]:
    """Corners [count, ends, 2], each primitive in a square of that side.

    Half of the points lie on centres and borders of pixels. Lines do not: of one that begins on a centre
    llvmpipe can lose the first pixel.
    """
    margin = 4 * 256
    where = rng.integers(margin, square * 256 - margin, (count, ends, 2))
    if ends == 1:
        where[count // 2 :] &= ~127
    per_row = WINDOW // square
    number = np.arange(count)
    corner = np.stack([number % per_row, number // per_row], axis=1) * square * 256
    return np.asarray(where + corner[:, None])


def drawn(gl: Any, corners: NDArray[np.int64], mode: int) -> NDArray[np.uint8]:
    """How often each pixel of the window is drawn, [WINDOW, WINDOW]."""
    target = gl.texture((WINDOW, WINDOW), 1, dtype="f1")
    gl.framebuffer([target]).use()
    gl.clear()
    gl.enable(moderngl.BLEND)
    gl.blend_func = moderngl.ONE, moderngl.ONE
    ndc = (corners.reshape(-1, 2) / 256 + 0.5) / (WINDOW / 2) - 1
    buffer = gl.buffer(ndc.astype("f4").tobytes())
    gl.vertex_array(gl.program(PLACED, COUNT), [(buffer, "2f", "p")]).render(mode)
    return np.frombuffer(target.read(), "u1").reshape(WINDOW, WINDOW)


def main() -> None:
    """Ask everything and write the file."""
    gl = moderngl.create_context(standalone=True, backend="egl", require=330)
    rng = np.random.default_rng(5)
    out: dict[str, Any] = {"made_with": f"{gl.info['GL_RENDERER']}; {gl.info['GL_VERSION']}"}
    kinds = {"points": (32, POINTS, 1, moderngl.POINTS), "lines": (64, LINES, 2, moderngl.LINES)}
    for name, (square, count, ends, mode) in kinds.items():
        corners = placed(rng, square, count, ends)
        picture = drawn(gl, corners, mode)
        assert picture.max() == 1, "a pixel is drawn twice"
        out |= {f"{name}_square": square, f"{name}_corners": corners.astype("i4")}
        out[f"{name}_pixels"] = np.packbits(picture, axis=1)
    np.savez_compressed(OUT, **out)
    print(OUT, OUT.stat().st_size, out["made_with"])


if __name__ == "__main__":
    main()
