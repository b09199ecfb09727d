# SPDX-License-Identifier: Apache-2.0
"""``python -m tb frame texunit``: a picture out of the RTL, beside the golden model and llvmpipe."""

import argparse
from collections.abc import Callable, Sequence
from typing import Any

from models.sampler import NEAREST
from tb.common.measuring import frame as command
from tb.texunit.measuring.picture import Shot, sampled_beside, shoot, side_by_side
from utils import cli
from utils.console import Console
from utils.progress import counter
from workloads.textures.llvmpipe import Llvmpipe
from workloads.texunit.quads import FILTERS, quad_frame


def parser(block: str = "texunit", filters: Sequence[str] = FILTERS) -> cli.Parser:
    """The command line."""
    result = command.parser(block, "Render a scene with the RTL's own samples.", filters)
    result.set_defaults(config="one-unit")
    result.add_argument("--rgb", action="store_true", help="three bytes a texel where there is no alpha")
    return result


def main(argv: list[str]) -> int:
    """Entry point: 0 if RTL and model agree, 1 if not. Raises :class:`UserError` on bad input."""
    return render(parser().parse_args(argv), shoot, say)


def render(
    arguments: argparse.Namespace,
    shoot: Callable[..., Any],
    say: Callable[[Console, Any], None],
    **made: bool,
) -> int:
    """What :func:`main` does, with a block's own ``shoot`` and ``say``; ``made``: how else quads are made."""
    cfg: Any = cli.chosen_config(arguments)
    console = Console(highlight=False, soft_wrap=True)
    scene, out = command.opened(arguments, console)
    width, height = arguments.size
    gl = Llvmpipe()  # before all else: it may be missing
    frame = quad_frame(
        scene, width, height, arguments.view, bilinear=arguments.filter != NEAREST, rgb=arguments.rgb,
        max_side=cfg.max_side, depth=arguments.depth, **made,
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
    figures = {**shot.figures, "llvmpipe": other.figures()}
    paths = command.write(out, pictures, figures, shot.mismatches)
    say(console, shot)
    console.print(f"  llvmpipe, own levels  {other.own_levels}")
    console.print(f"  llvmpipe, our levels  {other.our_levels}")
    console.print(f"  pictures              {', '.join(map(str, paths))}", markup=False)
    return int(bool(shot.mismatches))


def say(console: Console, shot: Shot) -> None:
    """Verdict and figures."""
    frame, figures = shot.frame, shot.figures
    command.say_verdict(
        console, shot.mismatches,
        f"{len(frame.quads):,} quads, {frame.pixels:,} pixels, {figures['queries']:,} cache queries",
    )  # fmt: skip
    cycles = f"{figures['cycles']:,} cycles, {figures['units']} unit{'s' * (figures['units'] > 1)}"
    console.print(f"  pixels per clock      {figures['pixels_per_clock']:.4f} ({cycles})")
    console.print(f"  hit rate              {figures['hit_rate']:.2%}, repeats {figures['repeat_rate']:.1%}")
    console.print(f"  waiting for memory    {figures['memory_wait_share']:.1%}: the whole unit stalls")
