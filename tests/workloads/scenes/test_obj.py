# SPDX-License-Identifier: Apache-2.0
"""OBJ files as programs and people write them: encodings, indices, groups, names; and wrong ones."""

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from configs import UserError
from configs.raster.schema import BEGIN, TOPOLOGIES, VERTEX
from workloads.raster.vertices import vertex_frame
from workloads.scenes.depth import of_meshes
from workloads.scenes.loader import load_scene
from workloads.scenes.primitives import LINES, POINTS, TRIANGLES
from workloads.scenes.scene import BLEND, CLAMP, Scene

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
        ("2/2 3/3", "2/2 3/3\nl 1", "m.obj:10: l 1: a line has at least two corners"),
        ("v 1 0 0", "v 1 0 0 " + 2**20 * "0", r"m\.obj:4: a line has more than 1,048,576 characters"),
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
        ("newmtl a\nmap_Kd -q 3 t.png\n", "m.mtl:2: map_Kd has no option -q: -blendu"),
        ("newmtl a\nmap_Kd -s x t.png\n", "m.mtl:2: map_Kd -s x: write -s u v"),
        ("newmtl a\nmap_Kd -s 1 -clamp\n", "m.mtl:2: map_Kd -clamp: a value is missing"),
        ("newmtl a\nd much\n", "m.mtl:2: d much: write d and a number from 0 to 1"),
        ("newmtl a\nmap_Kd m.mtl\n", "m.mtl:2: image .*m.mtl: cannot be read as an image"),
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
    line, square = scene.meshes
    assert line.positions[..., :2].tolist() == [[[0, 0], [1, 0], [1, 0]]]
    assert square.positions[..., :2].tolist() == [[[0, 0], [1, 0], [1, 1]], [[0, 0], [1, 1], [0, 1]]]
    assert square.uv[1].tolist() == [[0, 1], [1, 0], [0, 0]]  # rows count from the top


U = "v 0 0 0\nv 3 0 0\nv 3 2 0\nv 2 2 0\nv 2 1 0\nv 1 1 0\nv 1 2 0\nv 0 2 0\n"
ARROW = "v 0 0 0\nv 4 0 4\nv 1 1 1\nv 0 4 0\n"  # in the plane x = z
CROSSED = "v 0 0 0\nv 1 1 0\nv 1 0 0\nv 0 1 0\n"


@pytest.mark.parametrize(
    ("corners", "face", "count", "area"),
    [
        (U, "1 2 3 4 5 6 7 8", 6, 5.0),
        (U, "8 7 6 5 4 3 2 1", 6, 5.0),
        (U, "4 5 6 7 8 1 2 3", 6, 5.0),
        (ARROW, "1 2 3 4", 2, 4 * 2**0.5),
        (ARROW, "2 3 4 1", 2, 4 * 2**0.5),
        (U, "1 2 3 8", 2, 6.0),  # convex: a fan from its first corner
        (U, "1 1 2 3 8", 3, 6.0),
        (U, "1 2 2", 1, 0.0),
        (CROSSED, "1 2 3 4", 2, 1.0),  # its edges cross: a fan, too
    ],
)
def test_polygons_are_covered(tmp_path: Path, corners: str, face: str, count: int, area: float) -> None:
    """By triangles that face as the polygon does, with the texture coordinates of its corners."""
    uv = "".join(line.replace("v ", "vt ", 1) + "\n" for line in corners.splitlines())
    words = " ".join(f"{corner}/{corner}" for corner in face.split())
    (mesh,) = load(tmp_path, f"{HEAD}{corners}{uv}f {words}\n").meshes
    normals = np.cross(*np.moveaxis(mesh.positions[:, 1:] - mesh.positions[:, :1], 1, 0))
    assert len(mesh.positions) == count
    assert np.linalg.norm(normals, axis=1).sum() / 2 == pytest.approx(area)
    assert (mesh.uv == mesh.positions[..., :2] * (1, -1) + (0, 1)).all()
    if corners != CROSSED:
        assert np.linalg.norm(normals.sum(axis=0)) / 2 == pytest.approx(area), "all face the same way"


def test_comments_behind_numbers_and_names(tmp_path: Path) -> None:
    text = TRIANGLE.replace("\n", " # of mine\n").replace("usemtl a", "usemtl a #1")
    library = "newmtl a #2 # another\nnewmtl a #1 # the first\nKd 1 1 1 # white\nmap_Kd t.png # an image\n"
    scene = load(tmp_path, text, library)
    assert (triangles(scene), scene.textures[0].side, scene.notes) == ([1], 8, ())


def test_options_of_images(tmp_path: Path) -> None:
    library = "newmtl a\nmap_Kd -clamp on -colorspace sRGB -s 2 3 1 -mm 0 1 -o 0.5 -bm 1 t.png\n"
    (mesh,) = load(tmp_path, TRIANGLE, library).meshes
    assert (mesh.wrap_u, mesh.wrap_v) == (CLAMP, CLAMP)
    assert mesh.uv.tolist() == [[[0.5, 1], [2.5, 1], [0.5, -2]]]


def test_materials_without_an_image_and_with_other_ones(tmp_path: Path) -> None:
    scene = load(tmp_path, TRIANGLE, "newmtl a\nKd 1 0 0\nd 0.5\nmap_Kd\nmap_Bump t.png\n")
    assert (scene.textures[0].side, scene.meshes[0].draw) == (1, BLEND)
    assert [note.rpartition(":")[2] for note in scene.notes] == [
        " map_Kd names no image; drawn in the colour of the material",
        " map_Bump",
    ]


def test_names_in_other_case(tmp_path: Path) -> None:
    """One file that fits is taken, of two none."""
    (tmp_path / "Maps").mkdir()
    Image.new("RGB", (4, 4)).save(tmp_path / "Maps" / "Wall.PNG")
    (tmp_path / "Walls.MTL").write_text("newmtl a\nmap_Kd maps\\wall.png\n")
    text = TRIANGLE.replace("m.mtl", "walls.mtl").replace("\nf ", "\nF ").replace("usemtl", "UseMtl")
    scene = load(tmp_path, text)
    assert (scene.textures[0].name, scene.textures[0].side, scene.notes) == ("Wall", 4, ())
    Image.new("RGB", (4, 4)).save(tmp_path / "Maps" / "WALL.png")
    assert load(tmp_path, text).textures[0].name == "checker"
    (note, _) = load(tmp_path, TRIANGLE.replace("m.mtl", "x\0y" + "z" * 300)).notes
    assert note.startswith("line 1: its material file ") and len(note) < 300


def test_lines_and_points_are_drawn_by_depth_blocks_alone(tmp_path: Path) -> None:
    scene = load(tmp_path, TRIANGLE + "l 1/1 2/2 3/3\nl 2 3\np 1 2 3\ncurv 0 1 1 2\n")
    assert [(mesh.primitive, len(mesh.positions)) for mesh in scene.meshes] == [
        (TRIANGLES, 1), (LINES, 2), (LINES, 1), (POINTS, 3),
    ]  # fmt: skip
    assert "lines left out: 1 of curv" in scene.notes
    assert scene.solid().notes[-1] == "6 points and lines are not textured: left out"
    words = vertex_frame(of_meshes(scene), 64, 48).words
    begun = words["topology"][words["op"] == BEGIN]
    assert [TOPOLOGIES[number] for number in begun] == ["triangles", "lines", "points"]
    assert (words["op"] == VERTEX).sum() == 3 + 2 * 3 + 3


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


def test_materials_that_are_nowhere_are_noted(tmp_path: Path) -> None:
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
