# SPDX-License-Identifier: Apache-2.0
"""Depth tested early or late: what is textured, what is shown, in frames of both texture blocks."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from models.depth import ALWAYS, EARLY, EQUAL, GREATER, LATE, LEQUAL, LESS, NEVER, WHEN
from workloads.scenes import SCENES, built_in
from workloads.scenes.drawing import pixels_of
from workloads.scenes.scene import CLAMP, Camera, Mesh, Scene
from workloads.scenes.shapes import quad
from workloads.texcache.frame import ORDERS, Frame, render, shade
from workloads.textures import Texture, from_pixels
from workloads.texunit.quads import QuadFrame, quad_frame

SIZE = (96, 72)
SIDE = 16


def picture(frame: Frame) -> Any:
    return shade(frame, frame.texels())


@pytest.mark.parametrize("scene", SCENES)
@pytest.mark.parametrize("order", ORDERS)
def test_late_is_the_same_picture_of_more_texels(scene: str, order: str) -> None:
    early, late = (render(built_in(scene), *SIZE, order, depth=depth) for depth in WHEN)
    assert (picture(early) == picture(late)).all()
    assert early.shown.all() and late.shown.sum() == early.fragments
    for name in ("x", "y", "prim", "light", "blended"):
        assert (getattr(late, name)[late.shown] == getattr(early, name)).all()
    shown = late.shown[late.samples.pixel]
    assert (late.texels()[shown] == early.texels()).all()
    assert late.fragments > early.fragments or scene == "decals"
    assert (early.meta["depth"], late.meta["depth"]) == (EARLY, LATE)


@pytest.mark.parametrize("scene", SCENES)
def test_late_quads_hold_the_early_ones(scene: str) -> None:
    early, late = (quad_frame(built_in(scene), *SIZE, depth=depth) for depth in WHEN)
    shown = late.shown != 0
    assert (early.shown == early.quads["valid"]).all()
    assert (late.shown[shown] == early.quads["valid"]).all()
    assert (late.quads["uv"][shown] == early.quads["uv"]).all()
    assert (late.shown & ~late.quads["valid"] == 0).all()
    assert late.pixels > early.pixels or scene == "decals"


def flat(alpha: int, colour: int = 200, half: bool = False) -> Texture:
    """A texture of one colour and alpha; ``half``: the lower half of it has no alpha."""
    pixels = np.full((SIDE, SIDE, 4), colour, np.uint8)
    pixels[..., 3] = alpha
    if half:
        pixels[SIDE // 2 :, :, 3] = 0
    return from_pixels(f"flat{alpha}-{colour}-{half}", pixels)


def wall(texture: int, distance: float, **state: Any) -> Mesh:
    """A square over the whole screen at a distance from the camera."""
    half = 1.5 * distance
    part = quad((-half, half, -distance), (2 * half, 0, 0), (0, -2 * half, 0))
    return Mesh(texture, part.positions, part.uv, CLAMP, CLAMP, light=np.ones(2), **state)


def walls(*meshes: Mesh, **rest: Any) -> Scene:
    """Textures: opaque, with a hole below, of another colour."""
    textures = flat(255), flat(255, 120, half=True), flat(255, 40)
    camera = Camera((0, 0, 0), (0, 0, -1), fov_y=90)
    return Scene("walls", meshes, textures, (camera,), ((0, 0, 0), (0, 0, 0)), **rest)


def both(scene: Scene, depth: str) -> tuple[Frame, QuadFrame]:
    return render(scene, *SIZE, depth=depth), quad_frame(scene, *SIZE, depth=depth)


@pytest.mark.parametrize(
    ("compare", "early"),
    [(NEVER, 1), (LESS, 1), (EQUAL, 1), (LEQUAL, 1), (GREATER, 2), (ALWAYS, 2)],
)
def test_a_wall_behind_another_is_textured_as_its_function_says(compare: int, early: int) -> None:
    """Early twice if it passes; late always."""
    area = SIZE[0] * SIZE[1]
    scene = walls(wall(0, 5), wall(2, 9, compare=compare))
    for depth, times in ((EARLY, early), (LATE, 2)):
        frame, quads = both(scene, depth)
        assert frame.fragments == quads.pixels == times * area
        assert (picture(frame)[..., 0] == (200 if early == 1 else 40)).all()


def test_a_second_pass_draws_where_the_first_one_stored() -> None:
    """A wall, and the same one again with "equal"; it stores nothing if told so."""
    for write in (True, False):
        frame, _ = both(walls(wall(0, 5, write=write), wall(2, 5, compare=EQUAL)), EARLY)
        assert frame.fragments == SIZE[0] * SIZE[1] * (2 if write else 1)


def test_reversed_depth_is_cleared_to_the_near_side() -> None:
    scene = walls(wall(0, 9, compare=GREATER), wall(2, 5, compare=GREATER), clear=0.0)
    frame, _ = both(scene, EARLY)
    assert frame.fragments == SIZE[0] * SIZE[1], "the nearer one has the lesser depth"
    assert both(walls(*scene.meshes[:1], wall(2, 5)), EARLY)[0].fragments == SIZE[0] * SIZE[1]


@pytest.mark.parametrize("depth", WHEN)
def test_killed_pixels_are_textured_and_hide_nothing(depth: str) -> None:
    """A wall with a hole in its lower half before another wall; seen through the hole, in both blocks."""
    scene = walls(wall(1, 5, kill=128), wall(2, 9))
    frame, quads = both(scene, depth)
    area = SIZE[0] * SIZE[1]
    assert frame.fragments == quads.pixels == (2 * area if depth == LATE else area + area // 2)
    assert frame.shown.sum() == pixels_of(quads.shown).sum() == area
    red = picture(frame)[..., 0]
    assert (red[: SIZE[1] // 2] == 120).all() and (red[SIZE[1] // 2 :] == 40).all()
    without, _ = both(walls(wall(1, 5), wall(2, 9)), depth)
    assert (picture(without)[..., 0] == 120).all()


@pytest.mark.parametrize("depth", WHEN)
def test_alpha_that_kills_nothing_changes_nothing(depth: str) -> None:
    """Solid textures: early, too, although the test waits for the alpha there; quads at edges among them."""
    scene = built_in("objects")
    tested = replace(scene, meshes=tuple(replace(mesh, kill=1) for mesh in scene.meshes))
    plain, killing = quad_frame(scene, *SIZE, depth=depth), quad_frame(tested, *SIZE, depth=depth)
    assert (plain.quads == killing.quads).all() and (plain.shown == killing.shown).all()
    assert (plain.shown != 15).mean() > 0.2


def test_a_killed_frame_is_kept_under_its_textures() -> None:
    """The same triangles with another alpha are another frame, although it was rendered before."""
    scene = walls(wall(1, 5, kill=128), wall(2, 9))
    opaque = Scene("walls", scene.meshes, (scene.textures[0],) * 3, scene.cameras)
    assert render(scene, *SIZE).fragments > render(opaque, *SIZE).fragments == SIZE[0] * SIZE[1]
