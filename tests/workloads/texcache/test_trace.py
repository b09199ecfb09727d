# SPDX-License-Identifier: Apache-2.0
"""Trace files: what is written is read back, and everything else is refused with file, place and rule."""

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from configs import UserError, load
from models.texcache import FOOTPRINT
from models.texcache.lut import allocate
from tests.models import strategies
from workloads.texcache.trace import EXTRAS, Trace, columns, of_chains
from workloads.texcache.trace_files import load_trace, save_trace
from workloads.texcache.trace_npz import OTHERS

PAPER = load("texcache")
SMALL = load("texcache", "tiny")
COMPILED = settings(
    deadline=None, max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


def write(folder: Path, text: str) -> Path:
    path = folder / "mine.csv"
    path.write_text(text)
    return path


def same(a: Trace, b: Trace) -> bool:
    used = a.footprints["tex"], a.footprints["level"]
    return (
        (a.footprints == b.footprints).all()
        and (a.lut[used] == b.lut[used]).all()
        and a.extras.keys() == b.extras.keys()
        and all((a.extras[name] == b.extras[name]).all() for name in a.extras)
    )


@COMPILED
@given(st.data(), st.sampled_from([".csv", ".npz"]), st.booleans(), st.booleans())
def test_traces_are_read_back(tmp_path: Path, data: Any, suffix: str, extras: bool, image: bool) -> None:
    cfg = data.draw(strategies.machines())
    footprints = data.draw(strategies.footprints(cfg))
    rng = np.random.default_rng(len(footprints))
    columns = {n: rng.integers(0, np.iinfo(k).max, len(footprints)).astype(k) for n, k in EXTRAS.items()}
    base = 4 * int(rng.integers(0, 999))
    trace = Trace(
        footprints,
        data.draw(strategies.tables(cfg)),
        base if image else 0,
        rng.integers(0, 1 << 32, 50, np.uint32) if image else None,
        **(columns if extras else {}),
        name="a name",
        meta={"scene": "x", "n": [1, 2]},
        line_bytes=cfg.cache.line_bytes,
        layout=cfg.layout,
    )
    save_trace(tmp_path / f"trace{suffix}", trace)
    back = load_trace(tmp_path / f"trace{suffix}", cfg)
    assert same(trace, back)
    if suffix == ".npz":
        assert (back.lut == trace.lut).all()
        assert (back.name, back.meta, back.base) == (trace.name, trace.meta, trace.base)
        assert (back.image is None) == (not image)
        assert back.image is None or (back.image == trace.image).all()


def test_a_trace_written_by_hand(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        """\ufeff# two textures, one of them somewhere else
        #trace version=1 max_side=1024
        #texture id=3 side=256
        #texture id=0 side=1 base=0x100000

        level, tex, v, u, mode_u
        2, 3, -1, 5, clamp
        # not a footprint
        10, 0, 0, 0, 2
        10, 3, 7, 8, repeat
        """,
    )
    trace = load_trace(path, PAPER)
    assert trace.footprints.tolist() == [(3, 2, 1, 0, 5, -1), (0, 10, 2, 0, 0, 0), (3, 10, 0, 0, 8, 7)]
    chain, _ = allocate(PAPER, [256])
    assert (trace.lut[3] == chain[0]).all()
    assert trace.lut[0, 10] == 0x100000 // 32
    assert trace.image is None
    assert trace.name == "mine"


def test_without_declarations_every_texture_used_is_a_full_chain(tmp_path: Path) -> None:
    trace = load_trace(write(tmp_path, "tex,level,u,v\n7,0,0,0\n2,1,0,0\n"), PAPER)
    chains, _ = allocate(PAPER, [1024, 1024])
    assert (trace.lut[2] == chains[0]).all()
    assert (trace.lut[7] == chains[1]).all()
    path = tmp_path / "mine.npz"
    np.savez(path, tex=[7, 2], level=[0, 1], u=[0, 0], v=[0, 0])
    assert (load_trace(path, PAPER).lut == trace.lut).all()


def test_values_may_be_hexadecimal(tmp_path: Path) -> None:
    trace = load_trace(write(tmp_path, "tex,level,u,v\n0,0,0x1F,-1\n"), PAPER)
    assert trace.footprints[["u", "v"]].tolist() == [(31, -1)]


def test_single_levels_can_be_declared(tmp_path: Path) -> None:
    trace = load_trace(write(tmp_path, "#level tex=1 level=4 base=0x40\ntex,level,u,v\n1,4,0,0\n"), PAPER)
    assert trace.lut[1, 4] == 2


def test_a_trace_of_no_footprints(tmp_path: Path) -> None:
    for suffix in (".csv", ".npz"):
        path = tmp_path / f"none{suffix}"
        with pytest.raises(UserError, match=f"none{suffix}: no accesses to write"):
            save_trace(path, of_chains(PAPER, np.zeros(0, FOOTPRINT), [8]))
        assert not path.exists()


def test_the_examples_of_the_documentation_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = (Path(__file__).parents[3] / "docs" / "traces.md").read_text()
    blocks = [re.sub("^    ", "", block, flags=re.M) for block in re.findall(r"(?:^    .*\n)+", text, re.M)]
    csv = next(block for block in blocks if block.startswith("# comment"))
    trace = load_trace(write(tmp_path, csv), PAPER)
    assert trace.footprints.tolist() == [(0, 2, 1, 1, -1, 0), (7, 4, 0, 2, 63, 63)]
    assert trace.lut[7, 4] == 0x100000 // 32
    monkeypatch.chdir(tmp_path)
    exec(next(block for block in blocks if block.startswith("import numpy")), {})
    assert load_trace("mine.npz", PAPER).footprints["u"].tolist() == [10, 11]
    assert all(f"`{name}`" in text for name in (*columns(PAPER), *OTHERS))


HEADER = "tex,level,u,v\n"


@pytest.mark.parametrize(
    "text, line, words",
    [
        ("", 1, ["header"]),
        ("# only a comment\n", 1, ["header"]),
        ("tex,level,u\n", 1, ["v", "missing"]),
        ("tex,level,u,v,w\n", 1, ["'w'", "unknown"]),
        ("tex,level,u,v,u\n", 1, ["u", "twice"]),
        ("0,0,0,0\n", 1, ["'0'"]),
        (HEADER + "0,0,0\n", 2, ["3 values", "4 columns"]),
        (HEADER + "0,0,0,0,0\n", 2, ["5 values"]),
        (HEADER + "0,0,0,0\n0,0,x,0\n", 3, ["u='x'"]),
        (HEADER + "0,0,²,0\n", 2, ["u='²'"]),
        (HEADER + "64,0,0,0\n", 2, ["tex=64", "0..63"]),
        (HEADER + "0,0,0,0\n\n-1,0,0,0\n", 4, ["tex=-1"]),
        (HEADER + "0,11,0,0\n", 2, ["level=11", "0..10"]),
        (HEADER + "0,0,2048,0\n", 2, ["u=2048", "-2048..2047"]),
        (HEADER + "0,0,0,0 # first\n", 2, ["v='0 # first'"]),
        (HEADER + "0;0;0;0\n", 2, ["1 values"]),
        (HEADER + "0,0,0,0\n" + HEADER, 3, ["tex='tex'"]),
        ("tex,level,u,v,mode_u\n0,0,0,0,wrap\n", 2, ["mode_u='wrap'", "repeat"]),
        ("tex,level,u,v,mode_v\n0,0,0,0,3\n", 2, ["mode_v=3", "0..2"]),
        ("tex,level,u,v,fu\n0,0,0,0,256\n", 2, ["fu=256", "0..255"]),
        ("#textures id=0 side=8\n" + HEADER, 1, ["#textures", "#texture"]),
        ("#texture id=0\n" + HEADER, 1, ["side="]),
        ("#texture id=0 side=8 color=2\n" + HEADER, 1, ["color=2"]),
        ("#texture id=0 side\n" + HEADER, 1, ["'side'"]),
        ("#texture id=0 id=1 side=8\n" + HEADER, 1, ["id=1"]),
        ("#texture id=0 side=12\n" + HEADER, 1, ["side 12", "power of two"]),
        ("#texture id=0 side=2048\n" + HEADER, 1, ["side 2048"]),
        ("#texture id=64 side=8\n" + HEADER, 1, ["id=64", "0..63"]),
        ("#texture id=0 side=ten\n" + HEADER, 1, ["side='ten'"]),
        ("#texture id=0 side=8 base=10\n" + HEADER, 1, ["10", "multiple"]),
        ("#texture id=0 side=8 base=0x100000000\n" + HEADER, 1, ["address space"]),
        ("#texture id=0 side=8\n#texture id=0 side=8\n" + HEADER, 2, ["declared already"]),
        ("#texture id=0 side=8\n" + HEADER + "1,8,0,0\n", 3, ["tex=1", "declared"]),
        ("#texture id=0 side=8\n" + HEADER + "0,8,0,0\n0,6,0,0\n", 4, ["level=6"]),
        ("#level tex=0 level=11 base=0\n" + HEADER, 1, ["level=11"]),
        ("#level tex=0 level=1 base=8\n" + HEADER, 1, ["multiple"]),
        ("#level tex=0 level=1 base=0\n" * 2 + HEADER, 2, ["declared already"]),
        ("#texture id=0 side=8\n#level tex=0 level=9 base=0\n" + HEADER, 2, ["declared already"]),
        ("#trace version=2\n" + HEADER, 1, ["version=2", "version 1"]),
        ("#trace version=1 max_side=512\n" + HEADER, 1, ["max_side=512", "1024"]),
        ("#trace version=1 line_bytes=64\n" + HEADER, 1, ["line_bytes=64", "32"]),
    ],
)
def test_malformed_text_is_refused_with_its_line(
    tmp_path: Path, text: str, line: int, words: list[str]
) -> None:
    path = write(tmp_path, text)
    with pytest.raises(UserError) as error:
        load_trace(path, PAPER)
    message = str(error.value)
    assert message.startswith(f"{path}:{line}: ")
    assert "\n" not in message
    for word in words:
        assert word in message


GOOD: dict[str, Any] = {"tex": [0, 1], "level": [0, 1], "u": [0, 1], "v": [0, 1]}


@pytest.mark.parametrize(
    "change, words",
    [
        ({"v": None}, ["v", "missing"]),
        ({"w": [0, 0]}, ["'w'", "unknown"]),
        ({"u": [0]}, ["u", "1 values", "2"]),
        ({"u": [[0, 0], [0, 0]]}, ["u", "one dimension"]),
        ({"u": [0.0, 1.0]}, ["u", "float64", "integers"]),
        ({"u": [0, 3000]}, ["u", "3000", "-2048..2047"]),
        ({"tex": [0, -1]}, ["tex", "-1"]),
        ({"mode_u": [0, 7]}, ["mode_u", "7"]),
        ({"version": 9}, ["version=9"]),
        ({"version": "one"}, ["version", "integer"]),
        ({"max_side": 64}, ["max_side=64"]),
        ({"lut": np.zeros((2, 5), int)}, ["lut", "(2, 5)", "11"]),
        ({"lut": np.full((2, 11), 1 << 27)}, ["lut", "2**32"]),
        ({"lut": np.full((2, 11), 1 << 59, np.uint64)}, ["lut", "0x10000000000000000"]),
        ({"lut": np.zeros((2, 11), int), "line_bytes": 0}, ["line_bytes=0"]),
        ({"lut": np.zeros((2, 11), int), "line_bytes": 1 << 60}, ["line_bytes="]),
        ({"lut": np.zeros((1, 11), int)}, ["tex=1", "1 textures"]),
        ({"lut": np.full((2, 11), 3), "line_bytes": 16}, ["lut", "0x30", "multiple"]),
        ({"lut": np.zeros((2, 11), int), "sides": [8, 8]}, ["lut", "sides"]),
        ({"sides": [1024, 256]}, ["tex=1", "level=1"]),
        ({"sides": [1024]}, ["tex=1"]),
        ({"sides": [1024, 100]}, ["100", "power of two"]),
        ({"image": [0.5]}, ["image"]),
        ({"image": [-1]}, ["image", "-1"]),
        ({"image": [1], "base": 2}, ["base=2"]),
        ({"image": [1, 2], "base": (1 << 32) - 4}, ["base=0xfffffffc", "32-bit"]),
        ({"base": 64}, ["base=64", "no array image"]),
        ({"image": [1], "layout": "tile4x4"}, ["tile4x4", "row-major"]),
        ({"meta": "{"}, ["meta", "JSON"]),
        ({"meta": "[]"}, ["meta", "object"]),
        ({"name": 5}, ["name", "text"]),
    ],
)
def test_malformed_archives_are_refused_by_array(
    tmp_path: Path, change: dict[str, Any], words: list[str]
) -> None:
    path = tmp_path / "mine.npz"
    arrays = {name: value for name, value in {**GOOD, **change}.items() if value is not None}
    values: Any = {name: np.asarray(value) for name, value in arrays.items()}
    np.savez(path, **values)
    with pytest.raises(UserError) as error:
        load_trace(path, PAPER)
    message = str(error.value)
    assert message.startswith(f"{path}: ")
    for word in words:
        assert word in message


def test_tables_in_lines_of_another_size_are_converted_where_they_fit(tmp_path: Path) -> None:
    path = tmp_path / "mine.npz"
    lut = np.arange(22).reshape(2, 11) * 4
    np.savez(path, **GOOD, lut=lut, line_bytes=32)
    wide = load("texcache", "paper", ["line_bytes=64"])
    assert (load_trace(path, wide).lut[:2] == lut // 2).all()


def test_names_that_are_no_trace_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"\.csv or \.npz"):
        save_trace(tmp_path / "a.txt", of_chains(PAPER, np.zeros(1, FOOTPRINT), [8]))


def test_a_failed_write_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "a.npz"
    trace = of_chains(PAPER, np.zeros(1, FOOTPRINT), [8])
    save_trace(path, trace)
    before = path.read_bytes()
    with pytest.raises(TypeError):
        save_trace(path, Trace(trace.footprints, trace.lut, meta={"bad": object()}))
    assert path.read_bytes() == before
    assert [file.name for file in tmp_path.iterdir()] == ["a.npz"]


def test_traces_for_another_machine_are_refused() -> None:
    trace = of_chains(PAPER, np.zeros(1, FOOTPRINT), [8])
    with pytest.raises(UserError, match="lines of 64"):
        trace.check(load("texcache", "paper", ["line_bytes=64"]))
    with pytest.raises(UserError, match="shape"):
        trace.check(SMALL.with_(cache={"line_bytes": 32}))
    image = Trace(trace.footprints, trace.lut, 0, np.zeros(1, np.uint32), layout="morton")
    with pytest.raises(UserError, match="morton"):
        image.check(PAPER)


def test_columns_must_fit_the_footprints() -> None:
    footprints, lut = np.zeros(3, FOOTPRINT), np.zeros((64, 11), np.uint32)
    with pytest.raises(ValueError, match="fu"):
        Trace(footprints, lut, fu=np.zeros(2, np.uint8))
    with pytest.raises(ValueError, match="FOOTPRINT"):
        Trace(np.zeros(3), lut)


def test_pixels_and_beginnings() -> None:
    trace = Trace(
        np.zeros(4, FOOTPRINT), np.zeros((64, 11), np.uint32), pixel=np.array([0, 0, 1, 2], np.uint32)
    )
    assert trace.pixels == 3
    assert trace.first(2).pixels == 1
    assert len(trace.first(2)) == 2
    assert Trace(trace.footprints, trace.lut).pixels == 4
