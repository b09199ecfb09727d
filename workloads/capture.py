# SPDX-License-Identifier: Apache-2.0
"""A scene as the work of a block: ``python -m workloads capture BLOCK`` writes a trace file and a picture.

A block that draws has ``capture(cfg, scene, wanted) -> lines to show`` in ``workloads/<block>/commands.py``,
and there its own built-in scenes, too, if it has any: ``SCENES`` by name.
"""

import argparse
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from configs import UserError
from utils.cli import add_config_arguments, add_out, chosen_config
from utils.keys import ROOT
from utils.progress import spinner
from workloads.scenes import options
from workloads.scenes.loader import open_scene
from workloads.scenes.loader_cameras import read_cameras
from workloads.traces.columns import SUFFIXES

CAPTURES = ROOT / "build" / "capture"
ORDER = "of drawing (texcache: scan, tile8, tile16, tile32; zcache: rows, serpentine)"


class Capture(NamedTuple):
    """What is asked for; ``order`` and ``filter`` are the block's own where they are empty."""

    view: int
    size: tuple[int, int]
    order: str
    filter: str
    depth: str
    out: Path


def add(commands: "argparse._SubParsersAction[Any]", makers: dict[str, Any]) -> None:
    """Add the command; ``makers``: the modules with ``capture``, by block."""
    parser = commands.add_parser("capture", help="write a scene as a trace file for a block, and its picture")
    add_config_arguments(parser)
    options.add_view(parser, {block: list(_scenes(module)) for block, module in makers.items()})
    parser.add_argument("--order", default="", help=ORDER)
    parser.add_argument("--filter", default="", help="bilinear; trilinear or nearest, where the block has it")
    add_out(parser, "build/capture/BLOCK/SCENE-VIEW.npz; the picture is beside it", *SUFFIXES)
    parser.set_defaults(command=lambda arguments: _capture(arguments, makers))


def _capture(arguments: argparse.Namespace, makers: dict[str, Any]) -> None:
    if arguments.block not in makers:
        raise UserError(f"{arguments.block} takes no scene as a trace: choose among {', '.join(makers)}")
    cfg = chosen_config(arguments)
    with spinner() as step:
        step(f"reading {arguments.scene}")
        _check_owner(arguments.scene, cfg.block, makers)
        scene = _opened(arguments, _scenes(makers[cfg.block]))
        name = f"{scene.name}-{arguments.view}"
        out = arguments.out or CAPTURES / cfg.block / f"{name}.npz"
        step(f"{name} as work of {cfg.block}")
        how = arguments.order, arguments.filter, arguments.depth
        wanted = Capture(arguments.view, arguments.size, *how, out)
        lines = makers[cfg.block].capture(cfg, scene, wanted)
    print("\n".join(lines))


def _scenes(module: Any) -> Mapping[str, Callable[[], Any]]:
    """Built-in scenes of a block's own."""
    return getattr(module, "SCENES", {})


def _check_owner(scene: str, block: str, makers: Mapping[str, Any]) -> None:
    owners = [other for other, module in makers.items() if scene in _scenes(module)]
    if owners and block not in owners:
        raise UserError(f"scene {scene!r} is one of {' and '.join(owners)}: BLOCK={owners[0]}")


def _opened(arguments: argparse.Namespace, own: Mapping[str, Callable[[], Any]]) -> Any:
    """The scene, with other cameras if a file of them is given. Raises :class:`UserError`."""
    name, cameras = arguments.scene, arguments.cameras
    if name not in own:
        return open_scene(name, cameras, own, arguments.uv)
    if arguments.uv:
        raise UserError(f"uv={arguments.uv}: scene {name} takes no texture coordinates")
    scene = own[name]()
    return scene if cameras is None else replace(scene, cameras=read_cameras(cameras))
