# SPDX-License-Identifier: Apache-2.0
"""``python -m ci.synth.growth BLOCK``: how resources and logic depth grow with a configuration.

``sizes/<block>.toml`` names what grows: sets of changes of the default preset, each of which is synthesized
for the 7 series, and the modules of which it is measured (``""``: the block). What was measured is kept
beside it in ``sizes/<block>.csv``, a row for each, which the docs show; rows that are there are not made
anew unless their Verilog changed (``key``).
"""

import csv
import io
import time
import tomllib
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

from ci.synth import families, result
from ci.synth.__main__ import _after
from configs import BlockConfig, UserError, cli, load
from configs.files import write_atomic
from configs.progress import spinner
from tb.common.running.builds import BUILD

FOLDER = Path(__file__).parent / "sizes"
FIGURES = ("lut", "lut_least", "ff", "bram")


def parser() -> cli.Parser:
    """The command line."""
    made = cli.Parser(prog="python -m ci.synth.growth", description="Measure how a block grows.")
    made.add_argument("block", metavar="BLOCK", help="one with a file in ci/synth/sizes")
    made.add_argument("--only", default="", metavar="WORDS", help="rows whose changes hold these words alone")
    return made


def cases(block: str) -> Iterator[tuple[str, str, BlockConfig]]:
    """Changes, module and configuration of each row. Raises :class:`UserError` for a block without any."""
    path = FOLDER / f"{block}.toml"
    if not path.is_file():
        raise UserError(f"block {block} has nothing that grows: write {path}")
    for group in tomllib.loads(path.read_text())["group"]:
        for changes in group["changes"]:
            yield changes, group["module"], load(block, None, changes.split())


def known(block: str) -> dict[tuple[str, str], dict[str, str]]:
    """Rows that were measured, by changes and module."""
    path = FOLDER / f"{block}.csv"
    if not path.is_file():
        return {}
    with path.open(newline="") as file:
        return {(row["changes"], row["module"]): row for row in csv.DictReader(file)}


def key(cfg: BlockConfig, module: str) -> str:
    """What a row depends on."""
    sources = result.verilog(cfg, None)
    return result.key(families.measuring(families.family("xc7"), module or cfg.block, list(sources)), sources)


def measured(cfg: BlockConfig, changes: str, module: str, say: Any) -> dict[str, str]:
    """One row, which takes seconds to hours."""
    which, began = families.family("xc7"), time.monotonic()
    folder = cfg.build_folder(BUILD / "synth")
    found = result.measure(cfg, which, result.verilog(cfg, None), folder, say, module)
    figures = {name: str(found["resources"][name]) for name in FIGURES}
    path = found["timing"]
    depth = {"path_ns": f"{path['logic_ps'] / 1000:.2f}"}
    depth["luts_in_path"] = str(sum(cell.startswith("LUT") for cell in path["path"]))
    spent = {"seconds": f"{time.monotonic() - began:.0f}"}
    return {"changes": changes, "module": module, "key": found["key"], **figures, **depth, **spent}


def main(argv: list[str]) -> int:
    """Entry point. Raises :class:`UserError` on bad input."""
    arguments = parser().parse_args(argv)
    rows, wanted = known(arguments.block), list(cases(arguments.block))
    with spinner() as say:
        for changes, module, cfg in wanted:
            if arguments.only not in changes:
                continue
            if rows.get((changes, module), {}).get("key") == key(cfg, module):
                continue
            note = f"{module or cfg.block} with {changes or 'the preset as it is'}: "
            rows[changes, module] = measured(cfg, changes, module, partial(_after, say, note))
            _write(arguments.block, [rows[one[:2]] for one in wanted if one[:2] in rows])
    for row in rows.values():
        print(" ".join(f"{name}={value}" for name, value in row.items() if name != "key"))
    return 0


def _write(block: str, rows: list[dict[str, str]]) -> None:
    text = io.StringIO()
    table = csv.DictWriter(text, list(rows[0]), lineterminator="\n")
    table.writeheader()
    table.writerows(rows)
    write_atomic(FOLDER / f"{block}.csv", text.getvalue())


if __name__ == "__main__":
    cli.run(main)
