# SPDX-License-Identifier: Apache-2.0
"""From C or GNU assembly to an image: clang and lld, as PyPI's ``ziglang`` packs them. It is optional."""

import hashlib
import importlib.util
import re
import tempfile
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from typing import Any

from elftools.elf.elffile import ELFFile

from configs import UserError
from workloads.simt import library
from workloads.simt.elf import from_elf
from workloads.simt.image import Image

ZIG = "0.17.1"  # what the images were made with
SOURCES = Path(__file__).parent / "sources"
#: data of one's own program; that of the shipped ones follows, 4 KB for each, so that blocks may differ
DATA = 0x100000
SUFFIXES = (".c", ".s", ".S")
FLAGS = (
    "-target", "riscv32-freestanding-none", "-mcpu=generic_rv32+m+f", "-mabi=ilp32f", "-mcmodel=medium",
    "-O2", "-g", "-ffreestanding", "-fno-builtin", "-ffp-contract=off", "-fconvergent-functions",
    "-fno-sanitize=all", "-fno-stack-protector", "-fno-pic", "-fno-unroll-loops", "-mno-relax", "-Wall",
    "-fomit-frame-pointer", "-Wno-unused-command-line-argument", "-nostdlib",
)  # fmt: skip
SCRIPT = """
ENTRY(_start)
SECTIONS {{
  .text 0 : {{ KEEP(*(.text.start)) *(.text .text.*) }}
  .data {data:#x} : {{ *(.rodata .rodata.*) *(.data .data.*) *(.sdata .sdata.*) *(.srodata .srodata.*)
                       *(.bss .bss.*) *(.sbss .sbss.*) *(COMMON) }}
  /DISCARD/ : {{ *(.comment) *(.eh_frame) *(.riscv.attributes) *(.note .note.*) }}
}}
"""
UNDEFINED = re.compile(r"undefined (?:hidden )?symbol: (\S+)\n>>> referenced by (?:\S+:(\d+))?")


def installed() -> bool:
    """Whether there is a compiler."""
    return importlib.util.find_spec("ziglang") is not None


def build(source: Path, data: int = DATA, *, libc: bool = False) -> Image:
    """Compile or assemble, and link to pc 0 and ``data``; ``libc``: a C program with the C library.

    Raises :class:`UserError`.
    """
    if not installed():
        raise UserError(
            f"{source}: there is no compiler for it; type '.venv/bin/python -m pip install ziglang=={ZIG}' "
            "(a download of 100 MB, 410 MB on disk)"
        )
    used = [source]
    if source.suffix == ".c":
        used += [SOURCES / "simt.h", *([] if libc else [SOURCES / "start.s"])]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "link.ld").write_text(SCRIPT.format(data=data))
        if libc:
            _link_library(source, folder)
        else:
            inputs = [str(path.resolve()) for path in used if path.suffix != ".h"]
            _compile(source, folder, "-Wl,-T,link.ld", "-o", "program.elf", *inputs)
        image = from_elf(folder / "program.elf", source.stem)
    keys = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in used}
    return replace(image, sources=keys, tool=f"ziglang {version('ziglang')}, clang -O2 -march=rv32imf")


def _compile(source: Path, folder: Path, *options: str) -> None:
    """Run clang in ``folder``. Raises :class:`UserError` with its first error."""
    done = library.zig("cc", *FLAGS, f"-I{SOURCES}", *options, folder=folder)
    if done.returncode:
        raise UserError(_missing(source, done.stderr))


def _link_library(source: Path, folder: Path) -> None:
    """``program.elf`` of a C program that enters the library by :func:`library.entries`."""
    options = (*library.headers(), "-UNDEBUG", "-c", str(source.resolve()), "-o", "program.o")
    _compile(source, folder, *options)
    names = _undefined(folder / "program.o") - library.AT_ONCE
    command = ["ld.lld", "--error-limit=0", "-T", "link.ld", "-o", "program.elf", "program.o"]
    if any(library.refused(name) for name in names):
        raise UserError(_missing(source, library.zig(*command, folder=folder).stderr, refused=True))
    (folder / "entries.s").write_text(library.entries(names))
    _compile(source, folder, "-c", "entries.s", "-o", "entries.o")
    command += ["--gc-sections", str(library.archive())]
    wraps = [f"--wrap={name}" for name in names]
    if library.zig(*command, "entries.o", *wraps, folder=folder).returncode:
        raise UserError(_missing(source, library.zig(*command, folder=folder).stderr))


def _undefined(program: Path) -> set[str]:
    """Names that an object file takes from elsewhere."""
    with program.open("rb") as file:
        table: Any = ELFFile(file).get_section_by_name(".symtab")
        return {
            symbol.name
            for symbol in table.iter_symbols()
            if symbol["st_shndx"] == "SHN_UNDEF" and symbol.name
        }


def _missing(source: Path, output: str, refused: bool = False) -> str:
    """The first function that does not link, or is ``refused``, where it is used, and what to do; else the
    first error.
    """
    for match in UNDEFINED.finditer(output):
        words = library.refused(match[1])
        if words or not refused:
            place = f"{source}:{match[2]}" if match[2] else source
            return f"{place}: there is no {match[1]}: {words or library.ELSE}"
    output = output.replace(str(source.resolve()), str(source))
    rows = [row.strip() for row in output.splitlines() if row.strip()]
    error = ([row for row in rows if "error" in row] or rows or ["does not compile"])[0]
    return error if str(source) in error else f"{source}: {error}"
