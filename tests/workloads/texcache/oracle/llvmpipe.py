# SPDX-License-Identifier: Apache-2.0
"""Makes ``llvmpipe.npz``, the answers of Mesa's llvmpipe that ``test_llvmpipe.py`` compares with ours.

Not part of the tests: it needs Mesa (Debian: apt-get install libegl1 libgl1-mesa-dri)::

    .venv/bin/python tests/workloads/texcache/oracle/llvmpipe.py

The stored file was made with Mesa 22.3.6 (llvmpipe, LLVM 15.0.6, 256 bits), moderngl 5.12.0. Rows of all
pictures count in the order of memory; our y runs down, OpenGL's up, so that y is turned over on the way in.
"""

from pathlib import Path
from typing import Any

import moderngl
import numpy as np
from numpy.typing import NDArray

WIDTH, HEIGHT = 320, 240
PLANE = 128, 96
SAMPLES = 48  # side of the square of samples
OUT = Path(__file__).with_name("llvmpipe.npz")
CORNERS = "#version 330\nin vec4 p; void main() { gl_Position = p; }"
MAPPED = "#version 330\nin vec4 p; in vec2 t; out vec2 uv; void main() { gl_Position = p; uv = t; }"
WHOLE = """#version 330
void main() { gl_Position = vec4(vec2((gl_VertexID & 1) * 4 - 1, (gl_VertexID >> 1) * 4 - 1), 0, 1); }"""
COUNT = "#version 330\nout float c; void main() { c = 1.0 / 255.0; }"
LAST = "#version 330\nout uint c; void main() { c = uint(gl_PrimitiveID) + 1u; }"
TEXTURED = """#version 330
uniform sampler2D tex; in vec2 uv; out vec4 c; void main() { c = texture(tex, uv); }"""
SAMPLED = """#version 330
uniform sampler2D src; uniform sampler2D tex; out vec4 c;
void main() { vec4 s = texelFetch(src, ivec2(gl_FragCoord.xy), 0); c = textureLod(tex, s.xy, s.z); }"""


class Oracle:
    """One context; everything random comes from one seed."""

    def __init__(self) -> None:
        self.gl = moderngl.create_context(standalone=True, backend="egl", require=330)
        self.rng = np.random.default_rng(7)
        self.out: dict[str, Any] = {}

    def target(self, width: int, height: int, components: int, kind: str) -> Any:
        texture = self.gl.texture((width, height), components, dtype=kind)
        self.gl.framebuffer([texture]).use()
        self.gl.clear()
        self.gl.viewport = (0, 0, width, height)
        return texture

    def draw(
        self, clip: NDArray[np.float32], shader: str, components: int, kind: str, size: tuple[int, int]
    ) -> Any:
        """All triangles in order, without a depth test; the picture as bytes."""
        vertices = clip.reshape(-1, 4) * np.array([1, -1, 1, 1], "f4")
        buffers = [(self.gl.buffer(vertices.astype("f4").tobytes()), "4f", "p")]
        target = self.target(*size, components, kind)
        self.gl.vertex_array(self.gl.program(CORNERS, shader), buffers).render(moderngl.TRIANGLES)
        return target.read()

    def coverage(self, name: str, clip: NDArray[np.float32]) -> None:
        """How often each pixel is drawn, and by which triangle last (counting from 1)."""
        self.gl.enable(moderngl.BLEND)
        self.gl.blend_func = moderngl.ONE, moderngl.ONE
        count = np.frombuffer(self.draw(clip, COUNT, 1, "f1", (WIDTH, HEIGHT)), "u1")
        self.gl.disable(moderngl.BLEND)
        last = np.frombuffer(self.draw(clip, LAST, 1, "u4", (WIDTH, HEIGHT)), "u4").astype("u2")
        self.out |= {
            f"{name}_clip": clip,
            f"{name}_count": count.reshape(HEIGHT, WIDTH),
            f"{name}_last": last.reshape(HEIGHT, WIDTH),
        }

    def texture(self, side: int, wrap: str, mip: str) -> tuple[Any, NDArray[np.uint8]]:
        """A texture whose levels are independent noise, and the texels of all levels [n, 4]."""
        texture = self.gl.texture((side, side), 4, dtype="f1")
        texture.build_mipmaps()
        levels = [
            self.rng.integers(0, 256, (side >> i, side >> i, 4), np.uint8) for i in range(side.bit_length())
        ]
        for number, pixels in enumerate(levels):
            texture.write(pixels.tobytes(), level=number)
        texture.repeat_x = texture.repeat_y = wrap == "repeat"
        minify = moderngl.LINEAR_MIPMAP_LINEAR if mip == "trilinear" else moderngl.LINEAR_MIPMAP_NEAREST
        texture.filter = minify, moderngl.LINEAR
        texture.use(1)
        return texture, np.concatenate([pixels.reshape(-1, 4) for pixels in levels])

    def sampler(self, side: int, wrap: str, mip: str) -> None:
        """Samples at random coordinates with given lambda."""
        where = np.zeros((SAMPLES * SAMPLES, 4), "f4")
        where[:, :2] = self.rng.uniform(-2.3, 3.1, (len(where), 2))
        where[:, 2] = self.rng.uniform(-1, side.bit_length(), len(where))
        _texture, texels = self.texture(side, wrap, mip)
        source = self.gl.texture((SAMPLES, SAMPLES), 4, where.tobytes(), dtype="f4")
        source.filter = moderngl.NEAREST, moderngl.NEAREST
        source.use(0)
        program = self.gl.program(WHOLE, SAMPLED)
        program["src"], program["tex"] = 0, 1
        target = self.target(SAMPLES, SAMPLES, 4, "f1")
        self.gl.vertex_array(program, []).render(moderngl.TRIANGLES, vertices=3)
        key = f"sample_{wrap}_{mip}_{side}"
        self.out |= {
            f"{key}_where": where[:, :3],
            f"{key}_texels": texels,
            f"{key}_rgba": np.frombuffer(target.read(), "u1").reshape(-1, 4),
        }

    def crowd(self, n: int) -> NDArray[np.float32]:
        """Triangles of all sizes and depths, in perspective, some reaching beyond the screen."""
        size = self.rng.choice([0.01, 0.05, 0.3], (n, 1, 1), p=[0.5, 0.35, 0.15])
        clip = np.ones((n, 3, 4))
        clip[..., :2] = self.rng.uniform(-1, 1, (n, 1, 2)) + self.rng.normal(0, 1, (n, 3, 2)) * size
        clip[..., 2] = self.rng.uniform(-0.9, 0.9, (n, 3))
        return (clip * self.rng.uniform(0.3, 5, (n, 3, 1))).astype("f4")

    def ties(self, n: int) -> NDArray[np.float32]:
        """Triangles with corners on pixel centres and borders, all within the screen.

        Across its border llvmpipe clips, and snaps the cuts; ties on a cut side then fall as they may.
        """
        screen = np.array([2 * WIDTH, 2 * HEIGHT])
        corners = self.rng.integers(0, screen, (n, 1, 2)) + self.rng.integers(-30, 30, (n, 3, 2))
        clip = np.ones((n, 3, 4))
        clip[..., :2] = np.clip(corners, 0, screen) / (screen / 2) - 1
        clip[..., 2] = 0
        return clip.astype("f4")

    def mesh(self, points: int) -> NDArray[np.float32]:
        """An irregular net of triangles over the whole screen, without gaps."""
        line = np.linspace(-1.1, 1.1, points)
        x, y = (values + self.rng.normal(0, 0.4 / points, values.shape) for values in np.meshgrid(line, line))
        w = self.rng.uniform(0.5, 3, x.shape)
        p = np.stack([x * w, y * w, 0 * x, w], -1)
        a, b, c, d = p[:-1, :-1], p[1:, :-1], p[1:, 1:], p[:-1, 1:]
        return np.stack([np.stack([a, b, c], 2), np.stack([a, c, d], 2)], 2).reshape(-1, 3, 4).astype("f4")

    def plane(self, mip: str) -> None:
        """A textured plane in strong perspective over the lower part of the screen."""
        near, far = 1.0, 40.0
        corners = {"a": (-1.0, near), "b": (1.0, near), "c": (1.0, far), "d": (-1.0, far)}
        clip = np.array([[x * w, -w * (1.6 / w - 0.6), 0.5 * w, w] for x, w in corners.values()])
        uv = np.array([(x * w * 0.7, w * 0.9) for x, w in corners.values()])
        order = [[0, 1, 2], [0, 2, 3]]
        clip, uv = clip[order].astype("f4"), uv[order].astype("f4")
        _texture, texels = self.texture(64, "repeat", mip)
        program = self.gl.program(MAPPED, TEXTURED)
        program["tex"] = 1
        vertices = np.concatenate([clip * np.array([1, -1, 1, 1], "f4"), uv], axis=-1)
        buffer = self.gl.buffer(vertices.astype("f4").tobytes())
        target = self.target(*PLANE, 4, "f1")
        self.gl.vertex_array(program, [(buffer, "4f 2f", "p", "t")]).render(moderngl.TRIANGLES)
        rgba = np.frombuffer(target.read(), "u1").reshape(PLANE[1], PLANE[0], 4)
        key = f"plane_{mip}"
        self.out |= {f"{key}_clip": clip, f"{key}_uv": uv, f"{key}_texels": texels, f"{key}_rgba": rgba}


def main() -> None:
    """Ask everything and write the file."""
    oracle = Oracle()
    oracle.coverage("crowd", oracle.crowd(700))
    oracle.coverage("ties", oracle.ties(500))
    oracle.coverage("mesh", oracle.mesh(14))
    for side in (64, 16):
        for wrap in ("repeat", "clamp"):
            for mip in ("bilinear", "trilinear"):
                oracle.sampler(side, wrap, mip)
    for mip in ("bilinear", "trilinear"):
        oracle.plane(mip)
    oracle.out["made_with"] = f"{oracle.gl.info['GL_RENDERER']}; {oracle.gl.info['GL_VERSION']}"
    np.savez_compressed(OUT, **oracle.out)
    print(OUT, OUT.stat().st_size, oracle.out["made_with"])


if __name__ == "__main__":
    main()
