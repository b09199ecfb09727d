# SPDX-License-Identifier: Apache-2.0
"""Compiled kernels that several processes have left behind are told apart by whoever loads them."""

import importlib
import inspect
import json
import os
import pkgutil
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest
from numba.core.dispatcher import Dispatcher
from numba.core.errors import TypingError

import models
import workloads
from models import kernels
from utils.aside import listening

ROOT = Path(__file__).parents[2]
#: hits of the trace below by number of ways, counted once by searching a list
HITS = {2: 478, 4: 612, 8: 573, 1: 0}
#: hits of one trace per number of ways, each from a process that has made so many records before
SCRIPT = """
import json, sys
import numpy as np
from numba import typeof
for size in range(int(sys.argv[1])):
    typeof(np.zeros(1, np.dtype([(f"field{size}", "u1")])))
from configs import load
from models.memory import Memory
from models.texcache import TexcacheModel
from workloads.texcache.patterns import find
found = {}
for ways in map(int, sys.argv[2:]):
    cfg = load("texcache", "paper", [f"ways={ways}"])
    trace = find("random-range").make(cfg, 500, np.random.default_rng(1))
    found[ways] = int(TexcacheModel(cfg, Memory(1), trace.lut).replay(trace.footprints)["hit"].sum())
print(json.dumps(found))
"""


def hits(cache: Path, before: int, *ways: int) -> dict[str, int]:
    """Hits of the compiled model by number of ways."""
    command = [sys.executable, "-c", SCRIPT, str(before), *map(str, ways)]
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(cache), "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, f"{ways}: exit code {done.returncode}: {done.stderr}"
    return dict(json.loads(done.stdout))


def right(hit_counts: dict[str, int]) -> bool:
    return all(HITS[int(ways)] == count for ways, count in hit_counts.items())


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Kernels for several numbers of ways, each compiled by a process of its own."""
    folder = tmp_path_factory.mktemp("numba")
    for ways in HITS:
        assert right(hits(folder, 0, ways))
    return folder


@pytest.mark.slow
@pytest.mark.parametrize("order", [(2, 4, 8, 1), (1, 8, 4, 2), (4, 1, 2, 8), (8, 2, 1, 4)])
def test_kernels_of_other_processes_are_told_apart(cache: Path, order: tuple[int, ...]) -> None:
    hit_counts = hits(cache, 0, *order)
    assert right(hit_counts), hit_counts


def test_kernels_outlive_another_order_of_types(cache: Path) -> None:
    hit_counts = hits(cache, 3, *HITS)
    assert right(hit_counts), hit_counts


def test_damaged_kernels_are_compiled_again(cache: Path, tmp_path: Path) -> None:
    shutil.copytree(cache, tmp_path / "numba")
    files = sorted(path for path in (tmp_path / "numba").rglob("*.nb?"))
    assert len(files) > 10
    for number, path in enumerate(files):
        content = bytearray(path.read_bytes())
        content[len(content) // 2] ^= 1
        path.write_bytes((content, content[: len(content) // 2], b"", b"something else")[number % 4])
    assert right(hits(tmp_path / "numba", 0, 2))


def test_kernels_of_others_are_kept_where_they_would_be_without_ours(tmp_path: Path) -> None:
    script = "import numba; before = numba.config.CACHE_DIR; import models.texcache, workloads; "
    script += "print([before, numba.config.CACHE_DIR], models.texcache.access.stats.cache_path)"
    for outer in ("", str(tmp_path)):
        settings = {**os.environ, "NUMBA_CACHE_DIR": outer, "PYTHONPATH": str(ROOT)}
        command = [sys.executable, "-c", script]
        done = subprocess.run(command, cwd=tmp_path, env=settings, capture_output=True, text=True)
        assert done.stdout.startswith(f"{[outer, outer]} {outer or ROOT / 'build' / 'numba'}/"), done.stderr


def test_every_kernel_is_made_in_one_way() -> None:
    rooms = ("models", "workloads", "tb", "report")
    sources = (path for name in rooms for path in (ROOT / name).rglob("*.py"))
    direct = [path.name for path in sources if path.name != "kernels.py" and "njit" in path.read_text()]
    assert not direct, f"use models.kernels.kernel in {direct}"


def dispatchers() -> dict[str, Dispatcher]:
    """All kernels of models and workloads, by module and name."""
    by_name = {}
    for package in (models, workloads):
        for info in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if not info.name.endswith("__main__"):
                for name, value in vars(importlib.import_module(info.name)).items():
                    if isinstance(value, Dispatcher):
                        by_name[f"{value.py_func.__module__}.{name}"] = value
    return by_name


def returns_arrays(function: Dispatcher) -> bool:
    """Whether it makes what it returns, or may."""
    made = function.targetoptions["_nrt"]
    return made and "ndarray" in str(inspect.signature(function.py_func).return_annotation)


def test_kernels_call_none_that_returns_new_arrays() -> None:
    """Nobody would count the references to them: memory would be lost with each call."""
    all_kernels = dispatchers()
    assert sum(returns_arrays(kernel) for kernel in all_kernels.values()) > 5
    for name, caller in all_kernels.items():
        if caller.targetoptions["_nrt"]:
            continue
        named = (caller.py_func.__globals__.get(word) for word in caller.py_func.__code__.co_names)
        lost = [
            callee.py_func.__name__
            for callee in named
            if isinstance(callee, Dispatcher) and returns_arrays(callee)
        ]
        assert not lost, f"{name} calls {lost}: make it one of models.kernels.allocating"


def test_compiling_is_announced_and_loading_is_not(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path))
    words: list[str] = []

    def thrice(value: int) -> int:
        return 3 * value

    with listening(words.append):
        for _ in range(2):
            assert kernels.kernel(thrice)(7) == 21
    assert words == [kernels.COMPILING, ""]


def test_a_kernel_that_makes_an_array_is_refused() -> None:
    # Two functions: what is kept of one would be taken for the other kind by the next run
    def refused(size: int) -> int:
        return len(np.empty(size))

    def made(size: int) -> int:
        return len(np.empty(size))

    with pytest.raises(TypingError):
        kernels.kernel(refused)(3)
    assert kernels.allocating(made)(3) == 3


def test_kernels_work_where_nothing_can_be_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    compiler = numba.njit

    def njit(*functions: Any, cache: bool = False, **options: Any) -> Any:
        if cache:
            raise RuntimeError("cannot cache function 'twice': no locator available")
        return compiler(*functions, **options)

    monkeypatch.setattr(numba, "njit", njit)

    def twice(value: int) -> int:
        return 2 * value

    assert kernels.kernel(twice)(21) == 42
