# SPDX-License-Identifier: Apache-2.0
"""``python -m workloads.simt``: run a program on the SIMT machine and show what it did."""

import argparse
from collections.abc import Callable
from pathlib import Path

from rich.table import Table

from configs import UserError
from configs.simt import POLICIES
from utils.cli import Parser, check_seed, run
from utils.console import Console
from utils.progress import spinner
from workloads.simt.caches import Caches, configured
from workloads.simt.loading import Loaded, add_program, folder_of, load_program
from workloads.simt.machine import Fault
from workloads.simt.profile import Profile, profile
from workloads.simt.programs import NINE, PROGRAMS
from workloads.simt.recording import Recording


def main(argv: list[str]) -> int:
    """Run a program, or list those that there are."""
    parser = Parser(prog="python -m workloads.simt", description=__doc__)
    add_program(parser)
    parser.add_argument("--icache", default="", help="preset, then changes, of the icache: 'small ways=4'")
    parser.add_argument("--dcache", default="", help="the same of the dcache")
    parser.add_argument("--policy", help=f"of both caches: {', '.join(POLICIES)}")
    parser.add_argument("--list", action="store_true", help="show the programs there are")
    arguments = parser.parse_args(argv)
    check_seed(arguments.seed)
    if arguments.list:
        _list()
    else:
        _run(arguments)
    return 0


def _list() -> None:
    table = Table("program", "", "N", "", title="Programs", title_justify="left")
    for name, program in PROGRAMS.items():
        table.add_row(
            name, program.title, str(program.n), program.meaning + ("" if name in NINE else "; ours")
        )
    Console().print(table)


def _run(arguments: argparse.Namespace) -> None:
    name: str = arguments.program
    fetching = configured("icache", arguments.icache, arguments.policy)
    data = configured("dcache", arguments.dcache, arguments.policy)
    with spinner() as step:
        step(f"running {name}")
        loaded = load_program(arguments)
        caches = Caches(fetching, data, loaded.machine.state.base, loaded.image.code_bytes)
        folder = folder_of(arguments)
        counts, recording = _execute(name, loaded, caches, step, folder, arguments.limit)
        notes = [*loaded.notes(), *counts.lines(), *caches.lines(counts.instructions, counts.cycles)]
        step("writing")
        written = loaded.write_listing(folder, name, counts.by_pc, caches.by_pc)
        recording.trace().write(folder / "trace.npz")
    print("\n".join(notes))
    print(f"{written}: counts by instruction; {folder / 'trace.npz'}: fetches and accesses")


def _execute(
    name: str, loaded: Loaded, caches: Caches, step: Callable[[str], None], folder: Path, limit: int
) -> tuple[Profile, Recording]:
    """To the end, piece by piece. Raises :class:`UserError` that says where in the source, with a listing."""
    machine, code_bytes = loaded.machine, loaded.image.code_bytes
    recording = Recording(machine.state.base)
    counts = profile(recording.trace(), code_bytes)
    try:
        for part in machine.chunks(limit):
            counts += profile(part, code_bytes)
            caches.run(part)
            recording.add(part)
            step(f"running {name}: {counts.instructions:,} instructions")
    except Fault as fault:
        print(*loaded.printed, sep="\n", end="\n" * bool(loaded.printed))
        written = loaded.write_listing(folder, name, counts.by_pc, caches.by_pc)
        raise UserError(f"{loaded.located(name, fault)}; counts until then: {written}") from None
    return counts, recording


if __name__ == "__main__":
    run(main)
