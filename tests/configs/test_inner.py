# SPDX-License-Identifier: Apache-2.0
"""Configurations of blocks that contain others: presets inside, overrides, what follows what, mistakes."""

from typing import Any

import pytest

import configs
from configs import UserError, load
from configs.parts import AxiLitePort

OUTER = [block for block in configs.blocks() if configs.schema(block).inner_kinds()]


def test_some_block_contains_others() -> None:
    assert OUTER == ["mmu", "renderer", "trilinear"]
    assert {name: kind.block for name, kind in configs.schema("mmu").inner_kinds().items()} == {
        "icache": "icache",
        "dcache": "dcache",
    }


@pytest.mark.parametrize(("preset", "inner"), [("paper", "paper"), ("tiny", "tiny")])
def test_a_preset_names_presets_of_the_blocks_inside(preset: str, inner: str) -> None:
    """Equal to them but for what is the outer block's to say."""
    cfg = load("mmu", preset)
    for name, mine in cfg.inner.items():
        alone = load(name, inner)
        same = {"cache": {"address_bits": cfg.axi.address_bits}, "warps": cfg.warps}
        assert mine == alone.with_(**same)
        assert mine.preset == inner


def test_an_override_reaches_a_block_inside() -> None:
    tiny = load("mmu", "tiny")
    other = load("mmu", "tiny", ["icache.cache.ways=8", "uncached_bits=2"])
    assert (other.icache.cache.ways, other.icache.cache.sets) == (8, tiny.icache.cache.sets)
    assert (other.dcache.cache.ways, other.dcache.uncached_bits) == (4, 2)
    assert other.name == "tiny+icache.cache.ways=8,dcache.uncached_bits=2"
    assert other.hash != tiny.hash and other == tiny.with_(
        icache={"cache": {"ways": 8}}, dcache={"uncached_bits": 2}
    )
    assert type(other).model_validate_json(other.model_dump_json()) == other


def test_blocks_inside_have_the_observers_memory_and_widths_of_the_outer_one() -> None:
    changes = ["observe=false", "memory.latency=5", "axi.address_bits=20", "axi.data_bits=64", "warps=4"]
    cfg = load("mmu", "tiny", changes)
    for inner in cfg.inner.values():
        assert (inner.observe, inner.memory.latency, inner.warps) == (False, 5, 4)
        assert (inner.cache.address_bits, inner.axi.address_bits, inner.axi.data_bits) == (20, 20, 64)
    assert not any(name.endswith("_evt") for name in cfg.streams)
    slow = load("mmu", "tiny", ["memory.latency=99"])
    assert slow.hash == load("mmu", "tiny").hash, "memory is no part of the hardware"


@pytest.mark.parametrize(
    ("overrides", "words"),
    [
        (["icache.cache.sets=12"], ["configuration of mmu", "icache.cache.sets=12", "power of two"]),
        (["dcache.cache.ways=32"], ["dcache.cache.ways=32", "16"]),
        (["dcache.write_policy=never"], ["dcache.write_policy='never'", "write-through"]),
        (["ways=4"], ["ways is ambiguous", "icache.cache.ways, dcache.cache.ways"]),
        (["icache.cache.address_bits=20"], ["unknown field icache.cache.address_bits"]),
        (["icache.observe=false"], ["unknown field icache.observe"]),
        (["icache.preset=tiny"], ["unknown field icache.preset"]),
        (["icache=3"], ["icache is a part", "icache.cache.ways"]),
        (["dcache.cache.line_bytes=1024", "axi.data_bits=32", "dcache.cache.sets=1024",
          "axi.address_bits=20"], ["dcache: cache.address_bits=20", "tag"]),
        (["icache.cache.line_bytes=8", "axi.data_bits=64"], ["icache: cache.line_bytes=8", "1 beats"]),
        (["data_ram.base=0x8010"], ["data_ram.base=0x8010", "multiple of data_ram.capacity_bytes=256"]),
        (["data_ram.base=0x10000"], ["data_ram.base=0x10000", "below 0x10000"]),
        (["axi.address_bits=12", "capacity_bytes=4096", "data_ram.base=0"], ["all addresses"]),
    ],
)  # fmt: skip
def test_what_is_wrong_inside_is_named_with_its_path(overrides: list[str], words: list[str]) -> None:
    with pytest.raises(UserError) as error:
        load("mmu", "tiny", overrides)
    assert all(word in str(error.value) for word in words), str(error.value)
    assert len(str(error.value).splitlines()) == 1


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"icache": {"preset": "huge"}}, "unknown configuration 'huge' of icache: choose one of paper"),
        ({"icache": {"cache": {"address_bits": 20}}}, "always equals axi.address_bits, which is 16"),
        ({"dcache": {"warps": 4}}, "always equals warps, which is 2"),
        ({"dcache": {"lanes": 4}}, "dcache.lanes=4"),
    ],
)
def test_a_wrong_block_inside_is_refused(changes: dict[str, Any], words: str) -> None:
    with pytest.raises(UserError) as error:
        load("mmu", "tiny").with_(**changes)
    assert words in str(error.value)


def test_the_control_port_names_its_signals() -> None:
    signals = {signal.name: signal for signal in AxiLitePort().signals}
    assert len(signals) == 19 and {name.rpartition("_")[0] for name in signals} == {"s_axil"}
    directions = {
        name: signals[f"s_axil_{name}"].direction for name in ("awaddr", "awready", "rdata", "bready")
    }
    assert directions == {"awaddr": "in", "awready": "out", "rdata": "out", "bready": "in"}
    assert (signals["s_axil_wdata"].width, signals["s_axil_araddr"].width) == (32, 12)
