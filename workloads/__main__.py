# SPDX-License-Identifier: Apache-2.0
"""``python -m workloads``: lists, shows and writes textures, scenes and the traffic of blocks.

Commands of a block are in ``workloads/<block>/commands.py``.
"""

import argparse
import importlib
import importlib.util
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rich.table import Table

from configs import blocks
from utils.cli import Parser, add_out, run
from utils.console import Console
from workloads import capture
from workloads.scenes import SCENES
from workloads.scenes.picture import write_png
from workloads.store import FOLDER
from workloads.textures import NAMES, Texture, load_texture, texture


def main(argv: list[str]) -> int:
    """Run one command."""
    arguments = _parser().parse_args(argv)
    arguments.command(arguments)
    return 0


def _of_blocks() -> Iterator[Any]:
    """The modules with commands of blocks."""
    for block in blocks():
        room = f"workloads.{block}"
        if importlib.util.find_spec(room) and importlib.util.find_spec(f"{room}.commands"):
            yield importlib.import_module(f"{room}.commands")


def _parser() -> argparse.ArgumentParser:
    parser = Parser(prog="python -m workloads", description=__doc__)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    command = commands.add_parser("list", help="what there is: textures, scenes, and what blocks have")
    command.set_defaults(command=_list)

    command = commands.add_parser("texture", help="write a texture with its mip levels to a PNG")
    command.add_argument("texture", metavar="TEXTURE", help="a built-in texture's name or an image file")
    add_out(command, "build/workloads/TEXTURE.png", ".png")
    command.set_defaults(command=_texture)

    makers = {}
    for module in _of_blocks():
        if hasattr(module, "add"):
            module.add(commands)
        if hasattr(module, "capture"):
            makers[module.__name__.split(".")[1]] = module
    capture.add(commands, makers)
    return parser


def _list(_: argparse.Namespace) -> None:
    console = Console()
    textures = Table("texture", "size", "alpha", "source", "licence", title="Textures", title_justify="left")
    for name in NAMES:
        picture = texture(name)
        textures.add_row(
            name, _size(picture), "yes" if picture.has_alpha else "", picture.source, picture.licence
        )
    console.print(textures)
    lists = {"Scenes": {name: build.__doc__ for name, build in SCENES.items()}}
    for module in _of_blocks():
        lists |= getattr(module, "LISTS", {})
    for title, entries in lists.items():
        table = Table(title.lower()[:-1], "", title=title, title_justify="left")
        for name, doc in entries.items():
            table.add_row(name, " ".join((doc or "").split("\n\n")[0].replace("``", "").split()))
        console.print(table)


def _texture(arguments: argparse.Namespace) -> None:
    picture = load_texture(arguments.texture)
    out = arguments.out or FOLDER / f"{picture.name}.png"
    write_png(out, _chain(picture))
    if picture.note:
        print(f"note: {picture.note}")
    print(
        f"{out}: {picture.name}, {_size(picture)}, {len(picture.levels)} levels; "
        f"{picture.source}; {picture.licence}"
    )


def _chain(picture: Texture) -> NDArray[np.uint8]:
    """All levels beside each other, the largest on the left, the others in a column."""
    width, height = picture.size
    below = sum(len(level) for level in picture.levels[1:])
    sheet = np.zeros((max(height, below), width + max(1, width // 2), 4), np.uint8)
    sheet[:height, :width] = picture.levels[0]
    top = 0
    for level in picture.levels[1:]:
        sheet[top : top + len(level), width : width + level.shape[1]] = level
        top += len(level)
    return sheet


def _size(picture: Texture) -> str:
    return "x".join(map(str, picture.size))


if __name__ == "__main__":
    run(main)
