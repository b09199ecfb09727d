# SPDX-License-Identifier: Apache-2.0
"""The C library of programs: musl's and compiler-rt's sources, which ``ziglang`` brings, compiled once.

``runtime`` has its ends on this machine: output, stops, and how threads enter it one after the other.
"""

import importlib.util
import os
import re
import subprocess
import sys
import tempfile
from functools import cache
from importlib.metadata import version
from pathlib import Path

from configs import UserError
from utils.keys import digest, kept

RUNTIME = Path(__file__).parent / "runtime"
MACHINE = "-mcpu=generic_rv32+m+f"
FLAGS = (
    "-std=c99", "-Os", "-mabi=ilp32f", "-w", "-fno-builtin", "-fno-sanitize=all", "-ffp-contract=off",
    "-ffunction-sections", "-fdata-sections", "-D_XOPEN_SOURCE=700", "-Dvfprintf=musl_vfprintf",
    "-Dmalloc=simt_malloc", "-Drealloc=simt_realloc", "-Dfree=simt_free",
)  # fmt: skip
#: of ziglang's own C library, which musl's completes; others call an operating system
PARTS = ("ctype", "inttypes", "math", "search", "stdlib", "string", "strings")
#: of musl's ``src``
SOURCES = (
    "math/*", "multibyte/*", "stdlib/atof", "stdlib/strtod", "internal/floatscan", "internal/intscan",
    "internal/shgetc", "stdio/vfprintf", "stdio/vsnprintf", "stdio/snprintf", "stdio/vsprintf",
    "stdio/sprintf", "stdio/sscanf", "stdio/vsscanf", "stdio/vfscanf", "stdio/fwrite", "stdio/__to*",
    "stdio/__uflow",
)  # fmt: skip
#: what programs call that threads need not enter one after the other, and what is no function
AT_ONCE = {"abort", "exit", "_Exit", "__assert_fail", "__errno_location", "stdout", "stderr"}
#: what to do without functions that need an operating system
MISSING = (
    (r"malloc|calloc|realloc|free|aligned_alloc", "there is no heap: use static or local arrays"),
    (r"__atomic_.*|__sync_.*", "there are no atomic instructions: give each thread a word of its own"),
    (r"pthread_.*|thrd_.*|mtx_.*|cnd_.*", "threads are those of WARPS and THREADS: simt_index() of simt.h"),
    (r"f?open|fclose|fread|fgets|f?getc|getchar|gets|scanf|fscanf|fseek|ftell|stdin|read|write|remove",
     "there are no files and there is no input: put data into arrays; printf and puts write"),
    (r"time|clock|gettimeofday|clock_gettime|sleep", "there is no clock: make run counts instructions"),
    (r"setjmp|longjmp|signal|raise|system|getenv|fork|atexit", "return from functions instead"),
)  # fmt: skip
ELSE = "neither the program has it nor the C library, which is for .c files (docs/simt.md)"


def zig(*arguments: str, folder: Path | None = None) -> "subprocess.CompletedProcess[str]":
    """A finished run of ziglang's compiler, in ``folder``."""
    caches = {f"ZIG_{kind}_CACHE_DIR": str(kept("zig")) for kind in ("GLOBAL", "LOCAL")}
    return subprocess.run(
        [sys.executable, "-m", "ziglang", *arguments],
        capture_output=True, text=True, env={**os.environ, **caches}, cwd=folder,
    )  # fmt: skip


@cache
def lib() -> Path:
    """Ziglang's folder of sources."""
    spec = importlib.util.find_spec("ziglang")
    assert spec and spec.origin
    return Path(spec.origin).parent / "lib"


def headers() -> list[str]:
    """Compiler options for musl's headers."""
    folders = ("riscv32-linux-musl", "generic-musl")
    return [option for folder in folders for option in ("-isystem", str(lib() / "libc/include" / folder))]


def archive() -> Path:
    """The library, compiled if it is not kept. Raises :class:`UserError`."""
    sources = sorted(RUNTIME.iterdir())
    key = digest([version("ziglang"), MACHINE, *FLAGS, *PARTS, *SOURCES, *sources])
    path = kept("zig") / f"libsimt-{key}.a"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=path.parent) as folder:
            made = Path(folder) / path.name
            _compile(Path(folder), made, sources)
            made.replace(path)
    return path


def _compile(folder: Path, made: Path, sources: list[Path]) -> None:
    """The archive ``made`` of ziglang's sources and ours."""
    musl, root = lib() / "libc/musl", folder / "c.zig"
    whole = (lib() / "c.zig").read_text()
    root.write_text("".join(line for line in whole.splitlines(True) if _wanted(line)))
    (folder / "c").symlink_to(lib() / "c")
    files = [path for pattern in SOURCES for path in sorted((musl / "src").glob(f"{pattern}.c"))]
    places = ("arch/riscv32", "arch/generic", "src/include", "src/internal")
    done = zig(
        "build-lib", "-lc", str(root), "-target", "riscv32-linux-musl", MACHINE, "-OReleaseSmall", "-fstrip",
        "-fsingle-threaded", "-ffunction-sections", "-fdata-sections", "-fcompiler-rt", f"-femit-bin={made}",
        "-cflags", *FLAGS, *(f"-I{musl / place}" for place in places), "--", *map(str, [*files, *sources]),
    )  # fmt: skip
    if done.returncode:
        raise UserError(f"ziglang {version('ziglang')} does not compile its C library: {done.stderr[:300]}")


def _wanted(line: str) -> bool:
    part = re.search(r'@import\("c/(.*)\.zig"\)', line)
    return part is None or part[1] in PARTS


def entries(names: set[str]) -> str:
    """Assembly through which a program calls the functions ``names`` of the library."""
    # Runtime's division is taken before other members of the archive ask for compiler-rt's.
    rows = ["    .section .unused\n    .word __divdf3\n"]
    rows += [
        f"    .section .text.{name}, \"ax\", @progbits\n    .globl __wrap_{name}\n__wrap_{name}:\n"
        f"    la t0, __real_{name}\n    tail simt_serial\n"
        for name in sorted(names)
    ]  # fmt: skip
    return "".join(rows)


def refused(name: str) -> str:
    """What to do without the function ``name``, which the machine cannot have; empty for all others."""
    return next((words for names, words in MISSING if re.fullmatch(names, name)), "")
