# SPDX-License-Identifier: Apache-2.0
"""Nodes of glTF files: which of them are drawn, where they are, and the cameras among them."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from workloads.scenes.loader_cameras import checked
from workloads.scenes.loader_gltf_file import GltfFile, Tree
from workloads.scenes.loader_part import check_count
from workloads.scenes.scene import Camera

Matrices = NDArray[np.float64]
#: attributes of instances: the type of their accessors, and their defaults
_INSTANCES = {
    "TRANSLATION": ("VEC3", [0.0, 0.0, 0.0]),
    "ROTATION": ("VEC4", [0.0, 0.0, 0.0, 1.0]),
    "SCALE": ("VEC3", [1.0, 1.0, 1.0]),
}


class Nodes(NamedTuple):
    """All ``worlds`` [n, 4, 4] of a file's nodes, and those ``drawn``, in order."""

    worlds: Matrices
    drawn: list[int]


def read_nodes(file: GltfFile, notes: list[str]) -> Nodes:
    """The nodes; drawn is the default scene, or the first, or, without scenes, every root.

    Raises :class:`UserError` for nodes that form no trees.
    """
    nodes = file.tree.get("nodes", [])
    check_count(file.path, 0, len(nodes))
    worlds = np.zeros((len(nodes), 4, 4))
    parents = np.zeros(len(nodes), int)
    for number, node in enumerate(nodes):
        for child in node.get("children", []):
            file.entry("nodes", child, f"nodes.{number}")
            parents[child] += 1
    if (parents > 1).any():
        file.fail(f"nodes.{parents.argmax()}", "is a child of several nodes")
    roots = np.flatnonzero(parents == 0).tolist()
    pending = [(number, np.eye(4)) for number in roots]
    count = 0
    while pending:
        number, parent = pending.pop()
        count += 1
        worlds[number] = parent @ _local(file, nodes[number], f"nodes.{number}")
        pending += [(child, worlds[number]) for child in nodes[number].get("children", [])]
    if count < len(nodes):
        file.fail("nodes", "form a loop")
    return Nodes(worlds, _drawn(file, _scene_roots(file, roots, notes)))


def _scene_roots(file: GltfFile, roots: list[int], notes: list[str]) -> list[int]:
    scenes = file.tree.get("scenes", [])
    if not scenes:
        return roots
    number = file.tree.get("scene", 0)
    scene = file.entry("scenes", number, "scene")
    if len(scenes) > 1:
        notes.append(f"scene {number} of 0..{len(scenes) - 1} is drawn, the default or first of the file")
    listed = scene.get("nodes", [])
    for root in listed:
        file.entry("nodes", root, f"scenes.{number}")
    return list(dict.fromkeys(listed))


def _drawn(file: GltfFile, roots: list[int]) -> list[int]:
    """The nodes below ``roots``, depth first, without those that KHR_node_visibility hides."""
    drawn: dict[int, None] = {}
    pending = roots[::-1]
    while pending:
        number = pending.pop()
        node = file.tree["nodes"][number]
        visibility = node.get("extensions", {}).get("KHR_node_visibility", {})
        if number not in drawn and visibility.get("visible", True):
            drawn[number] = None
            pending += node.get("children", [])[::-1]
    return list(drawn)


def _local(file: GltfFile, node: Tree, where: str) -> Matrices:
    """A node's transform relative to its parent."""
    if "matrix" in node:
        return file.numbers(node, "matrix", where, [0.0] * 16).reshape(4, 4).T
    translation = file.numbers(node, "translation", where, [0.0] * 3)
    rotation = file.numbers(node, "rotation", where, [0.0, 0.0, 0.0, 1.0])
    scale = file.numbers(node, "scale", where, [1.0] * 3)
    return transforms(translation[None], rotation[None], scale[None])[0]


def transforms(translation: Matrices, rotation: Matrices, scale: Matrices) -> Matrices:
    """Matrices [n, 4, 4] that scale [n, 3], turn by a quaternion x y z w [n, 4], and move [n, 3].

    A quaternion may have any length.
    """
    length = np.linalg.norm(rotation, axis=1)
    x, y, z, w = rotation.T / np.where(length > 0, length, 1.0)
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
        [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
        [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
    ]
    matrices = np.zeros((len(translation), 4, 4))
    matrices[:, :3, :3] = np.moveaxis(np.array(rows), 2, 0) * scale[:, None]
    matrices[:, :3, 3] = translation
    matrices[:, 3, 3] = 1
    return matrices


def places(file: GltfFile, node: Tree, world: Matrices, where: str) -> Matrices:
    """Matrices [k, 4, 4] of the places where a node draws its mesh: one, or EXT_mesh_gpu_instancing's."""
    instancing = node.get("extensions", {}).get("EXT_mesh_gpu_instancing")
    if instancing is None:
        return world[None]
    given = instancing.get("attributes", {})
    values = {
        name: file.values(given[name], f"{where}.{name}", kind)
        for name, (kind, _) in _INSTANCES.items()
        if name in given
    }
    counts = {len(array) for array in values.values()}
    if len(counts) != 1:
        file.fail(where, "EXT_mesh_gpu_instancing: needs attributes with the same number of elements")
    (count,) = counts
    check_count(file.path, count)
    columns = (values.get(name, np.tile(default, (count, 1))) for name, (_, default) in _INSTANCES.items())
    return world @ transforms(*columns)


def cameras(file: GltfFile, nodes: Nodes, notes: list[str]) -> Iterator[Camera]:
    """Perspective cameras of the nodes drawn, in their order; a note on others."""
    flat = 0
    for number in nodes.drawn:
        node = file.tree["nodes"][number]
        if "camera" not in node:
            continue
        camera = file.entry("cameras", node["camera"], f"nodes.{number}")
        if "perspective" not in camera:
            flat += 1
            continue
        lens, where = camera["perspective"], f"{file.path}: cameras.{node['camera']}"
        world, near = nodes.worlds[number], float(lens["znear"])
        view = Camera(
            eye=_triple(world[:3, 3]),
            look=_triple(-world[:3, 2]),
            up=_triple(world[:3, 1]),
            fov_y=float(np.degrees(lens["yfov"])),
            near=near,
            far=float(lens.get("zfar", near * 1e5)),
        )
        yield checked(view, where)
    if flat:
        notes.append(f"orthographic cameras left out: {flat}")


def _triple(values: NDArray[np.float64]) -> tuple[float, float, float]:
    return float(values[0]), float(values[1]), float(values[2])
