# SPDX-License-Identifier: Apache-2.0
"""Verilog on the tools: what simulators say of a design, what a bench prints on Icarus."""

import os
import re
import subprocess
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from tb.common.running.tools import require, tool_environment

COMMANDS = {
    "verilator": ["verilator", "--lint-only", "-Wall", "--language", "1364-2005", "--top-module"],
    "icarus": ["iverilog", "-g2005", "-Wall", "-Wno-timescale", "-t", "null", "-s"],
}


def complaints(simulator: str, folder: Path, top: str, files: Iterable[str], *options: str) -> str:
    """The output of a simulator that elaborates ``top``; empty if it is clean."""
    require(simulator)
    command = [*COMMANDS[simulator], top, *options, *files]
    environment = {**os.environ, **tool_environment()}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    said = done.stdout + done.stderr
    return said if done.returncode or re.search("warning|error", said, re.IGNORECASE) else ""


def simulate(folder: Path, text: str, *arguments: str, options: Sequence[str] = ()) -> str:
    """The output of the module ``bench`` of ``text`` on Icarus."""
    require("icarus")
    (folder / "all.v").write_text(text)
    build = ["iverilog", "-g2005", *options, "-s", "bench", "-o", "bench", "all.v"]
    tools: dict[str, Any] = {"cwd": folder, "env": {**os.environ, **tool_environment()}, "check": True}
    for command in (build, ["vvp", "-n", "bench", *arguments]):
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True, **tools)
    return str(done.stdout)
