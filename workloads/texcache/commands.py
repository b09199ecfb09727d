# SPDX-License-Identifier: Apache-2.0
"""Commands of ``python -m workloads`` that are about the texture cache: footprints of scenes, patterns."""

import argparse
from typing import Any

import numpy as np

from configs import load
from configs.texcache.schema import Config
from utils.cli import add_config_arguments, add_out, check_number, check_seed
from workloads.capture import CAPTURES, Capture
from workloads.scenes.picture import write_png
from workloads.scenes.scene import Scene
from workloads.texcache.frame import FILTERS, render, shade
from workloads.texcache.patterns import PATTERNS, find
from workloads.texcache.trace import Trace
from workloads.texcache.trace_files import save_trace
from workloads.traces.columns import SUFFIXES
from workloads.traces.opening import MOST_ROWS

LISTS = {"Patterns": {name: pattern.doc for name, pattern in PATTERNS.items()}}


def add(commands: "argparse._SubParsersAction[Any]") -> None:
    """Add the commands."""
    parser = commands.add_parser("pattern", help="write an access pattern to a trace file")
    parser.add_argument("pattern", metavar="PATTERN", help="one of " + ", ".join(PATTERNS))
    parser.add_argument("-n", type=int, default=10_000, metavar="N", help="footprints (default: 10000)")
    parser.add_argument("--seed", type=int, default=1, help="default: 1")
    add_out(parser, "build/capture/texcache/PATTERN.csv", *SUFFIXES)
    add_config_arguments(parser, block=False)
    parser.set_defaults(command=_pattern, block="texcache")


def capture(cfg: Config, scene: Scene, wanted: Capture) -> list[str]:
    """A scene's footprints as a trace file, and the picture of their texels. Raises :class:`UserError`."""
    order, filter = wanted.order or "scan", wanted.filter or FILTERS[0]
    frame = render(scene, *wanted.size, order, filter, wanted.view, cfg.max_side, wanted.depth)
    sized = cfg.holding(len(frame.textures))
    write_png(wanted.out.with_suffix(".png"), shade(frame, frame.texels()))
    save_trace(wanted.out, frame.trace(sized))
    area = frame.width * frame.height
    notes = [f"note: {note}" for note in frame.notes]
    if sized.name != cfg.name:
        notes.append(f"note: {len(frame.textures)} textures: the table is that of {sized.name}")
    return [
        *notes,
        f"{wanted.out}: {frame.fragments} fragments ({frame.fragments / area:.2f} per pixel), "
        f"{len(frame.footprints)} footprints, {len(frame.textures)} textures, depth tested {frame.depth}",
    ]


def _pattern(arguments: argparse.Namespace) -> None:
    check_number("-n", arguments.n, 1, MOST_ROWS)
    check_seed(arguments.seed)
    cfg = load(arguments.block, arguments.config, arguments.set.split())
    out = arguments.out or CAPTURES / "texcache" / f"{arguments.pattern}.csv"
    trace: Trace = find(arguments.pattern).make(cfg, arguments.n, np.random.default_rng(arguments.seed))
    save_trace(out, trace)
    print(f"{out}: {len(trace)} footprints for {cfg.name}")
