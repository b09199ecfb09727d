# SPDX-License-Identifier: Apache-2.0
"""From C or GNU assembly to an image: clang and lld, as PyPI's ``ziglang`` packs them. It is optional."""

import hashlib
import importlib.util
import os
import subprocess
import sys
import tempfile
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path

from configs import UserError
from configs.keys import kept
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
  .text 0 : {{ *(.text.start) *(.text .text.*) }}
  .data {data:#x} : {{ *(.rodata .rodata.*) *(.data .data.*) *(.sdata .sdata.*) *(.srodata .srodata.*)
                       *(.bss .bss.*) *(.sbss .sbss.*) *(COMMON) }}
  /DISCARD/ : {{ *(.comment) *(.eh_frame) *(.riscv.attributes) *(.note .note.*) }}
}}
"""


def installed() -> bool:
    """Whether there is a compiler."""
    return importlib.util.find_spec("ziglang") is not None


def build(source: Path, data: int = DATA) -> Image:
    """Compile or assemble, and link to pc 0 and ``data``. Raises :class:`UserError`."""
    if not installed():
        raise UserError(
            f"{source}: there is no compiler for it; type '.venv/bin/python -m pip install ziglang=={ZIG}' "
            "(a download of 100 MB, 410 MB on disk)"
        )
    used = [source, SOURCES / "simt.h", SOURCES / "start.s"] if source.suffix == ".c" else [source]
    with tempfile.TemporaryDirectory() as folder:
        script, out = Path(folder) / "link.ld", Path(folder) / "program.elf"
        script.write_text(SCRIPT.format(data=data))
        inputs = [str(one) for one in used if one.suffix != ".h"]
        command = [sys.executable, "-m", "ziglang", "cc", *FLAGS, f"-I{SOURCES}", f"-Wl,-T,{script}"]
        caches = {f"ZIG_{kind}_CACHE_DIR": str(kept("zig")) for kind in ("GLOBAL", "LOCAL")}
        done = subprocess.run(
            [*command, "-o", str(out), *inputs], capture_output=True, text=True, env={**os.environ, **caches}
        )
        if done.returncode:
            error = _first_error(done.stderr)
            raise UserError(error if str(source) in error else f"{source}: {error}")
        image = from_elf(out, source.stem)
    keys = {one.name: hashlib.sha256(one.read_bytes()).hexdigest() for one in used}
    return replace(image, sources=keys, tool=f"ziglang {version('ziglang')}, clang -O2 -march=rv32imf")


def _first_error(output: str) -> str:
    rows = [row.strip() for row in output.splitlines() if row.strip()]
    wrong = [row for row in rows if "error" in row] or rows or ["does not compile"]
    return wrong[0]
