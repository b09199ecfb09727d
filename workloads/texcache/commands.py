# SPDX-License-Identifier: Apache-2.0
"""Commands of ``python -m workloads`` that are about the texture cache: footprints of scenes, patterns."""

import argparse
from pathlib import Path

import numpy as np

from configs import load
from configs.cli import add_config_arguments
from configs.progress import spinner
from workloads.scenes.loader import open_scene
from workloads.scenes.options import SCENE, size
from workloads.scenes.picture import write_png
from workloads.store import FOLDER
from workloads.texcache.frame import FILTERS, ORDERS, render, shade
from workloads.texcache.patterns import PATTERNS, find
from workloads.texcache.sampling import MAX_SIDE
from workloads.texcache.trace import Trace
from workloads.texcache.trace_files import save_trace

LISTS = {"Patterns": {name: pattern.doc for name, pattern in PATTERNS.items()}}


def add(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the commands."""
    parser = commands.add_parser("render", help="render a scene to a PNG, and to a trace file if wanted")
    parser.add_argument("scene", metavar="SCENE", help=SCENE)
    parser.add_argument("--view", type=int, default=0, metavar="N", help="camera of the scene (default: 0)")
    parser.add_argument("--order", default="scan", choices=ORDERS, help="order of drawing (default: scan)")
    parser.add_argument("--filter", default="bilinear", choices=FILTERS, help="default: bilinear")
    parser.add_argument("--size", type=size, default=(640, 480), metavar="WxH", help="default: 640x480")
    parser.add_argument("--out", type=Path, metavar="PNG", help="default: build/workloads/<scene>-<view>.png")
    parser.add_argument("--trace", type=Path, metavar="FILE", help="also write its footprints (.npz or .csv)")
    add_config_arguments(parser, block=False)
    parser.set_defaults(command=_render, block="texcache")

    parser = commands.add_parser("pattern", help="write an access pattern to a trace file")
    parser.add_argument("pattern", metavar="PATTERN", help="one of " + ", ".join(PATTERNS))
    parser.add_argument("-n", type=int, default=10_000, metavar="N", help="footprints (default: 10000)")
    parser.add_argument("--seed", type=int, default=1, help="default: 1")
    parser.add_argument("--out", type=Path, required=True, metavar="FILE", help=".csv or .npz")
    add_config_arguments(parser, block=False)
    parser.set_defaults(command=_pattern, block="texcache")


def _render(arguments: argparse.Namespace) -> None:
    width, height = arguments.size
    cfg = load(arguments.block, arguments.config, arguments.set.split())
    largest = cfg.max_side if arguments.trace else MAX_SIDE
    with spinner() as step:
        step(f"reading {arguments.scene}")
        scene = open_scene(arguments.scene)
        step(f"rendering {scene.name}")
        frame = render(scene, width, height, arguments.order, arguments.filter, arguments.view, largest)
        out = arguments.out or FOLDER / f"{scene.name}-{arguments.view}.png"
        write_png(out, shade(frame, frame.texels()))
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


def _pattern(arguments: argparse.Namespace) -> None:
    cfg = load(arguments.block, arguments.config, arguments.set.split())
    trace: Trace = find(arguments.pattern).make(cfg, arguments.n, np.random.default_rng(arguments.seed))
    save_trace(arguments.out, trace)
    print(f"{arguments.out}: {len(trace)} footprints for {cfg.name}")
