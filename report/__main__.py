# SPDX-License-Identifier: Apache-2.0
"""``python -m report``: writes ``build/report/index.html``, ``report.json`` and the CSV files beside it."""

import importlib
import importlib.util
import json
import platform
import subprocess
from importlib.metadata import version
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from configs import UserError, blocks
from configs.cli import Parser, run
from configs.files import write_atomic
from report.browser import screenshot
from report.page import BlockReport, data, render

ROOT = Path(__file__).parent.parent


def reported() -> tuple[str, ...]:
    """Blocks that have a report: those with a ``report/<block>``."""
    return tuple(block for block in blocks() if importlib.util.find_spec(f"report.{block}"))


def revision() -> str:
    """The git revision of the tree, marked if files differ from it; ``unknown`` outside a repository."""

    def git(*arguments: str) -> str:
        done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=False)
        return done.stdout.strip() if done.returncode == 0 else ""

    try:
        commit = git("rev-parse", "--short=12", "HEAD")
        changed = git("status", "--porcelain", "--untracked-files=no")
    except OSError:  # no git on this machine
        return "unknown"
    return (commit + (" with local changes" if changed else "")) or "unknown"


def provenance() -> dict[str, str]:
    """Where the page comes from: revision and versions of what computed it."""
    packages = ", ".join(f"{name} {version(name)}" for name in ("numpy", "numba", "pillow"))
    return {
        "Source revision": revision(),
        "Page written with": f"Python {platform.python_version()}, {packages}",
        "Command": "make report",
    }


def write(reports: list[BlockReport], out: Path) -> list[Path]:
    """Write the CSV files, report.json and, last, the page. Returns their paths, the page first."""
    names = [table.name for one in reports for table in one.tables]
    if len(set(names)) < len(names):
        raise ValueError(f"two tables of one name among {sorted(names)}")
    source: dict[str, Any] = provenance()
    contents = {f"{table.name}.csv": table.csv() for one in reports for table in one.tables}
    contents["report.json"] = json.dumps(data(reports, source), indent=1, ensure_ascii=False) + "\n"
    contents["index.html"] = render(reports, source)
    for name, text in contents.items():
        write_atomic(out / name, text)
    return [out / name for name in reversed(contents)]


def main(argv: list[str]) -> int:
    """Build the report of the given blocks, or take the picture of one that exists."""
    parser = Parser(prog="python -m report", description=__doc__)
    parser.add_argument("blocks", nargs="*", metavar="BLOCK", help=f"default: all of {', '.join(reported())}")
    parser.add_argument(
        "--results",
        type=Path,
        default=ROOT / "build" / "measure",
        metavar="DIR",
        help="measured results, one folder per block (default: build/measure)",
    )
    parser.add_argument(
        "--out",
        type=Path,
        default=ROOT / "build" / "report",
        metavar="DIR",
        help="folder to write (default: build/report)",
    )
    parser.add_argument(
        "--screenshot",
        type=Path,
        metavar="PNG",
        help="only take a picture of the page in --out, with headless Chromium",
    )
    arguments = parser.parse_args(argv)
    if arguments.screenshot:
        screenshot(arguments.out / "index.html", arguments.screenshot)
        print(arguments.screenshot)
        return 0
    chosen = tuple(arguments.blocks) or reported()
    for block in chosen:
        if block not in reported():
            raise UserError(f"no report for {block!r}: choose among {', '.join(reported())}")
    console = Console(stderr=True)
    columns = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task("report")
        reports = [
            importlib.import_module(f"report.{block}").build(
                arguments.results / block, lambda words: progress.update(task, description=words)
            )
            for block in chosen
        ]
        progress.update(task, description="writing the page")
        paths = write(reports, arguments.out)
    megabytes = paths[0].stat().st_size / 1e6
    print(f"{paths[0]} ({megabytes:.1f} MB), report.json and {len(paths) - 2} CSV files beside it")
    return 0


if __name__ == "__main__":
    run(main)
