# SPDX-License-Identifier: Apache-2.0
"""OBJ files as programs and people write them: encodings, indices, groups, names; and wrong ones."""

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from configs import UserError
from workloads.scenes.loader import load_scene
from workloads.scenes.scene import Scene

HEAD = "mtllib m.mtl\nusemtl a\n"
CORNERS = "v 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nvt 1 0\nvt 0 1\n"
TRIANGLE = f"{HEAD}{CORNERS}f 1/1 2/2 3/3\n"


def load(folder: Path, text: str | bytes, library: str | bytes = "newmtl a\nmap_Kd t.png\n") -> Scene:
    """The scene of an OBJ file ``text`` with a material file and an image."""
    for name, content in (("m.obj", text), ("m.mtl", library)):
        (folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    Image.new("RGB", (8, 8), (200, 10, 10)).save(folder / "t.png")
    return load_scene(folder / "m.obj")


def triangles(scene: Scene) -> list[int]:
    return [len(mesh.positions) for mesh in scene.meshes]


@pytest.mark.parametrize(
    ("line", "by", "words"),
    [
        ("v 1 0 0", "v 1", "m.obj:4: v 1: write v x y z"),
        ("v 1 0 0", "v a b c", "m.obj:4: v a b c: write"),
        ("v 1 0 0", "v inf 0 0", "m.obj:4: v inf 0 0: write v x y z with finite"),
        ("v 1 0 0", "v 0 nan 0", "m.obj:4: v 0 nan 0: write"),
        ("v 1 0 0", "v 1e400 0 0", "m.obj:4: v 1e400 0 0: write"),
        ("v 1 0 0", "v 1e300 0 0", r"m.obj: a, triangle 0: a corner at \(1e\+300, 0, 0\)"),
        ("vt 1 0", "vt nan 0", "m.obj:7: vt nan 0: write vt u v"),
        ("vt 1 0", "vt", "m.obj:7: vt: write vt u v"),
        ("vt 1 0", "vt -1e13 0", r"m.obj: a, triangle 0: texture coordinates at \(-1e\+13, 1\)"),
        ("2/2 3/3", "2/2", "m.obj:9: f 1/1 2/2: a face has at least three corners"),
        ("2/2 3/3", "2/2 9/3", "m.obj:9: a face names v number 9; the file has 3"),
        ("2/2 3/3", "2/2 3/4", "m.obj:9: a face names vt number 4; the file has 3"),
        ("2/2 3/3", "2/2 0/3", "m.obj:9: face corner 0/3: write v, v/vt"),
        ("2/2 3/3", "2/2 -4/3", "m.obj:9: face corner -4/3"),
        ("2/2 3/3", "2/2 3/x", "m.obj:9: face corner 3/x"),
        ("2/2 3/3", f"2/2 {'9' * 50}/3", f"m.obj:9: face corner {'9' * 50}/3: write"),
        ("2/2 3/3", f"2/2 {'9' * 5000}/3", r"m.obj:9: face corner 9{80}\.\.\. \(5002 characters\)"),
        ("m.mtl", "gone.mtl", "m.obj:1: its material file .*gone.mtl does not exist"),
        ("m.mtl", "x\0y" + "z" * 300, "m.obj:1: its material file"),
    ],
)  # fmt: skip
def test_a_line_that_is_wrong_is_named(tmp_path: Path, line: str, by: str, words: str) -> None:
    assert line in TRIANGLE
    with pytest.raises(UserError, match=words) as error:
        load(tmp_path, TRIANGLE.replace(line, by))
    assert "\n" not in str(error.value) and len(str(error.value)) < 600


@pytest.mark.parametrize(
    ("library", "words"),
    [
        ("newmtl a\nKd 1 x 0\n", "m.mtl:2: Kd 1 x 0: write Kd r g b"),
        ("newmtl a\nKd nan 0 0\n", "m.mtl:2: Kd nan 0 0: write"),
        ("newmtl a\n\nmap_Kd none.png\n", "m.mtl:3: image .*none.png does not exist"),
        ("newmtl a\nmap_Kd m.mtl\n", "m.mtl:2: image .*m.mtl: cannot be read as an image"),
        ("newmtl a\nmap_Kd\n", "m.mtl:2: image .* does not exist"),
    ],
)
def test_a_line_of_a_material_file_that_is_wrong_is_named(tmp_path: Path, library: str, words: str) -> None:
    with pytest.raises(UserError, match=words):
        load(tmp_path, TRIANGLE, library)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "latin-1", "utf-16"])
def test_names_and_comments_in_any_encoding(tmp_path: Path, encoding: str) -> None:
    text = "# Möbel\no Stühle\n" + TRIANGLE.replace("usemtl a", "usemtl café")
    scene = load(tmp_path, text.encode(encoding), "newmtl café\nmap_Kd t.png\n".encode(encoding))
    assert (triangles(scene), scene.textures[0].side, scene.notes) == ([1], 8, ())


def test_bytes_that_are_text_in_no_encoding(tmp_path: Path) -> None:
    assert triangles(load(tmp_path, b"# \x80\xff\x00\n" + TRIANGLE.encode())) == [1]


def test_faces_with_and_without_coordinates_in_one_material(tmp_path: Path) -> None:
    scene = load(tmp_path, TRIANGLE + "f 1 2 3\nf 1/1 2/2 3\nf 1//1 2//1 3//1\nf 3/3 2/2 1/1\n")
    assert triangles(scene) == [2, 3]
    assert [scene.textures[mesh.texture].side for mesh in scene.meshes] == [8, 1]
    assert scene.notes == ("a, 3 triangles of 5: an image but no texture coordinates; drawn in one colour",)
    assert scene.meshes[0].uv.any() and not scene.meshes[1].uv.any()


def test_negative_numbers_count_back_from_where_they_stand(tmp_path: Path) -> None:
    again = "v 5 0 0\nv 6 0 0\nv 5 1 0\nvt 0 0\nvt 0.5 0\nvt 0 0.5\nf -3/-3 -2/-2 -1/-1\n"
    scene = load(tmp_path, TRIANGLE.replace("f 1/1 2/2 3/3", "f -3/-3 -2/-2 -1/-1") + again)
    assert scene.meshes[0].positions[:, :, 0].tolist() == [[0, 1, 0], [5, 6, 5]]
    assert scene.meshes[0].uv[:, :, 0].tolist() == [[0, 1, 0], [0, 0.5, 0]]


def test_polygons_long_lines_and_other_programs_habits(tmp_path: Path) -> None:
    text = f"g\to\n{HEAD}{CORNERS}v 1 1 0 1\nvt 1 1 0\nvt 0.25\nvn 0 0 1\ns off\nl 1 2\n"
    text += "f 1/1/1 \\\n  2/2/1 4/4/1 3/3/1\n"
    scene = load(tmp_path, text.replace("\n", "\r\n").replace("v 1 0 0", "\tv  1 0 0"))
    assert scene.meshes[0].positions[..., :2].tolist() == [[[0, 0], [1, 0], [1, 1]], [[0, 0], [1, 1], [0, 1]]]
    assert scene.meshes[0].uv[1].tolist() == [[0, 1], [1, 0], [0, 0]]  # rows count from the top


def test_where_material_files_and_images_may_lie(tmp_path: Path) -> None:
    (tmp_path / "my materials").mkdir()
    Image.new("RGB", (4, 4)).save(tmp_path / "my materials" / "b.png")
    (tmp_path / "my materials" / "of mine.mtl").write_text("newmtl a\nmap_Kd b.png\nnewmtl c\nmap_Kd t.png\n")
    text = TRIANGLE.replace("m.mtl", "my materials\\of mine.mtl") + "usemtl c\nf 1/1 2/2 3/3\n"
    scene = load(tmp_path, text)
    assert [scene.textures[mesh.texture].side for mesh in scene.meshes] == [4, 8]
    (tmp_path / "n.mtl").write_text("newmtl b\nKd 0.5\n")
    both = TRIANGLE.replace("m.mtl", "m.mtl n.mtl") + "usemtl b\nf 1/1 2/2 3/3\n"
    scene = load(tmp_path, both)
    assert [texture.levels[0][0, 0].tolist() for texture in scene.textures] == [
        [200, 10, 10, 255], [128, 128, 128, 255],
    ]  # fmt: skip


def test_materials_that_are_nowhere_are_told(tmp_path: Path) -> None:
    scene = load(tmp_path, TRIANGLE.replace("usemtl a", "usemtl b"))
    assert scene.notes == ("material b: no material file has it; drawn in grey",)
    assert (scene.textures[0].levels[0] == (200, 200, 200, 255)).all()
    assert load(tmp_path, CORNERS + "f 1/1 2/2 3/3\n").notes == ("faces before any usemtl; drawn in grey",)


def test_all_corners_are_those_of_the_file(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    vertices, uv = rng.normal(size=(50, 3)), rng.normal(size=(40, 2))
    faces = np.stack([rng.integers(50, size=(80, 3)), rng.integers(40, size=(80, 3))], axis=-1)
    lines = ["v " + " ".join(map(repr, row)) for row in vertices.tolist()]
    lines += ["vt " + " ".join(map(repr, row)) for row in uv.tolist()]
    lines += ["f " + " ".join(f"{v + 1}/{t + 1}" for v, t in face) for face in faces.tolist()]
    (mesh,) = load(tmp_path, HEAD + "\n".join(lines)).meshes
    assert (mesh.positions == vertices[faces[..., 0]]).all()
    assert (mesh.uv == uv[faces[..., 1]] * (1, -1) + (0, 1)).all()
