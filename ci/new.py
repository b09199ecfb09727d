# SPDX-License-Identifier: Apache-2.0
"""``python -m ci.new BLOCK``: starts a new block as a copy of ``simple`` under its own name, in every room.

What a block is made of is found by name, as everywhere: files in a folder ``simple``, files called after it.
Either all of the new files are there afterwards, or none.
"""

import keyword
import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from pyslang.syntax import SyntaxTree

import configs
from configs import UserError
from utils import cli

ROOT = Path(__file__).parents[1]
SOURCE = "simple"
ROOMS = ("configs", "rtl", "models", "workloads", "tb", "formal", "report", "tests", "docs")
TABLE = Path("bench", "blocks.toml")  # has a section for each block
#: figures of the copied block: those of the new one are measured
MEASURED = ("baseline.json", "smoke.toml")
_WORD = re.compile(r"(?<![a-z])simple(?![a-z])|Simple(?![a-z])")


def parser() -> cli.Parser:
    """The command line."""
    result = cli.Parser(
        prog="python -m ci.new",
        description=f"Start a new block as a copy of {SOURCE}, in every room (docs/adding-a-block.md).",
    )
    result.add_argument("block", metavar="BLOCK", help="its name: lower case, e.g. l2cache")
    return result


def check(block: str) -> None:
    """Raises :class:`UserError` unless ``block`` can be the name of a new block."""
    if not re.fullmatch(r"[a-z][a-z0-9_]{1,29}", block) or block.endswith("_"):
        raise UserError(f"block {block!r}: write 2 to 30 of a-z, 0-9 and _, a letter first, no _ last")
    if block in configs.blocks():
        raise UserError(f"block {block}: it exists already, in configs/{block}")
    if keyword.iskeyword(block) or SyntaxTree.fromText(f"module {block}; endmodule").diagnostics:
        raise UserError(f"block {block}: that is a keyword of Python or Verilog; choose another name")
    if clash := next((other for other in configs.blocks() if block.startswith(f"{other}_")), ""):
        raise UserError(f"block {block}: names of modules of {clash} begin like that; choose another name")


def sources(root: Path) -> Iterator[Path]:
    """The files of the copied block, relative to ``root``."""
    for room in ROOMS:
        for path in sorted((root / room).rglob("*")):
            words = [_WORD.search(part) for part in path.relative_to(root).parts]
            if (
                path.is_file()
                and any(words)
                and "__pycache__" not in path.parts
                and path.name not in MEASURED
            ):
                yield path.relative_to(root)


def renamed(text: str, block: str) -> str:
    """``text`` with the new name in place of the copied one: ``l2cache``, and ``L2cache`` in classes."""
    camel = "".join(part.capitalize() for part in block.split("_"))
    return _WORD.sub(lambda word: camel if word[0][0] == "S" else block, text)


def create(root: Path, block: str) -> list[Path]:
    """Write the new block's files below ``root``; returns them, relative. Raises :class:`UserError`."""
    check(block)
    files = {Path(renamed(str(path), block)): root / path for path in sources(root)}
    for target in files:
        if (root / target).exists():
            raise UserError(f"{target} exists already: choose another name")
    with tempfile.TemporaryDirectory(dir=root, prefix=".new-") as folder:
        for target, source in files.items():
            staged = Path(folder) / target
            staged.parent.mkdir(parents=True, exist_ok=True)
            staged.write_text(renamed(source.read_text(), block))
        _add_section(Path(folder), root, block)
        _move(Path(folder), root, [*files, TABLE])  # the table last: nothing can fail behind it
    return list(files)


def _add_section(staged: Path, root: Path, block: str) -> None:
    """The table with a section of the new block, like that of the copied one."""
    text = (root / TABLE).read_text()
    section = re.search(rf"^\[{SOURCE}\].*?\n(?=\n|\Z)", text, re.DOTALL | re.MULTILINE)
    assert section, f"{TABLE} has no section of {SOURCE}"
    (staged / TABLE.parent).mkdir(exist_ok=True)
    (staged / TABLE).write_text(f"{text}\n{renamed(section[0], block)}")


def _move(staged: Path, root: Path, files: list[Path]) -> None:
    """Move all of ``files``, or none."""
    made: list[Path] = []  # files and folders, in the order of their making
    try:
        for file in files:
            folders = [folder for folder in (root / file).parents if not folder.exists()]
            for folder in reversed(folders):
                folder.mkdir()
                made.append(folder)
            os.replace(staged / file, root / file)
            made.append(root / file)
    except BaseException:
        for path in reversed(made):
            shutil.rmtree(path) if path.is_dir() else path.unlink()
        raise


def main(argv: list[str]) -> int:
    """Entry point. Raises :class:`UserError` on bad input."""
    block = parser().parse_args(argv).block
    files = create(ROOT, block)
    print(f"{block}: {len(files)} files, a copy of {SOURCE}; it passes its tests as it is. Next:")
    for command, what in (
        (f"make sim BLOCK={block}", "run its tests"),
        (f"make nightly TIER=full BLOCK={block} && make baseline BLOCK={block}", "measure its figures"),
        (f"docs/{block}.md, configs/{block}/schema.py", "say what it is to be; docs/adding-a-block.md"),
    ):
        print(f"  {command}: {what}")
    return 0


if __name__ == "__main__":
    cli.run(main)
