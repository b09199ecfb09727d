# SPDX-License-Identifier: Apache-2.0
"""What the commands have in common that render a scene out of the RTL: arguments, files, verdict."""

import argparse
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tb.common.replay.compare import Mismatch
from tb.common.running.builds import BUILD
from utils import cli
from utils.console import Console, coloured
from utils.files import write_atomic
from workloads.scenes import options
from workloads.scenes.loader import open_scene
from workloads.scenes.picture import write_png
from workloads.scenes.scene import Scene
from workloads.texunit.quads import FILTERS

SHOWN = 3  # mismatches


def parser(block: str, description: str, filters: Sequence[str] = FILTERS) -> cli.Parser:
    """The command line of ``python -m tb frame BLOCK``; ``filters``: the block's, its usual one first."""
    result = cli.Parser(prog=f"python -m tb frame {block}", description=description)
    result.set_defaults(block=block)
    cli.add_config_arguments(result, block=False)
    options.add_view(result)
    result.add_argument("--filter", default=filters[0], choices=filters, help=f"default: {filters[0]}")
    result.add_argument("--seed", type=int, default=1, help="of the RTL's power-up state")
    result.add_argument("--rtl-dir", type=Path, metavar="DIR", help="Verilog from elsewhere")
    cli.add_out(result, "build/frame/SCENE-VIEW.png", ".png")
    return result


def opened(arguments: argparse.Namespace, console: Console) -> tuple[Scene, Path]:
    """The scene, its notes printed, and where its picture goes. Raises :class:`UserError`."""
    cli.check_seed(arguments.seed)
    scene = open_scene(arguments.scene, arguments.cameras, uv=arguments.uv).solid()
    out = arguments.out or BUILD / "frame" / f"{scene.name}-{arguments.view}.png"
    for note in scene.notes:
        console.print(f"note: {note}")
    return scene, out


def write(
    out: Path,
    pictures: Mapping[str, NDArray[np.uint8]],
    figures: Mapping[str, Any],
    mismatches: Sequence[Mismatch],
) -> list[Path]:
    """Write pictures, by what is added to the name ``out``, and figures with the verdict."""
    paths = [out.with_stem(out.stem + ending) for ending in pictures]
    for path, picture in zip(paths, pictures.values(), strict=True):
        write_png(path, picture)
    report = {**figures, "equal": not mismatches, "mismatches": [item.text for item in mismatches]}
    write_atomic(out.with_suffix(".json"), json.dumps(report, indent=1) + "\n")
    return paths


def say_verdict(console: Console, mismatches: Sequence[Mismatch], compared: str) -> None:
    """Whether RTL and model agree, in what; or where they first do not."""
    if not mismatches:
        console.print(coloured("IDENTICAL", "bold green", f" RTL and model: {compared}"))
        return
    respects = f" RTL and model, in {len(mismatches)} respects; first:"
    console.print(coloured("DIFFERENT", "bold red", respects))
    for mismatch in mismatches[:SHOWN]:
        console.print(f"  {mismatch.text}")
