# SPDX-License-Identifier: Apache-2.0
"""``python -m tb measure texcache``: runs the report's workloads through RTL and model, keeps the results.

Each run demands that RTL and golden model agree footprint by footprint; see
:mod:`tb.common.replay.measuring`.
"""

import argparse
import json
import shlex
from functools import partial
from typing import Any

from rich.console import Console

from configs import cli
from configs.files import write_atomic
from configs.progress import Bars
from tb.common.replay import measuring
from tb.common.replay.library import Roles
from tb.common.replay.machine import ReplayError
from tb.common.replay.measuring import FORMAT, DisagreementError
from tb.texcache.measured import Order, measure
from tb.texcache.measurements import Scope, plan, roles

BLOCK = "texcache"
SIZE, QUICK_SIZE = "512x384", "192x144"


def scope_of(arguments: argparse.Namespace) -> Scope:
    """What the arguments ask for. Raises :class:`UserError`."""
    width, height, scenes = measuring.chosen(arguments, SIZE, QUICK_SIZE)
    return Scope(width, height, scenes, arguments.quick, arguments.seed)


def main(argv: list[str]) -> int:
    """Measure what is not measured yet; exit code 1 if RTL and model disagree. Raises :class:`UserError`."""
    arguments = measuring.parser(BLOCK, SIZE).parse_args(argv)
    base, scope = cli.chosen_config(arguments), scope_of(arguments)
    command = shlex.join(["python", "-m", "tb", "measure", BLOCK, *argv])
    order = Order(base, scope, arguments.out, command)  # type: ignore[arg-type]
    console = Console(highlight=False, soft_wrap=True)
    configurations = roles(order.base, scope)
    workloads = plan(order.base, scope)
    try:
        with Bars(console=console) as progress:
            measuring.build_all(
                [(cfg, Roles()) for cfg in {cfg.hash: cfg for cfg in configurations.values()}.values()],
                progress,
            )
            sizes = {one.id: len(one.roles) for one in workloads}
            found = measuring.in_processes(partial(measure, order), sizes, progress)
    except (DisagreementError, ReplayError) as error:
        console.print(f"[bold red]failed[/] {error}", markup=True)
        return 1
    index: dict[str, Any] = {
        "format": FORMAT,
        "complete": True,
        "block": BLOCK,
        "base": order.base.model_dump(mode="json"),
        "base_name": order.base.name,
        "hash": order.base.hash,
        "roles": {role: cfg.name for role, cfg in configurations.items()},
        "command": order.command,
        "seed": scope.seed,
        "quick": scope.quick,
        "versions": measuring.versions(),
        "workloads": [entry for entry, _ in found.values()],
        "runs": [run for _, runs in found.values() for run in runs],
    }
    write_atomic(order.out / "index.json", json.dumps(index, indent=1) + "\n")
    measuring.prune(order.out, index)
    checked = sum(one["footprints"] for one in index["runs"])
    runs = f"{len(index['runs'])} runs, {checked:,} footprints"
    console.print(f"{runs}: RTL and model agree in every one; results in {order.out}")
    return 0


if __name__ == "__main__":
    cli.run(main)
