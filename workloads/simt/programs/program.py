# SPDX-License-Identifier: Apache-2.0
"""A program with its data: :class:`Program` makes problems of any size, :func:`prepare` places them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple
from zipfile import ZipFile

import numpy as np
from numpy.typing import NDArray

from configs import UserError
from workloads.simt.image import Image, read_image
from workloads.simt.machine import LIMIT, Launch, Machine, Start, Trace, new_memory

IMAGES = Path(__file__).parents[1] / "images.zip"  # the image of each program as text: <name>.hex
HEAP = 0x200000  # where problems begin in memory
STACKS = 0x1000000 - 256 * 1056  # where the stacks of C programs do, which grow down from the end
LINE = 32  # bytes of the data cache's line, which arrays are aligned to
ARGUMENTS = 10  # a0: the address of the arguments
Expected = Mapping[str, tuple[int, NDArray[Any]]]


class Space:
    """Memory that is given away from ``HEAP`` on, to blocks of ``threads`` threads."""

    def __init__(self, memory: NDArray[np.uint32], threads: int) -> None:
        self.memory, self.threads, self.top = memory, threads, HEAP

    def place(self, array: NDArray[Any] | Sequence[int]) -> int:
        """The byte address of a copy of ``array``. Raises :class:`UserError` where memory is full."""
        data = np.ascontiguousarray(array if isinstance(array, np.ndarray) else np.array(array, np.uint32))
        address, end = self.top, self.top + data.nbytes
        if end > STACKS:
            raise UserError(f"the data takes more than {STACKS - HEAP} bytes: choose a smaller N")
        self.memory.view(np.uint8)[address:end] = data.reshape(-1).view(np.uint8)
        self.top = -(-end // LINE) * LINE
        return address


@dataclass(frozen=True)
class Program:
    """``make(space, n, rng)`` places a problem and returns the arguments, and what the results must be.

    ``shares``: threads read what others write. ``image``: its name in ``images.zip``, the name's if empty.
    ``warps``, ``threads``: what it begins with where nothing is said.
    """

    name: str
    title: str
    make: Callable[[Space, int, np.random.Generator], tuple[Sequence[int], Expected]]
    n: int
    meaning: str
    least: int = 1
    most: int = 1 << 20
    power_of_two: bool = False
    shares: bool = False
    image: str = ""
    warps: int = 8
    threads: int = 8

    def check(self, n: int) -> None:
        """Raises :class:`UserError` for a size that it does not have."""
        if not self.least <= n <= self.most:
            raise UserError(f"N={n}: {self.name} takes {self.least} to {self.most} ({self.meaning})")
        if self.power_of_two and n & (n - 1):
            raise UserError(f"N={n}: {self.name} takes powers of two")


class Job(NamedTuple):
    """A program in memory, ready to run. ``expected``: results by block."""

    program: Program
    image: Image
    memory: NDArray[np.uint32]
    launch: Launch
    expected: Sequence[Expected]

    def run(self, limit: int = LIMIT) -> Trace:
        """Run it, at most ``limit`` instructions, and check its results. Raises :class:`UserError`."""
        trace = Machine(self.memory, self.launch).run(limit)
        self.check()
        return trace

    def check(self) -> None:
        """Hold memory against what is expected, bit by bit. Raises :class:`UserError` at a difference."""
        for block, results in enumerate(self.expected):
            for name, (address, wanted) in results.items():
                kept = self.memory.view(np.uint8)[address : address + wanted.nbytes].view(wanted.dtype)
                kept = kept.reshape(wanted.shape)
                unlike = np.argwhere(_bits(kept) != _bits(wanted))
                if len(unlike):
                    where = tuple(int(i) for i in unlike[0])
                    raise UserError(
                        f"{self.program.name}: block {block}: {name}{list(where)} is {kept[where]}, must be "
                        f"{wanted[where]}; {len(unlike)} of {wanted.size} differ"
                    )


def _bits(array: NDArray[Any]) -> NDArray[Any]:
    return np.ascontiguousarray(array).view(np.uint8 if array.itemsize == 1 else np.uint32)


@cache
def shipped(name: str) -> Image:
    """The image of that name among those that come with the project."""
    with ZipFile(IMAGES) as images:
        return read_image(IMAGES / f"{name}.hex", images.read(f"{name}.hex").decode())


def prepare(
    program: Program,
    n: int | None = None,
    *,
    seed: int = 1,
    bases: Sequence[int] = (0,),
    warps: int | None = None,
    threads: int | None = None,
    schedule: str = "round-robin",
) -> Job:
    """``program`` on as many blocks as there are ``bases``, each with a problem of its own of size ``n``.

    Blocks with the same base share the code; with another one, each has a copy. Raises :class:`UserError`.
    """
    size = program.n if n is None else n
    program.check(size)
    image = shipped(program.image or program.name)
    memory = new_memory()
    warps, threads = (
        given if given is not None else own
        for given, own in ((warps, program.warps), (threads, program.threads))
    )
    launch = Launch([Start()] * len(bases), warps, threads, schedule)
    launch.check()
    space = Space(memory, launch.warps * launch.threads)
    starts, expected = [], []
    for block, base in enumerate(bases):
        _check_base(image, base, bases)
        image.place(memory, base)
        arguments, results = program.make(space, size, np.random.default_rng([seed, block]))
        starts.append(Start(base, image.entry, {ARGUMENTS: space.place(arguments)}))
        expected.append(results)
    return Job(program, image, memory, replace(launch, blocks=starts), expected)


def _check_base(image: Image, base: int, bases: Sequence[int]) -> None:
    first_data = min((segment.address for segment in image.segments if not segment.code), default=HEAP)
    if base < 0 or base % 4 or base + image.code_bytes > min(first_data, HEAP):
        raise UserError(f"base {base:#x}: must be a multiple of 4 that leaves the code below {first_data:#x}")
    for other in bases:
        if base < other < base + image.code_bytes:
            raise UserError(f"bases {base:#x} and {other:#x}: their {image.code_bytes} bytes of code overlap")
