# SPDX-License-Identifier: Apache-2.0
"""``python -m tb frame texunit``: a picture out of the RTL, beside the golden model and llvmpipe."""

import json
from pathlib import Path

from rich.console import Console

from configs import UserError, cli
from configs.files import write_atomic
from configs.progress import counter
from configs.texunit.schema import Config
from tb.common.running.builds import BUILD
from tb.texunit.measuring.picture import Shot, beside, shoot, side_by_side
from workloads.scenes import options
from workloads.scenes.loader import open_scene
from workloads.scenes.picture import write_png
from workloads.textures.llvmpipe import Llvmpipe
from workloads.texunit.quads import FILTERS, quad_frame

SHOWN = 3  # mismatches


def parser() -> cli.Parser:
    """The command line."""
    result = cli.Parser(
        prog="python -m tb frame texunit", description="Render a scene with the RTL's own samples."
    )
    result.set_defaults(block="texunit")
    cli.add_config_arguments(result, block=False)
    result.set_defaults(config="one-unit")
    options.add_view(result)
    result.add_argument("--filter", default=FILTERS[0], choices=FILTERS, help=f"default: {FILTERS[0]}")
    result.add_argument("--rgb", action="store_true", help="three bytes a texel where there is no alpha")
    result.add_argument("--seed", type=int, default=1, help="of the RTL's power-up state")
    result.add_argument("--rtl-dir", type=Path, metavar="DIR", help="Verilog from elsewhere")
    result.add_argument("--out", type=Path, metavar="PNG", help="default: build/frame/SCENE-VIEW.png")
    return result


def main(argv: list[str]) -> int:
    """Entry point: 0 if RTL and model agree, 1 if not. Raises :class:`UserError` on bad input."""
    arguments = parser().parse_args(argv)
    cfg = cli.chosen_config(arguments)
    assert isinstance(cfg, Config)
    scene = open_scene(arguments.scene, arguments.cameras).solid()
    width, height = arguments.size
    out = arguments.out or BUILD / "frame" / f"{scene.name}-{arguments.view}.png"
    if out.suffix != ".png":
        raise UserError(f"{out}: pictures are written as .png")
    console = Console(highlight=False, soft_wrap=True)
    for note in scene.notes:
        console.print(f"note: {note}", markup=False)
    gl = Llvmpipe()  # before all else: it may be missing
    frame = quad_frame(
        scene, width, height, arguments.view, bilinear=arguments.filter == FILTERS[0], rgb=arguments.rgb,
        max_side=cfg.max_side, depth=arguments.depth,
    )  # fmt: skip
    with counter() as progress:
        progress("building the RTL", 0, 0)
        shot = shoot(
            cfg, frame, arguments.seed, arguments.rtl_dir,
            lambda done: progress("RTL", done, len(frame.quads)),
        )  # fmt: skip
    other = beside(gl, shot)
    pictures = {
        out: frame.picture(shot.texels),
        out.with_stem(f"{out.stem}-llvmpipe"): frame.picture(other.texels),
        out.with_stem(f"{out.stem}-beside"): side_by_side(frame, shot.texels, other.texels),
    }
    for path, picture in pictures.items():
        write_png(path, picture)
    figures = {
        **shot.figures, "equal": not shot.mismatches, "mismatches": [one.text for one in shot.mismatches],
        "llvmpipe": other.figures(),
    }  # fmt: skip
    write_atomic(out.with_suffix(".json"), json.dumps(figures, indent=1) + "\n")
    say(console, shot)
    console.print(f"  llvmpipe, own levels  {other.own_levels}")
    console.print(f"  llvmpipe, our levels  {other.our_levels}")
    console.print(f"  pictures              {', '.join(str(path) for path in pictures)}")
    return int(bool(shot.mismatches))


def say(console: Console, shot: Shot) -> None:
    """Verdict and figures."""
    frame, figures = shot.frame, shot.figures
    if shot.mismatches:
        console.print(f"[bold red]DIFFERENT[/] RTL and model, in {len(shot.mismatches)} respects; first:")
        for one in shot.mismatches[:SHOWN]:
            console.print(f"  {one.text}", markup=False)
    else:
        console.print(
            f"[bold green]IDENTICAL[/] RTL and model: {len(frame.quads):,} quads, {frame.pixels:,} pixels, "
            f"{figures['queries']:,} cache queries"
        )
    cycles = f"{figures['cycles']:,} cycles, {figures['units']} unit{'s' * (figures['units'] > 1)}"
    console.print(f"  pixels per clock      {figures['pixels_per_clock']:.4f} ({cycles})")
    console.print(f"  hit rate              {figures['hit_rate']:.2%}, repeats {figures['repeat_rate']:.1%}")
    console.print(f"  waiting for memory    {figures['memory_wait_share']:.1%}: the whole unit stalls")
