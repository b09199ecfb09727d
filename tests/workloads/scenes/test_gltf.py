# SPDX-License-Identifier: Apache-2.0
"""glTF files that are not what they say: one line names file, entry and problem."""

from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from configs import UserError
from tests.workloads.scenes.gltf_models import Change, Model, triangle
from workloads.scenes.loader import load_scene


def at(*path: str | int, **values: Any) -> Change:
    """A change of the entry at ``path``."""

    def change(tree: dict[str, Any]) -> None:
        entry: Any = tree
        for step in path:
            entry = entry[step]
        entry.update(values)

    return change


def with_camera(**lens: float) -> Change:
    def change(tree: dict[str, Any]) -> None:
        tree["cameras"] = [{"type": "perspective", "perspective": {"yfov": 1.0, "znear": 0.1} | lens}]
        tree["nodes"].append({"camera": 0, "translation": [0, 0, 3]})
        tree["scenes"][0]["nodes"].append(1)

    return change


def several_parents(tree: dict[str, Any]) -> None:
    tree["nodes"] += [{"children": [0]}, {"children": [0]}]


def test_a_buffer_in_a_file_of_its_own(tmp_path: Path) -> None:
    model = triangle()
    (tmp_path / "my data.bin").write_bytes(model.data)
    path = model.write(tmp_path, change=at("buffers", 0, uri="my%20data.bin"))
    assert len(load_scene(path).meshes) == 1
    (tmp_path / "my data.bin").write_bytes(model.data[:-1])
    with pytest.raises(UserError, match=r"buffers\.0: byteLength is 66, .*my data.bin ends after 65 bytes"):
        load_scene(path)
    (tmp_path / "my data.bin").unlink()
    with pytest.raises(UserError, match=r"buffers\.0: .*my data.bin does not exist"):
        load_scene(path)


def test_a_short_buffer_of_a_glb_file(tmp_path: Path) -> None:
    path = tmp_path / "m.glb"
    path.write_bytes(triangle().glb())
    assert len(load_scene(path).meshes) == 1
    path.write_bytes(triangle().glb(40))
    with pytest.raises(UserError, match=r"m.glb: buffers\.0: byteLength is 66, but the file's own"):
        load_scene(path)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (at("accessors", 0, count=-3), r"accessors\.0: count is -3"),
        (at("accessors", 0, count=10**9), r"accessors\.0: count is 1000000000; at most 15,000,000"),
        (at("accessors", 1, count=2), r"primitives\.0: TEXCOORD_0 has 2 elements, POSITION 3"),
        (at("accessors", 2, componentType=1), r"accessors\.2: is 'SCALAR' of 1; it must be SCALAR of a"),
        (at("accessors", 2, componentType=5122), r"primitives\.0: indices are no unsigned integers"),
        (at("accessors", 1, bufferView=9), r"accessors\.1: names number 9 of bufferViews; the file has 3"),
        (at("bufferViews", 1, byteOffset=50), r"bufferViews\.1: bytes 50 to 74 of a buffer of 66"),
        (at("bufferViews", 1, buffer=1), r"bufferViews\.1: names number 1 of buffers; the file has 1"),
        (at("meshes", 0, "primitives", 0, material=4), r"primitives\.0: names number 4 of materials"),
        (at("meshes", 0, "primitives", 0, indices="x"), r"primitives\.0\.indices: names number 'x' of"),
        (at("images", 0, uri="data:image/png;base64,!"), r"images\.0: its data URI is no base64"),
        (at("buffers", 0, byteLength=10**13), r"buffers\.0: byteLength is 10000000000000, but its data ends"),
        (at("buffers", 0, byteLength=-1), r"buffers\.0: byteLength is -1; it must be a whole number"),
        (at("bufferViews", 0, byteStride=1.5), r"bufferViews\.0: byteStride is 1\.5; it must be a"),
        (at("bufferViews", 0, byteStride=8), r"accessors\.0: byteStride of its view is 8, but an"),
        (at("meshes", 0, primitives=[{}]), r"is not a glTF 2\.0 file \(an entry has no 'attributes'\)"),
        (at("accessors", 0, count=10**6), r"accessors\.0: 1000000 elements end at byte 12000000 of"),
        (at("accessors", 0, type="VEC2"), r"accessors\.0: is 'VEC2' of 5126; it must be VEC3 of a"),
        (at("meshes", 0, "primitives", 0, mode=7), r"primitives\.0: mode is 7; it must be 0 to 6"),
        (at("asset", version="1.0"), r"asset: version 1\.0: glTF 2\.0 is read"),
        (several_parents, r"nodes\.0: is a child of several nodes"),
        (at("images", 0, uri="m.gltf"), r"images\.0: image .*m.gltf: cannot be read as an image"),
        (at("scenes", 0, nodes=[7]), r"scenes\.0: names number 7 of nodes; the file has 1"),
        (at("nodes", 0, children=[0]), "nodes: form a loop"),
        (at("nodes", 0, matrix=[1, 2]), r"nodes\.0: matrix: needs 16 numbers"),
        (at("nodes", 0, scale=[float("inf"), 1, 1]), r"nodes\.0: scale: needs 3 numbers"),
        (at("nodes", 0, scale=[1e300, 1, 1]), r"triangle 0: a corner at \(1e\+300, 0, 0\)"),
        (with_camera(zfar=float("inf")), r"cameras\.0: camera: near=0.1, far=inf"),
        (with_camera(yfov=float("nan")), r"cameras\.0: camera: .*fov_y=nan"),
    ],
)  # fmt: skip
def test_an_entry_that_is_wrong_is_named(tmp_path: Path, change: Change, words: str) -> None:
    with pytest.raises(UserError, match=words) as error:
        load_scene(triangle().write(tmp_path, change=change))
    assert "m.gltf" in str(error.value) and "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("model", "words"),
    [
        (triangle(last=9), r"primitives\.0: index 2 is 9, but there are 3 vertices"),
        (triangle(corner=float("nan")), "triangle 0: a corner at"),
        (triangle(corner=float("inf")), "triangle 0: a corner at"),
        (
            triangle(corner=1e30),
            r"triangle 0: a corner at \(1e\+30, 0, 0\); all numbers must be below 1e\+12",
        ),
    ],
)
def test_numbers_that_are_wrong(tmp_path: Path, model: Model, words: str) -> None:
    with pytest.raises(UserError, match=words):
        load_scene(model.write(tmp_path))


def test_json_too_deep_to_read(tmp_path: Path) -> None:
    path = tmp_path / "m.gltf"
    path.write_text("[" * 100_000)
    with pytest.raises(UserError, match=r"m\.gltf: is not a glTF 2.0 file"):
        load_scene(path)


def test_an_image_with_too_many_pixels(tmp_path: Path) -> None:
    path = triangle().write(tmp_path, change=at("images", 0, uri="t.png"))
    Image.new("1", (16384, 16384)).save(tmp_path / "t.png")
    with pytest.raises(UserError, match=r"images\.0: image .*t.png: has too many pixels; scale it down"):
        load_scene(path)
