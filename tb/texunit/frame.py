# SPDX-License-Identifier: Apache-2.0
"""``python -m tb frame texunit``: a picture out of the RTL, compared with the golden model pixel by pixel."""

import json
import re
from pathlib import Path

import numpy as np
from PIL import Image
from rich.console import Console
from rich.progress import Progress

from configs import UserError, cli
from configs.files import atomic_path, write_atomic
from configs.texunit.schema import Config
from models.memory import Memory
from models.texunit import TexunitModel
from tb.common.builds import BUILD
from tb.texunit.replay import replay
from workloads.loader import open_scene
from workloads.quads import quad_frame


def parser() -> cli.Parser:
    """The command line."""
    result = cli.Parser(
        prog="python -m tb frame texunit", description="Render a scene with the RTL's own samples."
    )
    result.set_defaults(block="texunit")
    cli.add_config_arguments(result, block=False)
    result.set_defaults(config="one-unit")
    result.add_argument("--scene", default="corridors", help="built-in scene, or an OBJ, glTF or GLB file")
    result.add_argument("--size", default="320x240", metavar="WxH", help="default: 320x240")
    result.add_argument("--view", type=int, default=0, metavar="N", help="camera of the scene")
    result.add_argument("--nearest", action="store_true", help="nearest instead of bilinear filtering")
    result.add_argument("--rgb", action="store_true", help="three bytes a texel where there is no alpha")
    result.add_argument("--seed", type=int, default=1, help="of the RTL's power-up state")
    result.add_argument("--rtl-dir", type=Path, metavar="DIR", help="Verilog from elsewhere")
    result.add_argument("--out", type=Path, metavar="PNG", help="default: build/frame/SCENE.png")
    return result


def main(argv: list[str]) -> int:
    """Entry point: 0 if RTL and model agree, 1 if not. Raises :class:`UserError` on bad input."""
    arguments = parser().parse_args(argv)
    cfg = cli.chosen_config(arguments)
    assert isinstance(cfg, Config)
    size = re.fullmatch(r"(\d+)x(\d+)", arguments.size)
    if not size or not all(2 <= int(side) <= 2048 for side in size.groups()):
        raise UserError(f"--size {arguments.size}: write it as WIDTHxHEIGHT, each 2 to 2048, e.g. 320x240")
    scene = open_scene(arguments.scene)
    out = arguments.out or BUILD / "frame" / f"{scene.name}.png"
    if out.suffix != ".png":
        raise UserError(f"{out}: pictures are written as .png")
    console = Console(highlight=False, soft_wrap=True)
    frame = quad_frame(
        scene, int(size[1]), int(size[2]), arguments.view, bilinear=not arguments.nearest, rgb=arguments.rgb
    )
    with Progress(console=console, transient=True) as progress:
        task = progress.add_task("RTL", total=len(frame.quads))
        rtl = replay(
            cfg, frame, arguments.seed, arguments.rtl_dir, lambda done: progress.update(task, completed=done)
        )
    model = TexunitModel(cfg, Memory(arguments.seed, 0, frame.image))
    golden, _ = model.replay(frame.prims, frame.quads, frame.prim_of_quad)
    wrong = (rtl.result["texel"] != golden["texel"]).any(axis=1) | (rtl.result["err"] != golden["err"])
    picture = frame.picture(rtl.result["texel"])
    with atomic_path(out) as temporary:
        Image.fromarray(picture).save(temporary, format="PNG")
    counts = rtl.counters
    figures = {
        "scene": scene.name, "config": cfg.name, "width": frame.width, "height": frame.height,
        "primitives": len(frame.prims), "quads": len(frame.quads), "pixels": frame.pixels,
        "tex_cycles": rtl.tex_cycles, "pixels_per_clock": frame.pixels / rtl.tex_cycles,
        "repeat_rate": counts["repeats"] / counts["queries"],
        "hit_rate": (counts["repeats"] + counts["hits"]) / counts["queries"],
        "memory_wait_share": counts["memory_wait_cycles"] / rtl.tex_cycles,
        "quads_that_differ": int(wrong.sum()), "counters": counts,
    }  # fmt: skip
    write_atomic(out.with_suffix(".json"), json.dumps(figures, indent=1) + "\n")
    if wrong.any():
        first = int(np.argmax(wrong))
        console.print(
            f"[bold red]DIFFERENT[/] in {wrong.sum()} of {len(wrong)} quads, the first {first} at "
            f"({frame.x[first]}, {frame.y[first]}): RTL {rtl.result[first]}, model {golden[first]}"
        )
    else:
        console.print(
            f"[bold green]IDENTICAL[/] RTL and model, all {len(wrong):,} quads, {frame.pixels:,} pixels"
        )
    console.print(f"  picture               {out}")
    console.print(f"  pixels per clock      {figures['pixels_per_clock']:.4f} ({rtl.tex_cycles:,} cycles)")
    console.print(f"  queries               {counts['queries']:,}, repeated {figures['repeat_rate']:.1%}")
    console.print(f"  hit rate              {figures['hit_rate']:.2%} (repeats included)")
    console.print(
        f"  waiting for memory    {figures['memory_wait_share']:.1%} of the cycles: the whole unit stalls"
    )
    return int(wrong.any())
