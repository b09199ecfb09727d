# SPDX-License-Identifier: Apache-2.0
"""``python -m tb measure simple``: small programs through RTL and model; keeps what the report shows."""

import json
import shlex
from typing import Any

from rich.console import Console

from configs import UserError, cli, load
from configs.files import write_atomic
from configs.simple.schema import Config
from tb.common.replay import measuring
from tb.common.replay.machine import ReplayError
from tb.simple.replay import check, predict, replay
from workloads.simple.patterns import PATTERNS, requests

COUNT, QUICK_COUNT = 100_000, 3_000
POLICIES = ("write-back", "write-through")


def main(argv: list[str]) -> int:
    """Measure; exit code 1 if RTL and model disagree. Raises :class:`UserError`."""
    parser = measuring.parser("simple", "of no picture")
    arguments = parser.parse_args(argv)
    base = cli.chosen_config(arguments)
    if not isinstance(base, Config):
        raise UserError(f"{base.block} is not simple")
    cli.check_seed(arguments.seed)
    console = Console(highlight=False, soft_wrap=True)
    count = QUICK_COUNT if arguments.quick else COUNT
    runs: list[dict[str, Any]] = []
    try:
        for policy in POLICIES:
            cfg = load(
                "simple", base.preset, [f"{k}={v}" for k, v in {**base.geometry, "policy": policy}.items()]
            )
            for pattern in PATTERNS:
                runs.append(
                    {"pattern": pattern, "policy": policy, **run(cfg, pattern, count, arguments.seed)}
                )
    except (measuring.DisagreementError, ReplayError) as error:
        console.print(f"[bold red]failed[/] {error}", markup=True)
        return 1
    index = {
        "format": measuring.FORMAT, "block": "simple", "base": base.model_dump(mode="json"),
        "base_name": base.name, "hash": base.hash, "seed": arguments.seed, "runs": runs,
        "command": shlex.join(["python", "-m", "tb", "measure", "simple", *argv]),
        "versions": measuring.versions(),
    }  # fmt: skip
    write_atomic(arguments.out / "index.json", json.dumps(index, indent=1) + "\n")
    total = sum(one["requests"] for one in runs)
    console.print(f"{len(runs)} runs, {total:,} requests: RTL and model agree in every one")
    return 0


def run(cfg: Config, pattern: str, count: int, seed: int) -> dict[str, Any]:
    """One program: its figures. Raises :class:`tb.common.replay.measuring.DisagreementError`."""
    asked = requests(cfg, pattern, count)
    model, result = predict(cfg, asked, seed)
    rtl = replay(cfg, asked, seed)
    if wrong := check(cfg, asked, model, result, rtl):
        raise measuring.DisagreementError(f"{pattern} on {cfg.name}: {wrong[0].text}")
    per_write = cfg.cache.line_bytes if cfg.policy == "write-back" else cfg.word_bytes
    return {
        "requests": len(asked), "cycles": rtl.cycles, **rtl.counters,
        "read_bytes": int(result["fill"].sum()) * cfg.cache.line_bytes,
        "written_bytes": rtl.counters["writes"] * per_write,
    }  # fmt: skip
