# SPDX-License-Identifier: Apache-2.0
"""``python -m tb run lpas``: a program of the PEs on the golden model and, with ``--rtl``, on the RTL."""

from pathlib import Path

from rich.table import Table

from configs import UserError
from configs.lpas.schema import OPS, Config
from tb.common.replay.machine import ReplayError
from tb.lpas.machine import MachineRun, differences
from utils import cli
from utils.console import Console
from utils.keys import kept
from utils.progress import counter
from workloads.lpas.figures import application_lines, image_lines, summary
from workloads.lpas.golden import run_golden
from workloads.lpas.listing import write_listing, write_trace
from workloads.lpas.loading import PROGRAMS, SUFFIX, Loaded, load_program

FOLDER = kept("run")


def parser() -> cli.Parser:
    """The command line."""
    result = cli.Parser(prog="python -m tb run lpas", description=__doc__)
    result.set_defaults(block="lpas")
    result.add_argument("program", nargs="?", help=f"a name (--list), or a file in {SUFFIX}")
    result.add_argument(
        "--image", default="", help="a built-in texture or an image file, of a program with .image"
    )
    result.add_argument("--rtl", action="store_true", help="on the RTL, too, which must do the same")
    result.add_argument("--limit", type=int, help="cycles after which a run is ended, instead of .limit")
    result.add_argument("--seed", type=int, default=1, help="of the RTL's power-up state")
    cli.add_out(result, "build/run/PROGRAM")
    result.add_argument("--list", action="store_true", help="show the programs there are")
    cli.add_config_arguments(result, block=False)
    return result


def main(argv: list[str]) -> int:
    """Entry point: 0 if the RTL does what the golden model does, else 1. Raises UserError on bad input."""
    arguments = parser().parse_args(argv)
    cli.check_seed(arguments.seed)
    console = Console(highlight=False, soft_wrap=True)
    if arguments.list:
        table = Table("program", "", title="Programs", title_justify="left")
        for name, words in PROGRAMS.items():
            table.add_row(name, words)
        console.print(table)
        return 0
    if not arguments.program:
        raise UserError(f"no program given: {', '.join(PROGRAMS)}, or a file in {SUFFIX}")
    cfg = cli.chosen_config(arguments)
    assert isinstance(cfg, Config)
    loaded = load_program(cfg, arguments.program, arguments.image)
    if arguments.limit is not None:
        if arguments.limit < 1:
            raise UserError(f"limit={arguments.limit}: a run takes 1 cycle at least")
        loaded.program.limit = arguments.limit
    return _run(cfg, loaded, arguments.program, arguments.rtl, arguments.seed, arguments.out, console)


def _run(
    cfg: Config, loaded: Loaded, name: str, rtl: bool, seed: int, out: Path | None, console: Console
) -> int:
    failures: list[str] = []
    with counter() as progress:
        progress("running it on the golden model", 0, 0)
        golden = run_golden(cfg, loaded.program, loaded.words)
        if rtl:
            progress("building the RTL, once for each configuration", 0, 0)
            try:
                other = MachineRun(cfg, loaded.program, loaded.words, seed).run(
                    lambda cycles: progress("cycles on the RTL", cycles, golden.cycles)
                )
                failures = differences(golden, other)
            except ReplayError as error:
                failures = [str(error)]
    app_lines, wrong = application_lines(name, loaded, golden)
    lines = [*image_lines(loaded), *summary(cfg, loaded.program, golden), *app_lines]
    failures += [wrong] if wrong else []
    if rtl and not failures:
        lines.append(
            f"the RTL does the same: {len(golden.accesses)} accesses with their values and cycles, "
            f"{len(golden.counters)} counters, {2 * len(golden.words)} bytes of memory"
        )
    for line in [*lines, *(f"FAILED  {failure}" for failure in failures)]:
        console.print(line)
    folder = out or FOLDER / Path(name).stem
    listing = write_listing(folder / "listing.txt", loaded.program, golden)
    trace = write_trace(folder / "trace.csv", golden)
    console.print(f"{listing}: counts by instruction; {trace}: accesses ({', '.join(OPS)})")
    return 1 if failures else 0
