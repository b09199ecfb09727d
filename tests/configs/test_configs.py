# SPDX-License-Identifier: Apache-2.0
"""Configurations: presets load, overrides are validated, names and hashes mean what they say."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import configs
from configs import AxiPort, BlockConfig, CacheGeometry, Field, Stream, UserError, load
from configs.trees import read_override
from utils.files import atomic_path, write_if_changed

PRESETS = [(block, preset) for block in configs.blocks() for preset in configs.presets(block)]


@pytest.mark.parametrize(("block", "preset"), PRESETS)
def test_presets_load_and_describe_themselves(block: str, preset: str) -> None:
    cfg = load(block, preset)
    assert cfg.name == preset
    assert cfg.description
    assert len(cfg.hash) == 12


def test_every_block_has_its_paper_or_base_first() -> None:
    for block in configs.blocks():
        default = "paper" if "paper" in configs.presets(block) else "base"
        assert configs.presets(block)[0] == configs.default_preset(block) == load(block).preset == default


def test_geometry_presets_are_all_different() -> None:
    for block in configs.blocks():
        hashes = [load(block, preset).hash for preset in configs.presets(block)]
        assert len(set(hashes)) == len(hashes)


def test_published_geometry() -> None:
    cfg = load("texcache")
    assert (cfg.capacity_bytes, cfg.cache.line_bytes) == (8192, 32)
    assert (cfg.place_bits, cfg.cache.set_bits, cfg.bank_bits) == (3, 4, 2)  # address [2:0], [6:3], [8:7]
    assert [cfg.is_small(level) for level in range(11)] == [False] * 6 + [True] * 5  # 32 x 32 is level 5
    assert load("texcache", "single-port").capacity_bytes == cfg.capacity_bytes


def test_overrides_change_name_and_hash_only_if_they_change_something() -> None:
    paper = load("texcache")
    assert load("texcache", "paper", ["ways=4"]) == paper
    other = load("texcache", "paper", ["ways=2", "layout=morton"])
    assert other.name == "paper+cache.ways=2,layout=morton"
    assert other.hash != paper.hash
    assert load("texcache", "paper", other.name.partition("+")[2].split(",")) == other


def test_changes_reach_into_parts() -> None:
    paper = load("texcache")
    other = paper.with_(cache={"ways": 2, "address_bits": 30}, banks=2)
    assert (other.cache.ways, other.cache.sets, other.banks) == (2, paper.cache.sets, 2)
    assert other.axi.address_bits == 30, "the port's addresses are the cache's"
    assert type(other).model_validate_json(other.model_dump_json()) == other


def test_a_part_given_in_part_keeps_its_other_defaults() -> None:
    memory = load("texunit", "paper", ["memory.gap=3"]).memory
    assert (memory.latency, memory.gap) == (load("texunit").memory.latency, 3)


def test_memory_timing_is_no_part_of_the_hardware() -> None:
    slow = load("texcache", "paper", ["memory.latency=99"])
    assert slow.hash == load("texcache").hash
    assert slow.name == "paper+memory.latency=99"
    assert slow.memory.latency == 99


REFUSED = {
    "texcache": [
        (["ways=3"], ["cache.ways=3", "power of two"]),
        (["banks=many"], ["banks='many'"]),
        (["wayz=2"], ["wayz", "cache.ways", "banks"]),
        (["cache.banks=2"], ["cache.banks; choose one of cache.ways, cache.sets"]),
        (["cache=2"], ["cache is a part", "cache.ways"]),
        (["ways"], ["ways", "field=value"]),
        (["layout=spiral"], ["layout='spiral'", "morton"]),
        (["data_bits=512"], ["axi.data_bits=512", "256 bits"]),
        (["axi.address_bits=30"], ["unknown field axi.address_bits"]),
        (["axi.data_bits=32", "line_bytes=128"], ["axi.data_bits=32", "32 beats"]),
        (["small_side=2048"], ["small_side=2048", "max_side=1024"]),
        (["max_side=2048", "cache.address_bits=24"], ["max_side=2048", "cache.address_bits=24"]),
        (["cache.ways=2,banks=1"], ["cache.ways=2,banks=1", "by blanks"]),
        (["address_bits=24", "sets=1024", "banks=8", "line_bytes=256", "data_bits=256"], ["tag"]),
        (["memory.speed=1"], ["memory.speed"]),
        (["preset=x"], ["preset"]),
    ],
    "dcache": [
        (["targets=4"], ["targets=4", "needs mshrs"]),
        (["coalescing=true"], ["coalescing=true", "needs mshrs"]),
        (["prefetch=true"], ["prefetch=true", "needs mshrs"]),
        (["write_buffer=2"], ["write_buffer=2", "needs mshrs"]),
        (["mshrs=4", "write_policy=write-through"], ["mshrs=4", "needs write_policy=write-back"]),
        (["mshrs=4", "uncached_bits=1"], ["mshrs=4", "needs uncached_bits=0, which is 1"]),
        (["mshrs=4", "line_bytes=256"], ["mshrs=4", "cache.line_bytes=256", "128 bytes"]),
        (["mshrs=4", "id_bits=1"], ["mshrs=4", "axi.id_bits=1", "there are 2"]),
    ],
    "lpas": [
        (["rows=3"], ["array.rows=3", "2, 4 or 8"]),
        (["switch=crossbar"], ["switch='crossbar'", "lr2ss-a"]),
        (["switch=fs", "areas=merged"], ["areas=merged", "needs switch=lpas, which is fs"]),
        (["switch=lr2ss-a", "bound=age"], ["bound=age", "needs switch=lpas"]),
        (["age=3"], ["age=3", "needs bound=age, which is none"]),
        (["bound=age", "weight=2"], ["weight=2", "needs bound=weights"]),
        (["bound=weights", "weight=3"], ["weight=3", "power of two"]),
        (["data_bits=256"], ["axi.data_bits=256", "cache.line_bytes=32", "two beats"]),
        (["address_bits=14"], ["cache.address_bits=14", "array.rows=4", "cache.sets=32"]),
        (["id_bits=4"], ["axi.id_bits=4", "16 caches (array.rows=4"]),
    ],
}


@pytest.mark.parametrize(
    ("block", "case"), [(block, case) for block, cases in REFUSED.items() for case in cases]
)
def test_impossible_configurations_are_refused(block: str, case: tuple[list[str], list[str]]) -> None:
    """Rules between fields; limits of single ones are in ``test_tables.py``."""
    with pytest.raises(UserError) as error:
        load(block, "paper", case[0])
    assert all(word in str(error.value) for word in case[1]), str(error.value)


def test_a_miss_stops_all_unless_there_are_mshrs() -> None:
    assert not load("dcache").nonblocking
    assert load("dcache", "paper", ["mshrs=1", "targets=4", "write_buffer=2"]).nonblocking


class _TwoCaches(BlockConfig):
    """As a block with two of a kind would have it."""

    icache: CacheGeometry = CacheGeometry(ways=2)
    dcache: CacheGeometry = CacheGeometry()
    axi: AxiPort = AxiPort(data_bits=128)
    FOLLOWS = {"dcache.address_bits": "icache.address_bits", "axi.address_bits": "icache.address_bits"}


def test_two_parts_of_a_kind() -> None:
    cfg = _TwoCaches.model_validate({"icache": {"sets": 8, "address_bits": 40}})
    assert (cfg.icache.ways, cfg.icache.sets, cfg.dcache.ways, cfg.axi.data_bits) == (2, 8, 4, 128)
    assert cfg.icache.address_bits == cfg.dcache.address_bits == cfg.axi.address_bits == 40
    assert read_override("dcache.ways=2", cfg.choices()) == ("dcache.ways", 2)
    with pytest.raises(UserError, match=r"ways is ambiguous; say which: icache\.ways, dcache\.ways"):
        read_override("ways=2", cfg.choices())
    with pytest.raises(
        ValueError, match=r"axi\.address_bits=20: always equals icache\.address_bits, which is 32"
    ):
        _TwoCaches.model_validate({"axi": {"address_bits": 20}})


def test_axi_ports_name_their_signals() -> None:
    signals = {signal.name: signal for signal in load("texunit").axi_ports["m_axi"].signals}
    assert (signals["m_axi_rdata"].width, signals["m_axi_rdata"].direction) == (128, "in")
    assert [signals[f"m_axi_ar{name}"].direction for name in ("addr", "ready")] == ["out", "in"]
    assert not any("_aw" in name or "_w" in name or "_b" in name for name in signals), "it only reads"
    written = AxiPort(data_bits=32).channels
    assert list(written) == ["aw", "w", "b", "ar", "r"]
    assert [field.name for field in written["w"].fields] == ["data", "strb", "last"]


def test_unknown_names_list_the_choices() -> None:
    with pytest.raises(UserError, match="texcache"):
        load("texcash")
    with pytest.raises(UserError, match="single-port"):
        load("texcache", "papre")


STREAM = Stream("s", "in", (Field("a", 5), Field("b", 12, signed=True), Field("c", 1)))


@given(st.integers(0, 31), st.integers(-2048, 2047), st.integers(0, 1))
def test_streams_unpack_what_they_packed(a: int, b: int, c: int) -> None:
    values = {"a": a, "b": b, "c": c}
    assert STREAM.unpack(STREAM.pack(values)) == values


def test_first_field_is_least_significant() -> None:
    assert STREAM.pack({"a": 1, "b": 0, "c": 0}) == 1
    assert STREAM.pack({"a": 0, "b": -1, "c": 0}) == 0xFFF << 5
    assert STREAM.offset("c") == 17
    assert STREAM.width == 18


@pytest.mark.parametrize("values", [{"a": 32}, {"a": -1}, {"b": 2048}, {"b": -2049}])
def test_values_out_of_range_are_refused(values: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="is not in"):
        STREAM.pack({"a": 0, "b": 0, "c": 0, **values})


def test_atomic_files(tmp_path: Any) -> None:
    target = tmp_path / "deep" / "file.txt"
    with pytest.raises(RuntimeError), atomic_path(target) as temporary:
        temporary.write_text("half")
        raise RuntimeError
    assert not target.exists()
    assert list(target.parent.iterdir()) == []
    assert write_if_changed(target, "whole")
    assert not write_if_changed(target, "whole")
    assert target.read_text() == "whole"


def test_published_array() -> None:
    cfg = load("lpas")
    assert (cfg.pes, cfg.cache.capacity_bytes, cfg.slot_bits, cfg.array.pe_bits) == (16, 2 * 512, 4, 4)
    areas = ["".join(str(area[0] // 4) for area in areas) for areas in cfg.area_pes]
    assert areas == ["0123", "1023", "2130", "3210"]
    assert [cfg.credits(area) for area in range(4)] == [4, 2, 1, 1]


#: by hand: changes of `paper`, a row of caches, the PEs of its areas
AREAS = [
    ("areas=cyclic", 1, ["4 5 6 7", "8 9 10 11", "12 13 14 15", "0 1 2 3"]),
    ("areas=cyclic", 3, ["12 13 14 15", "0 1 2 3", "4 5 6 7", "8 9 10 11"]),
    ("areas=merged", 0, ["0 1 2 3", "4 5 6 7", "8 9 10 11", "12 13 14 15"]),
    ("areas=merged", 1, ["4 5 6 7", "0 1 2 3 8 9 10 11", "12 13 14 15"]),
    ("areas=merged", 2, ["8 9 10 11", "4 5 6 7 12 13 14 15", "0 1 2 3"]),
    ("array.rows=8 array.columns=2 axi.id_bits=5", 4,
     ["8 9", "6 7", "10 11", "4 5", "12 13", "2 3", "14 15", "0 1"]),
    ("array.rows=8 array.columns=2 axi.id_bits=5 areas=merged", 6,
     ["12 13", "10 11 14 15", "8 9", "6 7", "4 5", "2 3", "0 1"]),
    ("array.rows=2 array.columns=4 axi.id_bits=4", 1, ["4 5 6 7", "0 1 2 3"]),
]  # fmt: skip

#: by hand: switch, rows and columns, a PE, the link that leads it to each cache
LINKS = [
    ("lr2ss-a", 4, 2, 5, "9 5 9 6 9 7 9 8"),
    ("lr2ss-a", 2, 4, 6, "8 8 6 8 8 8 7 8"),
    ("lr2ss-b", 4, 2, 5, "2 3 2 3 2 3 2 3"),
    ("lr2ss-b", 2, 4, 6, "8 9 10 11 8 9 10 11"),
    ("lr2ss-c", 4, 2, 5, "4 5 4 5 4 5 4 5"),
    ("lr2ss-c", 2, 4, 6, "4 5 6 7 4 5 6 7"),
]


def test_a_folder_has_a_name_that_file_systems_take() -> None:
    """Many changes make a long name: what is cut still tells configurations apart, also by memory alone."""
    changes = [f"{path}={value}" for path, value in (
        ("cache.address_bits", 30), ("cache.sets", 8), ("cache.policy", "lru"), ("cache.line_bytes", 64),
        ("write_policy", "write-through"), ("axi.id_bits", 9), ("uncached_bits", 3), ("memory.gap", 7),
    )]  # fmt: skip
    names = {load("dcache", "paper", [*changes, f"memory.latency={n}"]).build_folder().name for n in (1, 2)}
    assert len(names) == 2 and max(map(len, names)) < 150


@pytest.mark.parametrize(("changes", "row", "areas"), AREAS)
def test_areas_of_a_row_of_caches(changes: str, row: int, areas: list[str]) -> None:
    cfg = load("lpas", "paper", changes.split())
    assert cfg.area_pes[row] == tuple(tuple(int(pe) for pe in area.split()) for area in areas)


@pytest.mark.parametrize(("switch", "rows", "columns", "pe", "links"), LINKS)
def test_links_of_a_pe(switch: str, rows: int, columns: int, pe: int, links: str) -> None:
    array = [f"array.rows={rows}", f"array.columns={columns}"]
    cfg = load("lpas", "paper", [f"switch={switch}", "axi.id_bits=4", *array])
    assert cfg.links[pe] == tuple(int(link) for link in links.split())
