# SPDX-License-Identifier: Apache-2.0
"""The package for pip: complete, alone, and with the same figures as the checkout."""

import os
import re
import runpy
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.ci.sandbox import ROOT

SETUP = runpy.run_path(str(ROOT / "setup.py"))
PIP = ("-m", "pip", "--disable-pip-version-check", "--quiet")
FILES = ("setup.py", "MANIFEST.in", "pyproject.toml", "README.md", "LICENSE")
FOLDERS = ("cacheforge", *SETUP["ROOMS"])
COMMIT = re.compile(r"commit [\w+]+")
#: what each block makes of its sample trace, and of a pattern or a scene
FIGURES = """
import hashlib, sys
import cacheforge
from pathlib import Path
for block in cacheforge.blocks():
    cfg = cacheforge.load(block)
    if block == "renderer":
        run = cacheforge.run(cfg, cacheforge.scene(cfg, "decals", size=(32, 24)))
        print(block, cfg.hash, run.counters, hashlib.sha256(run.results.tobytes()).hexdigest())
        continue
    sample = Path(cacheforge.__file__).parent / "workloads" / "samples" / f"{block}.csv"
    if not sample.is_file():
        sample = Path(cacheforge.__file__).parents[1] / "workloads" / "samples" / f"{block}.csv"
    run = cacheforge.run(cfg, cacheforge.trace(cfg, sample))
    print(block, cfg.hash, run.rates, run.counters, hashlib.sha256(run.results.tobytes()).hexdigest())
cfg = cacheforge.load("simple", "tiny")
run = cacheforge.run(cfg, cacheforge.pattern(cfg, "histogram", 999))
print(run.rates, hashlib.sha256(run.results.tobytes()).hexdigest())
rooms = {"utils", "configs", "rtl", "models", "workloads", "tb"}
print("outside:", sorted(rooms & set(sys.modules)), Path(cacheforge.__file__).parents[1], file=sys.stderr)
"""
EVERY_MODULE = """
import importlib, sys
from pathlib import Path
for path in sorted(Path(sys.argv[1], "cacheforge").rglob("*.py")):
    parts = path.relative_to(sys.argv[1]).with_suffix("").parts
    importlib.import_module(".".join(parts[:-1] if parts[-1] == "__init__" else parts))
print(sorted(name for name in sys.modules if name.partition(".")[0] in sys.argv[2:]))
"""


def python(folder: Path, site: Path, *arguments: str, code: int = 0) -> subprocess.CompletedProcess[str]:
    """Run Python in ``folder`` with ``site`` and the environment's packages, not the checkout."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("NUMBA")}
    environment |= {"PYTHONPATH": str(site), "PYTHONSAFEPATH": "1", "XDG_CACHE_HOME": str(folder / "cache")}
    done = subprocess.run(
        [sys.executable, *arguments], cwd=folder, env=environment, capture_output=True, text=True
    )
    assert done.returncode == code, done.stdout[-2000:] + done.stderr[-3000:]
    return done


def files(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts]


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What git has of the package, and what a former build left."""
    folder = tmp_path_factory.mktemp("package") / "clone"
    folder.mkdir()
    for name in FILES:
        shutil.copy(ROOT / name, folder)
    for name in FOLDERS:
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    stale = folder / "build" / "wheel" / "lib" / "cacheforge" / "stale.py"
    stale.parent.mkdir(parents=True)
    stale.write_text("a former build left this")
    return folder


@pytest.fixture(scope="module")
def site(clone: Path) -> Path:
    """A folder with the package, built from the clone and installed without a network."""
    folder = clone.parent
    wheel = built(folder, clone, folder / "wheels")
    assert {path.name for path in clone.iterdir()} == {*FILES, *FOLDERS, "build"}
    python(folder, folder, *PIP, "install", "--no-deps", "--target", str(folder / "site"), str(wheel))
    return folder / "site"


def built(folder: Path, source: Path, wheels: Path) -> Path:
    """The wheel that pip makes of a checkout or of a source distribution."""
    options = ("--no-deps", "--no-build-isolation", "--wheel-dir", str(wheels))
    python(folder, folder, *PIP, "wheel", *options, str(source))
    (wheel,) = wheels.glob("*.whl")
    return wheel


@pytest.mark.slow
def test_a_source_distribution_gives_the_same_package(site: Path, clone: Path) -> None:
    folder = site.parent
    python(clone, folder, "-c", "from setuptools import build_meta; build_meta.build_sdist('build')")
    (source,) = (clone / "build").glob("*.tar.gz")
    packed = []
    for wheel in (built(folder, source, folder / "again"), *(folder / "wheels").glob("*.whl")):
        with zipfile.ZipFile(wheel) as archive:
            packed.append({name: archive.read(name) for name in archive.namelist() if "RECORD" not in name})
    assert packed[0] == packed[1]


def test_an_editable_install_is_refused(clone: Path) -> None:
    options = ("install", "--no-deps", "--no-build-isolation", "--target", str(clone.parent / "editable"))
    done = python(clone.parent, clone.parent, *PIP, *options, "--editable", str(clone), code=1)
    assert "cannot be installed editable: put its folder on PYTHONPATH instead" in done.stderr


def test_all_is_in_one_package(site: Path) -> None:
    assert {path.name.partition("-")[0] for path in site.iterdir()} == {"cacheforge"}
    expected = {
        str(path.relative_to(ROOT)).removeprefix("cacheforge/")
        for room in FOLDERS
        for path in files(ROOT / room)
        if path.name not in SETUP["LEFT_OUT"]
    } | {"rtl/commit.txt"}
    assert {str(path.relative_to(site / "cacheforge")) for path in files(site / "cacheforge")} == expected


def test_no_module_imports_a_room_of_the_checkout(site: Path) -> None:
    rooms = {path.parent.name for path in ROOT.glob("*/__init__.py")} - {"cacheforge"}
    assert len(rooms) > 8
    done = python(site.parent, site, "-c", EVERY_MODULE, str(site), *rooms)
    assert done.stdout == "[]\n"


@pytest.mark.slow
def test_the_figures_are_those_of_the_checkout(site: Path) -> None:
    """Also in a second process, which finds the kernels of the first, kept in the user's own folder."""
    folder = site.parent
    installed = python(folder, site, "-c", FIGURES)
    assert installed.stderr == f"outside: [] {site}\n"
    checkout = python(folder, ROOT, "-c", FIGURES)
    assert checkout.stdout == installed.stdout and len(installed.stdout.splitlines()) > 3
    assert str(ROOT) in checkout.stderr
    kernels = {path: path.stat().st_mtime_ns for path in (folder / "cache/cacheforge/numba").rglob("*.nb*")}
    assert kernels
    assert python(folder, site, "-c", FIGURES).stdout == installed.stdout
    assert kernels == {path: path.stat().st_mtime_ns for path in kernels}
    assert not (site / "cacheforge" / "build").exists() and not list(site.rglob("*.nb*"))


@pytest.mark.slow
def test_the_example_prints_and_writes_the_same(site: Path) -> None:
    folder = site.parent
    shutil.copy(ROOT / "examples" / "ways.py", folder)
    installed = python(folder, site, "ways.py", "installed").stdout
    checkout = python(folder, ROOT, "-m", "examples.ways", "checkout").stdout
    assert installed.replace("installed", "checkout") == checkout
    rows = [line.split() for line in checkout.splitlines()[1:5]]
    assert [row[0] for row in rows] == ["1", "2", "4", "8"]
    rates = [float(row[2].rstrip("%")) for row in rows]
    assert 80 < min(rates) < max(rates) < 100
    assert f"{rows[rates.index(max(rates))][0]} ways" in checkout
    written = [
        {path.name: COMMIT.sub("", path.read_text()) for path in (folder / name).rglob("*.*")}
        for name in ("installed", "checkout")
    ]
    assert written[0] == written[1] and "cacheforge_texcache.v" in written[0]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("import configs\n", "from cacheforge import configs\n"),
        ("import configs as c  # why\n", "from cacheforge import configs as c  # why\n"),
        ("def f():\n    from rtl.core import core\n", "def f():\n    from cacheforge.rtl.core import core\n"),
        ("from models import (\n    lru,\n)\n", "from cacheforge.models import (\n    lru,\n)\n"),
        ("import rtlx, os\nfrom modelsx import a\nfrom . import b\n", None),
        ('"""Like this:\n\nfrom configs import load\n"""\nx = "import rtl"\n', None),
    ],
)
def test_imports_of_rooms_are_rewritten_and_nothing_else(text: str, expected: str | None) -> None:
    assert SETUP["rewritten"](text) == (text if expected is None else expected)


@pytest.mark.parametrize(
    "text", ["import utils.outside\n", "import os, configs\n", "from  rtl import core\n", "import  rtl\n"]
)
def test_what_cannot_be_rewritten_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="line 1: write "):
        SETUP["rewritten"](text)
