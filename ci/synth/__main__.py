# SPDX-License-Identifier: Apache-2.0
"""``python -m ci.synth BLOCK``: FPGA resources and logic depth of a configuration, or a netlist of it."""

import json
from pathlib import Path

from ci.synth import families, growth, netlist, result, show
from tb.common.running.builds import BUILD
from utils import cli
from utils.console import Console
from utils.files import write_atomic
from utils.progress import spinner


def parser() -> cli.Parser:
    """The command line."""
    made = cli.Parser(
        prog="python -m ci.synth",
        description="Synthesize a block with Yosys; exit code 1 if there are latches.",
    )
    cli.add_config_arguments(made)
    made.add_argument(
        "--family", nargs="+", default=list(families.FAMILIES), metavar="NAME",
        help=f"one or more of {', '.join(families.FAMILIES)} (default: all)",
    )  # fmt: skip
    made.add_argument("--rtl-dir", metavar="DIR", help="Verilog from elsewhere: same top, same ports")
    cli.add_out(made, "build/synth/BLOCK/NAME-HASH")
    made.add_argument(
        "--netlist", type=cli.out_folder, metavar="DIR",
        help="write a netlist to simulate (make sim RTL_DIR=DIR) and do nothing else",
    )  # fmt: skip
    made.add_argument(
        "--list", action="store_true",
        help="show the figures that are kept of the block (python -m ci.synth.growth) and do nothing else",
    )  # fmt: skip
    return made


def main(argv: list[str]) -> int:
    """Entry point. Raises :class:`UserError` on bad input."""
    arguments = parser().parse_args(argv)
    cfg, console = cli.chosen_config(arguments), Console(highlight=False)
    if arguments.list:
        console.print(show.kept_table(cfg.block, growth.stale(cfg.block)), soft_wrap=True)
        return 0
    chosen = [families.family(name) for name in dict.fromkeys(" ".join(arguments.family).split())]
    sources = result.verilog(cfg, Path(arguments.rtl_dir) if arguments.rtl_dir else None)
    if arguments.netlist:
        target = arguments.netlist
        with spinner() as say:
            say(f"netlist of {cfg.block}")
            files = netlist.write(cfg, sources, target)
        print(f"{cfg.block} {cfg.name} ({cfg.hash}): {' and '.join(p.name for p in files)} in {target}")
        return 0
    folder = arguments.out or cfg.build_folder(BUILD / "synth")
    if arguments.rtl_dir and not arguments.out:
        folder = folder.with_name(f"{folder.name}-elsewhere")
    results = []
    with spinner() as say:
        for which in chosen:
            say(f"synthesis of {cfg.block} for {which.title}")
            results.append(result.measure(cfg, which, sources, folder))
    stated = {} if arguments.rtl_dir else result.published(cfg)
    write_atomic(
        folder / "synthesis.json", json.dumps({"results": results, "published": stated}, indent=1) + "\n"
    )
    console.print(show.resources_table(results, stated))
    for line in show.timing_lines(results, stated):
        console.print(line, soft_wrap=True)
    console.print(f"results  {folder}", soft_wrap=True)
    return 1 if any(kept["resources"]["latch"] for kept in results) else 0


if __name__ == "__main__":
    cli.run(main)
