# SPDX-License-Identifier: Apache-2.0
"""Commands of ``python -m workloads`` that are about the texture unit: quads of scenes."""

import argparse
from pathlib import Path

from configs import UserError
from configs.progress import spinner
from workloads.scenes.loader import open_scene
from workloads.scenes.options import SCENE, size
from workloads.texunit.quad_trace import save_frame
from workloads.texunit.quads import quad_frame

LISTS: dict[str, dict[str, str]] = {}


def add(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the commands."""
    parser = commands.add_parser("quads", help="render a scene to a trace file for texture units (.npz)")
    parser.add_argument("scene", metavar="SCENE", help=SCENE)
    parser.add_argument("--view", type=int, default=0, metavar="N", help="camera of the scene (default: 0)")
    parser.add_argument("--size", type=size, default=(320, 240), metavar="WxH", help="default: 320x240")
    parser.add_argument("--units", type=int, default=1, help="that share the screen by tiles (default: 1)")
    parser.add_argument("--nearest", action="store_true", help="nearest instead of bilinear filtering")
    parser.add_argument("--out", type=Path, required=True, metavar="FILE", help=".npz")
    parser.set_defaults(command=_quads)


def _quads(arguments: argparse.Namespace) -> None:
    if not 1 <= arguments.units <= 8:
        raise UserError(f"--units {arguments.units}: must be 1 to 8")
    with spinner() as step:
        step(f"rendering {arguments.scene}")
        scene, (width, height) = open_scene(arguments.scene), arguments.size
        frame = quad_frame(scene, width, height, arguments.view, bilinear=not arguments.nearest)
        save_frame(arguments.out, frame, arguments.units)
    print(f"{arguments.out}: {len(frame.quads)} quads, {frame.pixels} pixels, {arguments.units} unit(s)")
