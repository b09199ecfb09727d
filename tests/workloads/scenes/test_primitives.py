# SPDX-License-Identifier: Apache-2.0
"""Primitives and the state that a mesh carries: assembly, what a machine is sent, and what is refused."""

from typing import Any

import numpy as np
import pytest

from configs import UserError
from models.depth import ALWAYS, DEPTH_TEST, DEPTH_WRITE, EQUAL, GREATER, LESS
from models.rasterizer import CULL_BACK, rasterize
from workloads.scenes.primitives import (
    FAN,
    LINES,
    POINTS,
    PRIMITIVES,
    STRIP,
    TRIANGLES,
    fan,
    lines,
    points,
    strip,
    vertices,
)
from workloads.scenes.scene import BLEND, OVERLAY, Camera, Mesh, Scene
from workloads.scenes.shapes import Part, join
from workloads.textures import texture

MAKERS = {POINTS: points, LINES: lines, STRIP: strip, FAN: fan}
CAMERA = Camera((0, 0, 4), (0, 0, -1))


def chain(count: int, seed: int = 1) -> tuple[Any, Any]:
    """Vertices [count, 3] and their coordinates [count, 2]."""
    rng = np.random.default_rng(seed)
    return rng.uniform(-1, 1, (count, 3)), rng.uniform(0, 1, (count, 2))


def scene(*meshes: Mesh, **rest: Any) -> Scene:
    return Scene("test", meshes, (texture("checker"),), (CAMERA,), **rest)


def mesh(primitive: int, count: int = 8, **rest: Any) -> Mesh:
    part = MAKERS[primitive](*chain(count))
    return Mesh(0, part.positions, part.uv, primitive=primitive, **rest)


@pytest.mark.parametrize("primitive", MAKERS, ids=lambda primitive: PRIMITIVES[primitive])
def test_what_is_sent_are_the_vertices_given(primitive: int) -> None:
    positions, uv = chain(8)
    part = MAKERS[primitive](positions, uv)
    count = {POINTS: 8, LINES: 4}.get(primitive, 6)
    assert part.positions.shape == (count, 3, 3) and part.uv.shape == (count, 3, 2)
    begins = Mesh(0, *part, primitive=primitive).beginnings()
    triangle, corner = vertices(np.full(count, primitive, np.uint8), begins).T
    assert (part.positions[triangle, corner] == positions).all()
    assert (part.uv[triangle, corner] == uv).all()


@pytest.mark.parametrize("primitive", [STRIP, FAN])
def test_several_strips_are_one_mesh(primitive: int) -> None:
    given = [chain(count, seed=count) for count in (3, 7, 4)]
    part = join([MAKERS[primitive](*run) for run in given])
    begins = np.zeros(8, bool)
    begins[[0, 1, 6]] = True
    made = Mesh(0, *part, primitive=primitive, begins=begins)
    triangle, corner = vertices(np.full(8, primitive, np.uint8), made.beginnings()).T
    assert (part.positions[triangle, corner] == np.concatenate([run[0] for run in given])).all()
    with pytest.raises(UserError, match="does not continue the one before it"):
        Mesh(0, *part, primitive=primitive, begins=np.arange(8) == 0)


@pytest.mark.parametrize("maker", [strip, fan])
def test_all_triangles_of_a_flat_strip_or_fan_face_the_same_way(maker: Any) -> None:
    """Corners as on a band, or around a hub: front faces are counterclockwise."""
    if maker is strip:
        corners = np.array([(x // 2, 1 - x % 2, 0) for x in range(9)], float)
    else:
        angle = np.linspace(0, 3, 7)
        corners = np.array([(0, 0, 0), *zip(np.cos(angle), np.sin(angle), 0 * angle, strict=True)])
    positions = maker(corners, corners[:, :2]).positions
    turned = np.cross(positions[:, 1] - positions[:, 0], positions[:, 2] - positions[:, 0])[:, 2]
    assert (turned > 0).all()


def test_points_and_lines_are_not_textured() -> None:
    for primitive in (POINTS, LINES):
        drawing = scene(mesh(primitive)).draw_list(CAMERA, 1.0)
        sides = np.ones(len(drawing.texture), np.int64)
        assert len(rasterize(drawing.clip_space, drawing.uv, sides, drawing.flags, 64, 64)) == 0
    mixed = scene(mesh(POINTS), mesh(STRIP), mesh(LINES))
    solid = mixed.solid()
    assert [part.primitive for part in solid.meshes] == [STRIP]
    assert solid.notes == ("12 points and lines are not textured: left out",)
    assert solid.solid() is solid


def test_the_state_of_a_mesh_reaches_each_triangle() -> None:
    drawing = scene(
        mesh(STRIP, compare=EQUAL, write=False),
        mesh(FAN, compare=GREATER, kill=128, two_sided=True),
        mesh(LINES, draw=BLEND, write=True),
        mesh(POINTS, draw=OVERLAY, compare=ALWAYS),
    ).draw_list(CAMERA, 1.0)
    counts = [6, 6, 4, 8]
    for column, values in {
        "compare": (EQUAL, GREATER, LESS, ALWAYS),
        "kill": (0, 128, 0, 0),
        "primitive": (STRIP, FAN, LINES, POINTS),
        "flags": (
            DEPTH_TEST | CULL_BACK,
            DEPTH_TEST | DEPTH_WRITE,
            DEPTH_TEST | DEPTH_WRITE | CULL_BACK,
            CULL_BACK,
        ),
    }.items():
        assert getattr(drawing, column).tolist() == np.repeat(values, counts).tolist(), column
    assert np.flatnonzero(drawing.begins).tolist() == [0, 6, *range(12, 24)]


def test_blended_strips_come_apart() -> None:
    """Their triangles are sorted from far to near."""
    drawing = scene(mesh(STRIP, draw=BLEND)).draw_list(CAMERA, 1.0)
    assert drawing.begins.all() and (drawing.primitive == TRIANGLES).all()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"compare": 8}, "compare=8: must be 0 to 7"),
        ({"kill": 256}, "kill=256: must be 0 to 255"),
        ({"primitive": 5}, "primitive=5: must be 0 to 4"),
        ({"write": True, "draw": OVERLAY}, "stores no depth; compare with ALWAYS"),
        ({"primitive": POINTS}, r"make its positions with points\(\)"),
        ({"primitive": LINES}, r"make its positions with lines\(\)"),
        ({"primitive": STRIP}, "does not continue the one before it"),
        ({"begins": np.array([True, False])}, "its first triangle begins, and each of a list"),
        ({"primitive": FAN, "begins": np.array([False, True])}, "its first triangle begins"),
        ({"primitive": FAN, "begins": np.array([True])}, "its first triangle begins"),
    ],
)
def test_states_that_there_are_not(options: dict[str, Any], message: str) -> None:
    positions, uv = chain(6)
    part = Part(positions.reshape(2, 3, 3), uv.reshape(2, 3, 2))
    with pytest.raises(UserError, match=message):
        Mesh(0, *part, **options)


def test_depth_is_cleared_within_its_range() -> None:
    assert scene(clear=0.0).clear_level == 0
    with pytest.raises(UserError, match=r"clear=1\.5: must be 0 to 1"):
        _ = scene(clear=1.5).clear_level
