# SPDX-License-Identifier: Apache-2.0
"""``python -m rtl BLOCK --config NAME -o DIR`` writes Verilog; ``python -m rtl list`` shows what there is.

``python -m rtl release`` writes that of all presets (:mod:`rtl.release`).
"""

from collections.abc import Sequence

from rich.table import Table

import configs
from rtl import release, write
from rtl.version import commit
from rtl.wrapper import FIELDS
from utils import cli
from utils.console import Console


def parser() -> cli.Parser:
    """The command line."""
    result = cli.Parser(
        prog="python -m rtl",
        description="Write the Verilog of a block's configuration; 'make rtl LIST=1' shows all presets.",
    )
    cli.add_config_arguments(result)
    cli.add_out(result, "build/BLOCK/NAME-HASH/verilog")
    result.add_argument(
        "--prefix", default="", metavar="NAME",
        help="stands before the block's name in names of modules: for two configurations in one chip",
    )  # fmt: skip
    return result


def show_presets(chosen: Sequence[str]) -> None:
    """Print the presets of the blocks ``chosen``, of all if there is none, with what they are."""
    table = Table("block", "configuration", "hash", "what it is", title="presets")
    for block in chosen or configs.blocks():
        for name in configs.presets(block):
            cfg = configs.load(block, name)
            table.add_row(block, name, cfg.hash, cfg.description)
    Console().print(table)


def main(argv: list[str]) -> int:
    """Entry point. Raises :class:`configs.UserError` on bad input."""
    if argv[:1] == ["list"]:
        show_presets(argv[1:])
        return 0
    if argv[:1] == ["release"]:
        return release.main(argv[1:])
    arguments = parser().parse_args(argv)
    cfg = cli.chosen_config(arguments)
    folder = arguments.out or cfg.build_folder() / "verilog"
    write(cfg, folder, arguments.prefix, commit())
    module = f"{cfg.top(arguments.prefix)}{FIELDS}"
    print(f"{cfg.block} {cfg.name} ({cfg.hash}): instantiate {module}; sources in {folder}/filelist.f")
    return 0


if __name__ == "__main__":
    cli.run(main)
