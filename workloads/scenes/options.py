# SPDX-License-Identifier: Apache-2.0
"""Options of commands that render: which scenes, and how large."""

import argparse
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from configs import UserError
from models.depth import EARLY, WHEN
from workloads.scenes import SCENES
from workloads.scenes.projection import PROJECTIONS
from workloads.scenes.views import View, built_in_view, views_of

LEAST, MOST = 16, 2048  # pixels of a side
SCENE = f"one of {', '.join(SCENES)}, or an OBJ, glTF or GLB file"


@dataclass(frozen=True)
class Pictures:
    """Views to render, and the size of the pictures in pixels; ``own``: of a scene that the user named.

    ``depth``: when it is tested, "early" or "late".
    """

    width: int
    height: int
    views: tuple[View, ...] = tuple(built_in_view(name) for name in SCENES)
    own: bool = False
    depth: str = EARLY


def add_view(parser: argparse.ArgumentParser, own: Mapping[str, Sequence[str]] | None = None) -> None:
    """Add ``--scene --view --cameras --size --depth --uv``; ``own``: scenes that only some blocks draw."""
    lists: dict[str, list[str]] = {", ".join(names): [] for names in (own or {}).values() if names}
    for block, names in (own or {}).items():
        if names:
            lists[", ".join(names)].append(block)
    more = "".join(f"; of {' and '.join(blocks)} {names}, too" for names, blocks in lists.items())
    parser.add_argument("--scene", default="corridors", help=f"{SCENE} (default: corridors){more}")
    parser.add_argument("--view", type=int, default=0, metavar="N", help="camera of the scene (default: 0)")
    parser.add_argument("--cameras", type=Path, metavar="JSON", help="cameras instead of the scene's own")
    parser.add_argument("--size", type=size, default=(320, 240), metavar="WxH", help="default: 320x240")
    _add_depth_and_uv(parser)


def _add_depth_and_uv(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--depth", default=EARLY, choices=WHEN,
        help="test before texturing, or after it: what is hidden is textured, too (default: early)",
    )  # fmt: skip
    parser.add_argument(
        "--uv", default="", choices=PROJECTIONS,
        help="projection for parts of a model file without texture coordinates (default: none)",
    )  # fmt: skip


def size(text: str) -> tuple[int, int]:
    """An argument ``WxH``."""
    match = re.fullmatch(r"(\d{1,5})x(\d{1,5})", text)
    if not match or not all(2 <= int(side) <= MOST for side in match.groups()):
        form = f"write it as WIDTHxHEIGHT, each 2 to {MOST}, e.g. 320x240"
        raise argparse.ArgumentTypeError(f"{text!r}: {form}")
    return int(match[1]), int(match[2])


def add_arguments(parser: argparse.ArgumentParser, size: str, scenes: Iterable[str] = SCENES) -> None:
    """Add ``--scenes --scene --view --cameras --size --depth --uv``, which :func:`pictures` reads.

    ``scenes`` and ``size`` are the defaults.
    """
    parser.add_argument("--scenes", default=",".join(scenes), metavar="A,B", help="default: all built in")
    parser.add_argument("--scene", default="", help=f"this one alone: {SCENE}")
    parser.add_argument("--view", default="", metavar="N,N", help="cameras of --scene (default: all)")
    parser.add_argument("--cameras", default="", metavar="JSON", help="cameras instead of those of --scene")
    parser.add_argument("--size", default="", metavar="WxH", help=f"of the pictures (default: {size})")
    _add_depth_and_uv(parser)


def pictures(
    arguments: argparse.Namespace, size: str, scenes: Mapping[str, Callable[[], object]] = SCENES
) -> Pictures:
    """What the arguments ask for, ``size`` if they name none; ``scenes``: the built-in ones.

    Raises :class:`UserError`.
    """
    wanted = arguments.size or size
    match = re.fullmatch(r"(\d+)x(\d+)", wanted)
    if not match or not all(LEAST <= int(side) <= MOST for side in match.groups()):
        raise UserError(f"--size {wanted}: write it as WIDTHxHEIGHT, each {LEAST} to {MOST}, e.g. {size}")
    width, height = int(match[1]), int(match[2])
    if arguments.scene:
        views = views_of(arguments.scene, arguments.view, arguments.cameras, arguments.uv)
        return Pictures(width, height, views, own=True, depth=arguments.depth)
    if arguments.view or arguments.cameras or arguments.uv:
        raise UserError("--view, --cameras and --uv are those of a scene: name it with --scene")
    views = tuple(built_in_view(name, scenes) for name in arguments.scenes.split(",") if name)
    if not views:
        raise UserError(f"--scenes: name at least one of {', '.join(scenes)}")
    return Pictures(width, height, views, depth=arguments.depth)
