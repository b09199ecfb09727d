# SPDX-License-Identifier: Apache-2.0
"""``python -m workloads.simt``: run a program on the SIMT machine and show what it did."""

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np
from rich.console import Console
from rich.table import Table

from configs import UserError
from configs.cli import LAST_SEED, Parser, check_seed, run
from configs.files import is_file, write_atomic
from configs.keys import kept
from configs.progress import spinner
from configs.simt import POLICIES
from workloads.simt import elf, toolchain
from workloads.simt.caches import Caches, configured
from workloads.simt.image import Image, read_image
from workloads.simt.isa import BLOCKS, LANES, WARPS
from workloads.simt.machine import Fault, Launch, Machine, Start, new_memory
from workloads.simt.profile import Profile, listing, profile
from workloads.simt.programs import NINE, PROGRAMS, prepare
from workloads.simt.recording import Recording
from workloads.simt.running import SCHEDULES

FOLDER = kept("run")
SHOWN = 16  # words of a program's own result
BLOCK_STEP = 0x40000  # between copies of the code


def main(argv: list[str]) -> int:
    """Run a program, or list those that there are."""
    parser = Parser(prog="python -m workloads.simt", description=__doc__)
    parser.add_argument("program", nargs="?", help="a name (--list), or a .c, .s, .elf or .hex file")
    parser.add_argument("-n", type=int, help="size of the problem; of files: not used")
    parser.add_argument("--seed", type=int, default=1, help=f"1 to {LAST_SEED}: what the data comes from")
    parser.add_argument("--blocks", type=int, default=1, help=f"1 to {BLOCKS}, each with data of its own")
    parser.add_argument("--warps", type=int, help=f"of a block, 1 to {WARPS}")
    parser.add_argument("--threads", type=int, help=f"of a warp, 1 to {LANES}")
    parser.add_argument("--schedule", default=SCHEDULES[0], help=" or ".join(SCHEDULES))
    parser.add_argument("--icache", default="", help="preset, then changes, of the icache: 'small ways=4'")
    parser.add_argument("--dcache", default="", help="the same of the dcache")
    parser.add_argument("--policy", help=f"of both caches: {', '.join(POLICIES)}")
    parser.add_argument("--out", type=Path, help="folder of listing and trace (default: build/run/PROGRAM)")
    parser.add_argument("--list", action="store_true", help="show the programs there are")
    arguments = parser.parse_args(argv)
    check_seed(arguments.seed)
    if arguments.list:
        _list()
    elif arguments.program is None:
        raise UserError("no program given: name one (--list shows them), or a .c, .s, .elf or .hex file")
    else:
        _run(arguments)
    return 0


def _list() -> None:
    table = Table("program", "", "N", "", title="Programs", title_justify="left")
    for name, one in PROGRAMS.items():
        table.add_row(name, one.title, str(one.n), one.meaning + ("" if name in NINE else "; ours"))
    Console().print(table)


class Loaded(NamedTuple):
    """A program ready to run. ``notes``: what to say of it once it has ended; checks its results."""

    image: Image
    machine: Machine
    notes: Callable[[], list[str]]


def _run(arguments: argparse.Namespace) -> None:
    name: str = arguments.program
    fetching = configured("icache", arguments.icache, arguments.policy)
    data = configured("dcache", arguments.dcache, arguments.policy)
    folders = [toolchain.SOURCES]
    with spinner() as step:
        step(f"running {name}")
        if name in PROGRAMS:
            loaded = _shipped(arguments)
        else:
            path = Path(name)
            folders.insert(0, path.parent)
            loaded = _own(path, arguments)
        image, machine = loaded.image, loaded.machine
        caches = Caches(fetching, data, machine.state.base, image.code_bytes)
        counts, recording = _execute(name, image, machine, caches, step)
        notes = [*loaded.notes(), *counts.lines(), *caches.lines(counts.instructions, counts.cycles)]
        step("writing")
        folder = arguments.out or FOLDER / Path(name).stem
        write_atomic(folder / "listing.txt", listing(image, counts.by_pc, folders, caches.by_pc))
        recording.trace().write(folder / "trace.npz")
    print("\n".join(notes))
    print(f"{folder / 'listing.txt'}: counts by instruction; {folder / 'trace.npz'}: fetches and accesses")


def _execute(
    name: str, image: Image, machine: Machine, caches: Caches, step: Callable[[str], None]
) -> tuple[Profile, Recording]:
    """To the end, piece by piece. Raises :class:`UserError` that says where in the source."""
    recording = Recording(machine.state.base)
    counts = profile(recording.trace(), image.code_bytes)
    try:
        for part in machine.chunks():
            counts += profile(part, image.code_bytes)
            caches.run(part)
            recording.add(part)
            step(f"running {name}: {counts.instructions:,} instructions")
    except Fault as fault:
        file, line = image.lines.get(fault.pc, (name, 0))
        where = f" ({file}:{line})" if line else ""
        raise UserError(f"{name}: {fault}{where}") from None
    return counts, recording


def _shipped(arguments: argparse.Namespace) -> Loaded:
    """One of the project's programs."""
    program = PROGRAMS[arguments.program]
    job = prepare(
        program, arguments.n, seed=arguments.seed, bases=_bases(arguments.blocks), warps=arguments.warps,
        threads=arguments.threads, schedule=arguments.schedule,
    )  # fmt: skip
    size = program.n if arguments.n is None else arguments.n

    def notes() -> list[str]:
        job.check()
        return [f"{program.name}, {size} {program.meaning}: {program.title}; results as numpy's"]

    return Loaded(job.image, Machine(job.memory, job.launch), notes)


def _own(path: Path, arguments: argparse.Namespace) -> Loaded:
    """A program of the user's own."""
    image = read_program(path)
    if arguments.n is not None:
        raise UserError(f"N is the size of a built-in program's data: {path} has its own")
    memory = new_memory()
    bases = _bases(arguments.blocks)
    for base in bases:
        image.place(memory, base)
    starts = [Start(base, image.entry) for base in bases]
    launch = Launch(
        starts,
        WARPS if arguments.warps is None else arguments.warps,
        LANES if arguments.threads is None else arguments.threads,
        arguments.schedule,
    )

    def notes() -> list[str]:
        shown = [f"{path}: {image.code_bytes} bytes of code"]
        if "result" in image.symbols:
            address, size = image.symbols["result"]
            words = memory[address // 4 : address // 4 + min(max(size // 4, 1), SHOWN)]
            shown.append("result: " + " ".join(f"{np.int32(word)}" for word in words.view(np.int32)))
        return shown

    return Loaded(image, Machine(memory, launch), notes)


def read_program(path: Path) -> Image:
    """The image of a file, compiled where it is source. Raises :class:`UserError`."""
    ways = {".elf": lambda: elf.from_elf(path, path.stem), ".hex": lambda: read_image(path)}
    ways |= dict.fromkeys(toolchain.SUFFIXES, lambda: toolchain.build(path))
    if path.suffix not in ways:
        raise UserError(f"unknown program '{path}': {', '.join(PROGRAMS)}, or a file in {', '.join(ways)}")
    if not is_file(path):
        raise UserError(f"program {path}: no such file")
    return ways[path.suffix]()


def _bases(blocks: int) -> list[int]:
    if not 1 <= blocks <= BLOCKS:
        raise UserError(f"blocks={blocks}: must be 1 to {BLOCKS}")
    return [BLOCK_STEP * block for block in range(blocks)]


if __name__ == "__main__":
    run(main)
