# SPDX-License-Identifier: Apache-2.0
"""A new block made of ``simple``: complete, green at once, and nothing is left of a failure."""

import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from ci import new
from configs import UserError

COPIED = (*new.ROOMS, "bench", "cacheforge", "utils", "ci", "pyproject.toml")


def tree(root: Path) -> set[Path]:
    return {path.relative_to(root) for path in root.rglob("*")}


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """The project without what was built."""
    root = tmp_path / "project"
    root.mkdir()
    for name in COPIED:
        source = new.ROOT / name
        ignore = shutil.ignore_patterns("__pycache__")
        shutil.copytree(source, root / name, ignore=ignore) if source.is_dir() else shutil.copy(source, root)
    return root


def run(root: Path, *arguments: str) -> str:
    """Run the copy's own Python; returns what it said. Raises AssertionError."""
    environment = {**os.environ, "PYTHONPATH": str(root), "NUMBA_CACHE_DIR": str(root / "numba")}
    done = subprocess.run(
        [sys.executable, "-m", *arguments], cwd=root, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return done.stdout


@pytest.mark.slow
def test_a_new_block_is_green_at_once(copy: Path) -> None:
    """Generator, lint, model tests and the smoke test of the copy."""
    assert "passes its tests as it is" in run(copy, "ci.new", "shiny_cache")
    files = [path for path in tree(copy) if "shiny_cache" in str(path) and (copy / path).is_file()]
    assert {path.parts[0] for path in files} == set(new.ROOMS)
    for path in files:
        assert not new._WORD.search((copy / path).read_text()), f"{path} still speaks of simple"
    tables = tomllib.loads((copy / new.TABLE).read_text())
    assert tables["shiny_cache"] == tables["simple"]
    library = "import cacheforge; cfg = cacheforge.load('shiny_cache'); "
    library += "print(cacheforge.run(cfg, cacheforge.pattern(cfg, 'copy', 99)).counters)"
    (copy / "library.py").write_text(library)
    assert "'loads': 49, 'stores': 49" in run(copy, "library")
    assert "instantiate cacheforge_shiny_cache_fields" in run(copy, "rtl", "shiny_cache", "--config", "tiny")
    lint = "import configs; from ci.lint import lint; from pathlib import Path; "
    lint += "print('lint:', lint(configs.load('shiny_cache', 'base'), Path('linted').resolve()))"
    (copy / "linting.py").write_text(lint)
    assert run(copy, "linting").strip() == "lint:"
    assert " passed" in run(copy, "pytest", "-q", "-x", "tests/models/test_shiny_cache.py")
    assert "PASSED" in run(copy, "tb", "sim", "shiny_cache", "--config", "tiny", "--test", "smoke")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("Zcache", "write 2 to 30 of a-z"),
        ("../x", "write 2 to 30 of a-z"),
        ("simple", "it exists already"),
        ("module", "keyword of Python or Verilog"),
        ("class", "keyword of Python or Verilog"),
        ("simple_cache", "names of modules of simple begin like that"),
    ],
)
def test_names_that_cannot_be(name: str, message: str, copy: Path) -> None:
    before = tree(copy)
    with pytest.raises(UserError, match=message):
        new.create(copy, name)
    assert tree(copy) == before


def test_a_file_in_the_way_is_named_and_kept(copy: Path) -> None:
    (copy / "docs" / "shiny.md").write_text("mine")
    before = tree(copy)
    with pytest.raises(UserError, match=r"docs/shiny\.md exists already"):
        new.create(copy, "shiny")
    assert tree(copy) == before
    assert (copy / "docs" / "shiny.md").read_text() == "mine"


def test_nothing_is_left_of_a_failure(copy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The disk is full in the midst of it."""
    before, replace, calls = tree(copy), os.replace, iter(range(1000))

    def full(source: Path, target: Path) -> None:
        if next(calls) == 30:
            raise OSError("no space left on device")
        replace(source, target)

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(OSError, match="no space left"):
        new.create(copy, "shiny")
    assert tree(copy) == before
