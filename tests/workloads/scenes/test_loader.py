# SPDX-License-Identifier: Apache-2.0
"""Model files: an OBJ and a GLB made here, textures, wrap modes and cameras, and all that can be wrong."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import trimesh
from PIL import Image
from trimesh.visual.material import PBRMaterial, SimpleMaterial

from configs import UserError
from workloads.raster.vertices import vertex_frame
from workloads.scenes import loader_part
from workloads.scenes.depth import of_meshes
from workloads.scenes.loader import load_scene, open_scene
from workloads.scenes.scene import BLEND, CLAMP, MIRROR, OPAQUE, REPEAT, Camera, Scene
from workloads.texcache.frame import render, shade
from workloads.texunit.quads import quad_frame

RED, BLUE = (220, 20, 20), (20, 20, 220)


def square_mesh(image: Image.Image, **material: Any) -> trimesh.Trimesh:
    """A unit square in the plane z = 0 that faces +z, its lower left corner at (0, 0), the image upright."""
    vertices = np.array([(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)], float)
    kind = PBRMaterial(baseColorTexture=image, **material) if material else SimpleMaterial(image=image)
    visual = trimesh.visual.TextureVisuals(uv=vertices[:, :2], material=kind)
    return trimesh.Trimesh(vertices, [(0, 1, 2), (0, 2, 3)], visual=visual, process=False)


def two_halves(width: int = 48, height: int = 20) -> Image.Image:
    """An image with a red upper and a blue lower half."""
    image = Image.new("RGB", (width, height), BLUE)
    image.paste(RED, (0, 0, width, height // 2))
    return image


def write_obj(folder: Path) -> Path:
    square_mesh(two_halves()).export(folder / "model.obj")
    return folder / "model.obj"


def write_glb(folder: Path, cameras: int = 0) -> Path:
    """Two squares, one image in two materials: clamped and mirrored; repeating, blended, two-sided."""
    image = two_halves()
    scene = trimesh.Scene()
    scene.add_geometry(square_mesh(image, name="a", alphaMode="OPAQUE"), geom_name="left")
    scene.add_geometry(
        square_mesh(image, name="a", alphaMode="BLEND", doubleSided=True),
        geom_name="right",
        transform=trimesh.transformations.translation_matrix((2, 0, 0)),
    )

    def finish(tree: dict[str, Any]) -> None:
        tree["samplers"] = [{"wrapS": 33071, "wrapT": 33648}, {}]
        for number, texture in enumerate(tree["textures"]):
            texture["sampler"] = number
            texture["source"] = 0
        tree["cameras"] = [
            {"type": "perspective", "perspective": {"yfov": 1.0 + i, "znear": 0.5}} for i in range(cameras)
        ]
        if cameras:  # the first as the child of a moved node, the others, turned, at the origin
            first = len(tree["nodes"])
            turns: list[list[float]] = [[0, 0, 0, 1], *[[0, 0.5**0.5, 0, 0.5**0.5]] * (cameras - 1)]
            tree["nodes"] += [{"camera": i, "rotation": turn} for i, turn in enumerate(turns)]
            tree["nodes"].append({"children": [first], "translation": [0, 0, 5]})
            tree["scenes"][0]["nodes"] += [first + cameras, *range(first + 1, first + cameras)]
        else:
            del tree["cameras"]

    path = folder / "model.glb"
    path.write_bytes(trimesh.exchange.gltf.export_glb(scene, tree_postprocessor=finish))
    return path


def front(scene: Scene, x: float = 0.5) -> Any:
    """The picture of a camera in front of the square at ``x``, which fills it."""
    camera = Camera((x, 0.5, 0.5), (0, 0, -1), fov_y=90, near=0.01)
    whole = Scene(scene.name, scene.meshes, scene.textures, (camera,))
    frame = render(whole, 32, 32)
    return shade(frame, frame.texels())


def test_an_obj_file_with_its_texture(tmp_path: Path) -> None:
    scene = load_scene(write_obj(tmp_path))
    assert scene.name == "model"
    (mesh,) = scene.meshes
    assert mesh.positions.shape == (2, 3, 3)
    assert (mesh.draw, mesh.wrap_u, mesh.wrap_v, mesh.two_sided) == (OPAQUE, REPEAT, REPEAT, True)
    (texture,) = scene.textures
    assert texture.size == (64, 32)
    assert len(scene.notes) == 1
    assert "resized from 48x20 to 64x32" in scene.notes[0]
    picture = front(scene)
    assert picture[4, 16, 0] > 100 > picture[4, 16, 2]  # red above
    assert picture[28, 16, 2] > 100 > picture[28, 16, 0]


def test_the_texture_cache_gets_squares_and_a_note(tmp_path: Path) -> None:
    frame = render(load_scene(write_obj(tmp_path)), 32, 32)
    assert [texture.size for texture in frame.textures] == [(64, 64)]
    assert "1 of 1 textures are not square" in frame.notes[1] and "2 times the texels" in frame.notes[1]
    (tmp_path / "square").mkdir()
    square_mesh(two_halves(32, 32)).export(tmp_path / "square" / "model.obj")
    assert not render(load_scene(tmp_path / "square" / "model.obj"), 32, 32).notes


def test_the_texture_unit_gets_textures_as_they_are(tmp_path: Path) -> None:
    for path in (write_obj(tmp_path), write_glb(tmp_path)):
        frame = quad_frame(load_scene(path), 32, 32)
        assert {(int(prim["log2w"]), int(prim["log2h"]), int(prim["max_lod"])) for prim in frame.prims} == {
            (6, 5, 6)
        }
        assert frame.textures[0][0].shape == (32, 64, 4)
    small = quad_frame(load_scene(path), 32, 32, max_side=16)
    assert {(int(prim["log2w"]), int(prim["log2h"])) for prim in small.prims} == {(4, 3)}


def test_a_glb_file_keeps_wrap_modes_alpha_and_transforms(tmp_path: Path) -> None:
    scene = load_scene(write_glb(tmp_path))
    assert len(scene.textures) == 1, "one image in two materials"
    left, right = sorted(scene.meshes, key=lambda mesh: float(mesh.positions[..., 0].min()))
    assert (left.wrap_u, left.wrap_v, left.draw, left.two_sided) == (CLAMP, MIRROR, OPAQUE, False)
    assert (right.wrap_u, right.wrap_v, right.draw, right.two_sided) == (REPEAT, REPEAT, BLEND, True)
    assert right.positions[..., 0].min() == 2
    assert front(scene)[4, 16, 0] > 100
    assert front(scene, 2.5)[28, 16, 2] > 100


def test_models_without_a_camera_are_framed(tmp_path: Path) -> None:
    scene = load_scene(write_obj(tmp_path))
    frame = render(scene, 64, 48)
    assert 100 < frame.fragments < 64 * 48
    assert 0 < frame.x.min() < frame.x.max() < 63
    assert 0 < frame.y.min() < frame.y.max() < 47


def test_cameras_of_a_glb_file(tmp_path: Path) -> None:
    first, second = load_scene(write_glb(tmp_path, cameras=2)).cameras
    assert first.eye == (0, 0, 5)
    assert first.look == pytest.approx((0, 0, -1))
    assert first.fov_y == pytest.approx(np.degrees(1))
    assert first.near == 0.5
    assert second.eye == (0, 0, 0)
    assert second.look == pytest.approx((-1, 0, 0))  # turned left by a quarter


def test_a_camera_file_wins(tmp_path: Path) -> None:
    path = write_glb(tmp_path, cameras=1)
    content = {"near": 0.2, "far": 50, "units": "any", "views": [{"eye": [1, 2, 3], "look": [0, 0, -1]}] * 3}
    (tmp_path / "cameras.json").write_text(json.dumps(content))
    scene = load_scene(path)
    assert scene.cameras == (Camera((1, 2, 3), (0, 0, -1), near=0.2, far=50.0),) * 3


@pytest.mark.parametrize(
    "content, word",
    [
        ("{", "JSON"),
        ("[]", "the file"),
        ('{"views": []}', "views"),
        ('{"views": [{"eye": [0, 0], "look": [0, 0, 1]}]}', "views.0.eye"),
        ('{"views": [{"eye": [0, 0, 0]}]}', "views.0.look"),
        ('{"views": [{"eye": [0, 0, 0], "look": [0, 0, 0]}]}', "views.0"),
        ('{"views": [{"eye": [0, 0, 0], "look": [0, 1, 0]}]}', "parallel"),
        ('{"views": [{"eye": [0, 0, 0], "look": [0, 0, 1], "fov_y": 200}]}', "fov_y"),
        ('{"far": Infinity, "views": [{"eye": [0, 0, 0], "look": [0, 0, 1]}]}', "far: .*finite number"),
        ('{"views": [{"eye": [1e300, 0, 0], "look": [0, 0, 1]}]}', "views.0: camera: eye .* below 1e.12"),
        ('{"views": [{"eye": [0, NaN, 0], "look": [0, 0, 1]}]}', "views.0.eye.1: .*finite number"),
        ("[" * 100_000, "cannot be read as JSON"),
        ('{"near": 5, "far": 1, "views": [{"eye": [0, 0, 0], "look": [0, 0, 1]}]}', "near"),
    ],
)
def test_malformed_camera_files_are_refused(tmp_path: Path, content: str, word: str) -> None:
    path = write_obj(tmp_path)
    (tmp_path / "cameras.json").write_text(content)
    with pytest.raises(UserError, match=word) as error:
        load_scene(path)
    assert str(tmp_path / "cameras.json") in str(error.value)


def test_directions_may_have_any_length(tmp_path: Path) -> None:
    path = write_obj(tmp_path)
    view = '{"eye": [0.5, 0.5, 2], "look": [0, 0, -1e300], "up": [0, 1e-9, 0]}'
    (tmp_path / "cameras.json").write_text(f'{{"views": [{view}]}}')
    assert render(load_scene(path), 64, 48).fragments > 100


def test_a_view_that_shows_nothing_is_an_error(tmp_path: Path) -> None:
    path = write_obj(tmp_path)
    (tmp_path / "cameras.json").write_text('{"views": [{"eye": [0, 0, 3], "look": [0, 0, 1]}]}')
    words = r"scene model, view 0: nothing to see from eye .*from \(0, 0, 0\) to \(1, 1, 0\)"
    for draw in (render, quad_frame):
        with pytest.raises(UserError, match=words):
            draw(load_scene(path), 64, 48)


def test_materials_are_drawn_in_the_order_of_the_file(tmp_path: Path) -> None:
    names = ["zebra", "ant", "mouse"]
    (tmp_path / "m.mtl").write_text("".join(f"newmtl {name}\nmap_Kd {name}.png\n" for name in names))
    for name in names:
        Image.new("RGB", (8, 8)).save(tmp_path / f"{name}.png")
    text = "mtllib m.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nvt 1 0\nvt 0 1\n"
    (tmp_path / "m.obj").write_text(text + "".join(f"usemtl {name}\nf 1/1 2/2 3/3\n" for name in names))
    scene = load_scene(tmp_path / "m.obj")
    assert [scene.textures[mesh.texture].name for mesh in scene.meshes] == names


def test_transparent_images_of_an_obj_file_are_blended(tmp_path: Path) -> None:
    path = write_obj(tmp_path)
    (image,) = tmp_path.glob("*.png")
    Image.new("RGBA", (8, 8), (1, 2, 3, 100)).save(image)
    assert load_scene(path).meshes[0].draw == BLEND


def test_what_cannot_be_used_is_refused_in_one_line(tmp_path: Path) -> None:
    plain = "v 0 0 0\nv 1 0 0\nv 0 1 0\n"
    cases = {
        "missing.obj": (None, "no such file"),
        "model.fbx": ("x", r"\.obj, \.gltf, \.glb"),
        "empty.obj": ("# nothing\n", "."),
        "points.obj": (plain, "no triangles"),
        "surface.obj": (f"{plain}surf 0 1 0 1 1 2 3\n", "no triangles; lines left out: 1 of surf"),
        "broken.glb": ("glTF", "glTF"),
        "broken.gltf": ("{}}", "glTF"),
        "list.gltf": ("[]", "glTF"),
        "bare.gltf": ('{"asset": {"version": "2.0"}}', "."),
        "loop.gltf": (
            '{"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}],'
            ' "nodes": [{"children": [0]}], "cameras": [{}]}',
            "loop",
        ),
    }
    for name, (content, words) in cases.items():
        path = tmp_path / name
        if content is not None:
            path.write_text(content)
        with pytest.raises(UserError, match=words) as error:
            load_scene(path)
        assert name in str(error.value)
        assert "\n" not in str(error.value)


def test_missing_files_are_noted(tmp_path: Path) -> None:
    """A checker stands for an image, grey for a material file; images beyond three are counted."""
    path = write_obj(tmp_path)
    (image,) = tmp_path.glob("*.png")
    image.unlink()
    scene = load_scene(path)
    assert [texture.name for texture in scene.textures] == ["checker"]
    (note,) = scene.notes
    assert note.endswith(f"{image.name} does not exist; the built-in texture checker instead")
    library = next(tmp_path.glob("*.mtl"))
    library.unlink()
    scene = load_scene(path)
    assert (scene.textures[0].levels[0] == (200, 200, 200, 255)).all()
    assert scene.notes[0].endswith(f"its material file {library} does not exist") and len(scene.notes) == 2
    names = "abcdef"
    library.write_text("".join(f"newmtl {name}\nmap_Kd {name}.png\n" for name in names))
    faces = "".join(f"usemtl {name}\nf 1/1 2/2 3/3\n" for name in names)
    path.write_text(f"mtllib {library.name}\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nvt 1 0\nvt 0 1\n{faces}")
    assert load_scene(path).notes[3:] == ("3 more images do not exist",)


PLAIN = "v 0 0 0\nv 4 0 0\nv 4 2 0\nv 0 2 0\nv 0 2 1\nf 1 2 3 4\nf 4 3 5\n"


def test_models_without_texture_coordinates(tmp_path: Path) -> None:
    """Depth blocks draw them; texture blocks name the option that projects."""
    path = tmp_path / "plain.obj"
    path.write_text(PLAIN)
    scene = load_scene(path)
    assert len(vertex_frame(of_meshes(scene), 64, 48).words) > 9
    words = r"scene plain: no part has texture coordinates; project them \(UV=box or UV=planar, in the lib"
    for draw in (render, quad_frame):
        with pytest.raises(UserError, match=words):
            draw(scene, 64, 48)
        assert draw(load_scene(path, uv="box"), 64, 48)


def test_projections(tmp_path: Path) -> None:
    """A texture is a quarter of the longest side: box on the plane of each triangle, planar on one of all."""
    path = tmp_path / "plain.obj"
    path.write_text(PLAIN)
    (mesh,) = (boxed := load_scene(path, uv="box")).meshes
    assert mesh.uv[0].tolist() == [[0, 0], [4, 0], [4, -2]]  # seen along z
    assert mesh.uv[2].tolist() == [[0, 0], [4, 0], [0, -1]] or mesh.uv[2].tolist() == [[0, 0], [0, 4], [1, 0]]
    assert [texture.name for texture in boxed.textures] == ["checker"]
    assert boxed.notes[1] == (
        "1 of 1 parts get texture coordinates by box projection, 4 repeats along the longest side, and the "
        "built-in texture checker where they have no image"
    )
    (mesh,) = load_scene(path, uv="planar").meshes
    assert (mesh.uv == mesh.positions[..., :2] * (1, -1)).all()
    assert load_scene(write_obj(tmp_path), uv="box").notes[-2].startswith("0 of 1 parts get")
    with pytest.raises(UserError, match="uv 'round': choose one of box, planar"):
        load_scene(path, uv="round")
    with pytest.raises(UserError, match="uv=box: scene decals has texture coordinates; leave uv out"):
        open_scene("decals", uv="box")


def test_models_that_are_too_large(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "large.obj"
    monkeypatch.setattr(loader_part, "MOST_TRIANGLES", 2)
    path.write_text(PLAIN)
    with pytest.raises(UserError, match=r"scene .*large\.obj: has 3 or more triangles, the limit is 2"):
        load_scene(path)
    with path.open("wb") as file:
        file.truncate(300 << 20)  # no bytes on the disk
    with pytest.raises(UserError, match=r"large\.obj: has 300 MiB; files of at most 256 MiB are read"):
        load_scene(path)
    with path.open("wb") as file:
        file.truncate(200 << 20)
    with pytest.raises(UserError, match=r"large\.obj:1: a line has more than 1,048,576 characters"):
        load_scene(path)


def test_names_and_paths(tmp_path: Path) -> None:
    assert open_scene("decals").name == "decals"
    assert open_scene(write_obj(tmp_path)).name == "model"
    with pytest.raises(UserError, match="unknown scene"):
        open_scene("nowhere")
    with pytest.raises(UserError, match="no such file"):
        open_scene("a" * 300 + ".obj")
