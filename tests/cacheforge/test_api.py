# SPDX-License-Identifier: Apache-2.0
"""The library: every block's model through one door, the same figures as without it, clear errors."""

import ast
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import cacheforge
import configs
from cacheforge import UserError
from models.memory import Memory
from models.simple import REQUEST, SimpleModel, traffic
from models.texcache import TexcacheModel
from models.texunit import TexunitModel
from tests.ci.sandbox import ROOT
from workloads.scenes import built_in
from workloads.texcache.patterns import find
from workloads.texunit.quads import quad_frame
from workloads.traces.requests import records

SIZE = (32, 24)
ROOMS = {"cacheforge", "utils", "configs", "rtl", "models", "workloads"}


def test_every_block_has_its_room() -> None:
    assert cacheforge.blocks() == configs.blocks()
    for block in cacheforge.blocks():
        assert cacheforge.presets(block) == configs.presets(block)
        assert isinstance(cacheforge.patterns(block), tuple)


def test_nothing_of_the_testbench_is_needed() -> None:
    """What may be installed imports the rooms below it alone."""
    project = {path.parent.name for path in ROOT.glob("*/__init__.py")}
    assert project > ROOMS and "tb" in project
    for room in ROOMS:
        for path in (ROOT / room).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text())):
                names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
                names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
                imported = {name.partition(".")[0] for name in names} & project
                assert imported <= ROOMS, f"{path} imports {imported - ROOMS}"


def test_heavy_packages_are_imported_where_they_are_used() -> None:
    """numpy and pydantic come with the first configuration; numba and the others not even then."""
    code = """
import sys, cacheforge
print(*{"numpy", "pydantic"} & sys.modules.keys())
cacheforge.load("texcache", ways=2)
print(*{"PIL", "mako", "numba", "pyslang", "scipy", "trimesh"} & sys.modules.keys())
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True)
    assert done.stdout == "\n\n"
    assert set(cacheforge.__all__) <= set(dir(cacheforge))
    with pytest.raises(AttributeError, match="module 'cacheforge' has no attribute 'lod'"):
        getattr(cacheforge, "lod")  # noqa: B009


@pytest.mark.parametrize("block", configs.blocks())
def test_a_repr_is_a_line_and_a_table_in_notebooks(block: str) -> None:
    cfg = cacheforge.load(block)
    assert repr(cfg) == str(cfg) == f"<Config {block} {configs.default_preset(block)}>"
    if block == "renderer":
        traffic = cacheforge.scene(cfg, "decals", size=SIZE)
    else:
        traffic = cacheforge.trace(cfg, ROOT / "workloads" / "samples" / f"{block}.csv")
    run = cacheforge.run(cfg, traffic)
    assert f"<Run {block} {cfg.name}: {len(run.results):,} accesses, {next(iter(run.rates))} " in repr(run)
    assert all(len(line) < 100 and "\n" not in line for line in map(repr, (cfg, traffic, run)))
    assert all(f"<th>{name}</th>" in run._repr_html_() for name in (*run.rates, *run.counters))
    assert "<th>memory.latency</th>" in cfg._repr_html_()


def test_fields_are_overrides() -> None:
    cfg = cacheforge.load("texcache", "tiny", banks=1, observe=False, **{"cache.ways": np.int64(4)})
    assert cfg == configs.load("texcache", "tiny", ["banks=1", "observe=false", "cache.ways=4"])
    assert cacheforge.load("simple") == configs.load("simple", "base")


def test_a_pattern_of_the_texture_cache() -> None:
    cfg = cacheforge.load("texcache", "tiny")
    run = cacheforge.run(cfg, cacheforge.pattern(cfg, "minified", 700, seed=3), seed=5)
    trace = find("minified").make(cfg, 700, np.random.default_rng(3))
    model = TexcacheModel(cfg, Memory(5), trace.lut)
    assert (run.results == model.replay(trace.footprints)).all()
    assert run.counters == model.counters
    hits = int(run.results["hit"].sum())
    assert run.hit_rate == run.rates["look-up hit rate"] == hits / int(run.results["valid"].sum())
    assert 0 < run.rates["footprint hit rate"] < run.hit_rate < 1


def test_a_pattern_of_loads_and_stores() -> None:
    cfg = cacheforge.load("simple")
    run = cacheforge.run(cfg, cacheforge.pattern(cfg, "matrix", 900))
    requests = records(REQUEST, traffic.columns(cfg, "matrix", 900))
    model = SimpleModel(cfg, Memory(1))
    assert (run.results == model.replay(requests)).all() and run.counters == model.counters
    assert run.hit_rate == run.results["hit"].mean() > 0.5


def test_requests_of_many_pes(tmp_path: Path) -> None:
    """A pattern, arrays and a trace file; cycles are the model's; what is not the PE's is refused."""
    cfg = cacheforge.load("lpas", "tiny")
    for name in cacheforge.patterns("lpas"):
        run = cacheforge.run(cfg, cacheforge.pattern(cfg, name, 400))
        assert len(run.results) == 400 and run.hit_rate and 0 < run.rates["local"] <= 1
        assert (run.results["done"] >= run.results["granted"]).all() and run.results["granted"].min() == 0
    own = cacheforge.run(cfg, cacheforge.pattern(cfg, "own", 400))
    assert own.rates["local"] == 1 and own.counters["evictions"] == 0
    run = cacheforge.run(
        cfg, cacheforge.accesses(cfg, pe=[0, 3, 2], op=[1, 4, 0], word=5, value=9, at=[0, 80, 200])
    )
    assert run.results["value"].tolist() == [0, 0, 9] and run.results["first"].tolist() == [0, 80, 200]
    path = tmp_path / "mine.csv"
    path.write_text("pe,op,word\n3,ldm,0\n2,flush,0\n")
    with pytest.raises(
        UserError, match=r"mine.csv:3: access 1: flush of PE 2; ldm, stm, flush are for the last one, 3"
    ):
        cacheforge.trace(cfg, path)
    path.write_text("pe,op,word\n4,load,0\n")
    with pytest.raises(UserError, match=r"mine.csv:2: pe=4: must be 0..3"):
        cacheforge.trace(cfg, path)


def test_references_of_another_program() -> None:
    """Loads and stores for one cache, fetches for the other, of the same file."""
    sample = ROOT / "workloads" / "samples" / "dcache.din"
    labels = [int(line.split()[0]) for line in sample.read_text().splitlines() if line[:1].isdigit()]
    for block, accesses in (("dcache", labels.count(0) + labels.count(1)), ("icache", labels.count(2))):
        cfg = cacheforge.load(block)
        run = cacheforge.run(cfg, cacheforge.trace(cfg, sample))
        assert len(run.results) == accesses > 10 and run.hit_rate
        assert run.references is not None and len(run.references) == accesses
    cfg = cacheforge.load("trilinear")
    with pytest.raises(UserError, match=r"dcache.din"):
        cacheforge.trace(cfg, sample)


@pytest.mark.parametrize("preset", ["one-unit", "two-way", "paper"])
def test_a_scene_for_units_that_share_the_screen(preset: str) -> None:
    """Each has its own cache; results are in the order of drawing all the same."""
    cfg = cacheforge.load("texunit", preset)
    frame = cacheforge.scene(cfg, "decals", size=SIZE, filter="nearest")
    run = cacheforge.run(cfg, frame)
    expected = quad_frame(built_in("decals"), *SIZE, bilinear=False)
    assert (frame.quads == expected.quads).all() and frame.name == "decals"
    alone, _ = TexunitModel(cfg, Memory(1, 0, expected.image)).replay(*expected.stream)
    assert (run.results["texel"] == alone["texel"]).all() and run.results["texel"].any()
    assert run.queries is not None and len(run.queries) == run.counters["queries"] > 0
    assert run.counters["queries"] == run.results["queries"].sum()
    hits = run.queries["hit"] | run.queries["repeat"]
    assert run.hit_rate == hits.mean() > run.rates["hit rate without repeats"] > 0


def test_a_scene_for_the_texture_cache() -> None:
    cfg = cacheforge.load("texcache")
    plain = cacheforge.run(cfg, cacheforge.scene(cfg, "decals", size=SIZE))
    tiled = cacheforge.scene(cfg, "decals", size=SIZE, filter="trilinear", order="tile8")
    assert tiled.meta["filter"] == "trilinear" and tiled.meta["order"] == "tile8"
    assert 0.5 < plain.hit_rate < 1 and len(plain.results) < len(tiled.footprints)


def test_a_renderer_takes_scenes_alone(tmp_path: Path) -> None:
    """The picture is the one that texture units and depth test make one after the other."""
    cfg = cacheforge.load("renderer", "tiny")
    frame = cacheforge.scene(cfg, "decals", size=SIZE, filter="nearest")
    run = cacheforge.run(cfg, frame)
    assert run.counters["zcache.tiles"] == (run.results["tile"] == 1).sum() == len(frame.tiles)
    assert run.hit_rate == 1, "decals are not tested"
    assert len(np.unique(frame.picture(run.results).reshape(-1, 3), axis=0)) > 100
    for call in (lambda: cacheforge.trace(cfg, tmp_path / "x.csv"), lambda: cacheforge.accesses(cfg, x=1)):
        with pytest.raises(UserError, match="take scene"):
            call()
    with pytest.raises(UserError, match="filter 'trilinear': choose one of bilinear, nearest"):
        cacheforge.scene(cfg, "decals", size=SIZE, filter="trilinear")


@pytest.mark.parametrize("block", [block for block in configs.blocks() if block != "renderer"])
def test_trace_files(block: str) -> None:
    cfg = cacheforge.load(block)
    sample = ROOT / "workloads" / "samples" / f"{block}.csv"
    run = cacheforge.run(cfg, cacheforge.trace(cfg, sample))
    rows = [line for line in sample.read_text().splitlines() if not line.startswith("#")]
    assert len(run.results) == len(rows) - 1
    assert run.hit_rate >= 0 and all(value >= 0 for value in run.counters.values())


def test_accesses_are_the_arrays_of_a_trace_file(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    arrays: dict[str, dict[str, Any]] = {
        "texcache": {"tex": 0, "level": 2, "u": rng.integers(0, 200, 90), "v": [*range(90)], "sides": [256]},
        "simple": {"word": rng.integers(0, 300, 90), "op": rng.integers(0, 2, 90)},
        "texunit": {"tex": 0, "uv": rng.integers(0, 1 << 16, (90, 4, 2)), "width": [64], "height": [64]},
    }
    for block, given in arrays.items():
        cfg, path = cacheforge.load(block), tmp_path / f"{block}.npz"
        whole = {name: np.full(90, array) if np.ndim(array) == 0 else array for name, array in given.items()}
        np.savez(path, **whole)
        direct = cacheforge.run(cfg, cacheforge.accesses(cfg, **given))
        assert len(direct.results) == 90
        assert (direct.results == cacheforge.run(cfg, cacheforge.trace(cfg, path)).results).all()


@pytest.mark.parametrize("block", [block for block in configs.blocks() if block != "renderer"])
def test_columns_of_accesses(block: str) -> None:
    """Required columns are enough; a value beyond a column's range is refused by its name."""
    cfg = cacheforge.load(block)
    columns = {column.name: column for column in cacheforge.columns(cfg)}
    shapes = {"[n]": (1,), "[textures]": (1,), "[n, 4, 2]": (1, 4, 2)}
    needed = [name for name, column in columns.items() if column.required] or ["op"]
    least = {name: np.full(shapes[columns[name].shape], columns[name].low) for name in needed}
    assert len(cacheforge.accesses(cfg, **least)) == 1
    for name, column in columns.items():
        beyond = {**least, name: np.full(shapes[column.shape], column.high + 1)}
        with pytest.raises(UserError, match=rf"\b{name.removeprefix('texture_')}\b"):
            cacheforge.accesses(cfg, **beyond)


def test_nothing_looked_up_has_no_hit_rate() -> None:
    cfg = cacheforge.load("simple")
    assert np.isnan(cacheforge.run(cfg, cacheforge.accesses(cfg, op=[2], word=0)).hit_rate)


def test_the_verilog_is_that_of_make_rtl(tmp_path: Path) -> None:
    cfg = cacheforge.load("texcache", "tiny")
    files = cacheforge.verilog(cfg, "l1_")
    listed = cacheforge.write_verilog(cfg, tmp_path, "l1_")
    written = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert {str(path.relative_to(tmp_path)): path.read_text() for path in written} == files
    wrapper = tmp_path / "cacheforge_l1_texcache_fields.v"
    assert [tmp_path / name for name in files["filelist.f"].split()] == [*listed, wrapper]
    assert "module cacheforge_l1_texcache_example (" in files["cacheforge_l1_texcache_example.v"]


def _units() -> Any:
    two = cacheforge.load("texunit", "two-way")
    uv = np.zeros((2, 4, 2), int)
    return cacheforge.accesses(two, tex=0, uv=uv, unit=[0, 1], width=[64], height=[64])


SIMPLE, TEXCACHE, TEXUNIT, RASTER = map(configs.load, ("simple", "texcache", "texunit", "raster"))
MISTAKES: list[tuple[Callable[[], Any], str]] = [
    (lambda: cacheforge.load("nothing"), "unknown block 'nothing': choose one of"),
    (lambda: cacheforge.load("texcache", ways=3), "cache.ways=3: "),
    (lambda: cacheforge.pattern(SIMPLE, "edges"), "unknown pattern 'edges' of simple: choose one of copy"),
    (lambda: cacheforge.pattern(SIMPLE, "copy", 0), "n=0: must be an integer, 1 to 10,000,000"),
    (lambda: cacheforge.pattern(TEXUNIT, "copy"), "texunit has no access patterns: take scene"),
    (lambda: cacheforge.scene(SIMPLE, "decals"), "simple draws no scenes: take pattern"),
    (
        lambda: cacheforge.scene(cacheforge.load("raster"), "decals", depth="late"),
        "raster has no option depth",
    ),
    (lambda: cacheforge.scene(TEXCACHE, "decals", size=(0, 1)), "size: width=0: must be an integer, 2 to"),
    (lambda: cacheforge.scene(TEXCACHE, "decals", size=np.float64(3)), r"size=3\.0: must be width and"),
    (lambda: cacheforge.scene(TEXCACHE, "decals", order=np.str_("x"), size=SIZE), "order 'x': choose one of"),
    (lambda: cacheforge.load(np.str_("nothing")), "unknown block 'nothing': choose"),
    (lambda: cacheforge.load("texcache", ways=(np.int64(2),)), r"cache.ways='\(2,\)': "),
    (lambda: cacheforge.pattern(SIMPLE, "copy", np.float64(2.5)), r"n=2\.5: must be an integer"),
    (lambda: cacheforge.pattern(SIMPLE, "copy", seed=-1), "seed=-1: must be an integer, 0 to"),
    (lambda: cacheforge.pattern(SIMPLE, "copy", 10**11), "n=100000000000: must be an integer, 1 to"),
    (
        lambda: cacheforge.accesses(TEXCACHE, tex=0, level=2, u=[1, 2], v=[1, 2, 3]),
        "array v has 3 values, u has 2",
    ),
    (lambda: cacheforge.accesses(TEXCACHE, tex=0.5, level=2, u=[1], v=[1]), "array tex is a single float64"),
    (lambda: cacheforge.accesses(TEXCACHE, tex=0, level=2, u=[], v=[]), "array u is empty"),
    (lambda: cacheforge.accesses(SIMPLE, word=[-1]), "array word: value -1 at 0: must be 0"),
    (lambda: cacheforge.accesses(SIMPLE, word=[[1], [1, 2]]), "array word: "),
    (lambda: cacheforge.accesses(SIMPLE, word=[0.5]), "array word of float64"),
    (
        lambda: cacheforge.run(SIMPLE, [1, 2]),
        r"run\(cfg, list\): simple runs the result of accesses\(cfg, \.\.\.\) or ",
    ),
    (
        lambda: cacheforge.run(TEXCACHE, cacheforge.pattern(SIMPLE, "copy")),
        r"run\(cfg, Requests\): texcache runs the ",
    ),
    (lambda: cacheforge.run(configs.load("texunit", "one-unit"), _units()), "is for 2 units: one-unit has"),
    (
        lambda: cacheforge.run(configs.load("texcache", "tiny"), cacheforge.pattern(TEXCACHE, "minified", 9)),
        "tiny",
    ),
    (
        lambda: cacheforge.run(
            configs.load("texunit", "one-unit", ["max_side=32"]),
            cacheforge.accesses(TEXUNIT, tex=0, uv=np.zeros((1, 4, 2), int), width=[64], height=[64]),
        ),
        "has a texture of 64 texels: .* takes max_side=32",
    ),
]


@pytest.mark.parametrize(("mistake", "message"), MISTAKES)
def test_mistakes_are_explained(mistake: Callable[[], Any], message: str) -> None:
    with pytest.raises(UserError, match=message) as caught:
        mistake()
    assert len(str(caught.value).splitlines()) == 1
