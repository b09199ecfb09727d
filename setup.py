# SPDX-License-Identifier: Apache-2.0
"""The package for pip: ``cacheforge`` with the rooms that it imports below it.

In a checkout the rooms are packages of their own, ``configs`` and so on, names far too general for anybody's
``site-packages``. So they are copied to ``cacheforge.configs`` and so on, and their imports follow.
pyproject.toml has all that is not code.
"""

import ast
import runpy
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from setuptools import setup
from setuptools.command.build_py import build_py
from setuptools.command.editable_wheel import editable_wheel
from setuptools.command.sdist import sdist
from setuptools.errors import SetupError

PACKAGE = "cacheforge"
ROOMS = ("utils", "configs", "rtl", "models", "workloads")
KINDS = {".py", ".toml", ".mako", ".txt", ".csv", ".din", ".lackey", ".zip", ".c", ".h", ".s", ".pe"}
#: commands, which belong to a checkout and the Makefile, and Mesa, which only the testbench compares with
LEFT_OUT = {"__main__.py", "capture.py", "commands.py", "llvmpipe.py", "release.py"}
#: version and commit of this checkout
VERSION = runpy.run_path("rtl/version.py")
#: not ``build``, which is the project's own
BUILT = Path("build") / "wheel"


def sources() -> Iterator[tuple[Path, Path]]:
    """Each file of the package: where it is, and where it goes to below ``cacheforge``."""
    for room in (PACKAGE, *ROOMS):
        for path in sorted(Path(room).rglob("*")):
            if path.suffix in KINDS and path.name not in LEFT_OUT and "__pycache__" not in path.parts:
                yield path, path.relative_to(PACKAGE) if room == PACKAGE else path


def rewritten(text: str) -> str:
    """Python source whose imports of rooms are of those below ``cacheforge``.

    Raises ValueError for ``import room.part``, which binds a name that there would be no more.
    """
    lines = text.splitlines(keepends=True)
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.ImportFrom) and not node.level and _is_ours(node.module):
            _replace(lines, node, f"from {node.module} ", f"from {PACKAGE}.{node.module} ")
        elif isinstance(node, ast.Import) and any(_is_ours(alias.name) for alias in node.names):
            name = node.names[0].name
            if len(node.names) > 1 or "." in name:
                raise ValueError(f"line {node.lineno}: write 'from {name.partition('.')[0]} import ...'")
            _replace(lines, node, f"import {name}", f"from {PACKAGE} import {name}")
    return "".join(lines)


def _is_ours(module: str | None) -> bool:
    return (module or "").partition(".")[0] in ROOMS


def _replace(lines: list[str], node: ast.stmt, old: str, new: str) -> None:
    line, column = lines[node.lineno - 1], node.col_offset  # before a statement there are blanks only
    if not line[column:].startswith(old):
        raise ValueError(f"line {node.lineno}: write it as '{old}...'")
    lines[node.lineno - 1] = line[:column] + new + line[column + len(old) :]


class Build(build_py):
    """Writes the package anew: nothing of a former build stays."""

    def run(self) -> None:
        """Copy all files, imports rewritten."""
        target = Path(self.build_lib) / PACKAGE
        shutil.rmtree(target, ignore_errors=True)
        for source, place in sources():
            path = target / place
            path.parent.mkdir(parents=True, exist_ok=True)
            if source.suffix != ".py":
                shutil.copy(source, path)
                continue
            try:
                path.write_text(rewritten(source.read_text()))
            except ValueError as error:
                raise SetupError(f"{source}: {error}") from None
        (target / "rtl" / "commit.txt").write_text(VERSION["commit"]() + "\n")
        self.byte_compile([str(path) for path in target.rglob("*.py")])


class Source(sdist):
    """Names the commit, which whoever builds from it has no git to ask for."""

    def make_release_tree(self, base_dir: str, files: list[str]) -> None:
        """Write it beside the version."""
        super().make_release_tree(base_dir, files)
        (Path(base_dir) / "rtl" / "commit.txt").write_text(VERSION["commit"]() + "\n")


class Editable(editable_wheel):
    """There is none: a checkout's rooms would have to be packages of their own."""

    def run(self) -> None:
        """Say so."""
        raise SetupError("cacheforge cannot be installed editable: put its folder on PYTHONPATH instead")


if __name__ == "__main__":
    BUILT.mkdir(parents=True, exist_ok=True)
    places: dict[str, Any] = {"build": {"build_base": str(BUILT)}, "egg_info": {"egg_base": str(BUILT)}}
    commands = {"build_py": Build, "sdist": Source, "editable_wheel": Editable}
    setup(version=VERSION["VERSION"], cmdclass=commands, options=places)
