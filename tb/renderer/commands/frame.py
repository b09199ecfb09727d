# SPDX-License-Identifier: Apache-2.0
"""``python -m tb frame renderer``: a picture out of rasterizer, texture units and depth test, all in RTL."""

from configs import UserError
from configs.renderer.schema import Config
from tb.common.measuring import frame as command
from tb.renderer.picture import Shot, shoot
from utils import cli
from utils.console import Console
from utils.progress import counter
from workloads.renderer.frame import render_frame
from workloads.textures.llvmpipe import Llvmpipe
from workloads.texunit.quads import FILTERS


def parser() -> cli.Parser:
    """The command line."""
    result = command.parser(
        "renderer", "Render a scene with rasterizer, texture units and depth test in RTL, on one AXI4 port."
    )
    result.set_defaults(depth="")
    return result


def main(argv: list[str]) -> int:
    """Entry point: 0 if RTL and model agree, 1 if not. Raises :class:`UserError` on bad input."""
    arguments = parser().parse_args(argv)
    cfg = cli.chosen_config(arguments)
    assert isinstance(cfg, Config)
    if arguments.depth not in ("", cfg.test):
        raise UserError(
            f"renderer {cfg.name} tests depth {cfg.test}, as its configuration says: leave DEPTH out, and "
            "choose one by CONFIG, or by test= of SET"
        )
    console = Console(highlight=False, soft_wrap=True)
    scene, out = command.opened(arguments, console)
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
    figures = {**shot.figures, "llvmpipe": other.figures()}
    paths = command.write(out, shot.pictures(other), figures, shot.mismatches)
    say(console, shot)
    console.print(f"  llvmpipe, own levels  {other.own_levels}")
    console.print(f"  llvmpipe, our levels  {other.our_levels}")
    console.print(f"  pictures              {', '.join(map(str, paths))}", markup=False)
    return int(bool(shot.mismatches))


def say(console: Console, shot: Shot) -> None:
    """Verdict and figures."""
    figures = shot.figures
    command.say_verdict(
        console, shot.mismatches,
        f"{figures['tiles']:,} tiles, {figures['quads']:,} quads, {figures['pixels']:,} pixels "
        f"({figures['passed']:,} pass, {figures['shaded']:,} are shaded), and the depth buffer",
    )  # fmt: skip
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
