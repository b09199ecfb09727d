# SPDX-License-Identifier: Apache-2.0
"""From scenes to footprints to pictures: pictures, orders, built-in scenes against the cache model."""

from functools import cache
from typing import Any

import numpy as np
import pytest

from configs import UserError, load
from models.memory import Memory
from models.texcache import TexcacheModel
from models.texcache.address import LAYOUTS
from workloads.scenes import SCENES, built_in
from workloads.scenes.scene import BLEND, OPAQUE, OVERLAY, Camera, Mesh, Scene
from workloads.scenes.shapes import quad
from workloads.texcache.frame import ORDERS, Frame, render, shade
from workloads.textures import Texture, from_pixels

SIZE = (96, 72)


@cache
def frame(scene: str, order: str = "scan", filter: str = "bilinear") -> Frame:
    return render(built_in(scene), *SIZE, order, filter)


def noise(side: int, seed: int = 1) -> Texture:
    return from_pixels("noise", np.random.default_rng(seed).integers(0, 256, (side, side, 4), np.uint8))


def poster(texture: Texture, size: float, draw: int = OPAQUE, **rest: Any) -> Mesh:
    """A square around the origin that faces the camera of :func:`looking`."""
    part = quad((-size / 2, size / 2, 0), (size, 0, 0), (0, -size, 0))
    return Mesh(0, part.positions, part.uv, draw=draw, light=np.ones(2), **rest)


def looking(texture: Texture, *meshes: Mesh, distance: float = 1.0) -> Scene:
    camera = Camera((0, 0, distance), (0, 0, -1), fov_y=90)
    return Scene("test", meshes, (texture,), (camera,), background=((0, 0, 0), (0, 0, 0)))


@pytest.mark.parametrize("scene", SCENES)
@pytest.mark.parametrize("filter", ["bilinear", "trilinear"])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_the_cache_delivers_the_texels_of_the_textures(scene: str, filter: str, layout: str) -> None:
    """Memory image, table, layout and wrap modes agree with texels fetched straight from the pictures."""
    cfg = load("texcache", "paper", [f"layout={layout}"])
    rendered = frame(scene, "scan", filter)
    trace = rendered.trace(cfg, base=1 << 20)
    trace.check(cfg)
    model = TexcacheModel(cfg, Memory(1, trace.base, trace.image), trace.lut)
    assert (model.replay(trace.footprints)["texel"] == rendered.texels()).all()


@pytest.mark.parametrize("scene", SCENES)
def test_every_order_shows_the_same_picture(scene: str) -> None:
    pictures = [shade(rendered, rendered.texels()) for rendered in (frame(scene, order) for order in ORDERS)]
    assert pictures[0].std() > 15
    assert all((picture == pictures[0]).all() for picture in pictures)


@pytest.mark.parametrize("scene", SCENES)
def test_trilinear_pairs(scene: str) -> None:
    rendered = frame(scene, "scan", "trilinear")
    pixel, footprints = rendered.samples.pixel.astype(int), rendered.footprints
    assert (np.diff(pixel) >= 0).all()
    assert len(np.unique(pixel)) == rendered.fragments == len(frame(scene).footprints)
    assert np.bincount(pixel).max() == 2
    second = np.flatnonzero(np.diff(pixel) == 0) + 1
    assert (footprints["level"][second] == footprints["level"][second - 1] + 1).all()
    assert (footprints["tex"][second] == footprints["tex"][second - 1]).all()
    assert (rendered.samples.lw[second] == rendered.samples.lw[second - 1]).all()
    single = np.setdiff1d(np.arange(len(pixel)), np.concatenate([second, second - 1]))
    assert (rendered.samples.lw[single] == 0).all()


def test_a_poster_at_one_texel_per_pixel_is_its_texture() -> None:
    texture = noise(64)
    opaque = from_pixels("opaque", texture.levels[0] | np.array([0, 0, 0, 255], np.uint8))
    result = render(looking(opaque, poster(opaque, 2.0)), 64, 64)
    assert (result.footprints["level"] == 4).all()
    assert (shade(result, result.texels()) == opaque.levels[0][..., :3]).all()


def test_a_poster_seen_from_twice_the_distance_shows_the_next_level() -> None:
    texture = noise(64)
    result = render(looking(texture, poster(texture, 2.0), distance=2.0), 64, 64)
    assert (result.footprints["level"] == 5).all()
    assert result.fragments == 32 * 32
    picture = shade(result, result.texels())
    assert (picture[16:48, 16:48] == texture.levels[1][..., :3]).all()


def test_overlays_are_blended_in_order_and_blended_meshes_are_sorted() -> None:
    half = from_pixels("half", np.full((4, 4, 4), (200, 100, 50, 128), np.uint8))
    rendered = render(looking(half, poster(half, 4.0, OVERLAY), poster(half, 4.0, OVERLAY)), 8, 8)
    first = (200 * 128 + 127) // 255
    assert (shade(rendered, rendered.texels())[..., 0] == first + ((200 - first) * 128 + 127) // 255).all()
    far = poster(half, 4.0, BLEND)
    near = Mesh(0, np.add(far.positions, (0, 0, 0.5)), far.uv, draw=BLEND)
    drawn = looking(half, near, far).draw_list(Camera((0, 0, 1), (0, 0, -1)), 1.0)
    assert (np.diff(drawn.clip_space[:, 0, 3]) <= 0).all()


def test_blended_meshes_are_hidden_by_solid_ones_and_hide_nothing() -> None:
    texture = noise(4)
    wall = poster(texture, 4.0)
    behind = Mesh(0, np.add(wall.positions, (0, 0, -1)), wall.uv * 9, draw=BLEND)
    before = Mesh(0, np.add(wall.positions, (0, 0, 0.5)), wall.uv, draw=BLEND)
    result = render(looking(texture, behind, before, wall), 16, 16)
    assert result.fragments == 2 * 256  # the wall, then what is before it
    assert result.blended.tolist() == [False] * 256 + [True] * 256


def test_overlays_ignore_depth_and_are_drawn_last() -> None:
    texture = noise(4)
    wall = poster(texture, 4.0)
    behind = Mesh(0, np.add(wall.positions, (0, 0, -0.5)), wall.uv * 2, draw=OVERLAY)
    before = Mesh(0, np.add(wall.positions, (0, 0, 0.5)), wall.uv, draw=OVERLAY)
    result = render(looking(texture, before, behind, wall), 16, 16)
    assert result.fragments == 3 * 256
    assert result.prim.tolist() == sorted(result.prim.tolist())
    assert result.blended.tolist() == [False] * 256 + [True] * 512


def test_only_used_textures_are_kept() -> None:
    texture = noise(8)
    hidden = Mesh(0, np.add(poster(texture, 1.0).positions, (0, 0, 50)), poster(texture, 1.0).uv)
    visible = Mesh(2, poster(texture, 4.0).positions, poster(texture, 4.0).uv)
    scene = Scene("test", (hidden, visible), (texture, texture, noise(16)), (Camera((0, 0, 1), (0, 0, -1)),))
    result = render(scene, 16, 16)
    assert [texture.side for texture in result.textures] == [16]
    assert (result.footprints["tex"] == 0).all()


def test_frames_for_machines_with_smaller_textures() -> None:
    cfg = load("texcache", "tiny", ["textures=32"])
    with pytest.raises(UserError, match="max_side=64"):
        frame("objects").trace(cfg)
    rendered = render(built_in("objects"), *SIZE, max_side=cfg.max_side)
    trace = rendered.trace(cfg).check(cfg)
    assert (trace.footprints["level"] + 4 == rendered.footprints["level"]).all()
    model = TexcacheModel(cfg, Memory(1, trace.base, trace.image), trace.lut)
    assert (model.replay(trace.footprints)["texel"] == rendered.texels()).all()


def test_too_many_textures_are_refused_by_name() -> None:
    with pytest.raises(UserError, match="textures"):
        frame("objects").trace(load("texcache", "paper", ["textures=4"]))


def test_the_picture_needs_all_texels() -> None:
    with pytest.raises(ValueError, match="footprints"):
        shade(frame("decals"), np.zeros((3, 4), np.uint32))


def test_a_camera_projects_as_expected() -> None:
    matrix = Camera((1, 2, 3), (0, 0, -2), fov_y=90, near=1, far=11).matrix(2.0)
    ahead = matrix @ (1, 2, 3 - 5, 1)
    assert ahead / ahead[3] == pytest.approx([0, 0, (12 - 22 / 5) / 10, 1])
    corner = matrix @ (1 + 10, 2 + 5, 3 - 5, 1)
    assert corner[:2] / corner[3] == pytest.approx([1, 1])


def test_scenes_without_triangles_or_with_wild_coordinates_are_refused() -> None:
    texture = noise(4)
    with pytest.raises(UserError, match="no triangles"):
        render(looking(texture), 8, 8)
    wild = poster(texture, 1.0)
    with pytest.raises(UserError, match="texture coordinates"):
        render(looking(texture, Mesh(0, wild.positions, wild.uv + 1e9)), 8, 8)
