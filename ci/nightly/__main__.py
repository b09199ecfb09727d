# SPDX-License-Identifier: Apache-2.0
"""``python -m ci.nightly``: run a campaign, show history, write the page, the smoke tier or the baseline."""

import argparse
import json
import os
import shlex
from pathlib import Path

from rich.table import Table

from ci.nightly import page, smoke
from ci.nightly.campaign import FOLDER, Campaign, Order, say
from ci.nightly.catalogue import TIERS, blocks, sources_key
from ci.nightly.store import Store
from configs import UserError
from tb.common.running import baseline
from utils import cli
from utils.console import Console, coloured
from utils.processes import sole

INTERRUPTED = 130
LOCK = ".campaign"  # of a folder of campaigns, while one runs


def parser() -> cli.Parser:
    """The command line."""
    result = cli.Parser(prog="python -m ci.nightly", description=__doc__)
    commands = result.add_subparsers(required=True, metavar="COMMAND")

    part = commands.add_parser("run", help="run a tier; goes on with an interrupted campaign")
    part.add_argument("tier", nargs="?", default="nightly", metavar="TIER", help=f"{', '.join(TIERS)}")
    part.add_argument("--blocks", default=",".join(blocks()), metavar="A,B", help="default: all")
    part.add_argument("--seed", type=int, default=1, help="of the nightly tier's seeds (default: 1)")
    part.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="local workers (default: cores)")
    part.add_argument("--scheduler", metavar="ADDRESS", help="Dask scheduler, e.g. tcp://host:8786")
    part.add_argument("--budget", type=int, default=0, help="closure jobs (default: the catalogue's)")
    part.add_argument("--new", action="store_true", help="begin anew, even if one was interrupted")
    part.set_defaults(command=_run)

    part = commands.add_parser("history", help="campaigns and their trends")
    part.add_argument("--last", type=int, default=20, metavar="N", help="default: 20")
    part.set_defaults(command=_history)

    part = commands.add_parser("page", help="write the dashboard of a campaign")
    part.add_argument("campaign", nargs="?", type=int, help="default: the last one")
    part.set_defaults(command=_page)

    for name, what, command in (
        ("smoke", "choose each block's part of 'make test'", _smoke),
        ("baseline", "make its figures the baseline", _baseline),
    ):
        part = commands.add_parser(
            name,
            help=f"{what}, from the last campaign of these sources; without one the full tier runs first",
        )
        part.add_argument("--blocks", default=",".join(blocks()), metavar="A,B", help="default: all")
        part.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="workers (default: cores)")
        part.set_defaults(command=command)

    for each in commands.choices.values():
        each.add_argument(
            "--folder", type=Path, default=FOLDER, metavar="DIR", help="results and page (build/nightly)"
        )
    return result


def main(argv: list[str]) -> int:
    """Entry point: 0 if all is well, 1 if not, 130 if interrupted. Raises :class:`UserError`."""
    arguments = parser().parse_args(argv)
    arguments.argv = argv
    code: int = arguments.command(arguments)
    return code


def _store(arguments: argparse.Namespace) -> Store:
    return Store(arguments.folder / "results.db")


def _blocks(arguments: argparse.Namespace) -> tuple[str, ...]:
    chosen = tuple(name for name in arguments.blocks.split(",") if name)
    for name in chosen:
        if name not in blocks():
            raise UserError(f"--blocks: unknown block {name!r}: choose from {', '.join(blocks())}")
    return chosen or tuple(blocks())


def _console() -> Console:
    """For lines as long as they are: paths and commands are copied from them."""
    return Console(highlight=False, soft_wrap=True)


def _run(arguments: argparse.Namespace) -> int:
    for option, least in (("jobs", 1), ("seed", 0), ("budget", 0)):
        if (value := getattr(arguments, option)) < least:
            raise UserError(f"--{option} {value}: must be at least {least}")
    order = Order(
        arguments.tier, _blocks(arguments), arguments.seed, arguments.jobs, arguments.scheduler,
        arguments.budget, arguments.new, shlex.join(["python", "-m", "ci.nightly", *arguments.argv]),
        arguments.folder,
    )  # fmt: skip
    if order.tier not in TIERS:
        raise UserError(f"unknown tier {order.tier!r}: choose from {', '.join(TIERS)}")
    console, store = _console(), _store(arguments)
    with sole(arguments.folder / LOCK, "a campaign"):
        campaign = Campaign(order, store, console)
        try:
            good = campaign.run()
        except KeyboardInterrupt:
            note = f": {len(store.done(campaign.id))} jobs are stored; the same command goes on"
            console.print(coloured("interrupted", "bold", note))
            return INTERRUPTED
        say(console, store, campaign.id, page.write(store, campaign.id, order.folder))
        return 0 if good else 1


def _history(arguments: argparse.Namespace) -> int:
    store = _store(arguments)
    campaigns = store.campaigns()[-arguments.last :]
    if not campaigns:
        raise UserError(f"{arguments.folder}: no campaign yet; run make nightly first")
    table = Table(title="campaigns", title_justify="left")
    for name in ("no.", "tier", "blocks", "revision", "verdict"):
        table.add_column(name)
    for name in ("jobs", "failed", "functional", "line", "minutes"):
        table.add_column(name, justify="right")
    table.add_column("shares")
    last: dict[tuple[str, str], dict[str, float]] = {}  # shares of the last campaign of a tier on some blocks
    for row in campaigns:
        summary = json.loads(row["summary"] or "{}")
        functional = [entry["functional"] for entry in summary.get("coverage", [])]
        lines = [entry["code"]["line"] for entry in summary.get("coverage", []) if "line" in entry["code"]]
        shares = store.shares(row["id"])
        before = last.setdefault((row["tier"], row["blocks"]), {})
        trends = [
            f"{name} {100 * share:.2f} %{_arrow(share - before[name]) if name in before else ''}"
            for name, share in shares.items()
        ]
        before |= shares
        table.add_row(
            str(row["id"]), row["tier"], row["blocks"], row["revision"], row["verdict"] or "not finished",
            str(row["jobs"]), str(row["failed"] or 0), f"{min(functional):.1f} %" if functional else "-",
            f"{min(lines):.1f} %" if lines else "-",
            f"{(row['finished'] - row['started']) / 60:.1f}" if row["finished"] else "-", "\n".join(trends),
        )  # fmt: skip
    Console(width=120).print(table)
    return 0


def _arrow(change: float) -> str:
    return " =" if abs(change) < 1e-9 else " ↑" if change > 0 else " ↓"


def _page(arguments: argparse.Namespace) -> int:
    store = _store(arguments)
    numbers = [row["id"] for row in store.campaigns()]
    campaign = arguments.campaign or (numbers[-1] if numbers else 0)
    if campaign not in numbers:
        raise UserError(f"{store.path}: no campaign {campaign or ''}; run make nightly first")
    print(page.write(store, campaign, arguments.folder))
    return 0


def _smoke(arguments: argparse.Namespace) -> int:
    campaign = _full_tier(arguments)
    for block in _blocks(arguments):
        print(smoke.write(campaign.store, campaign.id, block))
    return 0


def _full_tier(arguments: argparse.Namespace) -> Campaign:
    """The last finished campaign of these sources that has the full tier; without one, it runs first."""
    console, store, chosen = _console(), _store(arguments), _blocks(arguments)
    words = shlex.join(["python", "-m", "ci.nightly", *arguments.argv])
    order = Order("full", chosen, 1, arguments.jobs, None, 0, False, words, arguments.folder)
    current = [
        row["id"] for row in store.campaigns()
        if row["finished"] and row["sources"] == sources_key(row["blocks"].split()) and row["tier"] != "smoke"
        and set(chosen) <= set(row["blocks"].split())
    ]  # fmt: skip
    with sole(arguments.folder / LOCK, "a campaign"):
        campaign = Campaign(order, store, console)
        if current:
            campaign.id = current[-1]
        else:
            console.print("no campaign of these sources yet: running the full tier")
            campaign.run()
    if any(row["verdict"] == "failed" for row in store.jobs(campaign.id)):
        raise UserError(f"campaign {campaign.id} has failures: nothing is written from it")
    return campaign


def _baseline(arguments: argparse.Namespace) -> int:
    campaign = _full_tier(arguments)
    for block in _blocks(arguments):
        figures = campaign.figures(block)
        changes = baseline.compare(baseline.load(block), figures.items())
        for change in changes:
            campaign.console.print(f"  {block} {change}")
        campaign.console.print(
            f"{len(figures)} runs, {len(changes)} changes: {baseline.write(block, figures)}"
        )
    return 0


if __name__ == "__main__":
    cli.run(main)
