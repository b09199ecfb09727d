# SPDX-License-Identifier: Apache-2.0
"""Options of commands that render: which scenes, and how large."""

import argparse
import re
from dataclasses import dataclass
from pathlib import Path

from configs import UserError
from workloads.scenes import SCENES

LEAST, MOST = 16, 2048  # pixels of a side
SCENE = f"one of {', '.join(SCENES)}, or an OBJ, glTF or GLB file"


@dataclass(frozen=True)
class Pictures:
    """Scenes to render, and the size of the pictures in pixels."""

    width: int
    height: int
    scenes: tuple[str, ...] = tuple(SCENES)


def add_view(parser: argparse.ArgumentParser) -> None:
    """Add ``--scene --view --cameras --size``."""
    parser.add_argument("--scene", default="corridors", help=f"{SCENE} (default: corridors)")
    parser.add_argument("--view", type=int, default=0, metavar="N", help="camera of the scene (default: 0)")
    parser.add_argument("--cameras", type=Path, metavar="JSON", help="cameras instead of the scene's own")
    parser.add_argument("--size", type=size, default=(320, 240), metavar="WxH", help="default: 320x240")


def size(text: str) -> tuple[int, int]:
    """An argument ``WxH``."""
    match = re.fullmatch(r"(\d{1,5})x(\d{1,5})", text)
    if not match or not all(2 <= int(side) <= MOST for side in match.groups()):
        form = f"write it as WIDTHxHEIGHT, each 2 to {MOST}, e.g. 320x240"
        raise argparse.ArgumentTypeError(f"{text!r}: {form}")
    return int(match[1]), int(match[2])


def add_arguments(parser: argparse.ArgumentParser, size: str) -> None:
    """Add ``--scenes --size``; ``size`` is the default one. :func:`pictures` reads them back."""
    parser.add_argument("--scenes", default=",".join(SCENES), metavar="A,B", help="default: all built in")
    parser.add_argument("--size", default="", metavar="WxH", help=f"of the pictures (default: {size})")


def pictures(arguments: argparse.Namespace, size: str) -> Pictures:
    """What the arguments ask for, ``size`` if they name none. Raises :class:`UserError`."""
    wanted = arguments.size or size
    match = re.fullmatch(r"(\d+)x(\d+)", wanted)
    if not match or not all(LEAST <= int(side) <= MOST for side in match.groups()):
        raise UserError(f"--size {wanted}: write it as WIDTHxHEIGHT, each {LEAST} to {MOST}, e.g. {size}")
    scenes = tuple(name for name in arguments.scenes.split(",") if name)
    for name in scenes:
        if name not in SCENES:
            raise UserError(f"--scenes: unknown scene {name!r}: choose among {', '.join(SCENES)}")
    if not scenes:
        raise UserError(f"--scenes: name at least one of {', '.join(SCENES)}")
    return Pictures(int(match[1]), int(match[2]), scenes)
