# SPDX-License-Identifier: Apache-2.0
"""``python -m report``: writes ``build/report/index.html``, and each block's page, JSON and CSV files."""

import importlib
import importlib.util
import json
import platform
import subprocess
from contextlib import suppress
from importlib.metadata import version
from os.path import relpath
from pathlib import Path
from re import findall
from typing import Any

from configs import UserError, blocks
from report.browser import screenshot
from report.page import BlockReport, data, render, render_index
from utils.cli import Parser, add_out, out_file, run
from utils.files import write_atomic
from utils.progress import spinner
from workloads.scenes.views import file_name

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


def provenance(report: BlockReport) -> dict[str, str]:
    """Where a page comes from: revision and versions of what computed it."""
    packages = ", ".join(f"{name} {version(name)}" for name in ("numpy", "numba", "pillow"))
    return {
        "Source revision": revision(),
        "Page written with": f"Python {platform.python_version()}, {packages}",
        "Command": report.command,
    }


def write(report: BlockReport, out: Path) -> list[Path]:
    """Write a block's CSV files, ``<block>.json`` and, last, its page. Returns paths, the page first."""
    names = [table.name for table in report.tables]
    if len(set(names)) < len(names) or not all(name.startswith(report.block) for name in names):
        raise ValueError(f"tables need names of their own that begin with {report.block}: {sorted(names)}")
    source = provenance(report)
    contents = {f"{table.name}.csv": table.csv() for table in report.tables}
    contents[f"{report.block}.json"] = json.dumps(data(report, source), indent=1, ensure_ascii=False) + "\n"
    contents[f"{report.block}.html"] = render(report, source)
    for name, text in contents.items():
        write_atomic(out / name, text)
    return [out / name for name in reversed(contents)]


def write_index(out: Path) -> Path:
    """Write ``index.html`` over all blocks whose pages are in ``out``."""
    written: list[dict[str, Any]] = []
    for path in (out / f"{block}.json" for block in reported() if (out / f"{block}.html").is_file()):
        with suppress(OSError, ValueError):  # damaged: until that block's report is made again
            written.append(json.loads(path.read_text()))
    order = findall(r"\n\| \[`(\w+)`\]", (ROOT / "README.md").read_text())
    written.sort(key=lambda block: [*order, block["block"]].index(block["block"]))
    write_atomic(out / "index.html", render_index(written))
    return out / "index.html"


def main(argv: list[str]) -> int:
    """Build the report of the given blocks, or take the picture of one that exists."""
    parser = Parser(prog="python -m report", description=__doc__)
    parser.add_argument(
        "blocks",
        nargs="*",
        metavar="BLOCK",
        help=f"default: all that were measured, of {', '.join(reported())}",
    )
    parser.add_argument(
        "--results",
        type=Path,
        metavar="DIR",
        help="measured results, one folder per block (default: build/measure, or build/scenes/SCENE)",
    )
    add_out(parser, "build/report, or build/report/SCENE")
    parser.add_argument("--scene", default="", help="what was measured of this scene, not the blocks' own")
    parser.add_argument(
        "--screenshot",
        type=out_file(".png"),
        metavar="PNG",
        help="only take a picture of the page of BLOCK (or the first page) in --out, with headless Chromium",
    )
    arguments = parser.parse_args(argv)
    name, build = file_name(arguments.scene), ROOT / "build"
    arguments.results = arguments.results or (build / "scenes" / name if name else build / "measure")
    arguments.out = arguments.out or build / "report" / name
    if arguments.screenshot:
        page = f"{arguments.blocks[0]}.html" if arguments.blocks else "index.html"
        screenshot(arguments.out / page, arguments.screenshot)
        print(arguments.screenshot)
        return 0
    measured = tuple(block for block in reported() if (arguments.results / block / "index.json").is_file())
    chosen = tuple(arguments.blocks) or measured
    for block in chosen:
        if block not in reported():
            raise UserError(f"no report for {block!r}: choose among {', '.join(reported())}")
    if not chosen:
        raise UserError(f"{arguments.results}: no measured results there; run make report")
    said = []
    with spinner() as say:
        for block in chosen:
            build = importlib.import_module(f"report.{block}").build
            made = build(arguments.results / block, say)
            say(f"{block}: writing the page")
            written = write(made, arguments.out)[0]
            said.append(f"{block}: {made.key_figures[0].title.lower()} {made.key_figures[0].shown}")
    index = write_index(arguments.out)
    print(f"{'; '.join(said)}; open {relpath(index if chosen[1:] else written)}")
    return 0


if __name__ == "__main__":
    run(main)
