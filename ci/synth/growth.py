# SPDX-License-Identifier: Apache-2.0
"""``python -m ci.synth.growth BLOCK``: how resources and logic depth grow with a configuration.

``growth.toml`` names the rows of each block: presets and sets of changes, each of which is synthesized for
the 7 series, and the part that is measured. ``sizes/<block>.csv`` keeps the figures, which docs and report
show; a row is not made anew unless its Verilog changed (``key``).
"""

import csv
import io
import time
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import NamedTuple

from ci.synth import families, result
from configs import BlockConfig, UserError, load
from tb.common.running.builds import BUILD
from utils import cli, toml
from utils.files import write_atomic
from utils.progress import spinner

ROWS = Path(__file__).with_name("growth.toml")
FOLDER = Path(__file__).parent / "sizes"
FIGURES = ("lut", "lut_least", "lut_memory", "ff", "bram")


class Row(NamedTuple):
    """What a row is of: a preset (empty: the default one), its changes, a part (empty: the block)."""

    preset: str
    changes: str
    part: str


def parser() -> cli.Parser:
    """The command line."""
    made = cli.Parser(prog="python -m ci.synth.growth", description="Measure how a block grows.")
    made.add_argument("block", metavar="BLOCK", help="one of ci/synth/growth.toml")
    made.add_argument(
        "--only", default="", metavar="WORDS", help="rows whose preset or changes hold these words"
    )
    return made


def cases(block: str) -> Iterator[tuple[Row, BlockConfig]]:
    """What is compared. Raises :class:`UserError` for a block without any."""
    groups = toml.read(ROWS)
    if block not in groups:
        raise UserError(f"block {block} has nothing that grows: write [[{block}]] in {ROWS}")
    for group in groups[block]:
        names = (group.get(name, [""]) for name in ("presets", "sizes", "changes"))
        for preset, size, change in product(*names):
            changes = f"{change} {size}".strip()
            yield Row(preset, changes, group.get("part", "")), load(block, preset or None, changes.split())


def known(block: str) -> dict[Row, dict[str, str]]:
    """Rows that were measured, with all that is measured today."""
    path = FOLDER / f"{block}.csv"
    if not path.is_file():
        return {}
    with path.open(newline="") as file:
        table = csv.DictReader(file)
        if not set(FIGURES) <= set(table.fieldnames or ()):
            return {}
        return {Row(*(row[name] for name in Row._fields)): row for row in table}


def key(cfg: BlockConfig, part: str) -> str:
    """What a row depends on."""
    sources = result.verilog(cfg, None)
    return result.key(families.measuring(families.family("xc7"), cfg.top(), part, list(sources)), sources)


def stale(block: str) -> list[tuple[dict[str, str], bool]]:
    """Rows that were measured, and whether each is of other Verilog. Raises :class:`UserError`."""
    rows = known(block)
    return [(rows[row], rows[row]["key"] != key(cfg, row.part)) for row, cfg in cases(block) if row in rows]


def measured(cfg: BlockConfig, row: Row) -> dict[str, str]:
    """The figures of a row, which take seconds to hours."""
    which, began = families.family("xc7"), time.monotonic()
    folder = cfg.build_folder(BUILD / "synth")
    measurement = result.measure(cfg, which, result.verilog(cfg, None), folder, row.part)
    figures = {name: str(measurement["resources"][name]) for name in FIGURES}
    path = measurement["timing"]
    depth = {"path_ns": f"{path['logic_ps'] / 1000:.2f}"}
    depth["luts_in_path"] = str(sum(cell.startswith("LUT") for cell in path["path"]))
    spent = {"seconds": f"{time.monotonic() - began:.0f}"}
    return {**row._asdict(), "key": measurement["key"], **figures, **depth, **spent}


def main(argv: list[str]) -> int:
    """Entry point. Raises :class:`UserError` on bad input."""
    arguments = parser().parse_args(argv)
    rows, wanted = known(arguments.block), list(cases(arguments.block))
    with spinner() as say:
        for row, cfg in wanted:
            if arguments.only not in f"{row.preset} {row.changes}":
                continue
            if rows.get(row, {}).get("key") == key(cfg, row.part):
                continue
            say(f"{row.part or cfg.block} {row.preset} with {row.changes or 'nothing changed'}")
            rows[row] = measured(cfg, row)
            _write(arguments.block, [rows[row] for row, _ in wanted if row in rows])
    for figures in rows.values():
        print(" ".join(f"{name}={value}" for name, value in figures.items() if name != "key"))
    return 0


def _write(block: str, rows: list[dict[str, str]]) -> None:
    text = io.StringIO()
    table = csv.DictWriter(text, list(rows[0]), lineterminator="\n")
    table.writeheader()
    table.writerows(rows)
    write_atomic(FOLDER / f"{block}.csv", text.getvalue())


if __name__ == "__main__":
    cli.run(main)
