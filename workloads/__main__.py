# SPDX-License-Identifier: Apache-2.0
"""``python -m workloads``: lists, shows and writes textures, scenes and access patterns."""

import argparse
import re
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from rich.console import Console
from rich.table import Table

from configs import UserError, load
from configs.cli import Parser, add_config_arguments, run
from configs.files import atomic_path
from configs.progress import spinner
from workloads.scenes import SCENES
from workloads.scenes.loader import open_scene
from workloads.store import FOLDER
from workloads.texcache.frame import FILTERS, ORDERS, render, shade
from workloads.texcache.patterns import PATTERNS, find
from workloads.texcache.sampling import MAX_SIDE
from workloads.texcache.trace import Trace, save_trace
from workloads.textures import NAMES, Texture, load_texture, texture
from workloads.texunit.quad_trace import save_frame
from workloads.texunit.quads import quad_frame


def main(argv: list[str]) -> int:
    """Run one command."""
    arguments = _parser().parse_args(argv)
    arguments.command(arguments)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = Parser(prog="python -m workloads", description=__doc__)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    one = commands.add_parser("list", help="what there is: textures, scenes, patterns")
    one.set_defaults(command=_list)

    one = commands.add_parser("render", help="render a scene to a PNG, and to a trace file if wanted")
    one.add_argument(
        "scene", metavar="SCENE", help=f"one of {', '.join(SCENES)}, or an OBJ, glTF or GLB file"
    )
    one.add_argument("--view", type=int, default=0, metavar="N", help="camera of the scene (default: 0)")
    one.add_argument("--order", default="scan", choices=ORDERS, help="order of drawing (default: scan)")
    one.add_argument("--filter", default="bilinear", choices=FILTERS, help="default: bilinear")
    one.add_argument("--size", type=_size, default=(640, 480), metavar="WxH", help="default: 640x480")
    one.add_argument("--out", type=Path, metavar="PNG", help="default: build/workloads/<scene>-<view>.png")
    one.add_argument("--trace", type=Path, metavar="FILE", help="also write the texel traffic (.npz or .csv)")
    add_config_arguments(one, block=False)
    one.set_defaults(command=_render)

    one = commands.add_parser("quads", help="render a scene to a trace file for texture units (.npz)")
    one.add_argument("scene", metavar="SCENE", help="as for render")
    one.add_argument("--view", type=int, default=0, metavar="N", help="camera of the scene (default: 0)")
    one.add_argument("--size", type=_size, default=(320, 240), metavar="WxH", help="default: 320x240")
    one.add_argument("--units", type=int, default=1, help="units that share the screen by tiles (default: 1)")
    one.add_argument("--nearest", action="store_true", help="nearest instead of bilinear filtering")
    one.add_argument("--out", type=Path, required=True, metavar="FILE", help=".npz")
    one.set_defaults(command=_quads)

    one = commands.add_parser("texture", help="write a texture with its mip levels to a PNG")
    one.add_argument("texture", metavar="TEXTURE", help="a built-in texture's name or an image file")
    one.add_argument("--out", type=Path, metavar="PNG", help="default: build/workloads/<texture>.png")
    one.set_defaults(command=_texture)

    one = commands.add_parser("pattern", help="write an access pattern to a trace file")
    one.add_argument("pattern", metavar="PATTERN", help="one of " + ", ".join(PATTERNS))
    one.add_argument("-n", type=int, default=10_000, metavar="N", help="footprints (default: 10000)")
    one.add_argument("--seed", type=int, default=1, help="default: 1")
    one.add_argument("--out", type=Path, required=True, metavar="FILE", help=".csv or .npz")
    add_config_arguments(one, block=False)
    one.set_defaults(command=_pattern)
    return parser


def _size(text: str) -> tuple[int, int]:
    match = re.fullmatch(r"(\d{1,5})x(\d{1,5})", text)
    if not match:
        raise argparse.ArgumentTypeError(f"{text!r}: write it as WIDTHxHEIGHT, e.g. 640x480")
    return int(match[1]), int(match[2])


def _list(_: argparse.Namespace) -> None:
    console = Console()
    textures = Table("texture", "side", "alpha", "source", "licence", title="Textures", title_justify="left")
    for name in NAMES:
        one = texture(name)
        textures.add_row(name, str(one.side), "yes" if one.has_alpha else "", one.source, one.licence)
    console.print(textures)
    for title, entries in (
        ("Scenes", {name: build.__doc__ for name, build in SCENES.items()}),
        ("Patterns", {name: pattern.doc for name, pattern in PATTERNS.items()}),
    ):
        table = Table(title.lower()[:-1], "", title=title, title_justify="left")
        for name, doc in entries.items():
            table.add_row(name, " ".join((doc or "").split("\n\n")[0].replace("``", "").split()))
        console.print(table)


def _render(arguments: argparse.Namespace) -> None:
    width, height = arguments.size
    cfg = load("texcache", arguments.config, arguments.set.split())
    largest = cfg.max_side if arguments.trace else MAX_SIDE
    with spinner() as step:
        step(f"reading {arguments.scene}")
        scene = open_scene(arguments.scene)
        step(f"rendering {scene.name}")
        frame = render(scene, width, height, arguments.order, arguments.filter, arguments.view, largest)
        out = arguments.out or FOLDER / f"{scene.name}-{arguments.view}.png"
        _write_png(out, shade(frame, frame.texels()))
        if arguments.trace:
            step(f"writing {arguments.trace}")
            save_trace(arguments.trace, frame.trace(cfg))
    for note in frame.notes:
        print(f"note: {note}")
    area = frame.width * frame.height
    print(
        f"{out}: {frame.fragments} fragments ({frame.fragments / area:.2f} per pixel), "
        f"{len(frame.footprints)} footprints, {len(frame.textures)} textures"
    )
    if arguments.trace:
        print(arguments.trace)


def _quads(arguments: argparse.Namespace) -> None:
    if not 1 <= arguments.units <= 8:
        raise UserError(f"--units {arguments.units}: must be 1 to 8")
    with spinner() as step:
        step(f"rendering {arguments.scene}")
        scene, (width, height) = open_scene(arguments.scene), arguments.size
        frame = quad_frame(scene, width, height, arguments.view, bilinear=not arguments.nearest)
        save_frame(arguments.out, frame, arguments.units)
    print(f"{arguments.out}: {len(frame.quads)} quads, {frame.pixels} pixels, {arguments.units} unit(s)")


def _texture(arguments: argparse.Namespace) -> None:
    one = load_texture(arguments.texture)
    out = arguments.out or FOLDER / f"{one.name}.png"
    _write_png(out, _chain(one))
    if one.note:
        print(f"note: {one.note}")
    print(f"{out}: {one.name}, {one.side}x{one.side}, {len(one.levels)} levels; {one.source}; {one.licence}")


def _pattern(arguments: argparse.Namespace) -> None:
    cfg = load("texcache", arguments.config, arguments.set.split())
    trace: Trace = find(arguments.pattern).make(cfg, arguments.n, np.random.default_rng(arguments.seed))
    save_trace(arguments.out, trace)
    print(f"{arguments.out}: {len(trace)} footprints for {cfg.name}")


def _chain(one: Texture) -> NDArray[np.uint8]:
    """All levels beside each other, the largest on the left, the others in a column."""
    side = one.side
    sheet = np.zeros((side, side + max(1, side // 2), 4), np.uint8)
    sheet[:side, :side] = one.levels[0]
    top = 0
    for level in one.levels[1:]:
        sheet[top : top + len(level), side : side + len(level)] = level
        top += len(level)
    return sheet


def _write_png(path: Path, picture: NDArray[np.uint8]) -> None:
    if path.suffix.lower() != ".png":
        raise UserError(f"{path}: pictures are written as .png")
    with atomic_path(path) as temporary:
        Image.fromarray(picture).save(temporary)


if __name__ == "__main__":
    run(main)
