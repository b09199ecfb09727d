# SPDX-License-Identifier: Apache-2.0
"""Damaged model files, material files, camera files and images: drawn, or refused in one line."""

import io
import tempfile
import warnings
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from PIL import Image

from configs import UserError
from tests.damage import damaged
from tests.workloads.scenes.gltf_models import triangle
from workloads.scenes.loader import load_scene
from workloads.texunit.quads import quad_frame

OBJ = b"""# a model
mtllib m.mtl
v 0 0 0
v 1.5 0 0
v 0 1 0.25
v 1 1 0
vt 0 0
vt 1 0
vt 0 1
usemtl a
f 1/1 2/2 3/3
f -1/1 -2/2 -3/3 -4/1
usemtl b
f 1 2 3
"""
MTL = b"newmtl a\nKd 1 0.5 0\nmap_Kd t.png\nnewmtl b\nKd 0 0 1\n"
CAMERAS = b'{"near": 0.1, "far": 50, "views": [{"eye": [0.5, 0.5, 2], "look": [0, 0, -1], "fov_y": 60}]}'


def png(mode: str = "RGB") -> bytes:
    file = io.BytesIO()
    Image.new(mode, (9, 5)).save(file, "PNG")
    return file.getvalue()


def jpeg() -> bytes:
    file = io.BytesIO()
    Image.new("RGB", (9, 5)).save(file, "JPEG")
    return file.getvalue()


WHOLE = {"m.obj": OBJ, "m.mtl": MTL, "cameras.json": CAMERAS, "t.png": png()}
KINDS = {
    "m.obj": [OBJ], "m.mtl": [MTL], "cameras.json": [CAMERAS], "m.gltf": [], "m.glb": [triangle().glb()],
    "t.png": [png(), png("P"), png("I;16"), jpeg()],
}  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
def test_a_damaged_file_is_drawn_or_refused(kind: str, tmp_path: Path) -> None:
    contents = KINDS[kind] or [triangle().write(tmp_path).read_bytes()]
    model = kind if kind.startswith("m.gl") else "m.obj"

    @settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
    @given(damaged(contents))
    def check(content: bytes) -> None:
        with tempfile.TemporaryDirectory(dir=tmp_path) as name, warnings.catch_warnings():
            warnings.simplefilter("error")
            folder = Path(name)
            for file, data in {**WHOLE, kind: content}.items():
                (folder / file).write_bytes(data)
            try:
                quad_frame(load_scene(folder / model), 24, 16)
            except UserError as error:
                assert "\n" not in str(error) and len(str(error)) < 1000, str(error)
                assert name in str(error) or "scene m" in str(error), f"which file? {error}"

    check()


def test_the_whole_files_are_drawn(tmp_path: Path) -> None:
    for name, data in WHOLE.items():
        (tmp_path / name).write_bytes(data)
    assert quad_frame(load_scene(tmp_path / "m.obj"), 24, 16).pixels > 50
