# SPDX-License-Identifier: Apache-2.0
"""The program that a command line names, ready to run."""

import argparse
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

from configs import UserError
from utils.cli import LAST_SEED, add_out
from utils.files import is_file, write_atomic
from utils.keys import kept
from workloads.simt import elf, toolchain
from workloads.simt.control import scalar
from workloads.simt.disassembly import disassemble
from workloads.simt.image import Image, read_image
from workloads.simt.isa import BLOCKS, LANES, RA, TP, WARPS
from workloads.simt.machine import LIMIT, Fault, Launch, Machine, Start, new_memory
from workloads.simt.printed import printed, values
from workloads.simt.profile import Column, listing
from workloads.simt.programs import PROGRAMS, prepare
from workloads.simt.running import SCHEDULES

FOLDER = kept("run")
STACK = 32 << 10 | 32  # bytes of a thread's in C programs; an odd number of lines of the data cache
ENTRIES = (5, 0)  # words from tp on that have return addresses of the library's callers (runtime/start.s)
BLOCK_STEP = 0x40000  # between copies of the code


def add_program(parser: argparse.ArgumentParser) -> None:
    """Arguments: which program, its size and data, on how many blocks, warps and threads, and where to."""
    parser.add_argument("program", nargs="?", help="a name (--list), or a .c, .s, .elf or .hex file")
    parser.add_argument("-n", type=int, help="size of the problem; of files: not used")
    parser.add_argument("--seed", type=int, default=1, help=f"1 to {LAST_SEED}: what the data comes from")
    parser.add_argument("--blocks", type=int, default=1, help=f"1 to {BLOCKS}, each with data of its own")
    parser.add_argument("--warps", type=int, help=f"of a block, 1 to {WARPS}")
    parser.add_argument("--threads", type=int, help=f"of a warp, 1 to {LANES}")
    add_out(parser, "build/run/PROGRAM")
    parser.add_argument("--limit", type=int, default=LIMIT, help="instructions after which a run is ended")
    parser.add_argument("--schedule", default=SCHEDULES[0], help=" or ".join(SCHEDULES))


def folder_of(arguments: argparse.Namespace) -> Path:
    """Where to write what :func:`add_program` read."""
    folder: Path = arguments.out or FOLDER / Path(arguments.program).stem
    return folder


class Loaded(NamedTuple):
    """A program ready to run. ``notes``: what to say of it once it has ended; checks its results."""

    image: Image
    machine: Machine
    notes: Callable[[], list[str]]

    @property
    def printed(self) -> list[str]:
        """Lines that its threads have printed so far."""
        return printed(self.image, self.machine.memory, self.machine.launch)

    def write_listing(
        self, folder: Path, name: str, counts: Mapping[str, Column], more: Mapping[str, Column]
    ) -> Path:
        """Counts by instruction of program ``name``, under its lines of source, into ``folder``."""
        sources = [toolchain.SOURCES] if name in PROGRAMS else [Path(name).parent, toolchain.SOURCES]
        path = folder / "listing.txt"
        write_atomic(path, listing(self.image, counts, sources, more))
        return path

    def located(self, name: str, fault: Fault) -> UserError:
        """The ``fault`` of program ``name`` with its place in the source, if that is known."""
        image, words = self.image, dict(self.image.code)
        place = f" in {image.place_of(fault.pc)}"
        caller = self._caller(fault)
        if fault.pc not in words and fault.before is not None:
            place = f", after pc {fault.before:#x} in {image.place_of(fault.before)}"
        elif fault.pc not in image.lines and caller is not None:
            place += f", called in {image.place_of(caller)}"
        if fault.word is not None and fault.word != words.get(fault.pc, fault.word):
            place += ", where the program has overwritten its code"
        elif fault.pc in words:
            place += f" ({disassemble(words[fault.pc], fault.pc)})"
        return UserError(f"{name}: {fault.at(place)}")

    def _caller(self, fault: Fault) -> int | None:
        """The pc of the program from which it entered the library, if known."""
        warp, memory = self.machine.state.warps[fault.block * WARPS + fault.warp], self.machine.memory
        entered = scalar(warp, TP) // 4
        saved = [int(memory[entered + word]) - 4 for word in ENTRIES] if self.machine.launch.stack else []
        return next((pc for pc in [scalar(warp, RA) - 4, *saved] if pc in self.image.lines), None)


def load_program(arguments: argparse.Namespace) -> Loaded:
    """What :func:`add_program` read. Raises :class:`UserError`."""
    if arguments.limit < 1:
        raise UserError(f"limit={arguments.limit}: a run takes 1 instruction at least")
    if arguments.program is None:
        raise UserError("no program given: name one (--list shows them), or a .c, .s, .elf or .hex file")
    return _shipped(arguments) if arguments.program in PROGRAMS else _own(arguments)


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


def _own(arguments: argparse.Namespace) -> Loaded:
    """A program of the user's own."""
    path = Path(arguments.program)
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
        STACK if path.suffix == ".c" else 0,
    )
    launch.check()
    _check_stacks(path, image, launch, memory.nbytes)

    def notes() -> list[str]:
        threads = f"{len(bases)} x {launch.warps} x {launch.threads} threads (blocks, warps, threads)"
        shown = [f"{path}: {image.code_bytes} bytes of code, {threads}", *printed(image, memory, launch)]
        return [*shown, *values(image, memory)]

    return Loaded(image, Machine(memory, launch), notes)


def _check_stacks(path: Path, image: Image, launch: Launch, memory_bytes: int) -> None:
    threads = ((len(launch.blocks) - 1) * WARPS + launch.warps - 1) * LANES + launch.threads
    stacks = memory_bytes - threads * launch.stack
    end = max((symbol.address + symbol.size for symbol in image.symbols.values()), default=0)
    if launch.stack and end > stacks:
        raise UserError(
            f"{path}: its data ends at {end:#x}, beyond {stacks:#x}, where the stacks of {threads} threads "
            f"begin ({launch.stack} bytes each): use smaller arrays, or fewer BLOCKS or WARPS"
        )


def read_program(path: Path) -> Image:
    """The image of a file, compiled where it is source. Raises :class:`UserError`."""
    ways = {".elf": lambda: elf.from_elf(path, path.stem), ".hex": lambda: read_image(path)}
    ways |= dict.fromkeys(toolchain.SUFFIXES, lambda: toolchain.build(path, libc=path.suffix == ".c"))
    if path.suffix not in ways:
        raise UserError(f"unknown program '{path}': {', '.join(PROGRAMS)}, or a file in {', '.join(ways)}")
    if not is_file(path):
        raise UserError(f"program {path}: no such file")
    return ways[path.suffix]()


def _bases(blocks: int) -> list[int]:
    if not 1 <= blocks <= BLOCKS:
        raise UserError(f"blocks={blocks}: must be 1 to {BLOCKS}")
    return [BLOCK_STEP * block for block in range(blocks)]
