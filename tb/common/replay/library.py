# SPDX-License-Identifier: Apache-2.0
"""Compiles a block's RTL and the replay harness into a shared library, once.

``build/<block>/replay-<configuration's hash>/<stamp>.so``: the stamp in the name is a hash of all that goes
into it (Verilog, harness, flags, tool), so that a library which is there is up to date; a checksum beside it
shows that it is whole. Configurations that differ in the testbench's memory alone share a library. A file
lock lets processes that want the same library wait for each other; whatever an interrupted build left is
removed by the next one.
"""

import ctypes
import os
import re
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from mako.template import Template

from configs import BlockConfig, UserError
from configs.parts import AxiLitePort
from tb.common.running import foreign, verilated
from tb.common.running.builds import (
    BUILD,
    BUILD_SECONDS,
    SPLIT,
    environment,
    locked,
    own_sources,
    read_by,
    sources_of,
)
from tb.common.running.tools import identity
from utils.files import is_sealed, seal
from utils.keys import digest

HERE = Path(__file__).parent
FLAGS = (
    *("--cc", "--exe", "--quiet", "--no-timing", "-Wno-fatal"),
    *("-O3", "--x-assign", "unique", "--x-initial", "unique", *SPLIT),
    *("-CFLAGS", f"-std=c++20 -fPIC -fvisibility=hidden -fno-gnu-unique -I{HERE}"),
    *("-CFLAGS", "-DVL_USER_FINISH -DVL_USER_STOP -DVL_USER_FATAL"),
    *("-LDFLAGS", "-shared"),
)
OPTIMISATION = tuple(f"OPT_{part}={os.environ.get('REPLAY_OPT', '-O2')}" for part in ("FAST", "GLOBAL"))
"""``-O2``, as all time is the design's. ``make test`` asks for ``-O1``: its replays are short."""
_NAMED = re.compile("^// Configuration: .*$", re.MULTILINE)  # in the header of a generated file
KEPT = 3  # libraries of one configuration that stay, the newest ones


@dataclass(frozen=True)
class Port:
    """Which streams of a block play which part in a replay, each on its own clock; None where there is none.

    Without ``result``, a request that is accepted is answered. ``state``: words that must reach the block
    between certain requests. ``event`` shows what the block does inside, ``mark`` (stream, field) is a bit
    whose cycles are noted.
    """

    request: str = "req"
    result: str | None = "res"
    event: str | None = "evt"
    counters: str | None = "perf"
    state: str | None = None
    mark: tuple[str, str] | None = None

    @property
    def streams(self) -> set[str]:
        """Names of the streams in use."""
        mark = self.mark[0] if self.mark else None
        names = (self.request, self.result, self.event, self.counters, self.state, mark)
        return {name for name in names if name}


@dataclass(frozen=True)
class Roles:
    """The ports that take requests. ``resetting``: an output that is 1 while the block is still in reset.
    ``counters``: streams of counters that are of no port. ``waiters``: how many wait at once, at most, where
    counters of cycles are sums over them.
    """

    ports: tuple[Port, ...] = (Port(),)
    resetting: str | None = None
    counters: tuple[str, ...] = ()
    waiters: int = 1

    @property
    def counted(self) -> tuple[str | None, ...]:
        """Streams of counters, as the library counts them: of each port, then the others."""
        return (*(port.counters for port in self.ports), *self.counters)

    def writable(self, cfg: BlockConfig) -> list[str]:
        """Streams into the block other than the requests, in the order in which the library counts them."""
        requests = {port.request for port in self.ports}
        return [s.name for s in cfg.streams.values() if s.direction == "in" and s.name not in requests]

    def check(self, cfg: BlockConfig) -> None:
        """Raises :class:`UserError` for a configuration that lacks a stream, as without its observers."""
        for name in sorted({*self.counters, *(name for port in self.ports for name in port.streams)}):
            if name not in cfg.streams:
                raise UserError(f"configuration {cfg.name} has no port {name}, which a replay needs")


def load_library(cfg: BlockConfig, rtl_dir: Path | None, roles: Roles, root: Path = BUILD) -> ctypes.CDLL:
    """The library of ``cfg``, or of the Verilog in ``rtl_dir`` with the same top and ports; built if need be.

    Raises :class:`UserError` for a missing tool or Verilog that Verilator rejects.
    """
    roles.check(cfg)
    if not rtl_dir:
        return _load_own(cfg, roles, root)
    read = read_by(sources_of(rtl_dir, cfg.top()))
    states = tuple((path, path.stat().st_mtime_ns) for path in read)
    return _load_foreign(cfg, rtl_dir, roles, root, states)


@cache
def _load_own(cfg: BlockConfig, roles: Roles, root: Path) -> ctypes.CDLL:
    """Once per process: the templates do not change meanwhile."""
    return _load(cfg, None, roles, root)


@cache
def _load_foreign(
    cfg: BlockConfig, rtl_dir: Path, roles: Roles, root: Path, _states: tuple[tuple[Path, int], ...]
) -> ctypes.CDLL:
    """Once per process and state of the files."""
    return _load(cfg, rtl_dir, roles, root)


def _load(cfg: BlockConfig, rtl_dir: Path | None, roles: Roles, root: Path) -> ctypes.CDLL:
    sources = sources_of(rtl_dir, cfg.top()) if rtl_dir else own_sources(cfg, root)
    harness = _harness(cfg, roles)
    place = f"-{digest([str(rtl_dir.resolve())])[:8]}" if rtl_dir else ""
    folder = root.resolve() / cfg.block / f"replay-{cfg.hash}{place}"
    with locked(folder):
        library = folder / f"{_stamp(sources, harness)}.so"
        if not is_sealed(library):
            if rtl_dir:
                foreign.check(cfg, rtl_dir, sources)
            _build(cfg, sources, harness, library, rtl_dir)
        return ctypes.CDLL(str(library))  # within the lock: nobody removes it in between


def _harness(cfg: BlockConfig, roles: Roles) -> str:
    template = Template(filename=str(HERE / "harness.cpp.mako"), strict_undefined=True)
    lite = [part for _, part in cfg if isinstance(part, AxiLitePort)]
    text: str = template.render(
        top=cfg.top(), streams=cfg.streams, ports=roles.ports, inputs=roles.writable(cfg),
        counted=roles.counted, axi_ports=cfg.axi_ports, clocks=cfg.clocks, resetting=roles.resetting,
        tied=[signal.name for port in lite for signal in port.signals if signal.direction == "in"],
    )  # fmt: skip
    return text


def _stamp(sources: tuple[Path, ...], harness: str) -> str:
    flags = repr((harness, FLAGS, OPTIMISATION, identity("verilator")))
    texts = [f"{path.name}\n{_NAMED.sub('', path.read_text(errors='replace'))}" for path in read_by(sources)]
    return digest([*texts, *sorted(HERE.glob("*.h")), flags])


def _build(
    cfg: BlockConfig, sources: tuple[Path, ...], harness: str, library: Path, rtl_dir: Path | None
) -> None:
    folder = library.parent
    folder.mkdir(parents=True, exist_ok=True)
    for leftover in folder.glob("building-*"):
        shutil.rmtree(leftover, ignore_errors=True)
    work = Path(tempfile.mkdtemp(prefix="building-", dir=folder))
    try:
        (work / "replay.cpp").write_text(harness)
        command = ["verilator", *FLAGS, "--top-module", cfg.top(), "--Mdir", str(work / "objects")]
        command += ["-o", "replay.so", *map(str, sources), str(work / "replay.cpp")]
        log = folder / "build.log"
        try:
            _compile(command, work / "objects", f"V{cfg.top()}.mk", work / log.name)
        except subprocess.CalledProcessError:
            _complain(cfg, (work / log.name).read_text(), log, rtl_dir)
        finally:
            os.replace(work / log.name, log)
        os.replace(work / "objects" / "replay.so", library)
        seal(library)
    finally:
        shutil.rmtree(work, ignore_errors=True)
    for old in sorted(folder.glob("*.so"), key=lambda path: path.stat().st_mtime_ns)[:-KEPT]:
        old.unlink()
        old.with_name(f"{old.name}.sha256").unlink(missing_ok=True)


def _compile(verilate: list[str], objects: Path, makefile: str, log: Path) -> None:
    """Verilog to C++ to a library. Raises CalledProcessError; the output goes to ``log``."""
    with log.open("w") as output:
        subprocess.run(
            verilate, env=environment(), stdout=output, stderr=output, check=True, timeout=BUILD_SECONDS
        )
        verilated.compile_design(objects, makefile, OPTIMISATION, output)


def _complain(cfg: BlockConfig, text: str, log: Path, rtl_dir: Path | None) -> None:
    errors = [line.strip() for line in text.splitlines() if "rror" in line] or text.splitlines()[-3:]
    problem = f"verilator cannot compile {rtl_dir or cfg.name}: {'; '.join(errors[:3])} (see {log})"
    raise UserError(problem) if rtl_dir else RuntimeError(problem)
