# SPDX-License-Identifier: Apache-2.0
"""``python -m tb plan BLOCK``: tables of the block's pages: presets, fields, counters, both plans."""

import importlib
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import configs
from configs import UserError
from configs.tables import counter_rows, field_rows, of_presets, preset_rows
from tb.common.coverage.bins import Point
from tb.common.running.builds import ROOT
from utils import cli, toml
from utils.files import write_if_changed

BINS_SHOWN = 12


def test_plan(block: str) -> list[dict[str, Any]]:
    """The rows of ``tb/<block>/testplan.toml``: feature, source, tests."""
    rows: list[dict[str, Any]] = toml.read(ROOT / "tb" / block / "testplan.toml")["row"]
    return rows


def coverage_plan(block: str) -> list[tuple[Point, str]]:
    """The coverpoints of a block's presets, each with those that have it if not all do.

    Points are shown as the first of these has them, the published one before all others.
    """
    plan = importlib.import_module(f"tb.{block}.plan").plan
    plans: dict[str, dict[str, Point]] = {
        preset: {point.name: point for point in plan(configs.load(block, preset))}
        for preset in configs.presets(block)
    }
    return of_presets(plans)


def markdown_table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table of GitHub's Markdown, without empty columns and the last line's end."""
    columns = [column for column in zip(head, *rows, strict=True) if not rows or any(column[1:])]
    lines = [[cell.replace("|", "\\|") for cell in line] for line in zip(*columns, strict=True)]
    lines.insert(1, ["---"] * len(columns))
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _bins(point: Point) -> str:
    shown = point.bins if len(point.bins) <= BINS_SHOWN else (*point.bins[:3], "...", point.bins[-1])
    return ", ".join(shown)


def pages(block: str) -> dict[Path, dict[str, str]]:
    """The pages that hold tables, with these: Markdown by name; without a testbench there are no plans."""
    head = "field", "values", configs.default_preset(block), "other presets", "meaning"
    tables = {
        ROOT / "docs" / f"{block}.md": {
            "presets": markdown_table(("preset", "what it is"), preset_rows(block)),
            "parameters": markdown_table(head, field_rows(block)),
            "counters": markdown_table(("counter", "only in", "what it counts"), counter_rows(block)),
        }
    }
    if (ROOT / "tb" / block / "testplan.toml").is_file():
        tables[ROOT / "docs" / f"{block}_verification.md"] = _plans(block)
    return tables


def _plans(block: str) -> dict[str, str]:
    rows = test_plan(block)
    tests = [[row["feature"], row["source"], ", ".join(f"`{name}`" for name in row["tests"])] for row in rows]
    points = [
        [point.name, where, str(len(point.bins)), _bins(point), point.why]
        for point, where in coverage_plan(block)
    ]
    return {
        "test plan": markdown_table(("what must hold", "from", "tests"), tests),
        "coverage plan": markdown_table(("coverpoint", "only in", "bins", "which", "why"), points),
    }


def filled(path: Path, text: str, tables: Mapping[str, str]) -> str:
    """``text`` of the page ``path`` with each table between its marks, ``<!-- name -->``, ``<!-- end -->``.

    Raises :class:`UserError` for a page without the marks.
    """
    for name, table in tables.items():
        marks = re.compile(f"(<!-- {name} -->\n).*?(<!-- end -->)", re.DOTALL)
        if not marks.search(text):
            raise UserError(f"{path}: no place for the {name}: put <!-- {name} --> and <!-- end --> there")
        text = marks.sub(lambda match, table=table: f"{match[1]}{table}\n{match[2]}", text)  # type: ignore[misc]
    return text


def main(argv: list[str]) -> int:
    """Entry point: rewrites the tables. Raises :class:`UserError` for a page that is missing."""
    parser = cli.Parser(
        prog="python -m tb plan", description="Bring the tables of a block's pages up to date."
    )
    parser.add_argument("block", metavar="BLOCK", choices=configs.blocks())
    block = parser.parse_args(argv).block
    for path, tables in pages(block).items():
        if not path.is_file():
            raise UserError(f"{path}: no such page; write it first")
        write_if_changed(path, filled(path, path.read_text(), tables))
        print(f"{path.relative_to(ROOT)} is up to date")
    return 0
