# SPDX-License-Identifier: Apache-2.0
"""``python -m tb frame texpipe``: a picture out of the RTL, beside the golden model and llvmpipe."""

from typing import Any

from configs import UserError
from models.sampler import TRILINEAR
from tb.common.measuring import frame as command
from tb.texpipe.measuring.picture import shoot
from tb.texunit.commands import frame as published
from tb.texunit.measuring.picture import Shot
from utils import cli
from utils.console import Console
from workloads.texunit.quads import FILTERS, filters


def parser() -> cli.Parser:
    """The command line."""
    result = published.parser("texpipe", (*FILTERS, TRILINEAR))
    result.add_argument("--table", action="store_true", help="one byte a texel and a table of colours")
    return result


def main(argv: list[str]) -> int:
    """Entry point: 0 if RTL and model agree, 1 if not. Raises :class:`UserError` on bad input."""
    arguments = parser().parse_args(argv)
    cfg: Any = cli.chosen_config(arguments)
    if arguments.filter not in filters(cfg):
        raise UserError(f"configuration {cfg.name} has no trilinear filter: choose preset trilinear")
    trilinear = arguments.filter == TRILINEAR
    return published.render(arguments, shoot, say, table=arguments.table, trilinear=trilinear)


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
    mixed = f"{figures['mixed']:.1%} of the pixels, in {figures['beats']:,} beats"
    waits = ", ".join(f"{name} {share:.2%}" for name, share in figures["waits"].items())
    console.print(f"  pixels per clock      {figures['pixels_per_clock']:.4f} ({cycles})")
    if figures["mixed"]:
        console.print(f"  of two levels         {mixed}")
    console.print(
        f"  lines of a pixel      {figures['lookups_per_pixel']:.2f}, hit rate {figures['hit_rate']:.2%}"
    )
    console.print(f"  memory                {figures['lines']:,} lines, bus {figures['bus_share']:.1%} busy")
    console.print(f"  colour tables         {tables}")
    console.print(f"  cycles of waiting     {waits}")
