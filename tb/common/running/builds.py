# SPDX-License-Identifier: Apache-2.0
"""Compiles a design for a simulator, once: a build is reused until something that goes into it changes.

``build/<block>/<configuration>/<simulator>[-cov][-waves]/``; the stamp in it is written last, so that an
interrupted build is not taken for a finished one, a damaged one is compiled again, and a file lock lets
processes that want the same build wait for each other.
"""

import importlib.metadata
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import rtl
from configs import UserError
from rtl.wrapper import FIELDS
from tb.common.engine import library
from tb.common.running import foreign
from tb.common.running.settings import SIMULATORS as SIMULATORS
from tb.common.running.tools import identity, require, tool_environment
from utils import keys
from utils.files import is_sealed, seal, write_atomic
from utils.files import locked as locked  # for the callers of this module
from utils.keys import digest
from utils.processes import group

ROOT = keys.ROOT
BUILD = ROOT / "build"
TIMESCALE = ("1ns", "1ps")
ENGINE = Path(__file__).parent.parent / "engine"
MAIN, WAKE = ENGINE / "main.cpp", ENGINE / "wake.v"  # of Verilator's executable; a second top on Icarus
BUILD_SECONDS = 900
_READ = re.compile(r'(?:`include|\$readmem[bh]\s*\()\s*"([^"\n]+)"')

# not --coverage: its FSM part (Verilator 5.48) fails on memories that are read in an assignment
COVERAGE_ARGUMENTS = ["--coverage-line", "--coverage-toggle", "--coverage-expr"]
#: what takes a compiler long, and a design of many ports for ever, are functions of thousands of lines
SPLIT = ["--output-split-cfuncs", "500"]
VERILATOR_ARGUMENTS = [
    *SPLIT,
    "--no-timing",
    "-Wno-fatal",  # lint is another tool's affair; a netlist or a user's file may be untidy
    "--x-assign",
    "unique",
    "--x-initial",
    "unique",
    "-CFLAGS",
    "-std=c++20",
]
OPTIMISATION = ["OPT_FAST=-O1", "OPT_GLOBAL=-O2"]  # most time is Python's: -O2 compiles longer than it saves


#: what the counters of a design begin with, which asks for it by this macro: soon they wrap around
COUNTER_MACRO, COUNTER_START = "CACHEFORGE_COUNTER_START", 0xFFFFFFF0
#: lets changes take an edge longer through a synchronizer, at random from what :func:`late` says
LATE_MACRO = "CACHEFORGE_LATE_SYNC"


@dataclass(frozen=True)
class Build:
    """A compiled design: what it was made from and where it lies."""

    cfg: Any
    simulator: str
    folder: Path
    sources: tuple[Path, ...]
    coverage: bool
    waves: bool

    @property
    def design(self) -> Path:
        """What the simulator runs."""
        return self.folder / (self.cfg.top() if self.simulator == "verilator" else "sim.vvp")

    @property
    def counter_start(self) -> int:
        """What the design's counters begin with."""
        present = any(COUNTER_MACRO in path.read_text(errors="replace") for path in self.sources)
        return COUNTER_START if present else 0


def environment() -> dict[str, str]:
    """The environment of everything that builds or simulates."""
    outer = ("MAKEFLAGS", "MFLAGS", "MAKELEVEL")  # of the make that started us: none of Verilator's business
    ruling = ("WAVES", "GUI")  # cocotb's runner heeds them before what it is told
    return {
        **{name: value for name, value in os.environ.items() if name not in (*outer, *ruling)},
        **tool_environment(),
        "COCOTB_TRUST_INERTIAL_WRITES": "1",
        "COCOTB_REWRITE_ASSERTION_FILES": "",  # rewriting every import's assertions takes four seconds
        "PYTHONPATH": str(ROOT),
    }


def check_simulator(name: str) -> None:
    """Raises :class:`UserError` for an unknown or missing simulator."""
    if name not in SIMULATORS:
        raise UserError(f"unknown simulator {name!r}: choose one of {', '.join(SIMULATORS)}")
    require(name)


def own_sources(cfg: Any, root: Path = BUILD) -> tuple[Path, ...]:
    """Generates the Verilog of ``cfg`` below ``root``; files in compile order.

    Raises :class:`UserError` for a configuration that leaves out what the testbench watches.
    """
    if cfg.streams != cfg.all_streams:
        raise UserError(
            f"{cfg.name} with observe=false: testbench and report watch these ports; use observe=true"
        )
    folder = cfg.build_folder(root) / "rtl"
    with locked(folder):
        return tuple(rtl.write(cfg, folder))


def sources_of(folder: Path, top: str) -> tuple[Path, ...]:
    """Verilog from elsewhere: the files that ``filelist.f`` names, or all ``*.v``; no wrapper of ``top``.

    Raises :class:`UserError` when there are none, or none declares module ``top``.
    """
    listing = folder / "filelist.f"
    if not folder.is_dir():
        raise UserError(f"{folder}: no such folder; give one with Verilog files")
    names = listing.read_text().split() if listing.is_file() else sorted(p.name for p in folder.glob("*.v"))
    files = tuple((folder / name).resolve() for name in names if not name.endswith(f"{top}{FIELDS}.v"))
    missing = [str(path) for path in files if not path.is_file()]
    if missing or not files:
        raise UserError(f"{folder}: no Verilog there ({', '.join(missing) or 'neither filelist.f nor *.v'})")
    if not any(f"module {top}" in path.read_text(errors="replace") for path in files):
        raise UserError(f"{folder}: no file declares module {top}, the design's top")
    return files


def read_by(sources: Sequence[Path]) -> list[Path]:
    """``sources``, and the files that these include or read, and so on, as far as they are there."""
    files = list(dict.fromkeys(sources))
    for path in files:  # grows meanwhile
        names = _READ.findall(path.read_text(errors="replace"))
        there = (file for name in names if (file := path.parent / name).is_file())
        files += [file for file in there if file not in files]
    return files


def foreign_sources(cfg: Any, folder: Path) -> tuple[Path, ...]:
    """Verilog from elsewhere that is a design for ``cfg``. Raises :class:`UserError` if it is not."""
    files = sources_of(folder, cfg.top())
    foreign.check(cfg, folder, files)
    return files


def build(
    cfg: Any,
    simulator: str,
    *,
    rtl_dir: Path | None = None,
    coverage: bool = False,
    waves: bool = False,
    root: Path = BUILD,
) -> Build:
    """Compile ``cfg`` (or the Verilog in ``rtl_dir``, with the same top and ports), unless that is done.

    Raises :class:`UserError` for a missing simulator, or when the compiler rejects Verilog from elsewhere.
    """
    check_simulator(simulator)
    if coverage and simulator != "verilator":
        raise UserError(f"code coverage comes from verilator, not from {simulator}: use --sim verilator")
    sources = foreign_sources(cfg, rtl_dir) if rtl_dir else own_sources(cfg, root)
    name = simulator + "-cov" * coverage + "-waves" * waves
    if rtl_dir:
        name += "-" + digest([str(rtl_dir.resolve())])[:8]
    folder = cfg.build_folder(root).resolve() / name
    made = Build(cfg, simulator, folder, sources, coverage, waves)
    library.compiled()
    with locked(folder):
        stamp, path = _stamp(made), folder / "stamp"
        if not (path.is_file() and path.read_bytes() == stamp.encode() and is_sealed(made.design)):
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir(parents=True)
            _compile(made, rtl_dir)
            seal(made.design)
            write_atomic(path, stamp)
    return made


def late(seed: int) -> str:
    """The plusarg for synchronizers of a run: with seed 1 of the published delay, with others at random."""
    return f"+late={(seed - 1) * 2654435761 % (1 << 32)}"


def arguments(made: Build) -> list[str]:
    """The simulator's own arguments."""
    defined = [f"-D{COUNTER_MACRO}=32'h{COUNTER_START:x}", f"-D{LATE_MACRO}"]
    if made.simulator == "icarus":
        return defined
    extra = COVERAGE_ARGUMENTS * made.coverage + ["--trace-fst", "--trace-structs"] * made.waves
    return [*VERILATOR_ARGUMENTS, *defined, *extra]


def _stamp(made: Build) -> str:
    versions = (importlib.metadata.version("cocotb"), sys.version)
    paths = [str(path) for path in made.sources]
    parts = (paths, arguments(made), OPTIMISATION, made.waves, identity(made.simulator), *versions)
    return digest([*read_by(made.sources), MAIN if made.simulator == "verilator" else WAKE, repr(parts)])


def _compile(made: Build, rtl_dir: Path | None) -> None:
    order = {
        "do": "build",
        "parent": os.getpid(),
        "simulator": made.simulator,
        "top": made.cfg.top(),
        "folder": str(made.folder),
        "sources": [str(path) for path in made.sources],
        "ports": list(foreign.ports(made.sources, made.cfg.top()) or "*"),
        "arguments": arguments(made),
        "waves": made.waves,
    }
    log = made.folder / "build.log"
    with group(
        [sys.executable, "-m", "tb.common.running.simulate", json.dumps(order)],
        env=environment(),
        cwd=ROOT,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as process:
        code = process.wait(BUILD_SECONDS)
    if code:
        text = log.read_text() if log.is_file() else ""
        errors = [line for line in text.splitlines() if "rror" in line] or text.splitlines()
        problem = (
            f"{made.simulator} cannot compile {rtl_dir or made.cfg.name}: {'; '.join(errors[:3])} (see {log})"
        )
        raise UserError(problem) if rtl_dir else RuntimeError(problem)
