# SPDX-License-Identifier: Apache-2.0
"""``python -m tb measure BLOCK``: runs the report's workloads through RTL and model, keeps the results.

Each run demands that RTL and golden model agree access by access. What is measured is said in
``tb/<block>/measuring``.
"""

import importlib
import importlib.util
import os
from collections.abc import Iterable, Sequence
from concurrent.futures import as_completed
from typing import Any

from rich.progress import Progress

from configs import BlockConfig, UserError, blocks, schema
from tb.common.measuring.stored import FORMAT, Order, prune
from tb.common.measuring.workload import DisagreementError, Measured, Measurement, Workload, hardware
from tb.common.replay.library import Roles, load_library
from tb.common.replay.machine import ReplayError
from tb.common.running.processes import processes
from utils import cli
from utils.console import Console, coloured
from utils.files import write_checked
from utils.progress import Bars

JOBS = max(1, min(2, os.cpu_count() or 1))  # at a time: each takes up to 2 GB


def measured_blocks() -> list[str]:
    """Blocks that have something to measure."""
    return [block for block in blocks() if importlib.util.find_spec(f"tb.{block}.measuring")]


def measurement(block: str) -> Measurement[Any]:
    """What is measured of a block. Raises :class:`UserError`."""
    schema(block)
    if block not in measured_blocks():
        raise UserError(f"nothing to measure of {block!r}: choose among {', '.join(measured_blocks())}")
    made: Measurement[Any] = importlib.import_module(f"tb.{block}.measuring").MEASUREMENT
    return made


def _parser(block: str, what: Measurement[Any]) -> cli.Parser:
    parser = cli.Parser(prog=f"python -m tb measure {block}", description="Measure what the report shows.")
    parser.set_defaults(block=block)
    cli.add_config_arguments(parser, block=False)
    parser.add_argument("--seed", type=int, default=1, help="of random accesses, memory and power-up state")
    cli.add_out(parser, f"build/measure/{block}")
    parser.add_argument(
        "--report", type=cli.out_folder, metavar="DIR",
        help="where the report will go: a place that cannot be is refused before anything is measured",
    )  # fmt: skip
    parser.add_argument("--quick", action="store_true", help="less of everything, few configurations")
    what.add_arguments(parser)
    return parser


def main(argv: list[str]) -> int:
    """Measure what is not measured yet; exit code 1 if RTL and model disagree. Raises :class:`UserError`."""
    if argv[:1] in (["-h"], ["--help"]):
        argv = [measured_blocks()[0], *argv]
    if not argv or argv[0].startswith("-"):
        raise UserError(f"measure: name a block, one of {', '.join(measured_blocks())}")
    block, what = argv[0], measurement(argv[0])
    arguments = _parser(block, what).parse_args(argv[1:])
    cli.check_seed(arguments.seed)
    arguments.out = arguments.out or what.folder(block, arguments)
    base = cli.chosen_config(arguments)
    order = what.order(arguments, base, cli.make_command("report", base, **what.variables(arguments)))
    workloads = what.plan(order)
    console = Console(highlight=False, soft_wrap=True)
    console.print(f"measuring {block}{' (quick)' if order.quick else ''}")
    try:
        with Bars(console=console) as progress:
            cfgs = {cfg.hash: hardware(cfg) for workload in workloads for cfg in workload.cfgs.values()}
            _build_all([(cfg, what.roles(cfg)) for cfg in cfgs.values()], progress)
            extra = what.extra(order)
            measured = _measure_all(order, workloads, progress)
    except (DisagreementError, ReplayError) as error:
        console.print(coloured("failed", "bold red", f" {error}"))
        return 1
    runs = _write_index(order, measured, extra)["runs"]
    checked = sum(run["checked"] for run in runs)
    console.print(
        f"{len(runs)} runs, {checked:,} {what.accesses}: RTL and model agree in every one", markup=False
    )
    return 0


def _write_index(order: Order, measured: Iterable[Measured], extra: dict[str, Any]) -> dict[str, Any]:
    measured = list(measured)
    index = {
        "format": FORMAT,
        "block": order.base.block,
        "base": order.base.model_dump(mode="json"),
        "base_name": order.base.name,
        "hash": order.base.hash,
        "command": order.command,
        "seed": order.seed,
        "quick": order.quick,
        "versions": order.versions,
        **extra,
        "workloads": [workload.entry for workload in measured],
        "runs": [run._asdict() for workload in measured for run in workload.runs],
    }
    write_checked(order.out / "index.json", index)
    prune(order.out, index)
    return index


def _build_all(cfgs: Sequence[tuple[BlockConfig, Roles]], progress: Progress) -> None:
    """Verilate every configuration that is not built, two at a time."""
    task = progress.add_task("building the RTL", total=len(cfgs))
    with processes(JOBS) as pool:  # not threads: CPython 3.11 does not compile templates in two at a time
        for built in as_completed([pool.submit(_build, cfg, roles) for cfg, roles in cfgs]):
            built.result()
            progress.advance(task)


def _build(cfg: BlockConfig, roles: Roles) -> None:
    load_library(cfg, None, roles)


def _measure_all(order: Order, workloads: Sequence[Workload[Any]], progress: Progress) -> list[Measured]:
    """All workloads in processes; results in their order."""
    task = progress.add_task("RTL against model", total=sum(len(workload.cfgs) for workload in workloads))
    measured: dict[str, Measured] = {}
    with processes(JOBS) as pool:
        waiting = {pool.submit(_measure, workload, order): workload for workload in workloads}
        try:
            for done in as_completed(waiting):
                workload = waiting[done]
                measured[workload.id] = done.result()
                progress.update(task, advance=len(workload.cfgs), description=workload.id)
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise
    return [measured[workload.id] for workload in workloads]


def _measure(workload: Workload[Any], order: Order) -> Measured:
    return workload.measure(order)
