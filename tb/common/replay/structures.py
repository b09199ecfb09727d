# SPDX-License-Identifier: Apache-2.0
"""What the C++ side of a replay is handed: the twins of ``structures.h``."""

import ctypes

ROOM = 1 << 15  # rows of a chunk: its arrays stay in the processor's cache
TAIL = 64  # cycles in which nothing may come after the last result
EACH = (1 << 64) - 1  # results are due one for each request
MORE, DONE, DEADLOCK, SURPLUS, BAD_BURST, FATAL = range(6)


def _numbers(*names: str) -> list[tuple[str, type]]:
    return [(name, ctypes.c_uint64) for name in names]


def _arrays(*names: str) -> list[tuple[str, type]]:
    return [(name, ctypes.c_void_p) for name in names]


class Pattern(ctypes.Structure):
    """Active and idle cycles of a channel."""

    _fields_ = [*_arrays("active"), *_numbers("length", "at")]


class Options(ctypes.Structure):
    """All that is fixed while an instance lives."""

    _fields_ = [
        *_numbers("random_state", "patience", "latency", "gap", "contents_seed", "image_start"),
        *_numbers("image_words"), *_arrays("image"),
        *_numbers("line_bytes", "poisoned_count"), *_arrays("poisoned"), *_numbers("order"),
        *((name, Pattern) for name in ("request", "result", "address", "data")),
        *((name, Pattern) for name in ("write_address", "write_data", "response")),
        ("plusarg", ctypes.c_char_p),
    ]  # fmt: skip


class PortRun(ctypes.Structure):
    """A port's work in one run, and what it did in one call."""

    _fields_ = [
        *_arrays("requests"), *_numbers("count"), *_arrays("state", "before"),
        *_numbers("states", "sent", "stated", "answered"),
        *_arrays("results", "events", "result_cycle", "request_cycle", "mark_cycle"),
        *_numbers("new_results", "new_events", "new_requests", "new_marks", "due"), *_arrays("earliest"),
    ]  # fmt: skip


class AxiRun(ctypes.Structure):
    """What an AXI port asked for in one call."""

    _fields_ = [*_arrays("reads", "writes"), *_numbers("new_reads", "new_writes")]


class ReplayRun(ctypes.Structure):
    """One run, in several calls."""

    _fields_ = [*_arrays("ports", "axi"), *_numbers("tail", "room", "begun", "surplus")]


#: functions of the library whose result is no int
RESULTS = {
    "new": ctypes.c_void_p,
    "cycle": ctypes.c_uint64,
    "origin": ctypes.c_uint64,
    "message": ctypes.c_char_p,
    "written": ctypes.c_uint64,
}


def declare(library: ctypes.CDLL) -> None:
    """Tell ctypes what the functions return."""
    for name, kind in RESULTS.items():
        getattr(library, f"replay_{name}").restype = kind
