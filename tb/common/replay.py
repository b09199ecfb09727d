# SPDX-License-Identifier: Apache-2.0
"""Trace replay: a block's Verilated RTL as a shared library, arrays in and arrays out, no Python per cycle.

The C++ side (``replay.cpp.mako``) is generated from the block's port description. A block's own
``tb/<block>/replay.py`` turns its accesses into packed words and the words back into records.
"""

import ctypes
import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from mako.template import Template
from numpy.typing import NDArray

from configs import BlockConfig, MemoryTiming, Stream, UserError
from configs.files import write_atomic
from rtl import write
from tb.common.tools import require, tool_environment

TEMPLATE = Path(__file__).with_name("replay.cpp.mako")
FLAGS = (
    "--cc", "--exe", "--build", "-O3", "--x-assign", "fast", "--x-initial", "unique", "--quiet",
    "-CFLAGS", "-std=c++20 -O2 -fPIC", "-LDFLAGS", "-shared", "-MAKEFLAGS", "OPT_FAST=-O2 OPT_SLOW=-O1 CFG_CXXFLAGS_PCH_I=-include",
)  # fmt: skip
PATIENCE = 100_000
"""Cycles without a single handshake after which a run counts as dead."""


class DeadlockError(RuntimeError):
    """The RTL stopped answering; the message says at which request."""


@dataclass(frozen=True)
class Pauses:
    """How often each channel pauses, as a probability per cycle; all choices follow from ``seed``."""

    seed: int = 1
    request: float = 0.0
    result: float = 0.0
    address: float = 0.0
    data: float = 0.0


@dataclass(frozen=True)
class Outcome:
    """What one run gave, as packed words (uint32 [n, lanes]) and cycle numbers (uint64 [n])."""

    results: NDArray[np.uint32]
    events: NDArray[np.uint32]
    addresses: NDArray[np.uint64]  # byte addresses of the bursts, in order
    request_cycle: NDArray[np.uint64]
    result_cycle: NDArray[np.uint64]


class _Memory(ctypes.Structure):
    _fields_ = [
        (name, ctypes.c_uint64) for name in ("latency", "gap", "image_start", "image_words")
    ] + [
        ("image", ctypes.c_void_p), ("poisoned_lines", ctypes.c_uint64), ("poisoned", ctypes.c_void_p),
        ("seed", ctypes.c_uint32),
    ]  # fmt: skip


class _Pauses(ctypes.Structure):
    _fields_ = [(name, ctypes.c_uint32) for name in ("seed", "request", "result", "address", "data")]


class _Run(ctypes.Structure):
    _fields_ = [
        ("count", ctypes.c_uint64), ("requests", ctypes.c_void_p), ("results", ctypes.c_void_p),
        ("request_cycle", ctypes.c_void_p), ("result_cycle", ctypes.c_void_p),
        ("event_room", ctypes.c_uint64), ("events", ctypes.c_void_p), ("event_count", ctypes.c_uint64),
        ("address_room", ctypes.c_uint64), ("addresses", ctypes.c_void_p), ("address_count", ctypes.c_uint64),
        ("requests_taken", ctypes.c_uint64), ("results_seen", ctypes.c_uint64),
        ("until", ctypes.c_uint64), ("patience", ctypes.c_uint64),
    ]  # fmt: skip


def lanes(stream: Stream) -> int:
    """32-bit words that hold one packed word of ``stream``."""
    return (stream.width + 31) // 32


def pack_lanes(stream: Stream, columns: Mapping[str, NDArray[Any]]) -> NDArray[np.uint32]:
    """Pack columns [n] of fields of at most 32 bits into uint32 [n, lanes]. Raises ValueError out of range."""
    count = len(next(iter(columns.values())))
    packed = np.zeros((count, lanes(stream)), np.uint32)
    for field in stream.fields:
        values = np.asarray(columns[field.name]).astype(np.int64)
        low = -(1 << field.width - 1) if field.signed else 0
        if count and not low <= values.min() <= values.max() < low + (1 << field.width):
            raise ValueError(f"stream {stream.name}: field {field.name} has values out of range")
        lane, shift = divmod(stream.offset(field.name), 32)
        bits = (values & (1 << field.width) - 1).astype(np.uint64) << np.uint64(shift)
        packed[:, lane] |= bits.astype(np.uint32)
        if shift + field.width > 32:
            packed[:, lane + 1] |= (bits >> np.uint64(32)).astype(np.uint32)
    return packed


def unpack_lanes(stream: Stream, words: NDArray[np.uint32], name: str) -> NDArray[np.int64]:
    """One field of packed words [n, lanes] as int64 [n]; fields of at most 32 bits."""
    field = next(field for field in stream.fields if field.name == name)
    lane, shift = divmod(stream.offset(name), 32)
    values = words[:, lane].astype(np.int64) >> shift
    if shift + field.width > 32:
        values |= words[:, lane + 1].astype(np.int64) << (32 - shift)
    values &= (1 << field.width) - 1
    if field.signed:
        values -= (values >> field.width - 1) << field.width
    return values


class Replay:
    """One Verilated instance of ``cfg``; :meth:`run` may be called again and goes on from where it was.

    Raises :class:`UserError` where Verilator is missing or refuses the Verilog.
    """

    def __init__(self, cfg: BlockConfig, rtl_dir: Path | str | None = None, random_reset: int = 0) -> None:
        self.cfg = cfg
        self._library = ctypes.CDLL(str(build(cfg, Path(rtl_dir) if rtl_dir else None)))
        self._library.replay_new.restype = ctypes.c_void_p
        self._library.replay_cycle.restype = ctypes.c_uint64
        self._self = ctypes.c_void_p(self._library.replay_new(ctypes.c_uint32(random_reset)))
        self._held: list[Any] = []  # arrays that the library points to
        self.memory(cfg.memory, seed=1)

    def __del__(self) -> None:
        if getattr(self, "_self", None):
            self._library.replay_delete(self._self)

    def memory(
        self, timing: MemoryTiming, seed: int, *, base: int = 0,
        image: NDArray[np.uint32] | None = None, poisoned: NDArray[np.uint64] | None = None,
    ) -> None:  # fmt: skip
        """Timing and contents of the memory; ``poisoned``: byte addresses of bursts that answer SLVERR."""
        words = np.ascontiguousarray([] if image is None else image, np.uint32).reshape(-1)
        bad = np.sort(np.ascontiguousarray([] if poisoned is None else poisoned, np.uint64))
        self._held = [words, bad]
        arguments = _Memory(
            timing.latency, timing.gap, base // 4, len(words), words.ctypes.data, len(bad), bad.ctypes.data, seed
        )
        self._library.replay_timing(self._self, ctypes.byref(arguments))

    def pauses(self, pauses: Pauses) -> None:
        """Let channels pause at random."""
        shares = [round(256 * share) for share in (pauses.request, pauses.result, pauses.address, pauses.data)]
        self._library.replay_pauses(self._self, ctypes.byref(_Pauses(pauses.seed, *shares)))

    def reset(self) -> None:
        """Assert reset for some cycles; the memory forgets open bursts."""
        self._library.replay_reset(self._self)

    def feed(self, stream: str, words: NDArray[np.uint32]) -> None:
        """Write packed words [n, lanes] to an input stream other than the requests."""
        words = np.ascontiguousarray(words, np.uint32)
        taken = self._library[f"replay_feed_{stream}"](self._self, ctypes.c_uint64(len(words)), _pointer(words))
        if not taken:
            raise DeadlockError(f"{self.cfg.name}: stream {stream} stays unready")

    def counters(self) -> dict[str, int]:
        """The performance counters."""
        stream = self.cfg.streams["perf"]
        words = np.zeros((1, lanes(stream)), np.uint32)
        self._library.replay_counters(self._self, _pointer(words))
        return {field.name: int(unpack_lanes(stream, words, field.name)[0]) for field in stream.fields}

    @property
    def cycle(self) -> int:
        """Cycles since power-up."""
        return int(self._library.replay_cycle(self._self))

    def run(
        self, requests: NDArray[np.uint32], events: int, bursts: int,
        progress: Callable[[int], None] | None = None, step: int = 50_000, patience: int = PATIENCE,
    ) -> Outcome:  # fmt: skip
        """Send packed requests [n, lanes] and wait for as many results.

        ``events`` and ``bursts`` bound what is recorded per request. ``progress`` gets the number of results
        after every ``step``. Raises :class:`DeadlockError` if nothing moves for ``patience`` cycles.
        """
        count = len(requests)
        requests = np.ascontiguousarray(requests, np.uint32)
        streams = self.cfg.streams
        results = np.zeros((count, lanes(streams["res"])), np.uint32)
        # with a request in flight beyond the last result there is none to come: all are recorded
        event_words = np.zeros((events * count, lanes(streams["evt"])), np.uint32)
        addresses = np.zeros(bursts * count, np.uint64)
        stamps = np.zeros((2, count), np.uint64)
        state = _Run(
            count, requests.ctypes.data, results.ctypes.data, stamps[0].ctypes.data, stamps[1].ctypes.data,
            len(event_words), event_words.ctypes.data, 0, len(addresses), addresses.ctypes.data, 0, 0, 0, 0, patience,
        )  # fmt: skip
        while state.results_seen < count:
            state.until = min(count, state.results_seen + step)
            code = self._library.replay_run(self._self, ctypes.byref(state))
            if code == 1:
                raise DeadlockError(
                    f"{self.cfg.name}: no handshake for {patience} cycles, at cycle {self.cycle}; "
                    f"{state.requests_taken} of {count} requests were taken, result {state.results_seen} is due"
                )
            if code:
                raise RuntimeError(f"{self.cfg.name}: more events or bursts than {events} and {bursts} per request")
            if progress:
                progress(int(state.results_seen))
        return Outcome(
            results, event_words[: state.event_count], addresses[: state.address_count], stamps[0], stamps[1]
        )


def _pointer(array: NDArray[Any]) -> ctypes.c_void_p:
    return ctypes.c_void_p(array.ctypes.data)


def build(cfg: BlockConfig, rtl_dir: Path | None = None) -> Path:
    """The shared library of ``cfg`` (of the Verilog in ``rtl_dir``, if given), built if it is not there yet.

    A stamp over Verilog, harness, flags and tool decides; processes that build at once wait for each other.
    """
    require("verilator")
    folder = cfg.build_folder() / "replay"
    folder.mkdir(parents=True, exist_ok=True)
    with locked(folder / "lock"):
        sources = _sources(rtl_dir) if rtl_dir else write(cfg, cfg.build_folder() / "rtl")
        harness = Template(filename=str(TEMPLATE), strict_undefined=True).render(
            top=cfg.block, streams=cfg.streams, request="req", result="res", event="evt",
            data_bits=getattr(cfg, "axi_data_bits"),
        )  # fmt: skip
        stamp = hashlib.sha256(
            b"\0".join([harness.encode(), repr((FLAGS, sys.platform)).encode(), *(p.read_bytes() for p in sources)])
        ).hexdigest()[:16]
        library = folder / f"{stamp}.so"
        if not library.exists():
            _verilate(cfg, sources, harness, folder, library)
    return library


def _sources(folder: Path) -> list[Path]:
    """Verilog files of a folder of the user's: as its ``filelist.f`` says, else all."""
    listed = folder / "filelist.f"
    names = listed.read_text().split() if listed.is_file() else sorted(path.name for path in folder.glob("*.v"))
    missing = [name for name in names if not (folder / name).is_file()]
    if missing or not names:
        raise UserError(f"RTL_DIR {folder}: {'no file ' + missing[0] if missing else 'holds no Verilog (*.v)'}")
    return [folder / name for name in names]


def _verilate(cfg: BlockConfig, sources: list[Path], harness: str, folder: Path, library: Path) -> None:
    objects = folder / f"{library.stem}.build"
    shutil.rmtree(objects, ignore_errors=True)
    write_atomic(objects / "replay.cpp", harness)
    command = [
        "verilator", *FLAGS, "-Wno-fatal", "--top-module", cfg.block, "--Mdir", str(objects.resolve() / "obj"),
        "-o", "replay.so", *(str(path.resolve()) for path in sources), str(objects.resolve() / "replay.cpp"),
    ]  # fmt: skip
    result = subprocess.run(command, env={**os.environ, **tool_environment()}, capture_output=True, text=True)
    if result.returncode:
        log = folder / "build.log"
        write_atomic(log, " ".join(command) + "\n" + result.stdout + result.stderr)
        first = next((line for line in result.stderr.splitlines() if "rror" in line), "see the log")
        raise UserError(f"Verilator refuses the RTL of {cfg.name}: {first.strip()} (all of it in {log})")
    os.replace(objects / "obj" / "replay.so", library)
    shutil.rmtree(objects, ignore_errors=True)


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold a lock file: one builder at a time, also across processes."""
    with path.open("w") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
