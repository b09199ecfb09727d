# SPDX-License-Identifier: Apache-2.0
"""Compiles the C++ that Verilator wrote, without its runtime: that is compiled once for all designs.

The runtime (``verilated.cpp`` and what goes with it) costs 5 to 20 s of CPU each time. It lies in
``build/verilated/<key>.a``, where the key is a hash of the commands that compile it: one library for each set
of flags. A design's own files are compiled as one, which is three times as fast as file by file with
precompiled headers. ``python -m tb.common.running.verilated FOLDER MAKEFILE [NAME=VALUE...]``
"""

import os
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TextIO

from tb.common.running.builds import BUILD, BUILD_SECONDS, environment, locked
from tb.common.running.tools import identity
from utils.files import is_sealed, seal
from utils.keys import digest

ARCHIVES = BUILD / "verilated"
JOBS = f"-j{os.cpu_count() or 1}"


def compile_design(
    folder: Path, makefile: str, variables: Sequence[str], output: TextIO | None = None
) -> None:
    """Make the makefile's own target in ``folder``, where Verilator wrote its files.

    ``variables`` are make's, as ``OPT_FAST=-O1``; ``output`` takes what make and compiler say, else stdout.
    Raises CalledProcessError.
    """
    make = ["make", "--no-print-directory", "-C", str(folder), "-f", makefile, *variables]
    archive = _runtime(folder, make, output)
    _run([*make, JOBS, "VM_PARALLEL_BUILDS=0", "VK_GLOBAL_OBJS=", f"USER_LDLIBS={archive}"], output)


def _runtime(folder: Path, make: list[str], output: TextIO | None) -> Path:
    """The library of the runtime's objects that the makefile asks for, compiled by its rules."""
    lists = "".join(path.read_text() for path in folder.glob("*_classes.mk"))
    objects = [f"{name}.o" for name in re.findall(r"^  (verilated\w*) ", lists, re.MULTILINE)]
    commands = _asked([*make, "--dry-run", *objects]).replace(str(folder), "")
    archive = ARCHIVES / f"{digest([commands, identity('verilator')])}.a"
    with locked(archive):
        if not is_sealed(archive):
            _run([*make, JOBS, *objects], output)
            _run(["ar", "rcs", str(folder / archive.name), *(str(folder / name) for name in objects)], output)
            os.replace(folder / archive.name, archive)
            seal(archive)
    return archive


def _run(command: list[str], output: TextIO | None) -> None:
    subprocess.run(
        command, env=environment(), stdout=output, stderr=output, check=True, timeout=BUILD_SECONDS
    )


def _asked(command: list[str]) -> str:
    return subprocess.run(command, env=environment(), stdout=subprocess.PIPE, text=True, check=True).stdout


if __name__ == "__main__":
    try:
        compile_design(Path(sys.argv[1]), sys.argv[2], sys.argv[3:])
    except subprocess.CalledProcessError as error:
        sys.exit(error.returncode)
