# SPDX-License-Identifier: Apache-2.0
"""``python -m ci.lint``: every preset's Verilog through Verilator -Wall, Icarus (Verilog-2005), slang."""

import os
import subprocess
import tempfile
from pathlib import Path

from pyslang import DiagnosticEngine
from pyslang.ast import Compilation
from pyslang.syntax import SyntaxTree

import configs
from configs import BlockConfig, cli
from rtl import write
from rtl.wrapper import FIELDS
from tb.common.running.tools import require, tool_environment


def lint(cfg: BlockConfig, folder: Path, *, generate_first: bool = True) -> str:
    """What the tools say about the Verilog in ``folder`` (written there first); empty if it is clean."""
    if generate_first:
        write(cfg, folder)
    require("verilator")
    require("icarus")
    top = cfg.block + FIELDS  # the wrapper holds all the rest
    sources = [*(folder / "filelist.f").read_text().split(), f"{top}.v"]
    commands = (
        [
            "verilator",
            "--lint-only",
            "-Wall",
            "--quiet",
            "--language",
            "1364-2005",
            "--top-module",
            top,
        ],
        ["iverilog", "-g2005", "-Wall", "-Wno-timescale", "-t", "null", "-s", top],
    )
    output = ""
    for command in commands:
        result = subprocess.run(
            [*command, *sources],
            cwd=folder,
            env={**os.environ, **tool_environment()},
            capture_output=True,
            text=True,
        )
        output += result.stdout + result.stderr
        if result.returncode and not output:
            output = f"{command[0]} failed with exit code {result.returncode}"
    return output + _slang([folder / name for name in sources])


def _slang(paths: list[Path]) -> str:
    """What the standard forbids and the simulators take, like a name that is used before its declaration."""
    compilation = Compilation()
    for path in paths:
        compilation.addSyntaxTree(SyntaxTree.fromText(path.read_text(), path.name))
    errors = [one for one in compilation.getAllDiagnostics() if one.isError()]
    return DiagnosticEngine.reportAll(compilation.sourceManager, errors) if errors else ""


def main(argv: list[str]) -> int:
    """Lint all presets of all blocks; exit code 1 if there is a complaint."""
    cli.Parser(prog="python -m ci.lint", description=__doc__).parse_args(argv)
    bad = 0
    for block in configs.blocks():
        for preset in configs.presets(block):
            with tempfile.TemporaryDirectory() as folder:
                complaints = lint(configs.load(block, preset), Path(folder))
            print(f"{block} {preset}: " + ("clean" if not complaints else "\n" + complaints), flush=True)
            bad += bool(complaints)
    return 1 if bad else 0


if __name__ == "__main__":
    cli.run(main)
