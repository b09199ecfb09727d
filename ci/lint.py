# SPDX-License-Identifier: Apache-2.0
"""``python -m ci.lint``: every preset's Verilog through Verilator -Wall, Icarus (Verilog-2005), slang.

Then what no linter says: whether each way from one clock to another is safe (``rtl/crossings.py``), and
whether an output's valid waits for its ready (``rtl/handshakes.py``).
``python -m ci.lint BLOCK --config NAME --rtl-dir DIR`` looks at one configuration, or Verilog from elsewhere.
"""

import os
import subprocess
import tempfile
from pathlib import Path

from pyslang import DiagnosticEngine
from pyslang.ast import Compilation
from pyslang.syntax import SyntaxTree

import configs
from configs import BlockConfig, UserError
from rtl import crossings, handshakes, write
from rtl.example import EXAMPLE
from rtl.wrapper import FIELDS
from tb.common.running.builds import sources_of
from tb.common.running.tools import require, tool_environment
from utils import cli


def lint(cfg: BlockConfig, folder: Path, *, generate_first: bool = True) -> str:
    """What the tools say about the Verilog in ``folder`` (written there first); empty if it is clean."""
    if generate_first:
        write(cfg, folder)
    require("verilator")
    require("icarus")
    own = sources_of(folder, cfg.top())
    around = [folder / f"{cfg.top()}{name}.v" for name in (FIELDS, EXAMPLE)]  # each holds the one before
    paths = [*own, *(path for path in around if path.is_file())]
    top = paths[-1].stem if len(paths) > len(own) else cfg.top()
    sources = [str(path.resolve()) for path in paths]
    commands = (
        f"verilator --lint-only -Wall --quiet --language 1364-2005 --top-module {top}".split(),
        f"iverilog -g2005 -Wall -Wno-timescale -t null -s {top}".split(),
    )
    output, environment = "", {**os.environ, **tool_environment()}
    for command in commands:
        result = subprocess.run(
            [*command, *sources], cwd=folder, env=environment, capture_output=True, text=True
        )
        output += result.stdout + result.stderr
        if result.returncode and not output:
            output = f"{command[0]} failed with exit code {result.returncode}"
    output += _slang(paths)
    return output or "\n".join([*crossings.check_files(cfg, own), *handshakes.check_files(cfg, own)])


def _slang(paths: list[Path]) -> str:
    """What the standard forbids and the simulators take, like a name that is used before its declaration."""
    compilation = Compilation()
    for path in paths:
        compilation.addSyntaxTree(SyntaxTree.fromText(path.read_text(), path.name))
    errors = [diagnostic for diagnostic in compilation.getAllDiagnostics() if diagnostic.isError()]
    return DiagnosticEngine.reportAll(compilation.sourceManager, errors) if errors else ""


def parser() -> cli.Parser:
    """The command line."""
    made = cli.Parser(
        prog="python -m ci.lint", description="Lint the Verilog of a configuration, or of all presets."
    )
    made.add_argument("block", metavar="BLOCK", nargs="?", help="one of: " + ", ".join(configs.blocks()))
    cli.add_config_arguments(made, block=False)
    made.add_argument("--rtl-dir", metavar="DIR", help="Verilog from elsewhere: same top, same ports")
    return made


def main(argv: list[str]) -> int:
    """Lint what is asked for; exit code 1 if there is a complaint. Raises :class:`UserError` on bad input."""
    arguments = parser().parse_args(argv)
    if arguments.block is None and (arguments.config or arguments.set or arguments.rtl_dir):
        raise UserError("--config, --set and --rtl-dir are about one block: name it")
    if arguments.block:
        chosen = [cli.chosen_config(arguments)]
    else:
        chosen = [configs.load(block, name) for block in configs.blocks() for name in configs.presets(block)]
    bad = 0
    for cfg in chosen:
        with tempfile.TemporaryDirectory() as folder:
            elsewhere = arguments.rtl_dir
            complaints = lint(cfg, Path(elsewhere or folder), generate_first=not elsewhere)
        print(f"{cfg.block} {cfg.name}: " + ("clean" if not complaints else "\n" + complaints), flush=True)
        bad += bool(complaints)
    return 1 if bad else 0


if __name__ == "__main__":
    cli.run(main)
