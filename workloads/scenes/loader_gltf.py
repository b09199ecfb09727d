# SPDX-License-Identifier: Apache-2.0
"""glTF and GLB files: each primitive of the meshes that the default scene draws, as a part.

Source: Khronos glTF 2.0 specification and its registered extensions.
"""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from configs import UserError
from utils.errors import shortened
from workloads.scenes.loader_gltf_file import GltfFile
from workloads.scenes.loader_gltf_material import Material, other_textures, read_material
from workloads.scenes.loader_gltf_mesh import DRACO, WHOLE, Vertices, assembled, read_vertices
from workloads.scenes.loader_gltf_nodes import Nodes, cameras, places, read_nodes
from workloads.scenes.loader_part import Part, check_count
from workloads.scenes.primitives import TRIANGLES
from workloads.scenes.scene import Camera

#: extensions that are read, and those without a part in triangles and base colours
_READ = (
    "KHR_mesh_quantization", "KHR_texture_transform", "KHR_materials_pbrSpecularGlossiness", DRACO,
    "KHR_node_visibility", "EXT_mesh_gpu_instancing", "EXT_texture_webp", "EXT_texture_avif",
    "MSFT_texture_dds",
    "KHR_materials_anisotropy", "KHR_materials_clearcoat", "KHR_materials_diffuse_transmission",
    "KHR_materials_dispersion", "KHR_materials_emissive_strength", "KHR_materials_ior",
    "KHR_materials_iridescence", "KHR_materials_sheen", "KHR_materials_specular",
    "KHR_materials_transmission", "KHR_materials_unlit", "KHR_materials_volume", "KHR_lights_punctual",
    "EXT_lights_image_based", "KHR_xmp_json_ld",
)  # fmt: skip


def read_gltf(path: Path) -> tuple[list[Part], list[str], tuple[Camera, ...]]:
    """Parts, notes and cameras of a ``.gltf`` or ``.glb`` file. Raises :class:`UserError`."""
    try:
        with np.errstate(all="ignore"):  # numbers beyond all limits are refused later
            return _read(GltfFile(path))
    except UserError:
        raise
    except Exception as error:  # whatever other JSON makes of the lines below
        problem = f"{type(error).__name__}: {shortened(str(error))}"
        if isinstance(error, KeyError):
            problem = f"an entry has no {shortened(str(error))}"
        raise UserError(f"{path}: is not a glTF 2.0 file ({problem})") from None


def _read(file: GltfFile) -> tuple[list[Part], list[str], tuple[Camera, ...]]:
    notes: list[str] = []
    tree = file.tree
    required = tree.get("extensionsRequired", [])
    unknown = [shortened(str(name)) for name in required if name not in _READ]
    if unknown:
        file.fail("extensionsRequired", f"{', '.join(unknown)}: not read; export the model without")
    optional = [shortened(str(name)) for name in tree.get("extensionsUsed", []) if name not in _READ]
    if optional:
        notes.append(f"extensions left out: {shortened(', '.join(optional), 200)}")
    nodes = read_nodes(file, notes)
    model = _Model(file, nodes, notes)
    parts = [part for number in nodes.drawn for part in model.parts(number)]
    if tree.get("animations"):
        notes.append("animations are left out: nodes, skins and morph targets are drawn at rest")
    left = Counter(other_textures(tree.get("materials", [])))
    if left:
        counts = (f"{count} {shortened(name, 40)}" for name, count in left.items())
        notes.append(f"only base colours are textured; left out: {shortened(', '.join(counts), 200)}")
    return parts, notes, tuple(cameras(file, nodes, notes))


class _Model:
    """The meshes of a file, drawn node by node; ``count``: triangles, lines and points so far, and parts."""

    def __init__(self, file: GltfFile, nodes: Nodes, notes: list[str]) -> None:
        self.file, self.nodes, self.notes = file, nodes, notes
        self.count = [0, 0]
        self._materials: dict[int | None, Material] = {}

    def parts(self, number: int) -> Iterator[Part]:
        """The primitives of a node's mesh, in the places where the node draws it."""
        file, node, where = self.file, self.file.tree["nodes"][number], f"nodes.{number}"
        if "mesh" not in node:
            return
        mesh = file.entry("meshes", node["mesh"], where)
        world = places(file, node, self.nodes.worlds[number], where)
        joints = None
        if "skin" in node:  # its joints alone place it
            joints, world = self._joints(node["skin"], where), np.eye(4)[None]
        weights = node.get("weights", mesh.get("weights", []))
        for count, primitive in enumerate(mesh["primitives"]):
            here = f"meshes.{node['mesh']}.primitives.{count}"
            name = shortened(str(mesh.get("name") or f"mesh {node['mesh']}"))
            if len(mesh["primitives"]) > 1:
                name += f", primitive {count}"
            material = self._material(primitive.get("material"), here)
            uv_name = f"TEXCOORD_{material.uv_set}"
            vertices = read_vertices(file, primitive, here, uv_name, weights, joints)
            self.count[0] += len(world) * (len(vertices.indices) // WHOLE.get(vertices.mode, 1))
            self.count[1] += 1
            check_count(file.path, *self.count)
            part = _part(name, vertices, world, material)
            rest = len(vertices.indices) % WHOLE.get(vertices.mode, 1)
            if rest or not len(part.positions):
                self.notes.append(f"{name}: {rest or len(vertices.indices)} vertices form no whole primitive")
            yield part

    def _joints(self, number: Any, where: str) -> NDArray[np.float64]:
        """Matrices [j, 4, 4] from the bind pose to the places of the joints of a skin."""
        skin = self.file.entry("skins", number, where)
        for joint in skin["joints"]:
            self.file.entry("nodes", joint, f"skins.{number}")
        worlds = self.nodes.worlds[skin["joints"]]
        if "inverseBindMatrices" not in skin:
            return worlds
        inverse = self.file.values(skin["inverseBindMatrices"], f"skins.{number}", "MAT4")
        if len(inverse) < len(worlds):
            self.file.fail(f"skins.{number}", f"{len(worlds)} joints, but {len(inverse)} inverseBindMatrices")
        return np.asarray(worlds @ np.swapaxes(inverse[: len(worlds)].reshape(-1, 4, 4), 1, 2))

    def _material(self, number: int | None, where: str) -> Material:
        if number not in self._materials:
            self._materials[number] = read_material(self.file, number, where, self.notes)
        return self._materials[number]


def _part(name: str, vertices: Vertices, world: NDArray[np.float64], material: Material) -> Part:
    """The assembled primitives in all places ``world`` [k, 4, 4]; mirrored triangles face as before."""
    uv = np.zeros((len(vertices.positions), 2)) if vertices.uv is None else vertices.uv
    uv = uv @ material.transform[:, :2].T + material.transform[:, 2]
    primitive, (corners, coordinates) = assembled(vertices, uv)
    turned = np.swapaxes(world[:, :3, :3], 1, 2)
    placed = corners[None] @ turned[:, None] + world[:, None, None, :3, 3]
    coordinates = np.repeat(coordinates[None], len(world), axis=0)
    if primitive == TRIANGLES:
        mirrored = np.linalg.det(turned) < 0
        placed[mirrored] = placed[mirrored][:, :, ::-1]
        coordinates[mirrored] = coordinates[mirrored][:, :, ::-1]
    return Part(
        name, placed.reshape(-1, 3, 3), None if vertices.uv is None else coordinates.reshape(-1, 3, 2),
        material.look, material.image, material.colour, primitive,
    )  # fmt: skip
