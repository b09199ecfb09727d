# SPDX-License-Identifier: Apache-2.0
"""Wrap modes against numpy.pad, layouts against their inverse; where mip chains lie."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from configs import UserError, load
from models.memory import Memory
from models.texcache import FOOTPRINT, TexcacheModel, allocate
from models.texcache.address import LAYOUTS
from models.wrapping import CLAMP, MIRROR, REPEAT, wrap
from tests.models.naive import places
from tests.models.strategies import COMPILED

SIDES = [1 << k for k in range(11)]


@pytest.mark.parametrize(("mode", "padding"), [(REPEAT, "wrap"), (CLAMP, "edge"), (MIRROR, "symmetric")])
@pytest.mark.parametrize("side", SIDES[:7])
def test_wrap_modes_are_those_of_numpy_pad(mode: int, padding: str, side: int) -> None:
    reach = 2 * side + 3
    padded = np.pad(np.arange(side), reach, mode=padding)  # type: ignore[call-overload]
    assert [wrap(mode, x, side.bit_length() - 1) for x in range(-reach, side + reach)] == padded.tolist()


@COMPILED
@given(
    st.sampled_from([4, 8, 16]),
    st.sampled_from(LAYOUTS),
    st.lists(st.sampled_from(SIDES[:6]), min_size=1, max_size=4),
)
def test_textures_never_share_a_texel(line_texels: int, layout: str, sides: list[int]) -> None:
    """All texels of all levels of all textures have different addresses, inside what was allocated."""
    cfg = load(
        "texcache",
        "paper",
        [f"line_bytes={4 * line_texels}", f"layout={layout}", "max_side=32", "small_side=8"],
    )
    base = 3 * cfg.cache.line_bytes
    lut, total = allocate(cfg, sides, base)
    words = []
    for tex, side in enumerate(sides):
        for level in range(6 - side.bit_length(), cfg.levels):
            size = cfg.level_side(level)
            order = places(layout, size).values()
            assert sorted(order) == list(range(size * size))
            words += [int(lut[tex, level]) * line_texels + offset for offset in order]
    assert len(set(words)) == len(words)
    assert 4 * min(words) == base
    assert base + total - cfg.cache.line_bytes <= 4 * max(words) < base + total


def test_allocation_by_hand() -> None:
    """8 x 8 texels are 8 lines, 4 x 4 two; 2 x 2 and 1 x 1 take one each."""
    cfg = load("texcache", "paper")
    lut, total = allocate(cfg, [8, 4], base=320)
    assert lut[0].tolist() == [0] * 7 + [10, 18, 20, 21]
    assert lut[1].tolist() == [0] * 8 + [22, 24, 25]
    assert total == 16 * 32
    assert not lut[2:].any()


@pytest.mark.parametrize(
    ("sides", "base", "message"),
    [
        ([24], 0, "texture side 24.*power of two"),
        ([2048], 0, "texture side 2048.*max_side=1024"),
        ([8] * 65, 0, "65 textures.*holds 64"),
        ([8], 16, "byte address 16.*32 bytes"),
        ([1024], 2**32 - 4096, "beyond the 32-bit address space"),
    ],
)
def test_allocation_refuses(sides: list[int], base: int, message: str) -> None:
    with pytest.raises(UserError, match=message):
        allocate(load("texcache", "paper"), sides, base)


@pytest.mark.parametrize(
    ("field", "value"), [("tex", 64), ("level", 11), ("mode_u", 3), ("mode_v", 3), ("u", 2048), ("v", -2049)]
)
def test_illegal_footprints_are_named(field: str, value: int) -> None:
    cfg = load("texcache", "paper")
    model = TexcacheModel(cfg, Memory(), np.zeros((64, 11), np.uint32))
    footprints = np.zeros(5, FOOTPRINT)
    footprints[3][field] = value
    with pytest.raises(UserError, match=rf"footprint 3, .*'{field}': {value}"):
        model.replay(footprints)


def test_illegal_tables_are_refused() -> None:
    cfg = load("texcache", "paper")
    with pytest.raises(UserError, match=r"shape \(2, 11\): paper needs \(64, 11\)"):
        TexcacheModel(cfg, Memory(), np.zeros((2, 11), np.uint32))
    with pytest.raises(UserError, match="line addresses have 27 bits"):
        TexcacheModel(cfg, Memory(), np.full((64, 11), 1 << 27, np.uint32))
    with pytest.raises(UserError, match="tex=64"):
        TexcacheModel(cfg, Memory(), np.zeros((64, 11), np.uint32)).set_lut(64, 0, 0)
    with pytest.raises(UserError, match="address_bits=40"):
        TexcacheModel(cfg.with_(cache={"address_bits": 40}), Memory(), np.zeros((64, 11), np.uint32))
