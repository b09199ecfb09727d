# SPDX-License-Identifier: Apache-2.0
"""``python -m tb frame renderer``: a picture out of rasterizer, texture units and depth test, all in RTL."""

import json
from pathlib import Path

from rich.console import Console

from configs import UserError, cli
from configs.files import write_atomic
from configs.progress import counter
from configs.renderer.schema import Config
from models.depth import EARLY, LATE
from tb.common.running.builds import BUILD
from tb.renderer.picture import Shot, shoot
from workloads.renderer.frame import render_frame
from workloads.scenes import options
from workloads.scenes.loader import open_scene
from workloads.scenes.picture import write_png
from workloads.textures.llvmpipe import Llvmpipe
from workloads.texunit.quads import FILTERS

SHOWN = 3  # mismatches


def parser() -> cli.Parser:
    """The command line."""
    result = cli.Parser(
        prog="python -m tb frame renderer",
        description="Render a scene with rasterizer, texture units and depth test in RTL, on one AXI4 port.",
    )
    result.set_defaults(block="renderer")
    cli.add_config_arguments(result, block=False)
    options.add_view(result)
    result.set_defaults(depth=LATE)
    result.add_argument("--filter", default=FILTERS[0], choices=FILTERS, help=f"default: {FILTERS[0]}")
    result.add_argument("--seed", type=int, default=1, help="of the RTL's power-up state")
    result.add_argument("--rtl-dir", type=Path, metavar="DIR", help="Verilog from elsewhere")
    result.add_argument("--out", type=Path, metavar="PNG", help="default: build/frame/SCENE-VIEW.png")
    return result


def main(argv: list[str]) -> int:
    """Entry point: 0 if RTL and model agree, 1 if not. Raises :class:`UserError` on bad input."""
    arguments = parser().parse_args(argv)
    cfg = cli.chosen_config(arguments)
    assert isinstance(cfg, Config)
    if arguments.depth == EARLY:
        raise UserError("renderer tests depth after texturing: leave DEPTH out, or take BLOCK=texunit")
    scene = open_scene(arguments.scene, arguments.cameras).solid()
    out = arguments.out or BUILD / "frame" / f"{scene.name}-{arguments.view}.png"
    if out.suffix != ".png":
        raise UserError(f"{out}: pictures are written as .png")
    console = Console(highlight=False, soft_wrap=True)
    for note in scene.notes:
        console.print(f"note: {note}", markup=False)
    gl = Llvmpipe()  # before all else: it may be missing
    width, height = arguments.size
    bilinear = arguments.filter == FILTERS[0]
    frame = render_frame(cfg, scene, width, height, arguments.view, bilinear=bilinear)
    with counter() as progress:
        progress("building the RTL", 0, 0)
        shot = shoot(
            cfg, frame, arguments.seed, arguments.rtl_dir,
            lambda done: progress("RTL", done, frame.count),
        )  # fmt: skip
    other = shot.beside(gl)
    paths = {out.with_stem(out.stem + ending): picture for ending, picture in shot.pictures(other).items()}
    for path, picture in paths.items():
        write_png(path, picture)
    told = {
        **shot.figures, "equal": not shot.mismatches, "mismatches": [one.text for one in shot.mismatches],
        "llvmpipe": other.figures(),
    }  # fmt: skip
    write_atomic(out.with_suffix(".json"), json.dumps(told, indent=1) + "\n")
    say(console, shot)
    console.print(f"  llvmpipe, own levels  {other.own_levels}")
    console.print(f"  llvmpipe, our levels  {other.our_levels}")
    console.print(f"  pictures              {', '.join(str(path) for path in paths)}")
    return int(bool(shot.mismatches))


def say(console: Console, shot: Shot) -> None:
    """Verdict and figures."""
    figures = shot.figures
    if shot.mismatches:
        console.print(f"[bold red]DIFFERENT[/] RTL and model, in {len(shot.mismatches)} respects; first:")
        for one in shot.mismatches[:SHOWN]:
            console.print(f"  {one.text}", markup=False)
    else:
        console.print(
            f"[bold green]IDENTICAL[/] RTL and model: {figures['tiles']:,} tiles, {figures['quads']:,} "
            f"quads, {figures['pixels']:,} pixels ({figures['passed']:,} pass), and the depth buffer"
        )
    cycles, units, clear = (figures[name] for name in ("cycles", "units", "clear_cycles"))
    console.print(
        f"  cycles                {cycles:,}, {clear:,} of them to clear depth; {units} texture "
        f"unit{'s' * (units > 1)}, {figures['pixels_per_clock']:.4f} pixels per clock"
    )
    moved, rates = figures["bytes"], figures["hit_rates"]
    console.print(
        f"  texture               {moved['texture_reads']:,} bytes read, hit rate {rates['texture']:.2%}"
    )
    console.print(
        f"  depth                 {moved['depth_reads']:,} bytes read, {moved['depth_writes']:,} written, "
        f"hit rate {rates['depth']:.2%}"
    )
    for part, listed in figures["waits"].items():
        shares = ", ".join(f"{share:.1%} {what}" for what, share in listed.items())
        console.print(f"  {'waits, ' + part:21} {shares}")
