# SPDX-License-Identifier: Apache-2.0
"""``python -m tb frame texpipe``: a picture out of the RTL, beside the golden model and llvmpipe."""

from rich.console import Console

from configs import cli
from configs.progress import counter
from configs.texpipe.schema import Config
from tb.common.measuring import frame as command
from tb.texpipe.measuring.picture import Shot, shoot
from tb.texunit.measuring.picture import sampled_beside, side_by_side
from workloads.textures.llvmpipe import Llvmpipe
from workloads.texunit.quads import FILTERS, quad_frame


def parser() -> cli.Parser:
    """The command line."""
    result = command.parser("texpipe", "Render a scene with the RTL's own samples.")
    result.set_defaults(config="one-unit")
    result.add_argument("--rgb", action="store_true", help="three bytes a texel where there is no alpha")
    result.add_argument("--table", action="store_true", help="one byte a texel and a table of colours")
    return result


def main(argv: list[str]) -> int:
    """Entry point: 0 if RTL and model agree, 1 if not. Raises :class:`UserError` on bad input."""
    arguments = parser().parse_args(argv)
    cfg = cli.chosen_config(arguments)
    assert isinstance(cfg, Config)
    console = Console(highlight=False, soft_wrap=True)
    scene, out = command.opened(arguments, console)
    width, height = arguments.size
    gl = Llvmpipe()  # before all else: it may be missing
    frame = quad_frame(
        scene, width, height, arguments.view, bilinear=arguments.filter == FILTERS[0], rgb=arguments.rgb,
        table=arguments.table, max_side=cfg.max_side, depth=arguments.depth,
    )  # fmt: skip
    with counter() as progress:
        progress("building the RTL", 0, 0)
        shot = shoot(
            cfg, frame, arguments.seed, arguments.rtl_dir,
            lambda done: progress("RTL", done, len(frame.quads)),
        )  # fmt: skip
    other = sampled_beside(gl, frame, shot.texels, shot.lod)
    pictures = {
        "": frame.picture(shot.texels), "-llvmpipe": frame.picture(other.texels),
        "-beside": side_by_side(frame, shot.texels, other.texels),
    }  # fmt: skip
    told = {**shot.figures, "llvmpipe": other.figures()}
    paths = command.write(out, pictures, told, shot.mismatches)
    say(console, shot)
    console.print(f"  llvmpipe, own levels  {other.own_levels}")
    console.print(f"  llvmpipe, our levels  {other.our_levels}")
    console.print(f"  pictures              {', '.join(map(str, paths))}")
    return int(bool(shot.mismatches))


def say(console: Console, shot: Shot) -> None:
    """Verdict and figures."""
    frame, figures = shot.frame, shot.figures
    lookups = figures["counters"]["lookups"]
    command.say_verdict(
        console, shot.mismatches,
        f"{len(frame.quads):,} quads, {frame.pixels:,} pixels, {lookups:,} lines looked up",
    )  # fmt: skip
    cycles = f"{figures['cycles']:,} cycles, {figures['units']} unit{'s' * (figures['units'] > 1)}"
    tables = (
        f"{figures['table_lines']:,} lines read of {figures['table_lines_unkept']:,} that primitives have"
    )
    waits = ", ".join(f"{name} {share:.2%}" for name, share in figures["waits"].items())
    console.print(f"  pixels per clock      {figures['pixels_per_clock']:.4f} ({cycles})")
    console.print(
        f"  lines of a pixel      {figures['lookups_per_pixel']:.2f}, hit rate {figures['hit_rate']:.2%}"
    )
    console.print(f"  memory                {figures['lines']:,} lines, bus {figures['bus_share']:.1%} busy")
    console.print(f"  colour tables         {tables}")
    console.print(f"  cycles of waiting     {waits}")
