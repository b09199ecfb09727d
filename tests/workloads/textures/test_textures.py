# SPDX-License-Identifier: Apache-2.0
"""Textures, image files, mip chains, the store, and mip chains in memory."""

import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from PIL import Image

from configs import UserError, load
from models.texcache.address import LAYOUTS
from utils.keys import digest
from workloads import store
from workloads.texcache.texture_memory import arrange, words, write_textures
from workloads.textures import NAMES, PHOTOGRAPHS, PROCEDURAL, _make, from_pixels, load_texture, texture
from workloads.textures.images import load_image
from workloads.textures.mipmaps import LINEAR, encode, mip_chain

RELAXED = settings(deadline=None, max_examples=40)
pictures = st.integers(0, 5).flatmap(lambda k: arrays(np.uint8, (1 << k, 1 << k, 4)))


@RELAXED
@given(pictures)
def test_a_chain_has_every_level_down_to_one_texel(image: Any) -> None:
    levels = mip_chain(image)
    assert [level.shape for level in levels] == [
        (len(image) >> i, len(image) >> i, 4) for i in range(len(image).bit_length())
    ]
    assert (levels[0] == image).all()


@RELAXED
@given(pictures)
def test_every_level_keeps_the_mean_of_light_and_of_alpha(image: Any) -> None:
    image[..., 3] |= 1  # something to see everywhere
    alpha = image[..., 3:] / 255.0
    light = (LINEAR[image[..., :3]] * alpha).mean(axis=(0, 1)) / alpha.mean()
    last = mip_chain(image)[-1][0, 0]
    assert np.abs(last[:3].astype(int) - encode(light.astype(np.float32))).max() <= 1
    assert abs(int(last[3]) - 255 * alpha.mean()) <= 0.51


def test_transparent_texels_lend_no_colour() -> None:
    image = np.zeros((2, 2, 4), np.uint8)
    image[...] = (255, 0, 255, 0)
    image[0, 0] = (10, 200, 30, 255)
    assert mip_chain(image)[1][0, 0].tolist() == [10, 200, 30, 64]
    image[..., 3] = 0
    assert mip_chain(image)[1][0, 0, 3] == 0


def test_srgb_bytes_survive_decoding_and_encoding() -> None:
    assert (encode(LINEAR) == np.arange(256)).all()
    assert LINEAR[0] == 0
    assert LINEAR[255] == 1
    assert LINEAR[188] == pytest.approx(0.502886, abs=1e-6)  # IEC 61966-2-1


def test_the_built_in_set() -> None:
    assert len(NAMES) == len(set(NAMES)) == 20
    assert len(PROCEDURAL) == 16
    sides = set()
    for name in NAMES:
        loaded = texture(name)
        sides.add(loaded.side)
        assert loaded.name == name
        assert loaded.source
        assert loaded.licence
        assert loaded.levels[-1].shape == (1, 1, 4)
        assert loaded.levels[0].std() > 10  # something is on it
    assert min(sides) == 64
    assert max(sides) == 1024
    assert {name for name in NAMES if texture(name).has_alpha} == {"tree", "blades", "splat"}


@pytest.mark.parametrize("name", ["marble", "checker", "tree", "chelsea"])
def test_textures_do_not_depend_on_the_run(name: str) -> None:
    for here, stored in zip(_make(name), texture(name).levels, strict=True):
        assert (here == stored).all()


@pytest.mark.parametrize("photograph", PHOTOGRAPHS.values())
def test_photographs_are_files_of_scikit_image_with_a_licence(photograph: Any) -> None:
    assert "CC0" in photograph.licence or "public domain" in photograph.licence


@pytest.mark.parametrize("mode", ["RGB", "RGBA", "L", "LA", "P", "1", "CMYK", "I;16", "I", "F"])
def test_images_of_any_mode_become_powers_of_two(tmp_path: Path, mode: str) -> None:
    path = tmp_path / ("image.tif" if mode in ("CMYK", "F", "I") else "image.png")
    Image.new(mode, (48, 20), 1 if mode in ("1", "P") else None or 0).save(path)
    picture = load_image(path)
    assert picture.pixels.shape == (32, 64, 4)
    assert picture.note == f"{path.name}: resized from 48x20 to 64x32"


def test_sixteen_bit_images_keep_their_brightness(tmp_path: Path) -> None:
    grey = np.full((8, 8), 0x8080, np.uint16)
    Image.fromarray(grey).save(tmp_path / "grey.png")
    assert (load_image(tmp_path / "grey.png").pixels[..., :3] == 128).all()


def test_a_square_power_of_two_is_left_alone(tmp_path: Path) -> None:
    pixels = np.random.default_rng(1).integers(0, 256, (32, 32, 4), np.uint8)
    Image.fromarray(pixels).save(tmp_path / "noise.png")
    loaded = load_texture(tmp_path / "noise.png")
    assert (loaded.levels[0] == pixels).all()
    assert (loaded.name, loaded.note) == ("noise", "")


def test_large_images_are_limited(tmp_path: Path) -> None:
    Image.new("RGB", (4000, 300), "red").save(tmp_path / "large.png")
    loaded = load_texture(tmp_path / "large.png")
    assert loaded.size == (2048, 256)
    assert "4000x300 to 2048x256" in loaded.note
    assert loaded.limited(64).size == (64, 8)
    assert loaded.limited(2048) is loaded


def test_a_texture_that_is_not_square_halves_until_both_sides_are_one(tmp_path: Path) -> None:
    pixels = np.zeros((2, 8, 4), np.uint8)
    pixels[..., 3] = 255
    pixels[:, 4:] = 255
    Image.fromarray(pixels).save(tmp_path / "wide.png")
    loaded = load_texture(tmp_path / "wide.png")
    assert [level.shape[:2] for level in loaded.levels] == [(2, 8), (1, 4), (1, 2), (1, 1)]
    assert loaded.levels[2][0, :, 0].tolist() == [0, 255]
    assert loaded.levels[3][0, 0].tolist() == [188, 188, 188, 255]  # the mean of the light, not of the bytes
    assert loaded.size == (8, 2) and not loaded.is_square
    square = loaded.squared()
    assert square.size == (8, 8) and square.is_square and square.squared() is square


def test_what_is_no_image_is_refused_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "text.png").write_text("no image")
    picture = tmp_path / "cut.png"
    Image.effect_noise((64, 64), 50).save(picture)
    picture.write_bytes(picture.read_bytes()[:500])
    for path in (tmp_path / "text.png", picture, tmp_path / "missing.png", tmp_path):
        with pytest.raises(UserError) as error:
            load_image(path)
        assert str(path) in str(error.value)
        assert "\n" not in str(error.value)
    with pytest.raises(UserError, match=r"unknown texture 'bricks'.*brick"):
        load_texture("bricks")


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("preset", ["paper", "tiny"])
def test_chains_lie_in_memory_where_the_table_says(layout: str, preset: str) -> None:
    cfg = load("texcache", preset, [f"layout={layout}"])
    rng = np.random.default_rng(3)
    chosen = [from_pixels(str(s), rng.integers(0, 256, (s, s, 4), np.uint8)) for s in (16, 1, 64)]
    base = 64 * cfg.cache.line_bytes
    memory = write_textures(cfg, chosen, base)
    assert memory.base == base
    for tex, source in enumerate(chosen):
        for level, pixels in enumerate(source.levels, cfg.levels - len(source.levels)):
            start = int(memory.lut[tex, level]) * cfg.line_texels - base // 4
            stored = memory.image[start : start + pixels.shape[0] ** 2]
            assert (stored == arrange(cfg, pixels)).all()


def test_bytes_of_a_word_are_red_first() -> None:
    assert words(np.array([[[1, 2, 3, 4]]], np.uint8)).tolist() == [[0x04030201]]


def test_the_store_survives_damage(tmp_path: Path) -> None:
    calls: list[int] = []

    def make() -> dict[str, Any]:
        calls.append(1)
        return {"a": np.arange(5)}

    for _ in range(2):
        assert store.cached("x", "k", make, tmp_path)["a"].tolist() == [0, 1, 2, 3, 4]
    assert len(calls) == 1
    (path,) = tmp_path.iterdir()
    for damage in (b"", b"garbage", path.read_bytes()[:-40]):
        path.write_bytes(damage)
        assert store.cached("x", "k", make, tmp_path)["a"].tolist() == [0, 1, 2, 3, 4]
    assert len(calls) == 4
    assert [file.name for file in tmp_path.iterdir()] == ["x-k.npz"]


def test_the_store_forgets_what_was_not_used_for_longest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def put(name: str) -> None:
        store.cached(name, "k", lambda: {"a": np.zeros(1000, np.uint8)}, tmp_path)

    for age, name in enumerate("abc"):
        put(name)
        os.utime(tmp_path / f"{name}-k.npz", (age, age))
    monkeypatch.setattr(store, "LIMIT", 3 * (tmp_path / "a-k.npz").stat().st_size)
    put("a")  # used again
    put("d")
    assert sorted(path.name[0] for path in tmp_path.iterdir()) == ["a", "c", "d"]


def test_digests_tell_types_shapes_and_contents_apart() -> None:
    parts = [
        [np.zeros(4, np.uint8)], [np.zeros((2, 2), np.uint8)], [np.zeros(1, np.uint32)], [b"\0\0\0\0"],
        [b"\0\0", b"\0\0"], [np.ones(4, np.uint8)], [],
    ]  # fmt: skip
    assert len({digest(part) for part in parts}) == len(parts)
