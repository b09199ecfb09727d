# SPDX-License-Identifier: Apache-2.0
"""glTF features, each with the triangles, coordinates and accesses that it must come to."""

import io
import math
from pathlib import Path
from typing import Any

import DracoPy
import numpy as np
import pytest
from PIL import Image

import workloads.scenes.loader_gltf_mesh as gltf_mesh
from configs import UserError
from tests.workloads.scenes.gltf_models import CORNERS, SQUARE, TYPES, Model, one_square, png
from workloads.scenes.loader import load_scene
from workloads.scenes.primitives import LINES, POINTS, TRIANGLES
from workloads.scenes.scene import CLAMP, MIRROR, Mesh, Scene

INDEXED = SQUARE[CORNERS].reshape(2, 3, 3)


def area(mesh: Mesh) -> float:
    edges = mesh.positions[:, 1:] - mesh.positions[:, :1]
    return float(np.linalg.norm(np.cross(edges[:, 0], edges[:, 1]), axis=1).sum() / 2)


def facing(mesh: Mesh) -> Any:
    """The sign of z of each triangle's normal."""
    edges = mesh.positions[:, 1:] - mesh.positions[:, :1]
    return np.sign(np.cross(edges[:, 0], edges[:, 1])[:, 2])


def load(model: Model, folder: Path) -> Scene:
    return load_scene(model.write(folder))


@pytest.mark.parametrize("normalized", [False, True])
@pytest.mark.parametrize("kind", ["i1", "u1", "i2", "u2"])
def test_quantized_positions_and_coordinates(kind: str, normalized: bool, tmp_path: Path) -> None:
    """The square in integers, brought back to 0..1 by the node and by KHR_texture_transform."""
    most = np.iinfo(kind).max
    step = 1.0 if normalized else 1 / most
    model = Model()
    model.extend("KHR_mesh_quantization")
    model.extend("KHR_texture_transform")
    info = model.tree["materials"][0]["pbrMetallicRoughness"]["baseColorTexture"]
    info["extensions"] = {"KHR_texture_transform": {"scale": [step, step]}}
    width = 4 // np.dtype(kind).itemsize * -(-3 * np.dtype(kind).itemsize // 4)  # rows begin at four bytes
    stored = np.zeros((4, width), kind)
    stored[:, :3] = SQUARE * most
    rows = model.view(stored.tobytes(), byteStride=width * stored.itemsize)
    attributes = {
        "POSITION": model.accessor(stored[:, :3], rows, normalized=normalized),
        "TEXCOORD_0": model.accessor(stored[:, :2], rows, normalized=normalized),
    }
    mesh = model.mesh({"attributes": attributes, "indices": model.accessor(CORNERS.astype("u1"))})
    model.node(mesh=mesh, scale=[2 * step, 2 * step, 2 * step], translation=[5, 0, 0])
    scene = load(model, tmp_path)
    assert np.allclose(scene.meshes[0].positions, 2 * INDEXED + (5, 0, 0))
    assert np.allclose(scene.meshes[0].uv, INDEXED[..., :2])


def test_signed_normalized_integers(tmp_path: Path) -> None:
    """-128 and -127 are both -1, 127 is 1."""
    model = Model()
    uv = np.array([(-128, 0), (-127, 127), (127, -64), (0, 1)], "i1")
    attributes = {"POSITION": model.accessor(SQUARE), "TEXCOORD_0": model.accessor(uv, normalized=True)}
    model.node(mesh=model.mesh({"attributes": attributes, "indices": model.accessor(CORNERS)}))
    expected = np.array([(-1, 0), (-1, 1), (1, -64 / 127), (0, 1 / 127)])
    assert np.allclose(load(model, tmp_path).meshes[0].uv, expected[CORNERS].reshape(2, 3, 2))


@pytest.mark.parametrize("view", [True, False])
def test_sparse_accessors(view: bool, tmp_path: Path) -> None:
    """Two corners replaced, of the square or, without a view, of zeros."""
    model = one_square()
    moved = np.array([(5, 0, 0), (5, 5, 0)], "f4")
    sparse = {
        "count": 2,
        "indices": {"bufferView": model.view(np.array([1, 2], "u1").tobytes()), "componentType": TYPES["u1"]},
        "values": {"bufferView": model.view(moved.tobytes())},
    }
    accessor = model.tree["accessors"][0]
    accessor["sparse"] = sparse
    if not view:
        del accessor["bufferView"]
    expected = SQUARE.copy() if view else np.zeros_like(SQUARE)
    expected[1:3] = moved
    assert (load(model, tmp_path).meshes[0].positions == expected[CORNERS].reshape(2, 3, 3)).all()
    sparse["indices"]["componentType"] = TYPES["u2"]
    with pytest.raises(UserError, match=r"accessors\.0\.sparse.indices: 2 elements end at byte 4"):
        load(model, tmp_path)


RING = np.array([(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (-1, 1, 0), (-1, 0, 0)], "f4")


@pytest.mark.parametrize("indexed", ["", "u1", "u2", "u4"])
@pytest.mark.parametrize(
    ("mode", "primitive", "count", "size"),
    [
        (0, POINTS, 6, 0), (1, LINES, 3, 3.0), (2, LINES, 6, 6.0), (3, LINES, 5, 5.0),
        (4, TRIANGLES, 2, 1.0), (5, TRIANGLES, 4, 1.5), (6, TRIANGLES, 4, 2.0),
    ],
)  # fmt: skip
def test_each_primitive_mode(
    mode: int, primitive: int, count: int, size: float, indexed: str, tmp_path: Path
) -> None:
    """Six corners around a strip of two squares: lengths of lines, areas of triangles; mirrored, too."""
    model = Model()
    primitives: dict[str, Any] = {"attributes": {"POSITION": model.accessor(RING)}, "mode": mode}
    if indexed:
        primitives["attributes"]["POSITION"] = model.accessor(RING[::-1])
        primitives["indices"] = model.accessor(np.arange(6)[::-1].astype(indexed))
    model.node(mesh=model.mesh(primitives), scale=[-1, 1, 1])
    (mesh,) = load(model, tmp_path).meshes
    assert (mesh.primitive, len(mesh.positions)) == (primitive, count)
    if primitive == LINES:
        assert np.linalg.norm(mesh.positions[:, 1] - mesh.positions[:, 0], axis=1).sum() == size
    else:
        assert area(mesh) == pytest.approx(size)


def test_fans_face_as_they_do_and_mirrored_nodes_too(tmp_path: Path) -> None:
    for mode, scale in ((4, 1), (6, 1), (4, -1), (6, -1)):
        model = Model()
        corners = CORNERS if mode == 4 else np.arange(4, dtype="u2")
        primitive = {"attributes": {"POSITION": model.accessor(SQUARE)}, "mode": mode}
        model.node(mesh=model.mesh({**primitive, "indices": model.accessor(corners)}), scale=[scale, 1, 1])
        assert facing(load(model, tmp_path).meshes[0]).tolist() == [1, 1]


def test_each_glossy_material_has_its_own_image(tmp_path: Path) -> None:
    model = Model()
    model.extend("KHR_materials_pbrSpecularGlossiness")
    model.tree["images"].append({"uri": png((10, 10, 200))})
    model.tree["textures"] = [{"source": 0}, {"source": 1}]
    model.tree["materials"] = [
        {"extensions": {"KHR_materials_pbrSpecularGlossiness": {"diffuseTexture": {"index": number}}}}
        for number in (0, 1)
    ]
    model.node(mesh=model.mesh(model.square(material=1), model.square(material=0)))
    scene = load(model, tmp_path)
    shown = [scene.textures[mesh.texture].levels[0][0, 0, :3].tolist() for mesh in scene.meshes]
    assert shown == [[10, 10, 200], [200, 10, 10]]
    assert [texture.name for texture in scene.textures] == ["image1", "image0"], "images without a name"


def test_texture_transforms_and_second_coordinates(tmp_path: Path) -> None:
    """The specification's example: the lower left quarter of the image, turned."""
    model = Model()
    change = {"offset": [0, 1], "rotation": math.pi / 2, "scale": [0.5, 0.5], "texCoord": 1}
    info = {"index": 0, "texCoord": 0, "extensions": {"KHR_texture_transform": change}}
    model.tree["materials"][0]["pbrMetallicRoughness"]["baseColorTexture"] = info
    square = model.square()
    square["attributes"]["TEXCOORD_1"] = square["attributes"].pop("TEXCOORD_0")
    square["attributes"]["TEXCOORD_0"] = model.accessor(7 + SQUARE[:, :2])
    model.node(mesh=model.mesh(square))
    expected = np.array([(0, 1), (0, 0.5), (0.5, 0.5), (0.5, 1)])
    assert np.allclose(load(model, tmp_path).meshes[0].uv, expected[CORNERS].reshape(2, 3, 2))
    info["extensions"] = {"KHR_texture_transform": {"rotation": math.pi / 2, "scale": [2, 3]}}
    expected = np.array([(7, 7), (8, 7), (8, 8), (7, 8)]) @ np.array([(0, -2), (3, 0)])
    assert np.allclose(load(model, tmp_path).meshes[0].uv, expected[CORNERS].reshape(2, 3, 2))


def test_instances(tmp_path: Path) -> None:
    """Three places below a moved node, the second mirrored, the third turned by no unit quaternion."""
    model = Model()
    model.extend("EXT_mesh_gpu_instancing")
    turned = round(127 * math.sqrt(0.5))
    attributes = {
        "TRANSLATION": model.accessor(np.array([(0, 0, 0), (10, 0, 0), (0, 5, 0)], "f4")),
        "SCALE": model.accessor(np.array([(1, 1, 1), (-2, 2, 2), (1, 1, 1)], "f4")),
        "ROTATION": model.accessor(
            np.array([(0, 0, 0, 127), (0, 0, 0, 127), (0, 0, turned, turned)], "i1"), normalized=True
        ),
    }
    extension = {"EXT_mesh_gpu_instancing": {"attributes": attributes}}
    model.node(mesh=model.mesh(model.square()), translation=[0, 0, 1], extensions=extension)
    (mesh,) = load(model, tmp_path).meshes
    assert len(mesh.positions) == 6 and facing(mesh).tolist() == [1] * 6
    low, high = (getattr(mesh.positions.reshape(3, 6, 3), name)(axis=1) for name in ("min", "max"))
    assert np.allclose(low, [(0, 0, 1), (8, 0, 1), (-1, 5, 1)])
    assert np.allclose(high, [(1, 1, 1), (10, 2, 1), (0, 6, 1)])


def test_nodes_scenes_and_shared_meshes(tmp_path: Path) -> None:
    """The default scene draws one mesh twice: by a matrix below a node, and by a mirroring scale."""
    model = Model()
    mesh = model.mesh(model.square())
    matrix = np.diag([2.0, 2, 2, 1])
    matrix[:3, 3] = (0, 0, 3)
    child = model.node(root=False, mesh=mesh, matrix=matrix.T.reshape(-1).tolist())
    model.node(children=[child], rotation=[0, 0, math.sqrt(0.5), math.sqrt(0.5)])
    model.node(mesh=mesh, scale=[-1, 1, 1])
    hidden = {"KHR_node_visibility": {"visible": False}}
    below = model.node(root=False, mesh=mesh)
    model.node(children=[below], extensions=hidden)
    other = model.node(root=False, mesh=mesh)
    model.tree["scenes"].insert(0, {"nodes": [other]})
    model.tree["scene"] = 1
    scene = load(model, tmp_path)
    assert [area(mesh) for mesh in scene.meshes] == pytest.approx([4, 1])
    assert np.allclose(scene.meshes[0].positions.min(axis=(0, 1)), (-2, 0, 3))
    assert [facing(mesh).tolist() for mesh in scene.meshes] == [[1, 1], [1, 1]]
    assert scene.notes == ("scene 1 of 0..1 is drawn, the default or first of the file",)


def test_morph_targets_at_their_default_weights(tmp_path: Path) -> None:
    """Those of the mesh, or of the node: 0.5 of one that moves by 2, and all of one that moves by 3."""
    cases: list[Any] = [([0.5, 1.0], {}, 4.0), ([9.0, 9.0], {"weights": [1.0, 0.0]}, 2.0), ([], {}, 0.0)]
    for weights, node, z in cases:
        model = Model()
        up = np.tile(np.array([0, 0, 2], "f4"), (4, 1))
        targets = [{"POSITION": model.accessor(up)}, {"POSITION": model.accessor(up * 1.5)}]
        more = {"weights": weights} if weights else {}
        model.node(mesh=model.mesh(model.square(targets=targets), **more), **node)
        assert (load(model, tmp_path).meshes[0].positions[..., 2] == z).all()


def test_skins_are_drawn_at_rest(tmp_path: Path) -> None:
    """Two joints move a half each, from a bind pose elsewhere; the node of the mesh has no part in it."""
    model = Model()
    joints = [model.node(translation=[10, 0, 0]), model.node(translation=[0, 20, 0])]
    inverse = np.tile(np.eye(4, dtype="f4"), (2, 1, 1))
    inverse[0, 3, 0] = -4  # columns are rows here
    square = model.square()
    square["attributes"]["JOINTS_0"] = model.accessor(np.array([(0, 1, 0, 0)] * 4, "u1"))
    weights = np.array([(255, 0, 0, 0), (0, 255, 0, 0), (255, 0, 0, 0), (51, 204, 0, 0)], "u1")
    square["attributes"]["WEIGHTS_0"] = model.accessor(weights, normalized=True)
    matrices = model.accessor(inverse.reshape(2, 16))
    model.tree["skins"] = [{"joints": joints, "inverseBindMatrices": matrices}]
    model.node(mesh=model.mesh(square), skin=0, translation=[100, 100, 100])
    moves = np.array([(6, 0, 0), (0, 20, 0), (6, 0, 0), (0.2 * 6, 0.8 * 20, 0)])
    expected = (SQUARE + moves)[CORNERS].reshape(2, 3, 3)
    assert np.allclose(load(model, tmp_path).meshes[0].positions, expected)


def test_interleaved_attributes_and_samplers(tmp_path: Path) -> None:
    model = Model()
    model.tree["samplers"] = [{"wrapS": 33071, "wrapT": 33648}]
    model.tree["textures"][0]["sampler"] = 0
    rows = np.concatenate([SQUARE, SQUARE[:, :2]], axis=1)
    view = model.view(rows.astype("f4").tobytes(), byteStride=20)
    attributes = {
        "POSITION": model.accessor(SQUARE, view),
        "TEXCOORD_0": model.accessor(SQUARE[:, :2], view, byteOffset=12),
    }
    model.node(mesh=model.mesh({"attributes": attributes, "indices": model.accessor(CORNERS)}))
    (mesh,) = load(model, tmp_path).meshes
    assert (mesh.positions == INDEXED).all() and (mesh.uv == INDEXED[..., :2]).all()
    assert (mesh.wrap_u, mesh.wrap_v) == (CLAMP, MIRROR)


def draco() -> Model:
    """The square, compressed, its accessors without views."""
    model = Model()
    model.extend("KHR_draco_mesh_compression")
    packed = DracoPy.encode(
        SQUARE.astype(float), CORNERS.reshape(-1, 3), tex_coord=SQUARE[:, :2].astype(float),
        quantization_bits=14,
    )  # fmt: skip
    ids = {
        attribute["attribute_type"]: attribute["unique_id"] for attribute in DracoPy.decode(packed).attributes
    }
    extension = {"bufferView": model.view(packed), "attributes": {"POSITION": ids[0], "TEXCOORD_0": ids[3]}}
    square = model.square(extensions={"KHR_draco_mesh_compression": extension})
    for accessor in model.tree["accessors"]:
        del accessor["bufferView"]
    model.node(mesh=model.mesh(square), scale=[3, 3, 3])
    return model


def test_draco(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (mesh,) = load(draco(), tmp_path).meshes
    assert area(mesh) == pytest.approx(9, rel=1e-3)
    assert np.allclose(mesh.uv, mesh.positions[..., :2] / 3, atol=1e-3)
    broken = draco()
    broken.data = broken.data[:40] + bytes(len(broken.data) - 40)
    with pytest.raises(UserError, match=r"primitives\.0: KHR_draco_mesh_compression: cannot be decoded"):
        load(broken, tmp_path)
    monkeypatch.setattr(gltf_mesh, "DracoPy", None)
    with pytest.raises(UserError, match="KHR_draco_mesh_compression needs the package DracoPy: pip install"):
        load(draco(), tmp_path)


def test_extensions_that_are_not_read(tmp_path: Path) -> None:
    model = one_square()
    for name in ("VENDOR_wings", "KHR_lights_punctual", "VENDOR_tail"):
        model.extend(name, required=False)
    assert load(model, tmp_path).notes == ("extensions left out: VENDOR_wings, VENDOR_tail",)
    model.extend("VENDOR_wings")
    with pytest.raises(UserError, match=r"m\.gltf: extensionsRequired: VENDOR_wings: not read; export"):
        load(model, tmp_path)


def test_meshopt_is_named_where_nothing_else_is_there(tmp_path: Path) -> None:
    model = one_square()
    model.extend("EXT_meshopt_compression", required=False)
    view = model.tree["bufferViews"][0]
    view["extensions"] = {"EXT_meshopt_compression": {"buffer": 0, "byteLength": 9, "count": 4}}
    assert area(load(model, tmp_path).meshes[0]) == 1, "a fallback that has the numbers"
    view["buffer"] = 1
    path = model.write(tmp_path, {"byteLength": 100, "extensions": {"EXT_meshopt_compression": {}}})
    with pytest.raises(UserError, match=r"bufferViews\.0: is compressed \(EXT_meshopt_compression\), which"):
        load_scene(path)


def test_what_is_left_out_is_noted(tmp_path: Path) -> None:
    model = one_square()
    model.tree["materials"][0] |= {"normalTexture": {"index": 0}, "emissiveTexture": {"index": 0}}
    model.tree["animations"] = [{}]
    model.tree["cameras"] = [{"type": "orthographic", "orthographic": {}}]
    model.node(camera=0)
    corners = {"attributes": {"POSITION": model.accessor(SQUARE)}}
    strip = {**corners, "mode": 5, "indices": model.accessor(CORNERS[:2])}
    model.node(mesh=model.mesh(corners, strip, name="m"))
    assert load(model, tmp_path).notes == (
        "m, primitive 0: 1 vertices form no whole primitive",
        "m, primitive 1: 2 vertices form no whole primitive",
        "animations are left out: nodes, skins and morph targets are drawn at rest",
        "only base colours are textured; left out: 1 normalTexture, 1 emissiveTexture",
        "orthographic cameras left out: 1",
        "m, primitive 0: an image but no texture coordinates; drawn in one colour",
    )


def test_images_of_other_places(tmp_path: Path) -> None:
    """A file in other case, none at all, and bytes of the buffer as WebP."""
    Image.new("RGB", (8, 8), (1, 2, 3)).save(tmp_path / "Wall Two.PNG")
    file = io.BytesIO()
    Image.new("RGB", (16, 16), (9, 9, 9)).save(file, "WEBP", lossless=True)
    model = Model()
    model.extend("EXT_texture_webp")
    model.tree["images"] = [
        {"uri": "wall%20two.png"}, {"uri": "gone.png"},
        {"bufferView": model.view(file.getvalue()), "mimeType": "image/webp"},
    ]  # fmt: skip
    model.tree["textures"] = [
        {"source": 0}, {"source": 1}, {"extensions": {"EXT_texture_webp": {"source": 2}}}
    ]  # fmt: skip
    model.tree["materials"] = [
        {"pbrMetallicRoughness": {"baseColorTexture": {"index": number}}} for number in range(3)
    ]
    model.node(mesh=model.mesh(*(model.square(material=number) for number in range(3))))
    scene = load(model, tmp_path)
    shown = {texture.name: texture.side for texture in scene.textures}
    assert shown == {"Wall Two": 8, "checker": 64, "image2": 16}
    (note,) = scene.notes
    assert note.endswith("gone.png does not exist; the built-in texture checker instead")
    assert "m.gltf: images.1: image" in note
