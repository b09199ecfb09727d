# SPDX-License-Identifier: Apache-2.0
"""``python -m tb trace BLOCK --trace FILE``: a user's own accesses through model and RTL.

Exit code 0: the RTL did what the model says; 1: it did not; 2: bad input. What is particular to a block
is in ``tb/<block>/trace.py``.
"""

import argparse
import importlib
import importlib.util
import time
from pathlib import Path
from typing import Any

from rich.table import Table as RichTable

from configs import BlockConfig, UserError, blocks
from tb.common.replay.machine import ReplayError
from tb.common.replay.trace_report import CSV_ROWS, Report, Table, write_failure, write_files
from tb.common.running.builds import BUILD
from utils import cli
from utils.console import Console, coloured
from utils.progress import counter
from workloads.traces.opening import plain_name

SHOWN = 5  # mismatches


def parser() -> cli.Parser:
    """The command line."""
    result = cli.Parser(
        prog="python -m tb trace",
        description="Run a trace file through golden model and RTL, and compare them. "
        f"Blocks that take traces: {', '.join(traced_blocks())}.",
    )
    cli.add_config_arguments(result)
    result.add_argument("--trace", required=True, metavar="FILE", help="the accesses (docs/traces.md)")
    cli.add_out(result, "a folder in build/trace")
    result.add_argument("--seed", type=int, default=1, help="of hashed memory and of power-up state")
    result.add_argument("--rtl-dir", metavar="DIR", help="Verilog to use instead of the generated")
    result.add_argument(
        "--csv", action=argparse.BooleanOptionalAction, default=None,
        help=f"write results.csv too (default: up to {CSV_ROWS} accesses)",
    )  # fmt: skip
    return result


def main(argv: list[str]) -> int:
    """Entry point. Raises :class:`UserError` on bad input."""
    arguments = parser().parse_args(argv)
    cfg = cli.chosen_config(arguments)
    path = Path(arguments.trace)
    cli.check_seed(arguments.seed)
    if hasattr(adapter(cfg.block), "sized") and not arguments.rtl_dir:
        chosen, cfg = cfg, adapter(cfg.block).sized(cfg, path)
        if cfg.name != chosen.name:
            print(f"note: the trace needs more than {chosen.name} has; taken is {cfg.name}")
    rtl_dir = Path(arguments.rtl_dir) if arguments.rtl_dir else None
    folder = arguments.out or cfg.build_folder(BUILD / "trace") / plain_name(path).stem
    about = {
        "block": cfg.block,
        "configuration": cfg.name,
        "fields": {**cfg.geometry, "memory": cfg.memory.model_dump()},
        "trace": str(path),
        "seed": arguments.seed,
        "rtl": str(rtl_dir) if rtl_dir else "generated",
        "repro": repro_command(cfg, path, arguments.seed, rtl_dir),
    }
    return _run(cfg, path, folder, arguments, rtl_dir, about)


def _run(
    cfg: BlockConfig, path: Path, folder: Path, arguments: argparse.Namespace, rtl_dir: Path | None,
    about: dict[str, Any],
) -> int:  # fmt: skip
    console = Console(soft_wrap=True, highlight=False)
    started = time.monotonic()
    try:
        with counter() as progress:
            report: Report = adapter(cfg.block).run(cfg, path, arguments.seed, rtl_dir, progress)
            progress("writing", 0, 0)
            names = write_files(report, folder, arguments.csv, about)
    except ReplayError as error:
        write_failure(folder, str(error), about)
        console.print(coloured("FAILED", "bold red", "  the RTL cannot be compared"))
        console.print(f"  {error}\nrepro: {about['repro']}")
        return 1
    show(console, cfg, report)
    if "results.csv" not in names:
        console.print(f"results.csv left out ({report.accesses} accesses are many; CSV=1 writes it)")
    console.print(f"{', '.join(names)} in {folder}  ({time.monotonic() - started:.1f} s)")
    if not report.equal:
        console.print(f"repro: {about['repro']}")
    return 0 if report.equal else 1


def adapter(block: str) -> Any:
    """The module that knows the block's traces. Raises :class:`UserError` if there is none."""
    name = f"tb.{block}.trace"
    if importlib.util.find_spec(f"tb.{block}") is None or importlib.util.find_spec(name) is None:
        raise UserError(f"block {block} takes no trace files: choose among {', '.join(traced_blocks())}")
    return importlib.import_module(name)


def traced_blocks() -> list[str]:
    """Blocks that take traces."""
    return [block for block in blocks() if importlib.util.find_spec(f"tb.{block}.trace")]


def repro_command(cfg: BlockConfig, path: Path, seed: int, rtl_dir: Path | None) -> str:
    """The make command that repeats a run."""
    return cli.make_command("trace", cfg, TRACE=path, SEED=seed, RTL_DIR=rtl_dir)


def show(console: Console, cfg: BlockConfig, report: Report) -> None:
    """Print tables and verdict."""
    figures = Table(f"{cfg.block} {cfg.name}: {report.name}", ("what", "value"), list(report.figures.items()))
    for table in (figures, *report.tables):
        console.print(_rich(table))
    if report.equal:
        agree = f"  model and RTL agree on all {report.accesses} accesses"
        console.print(coloured("EQUAL", "bold green", agree))
        return
    respects = f"  RTL and model, in {len(report.mismatches)} respects; first:"
    console.print(coloured("DIFFERENT", "bold red", respects))
    for item in report.mismatches[:SHOWN]:
        console.print(f"  {item.text}")


def _rich(table: Table) -> RichTable:
    result = RichTable(title=table.title, title_justify="left", title_style="bold")
    for index, column in enumerate(table.columns):
        result.add_column(column, justify="right" if index else "left")
    for row in table.rows:
        result.add_row(*map(_shown, row))
    return result


def _shown(value: Any) -> str:
    if value is None:
        return "-"
    return f"{value:.4f}" if isinstance(value, float) else str(value)


if __name__ == "__main__":
    cli.run(main)
