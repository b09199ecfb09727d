# SPDX-License-Identifier: Apache-2.0
"""The engine's library, compiled once, and its functions."""

import ctypes
import os
import subprocess
import sysconfig
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from tb.common.running.tools import require, wheel_root
from utils.files import is_sealed, locked, seal
from utils.keys import ROOT, digest

HERE = Path(__file__).parent
P, INT, U, Q, S = ctypes.c_void_p, ctypes.c_int, ctypes.c_uint32, ctypes.c_uint64, ctypes.c_char_p
N = ctypes.c_size_t
#: function: result, arguments; a leading "P" is the object that it acts on
FUNCTIONS: dict[str, tuple[Any, tuple[Any, ...]]] = {
    "engine_new": (P, (S, INT)),
    "engine_free": (None, (P,)),
    "engine_message": (S, (P,)),
    "engine_run": (INT, (P,)),
    "engine_delay": (Q, (P,)),
    "engine_once": (INT, (P,)),
    "engine_step": (INT, (P, S)),
    "engine_stop": (None, (P,)),
    "engine_code": (INT, (P,)),
    "engine_few": (INT, (P, INT)),
    "engine_clock": (INT, (P, S, Q)),
    "engine_start": (None, (P, INT, Q)),
    "engine_halves": (None, (P, INT, P, N)),
    "engine_reset": (None, (P, INT, INT, INT)),
    "engine_wake": (None, (P, INT, U, INT, INT)),
    "engine_cycle": (P, (P, INT)),
    "engine_source": (INT, (P, INT, S, S, S)),
    "engine_push": (None, (P, INT, P, S, N)),
    "engine_source_set": (None, (P, INT, INT, INT)),
    "engine_force": (None, (P, INT, S)),
    "engine_replace": (None, (P, INT, S)),
    "engine_drop": (U, (P, INT, INT)),
    "engine_loaded": (INT, (P, INT)),
    "engine_finished": (P, (P, P)),
    "engine_channel": (INT, (P, INT, S, S, S, INT, INT)),
    "engine_field": (INT, (P, INT, S, INT)),
    "engine_channel_reset": (U, (P, INT)),
    "engine_channel_state": (None, (P, INT, P)),
    "engine_channel_words": (INT, (P, INT)),
    "engine_await": (None, (P, INT, INT)),
    "engine_records": (P, (P, P)),
    "engine_forget": (None, (P,)),
    "engine_sink": (INT, (P, INT, S, INT)),
    "engine_sink_pace": (None, (P, INT, P, ctypes.c_double, ctypes.c_double, ctypes.c_int64, INT)),
    "engine_sink_play": (None, (P, INT, S, N)),
    "engine_memory": (P, (P, INT, S, U, P, P, P)),
    "contents_new": (P, (U,)),
    "contents_free": (None, (P,)),
    "contents_read": (None, (P, Q, P, Q)),
    "contents_write": (None, (P, Q, S, S, Q)),
    "contents_touched": (N, (P, P, N)),
    "memory_reset": (None, (P,)),
    "memory_timing": (None, (P, U, U)),
    "memory_pace": (None, (P, Q, P, S)),
    "memory_mix": (None, (P, INT, INT)),
    "memory_wait_for": (None, (P, INT)),
    "memory_hold": (None, (P, INT, INT)),
    "memory_loaded": (INT, (P, INT)),
    "memory_outstanding": (U, (P,)),
    "memory_poison": (None, (P, INT, Q, P, N)),
    "memory_heal": (None, (P, INT)),
    "memory_faults": (None, (P, INT, INT, INT)),
}


def _asked_root() -> str:
    command = [str(require("verilator")), "--getenv", "VERILATOR_ROOT"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


@cache
def compiled() -> Path:
    """The library's file, made anew when its sources or numpy changed."""
    root = wheel_root() or _asked_root()
    include = (f"{root}/include/vltstd", np.get_include(), sysconfig.get_path("include"))
    command = [
        "g++", "-std=c++20", "-O2", "-shared", "-fPIC", *(f"-I{folder}" for folder in include),
        str(HERE / "engine.cpp"), str(Path(np.__file__).parent / "random/lib/libnpyrandom.a"),
    ]  # fmt: skip
    sources = sorted([*HERE.glob("*.h"), HERE / "engine.cpp"])
    path = ROOT / "build/engine" / f"{digest([*sources, ' '.join(command), np.__version__])}.so"
    with locked(path):
        if not is_sealed(path):
            temporary = path.with_suffix(f".{os.getpid()}.so")
            subprocess.run([*command, "-o", str(temporary)], check=True)
            temporary.replace(path)
            seal(path)
    return path


@cache
def library() -> Any:
    """The library with the types of its functions."""
    loaded = ctypes.CDLL(str(compiled()), mode=os.RTLD_LAZY)
    for name, (result, arguments) in FUNCTIONS.items():
        function = getattr(loaded, name)
        function.restype, function.argtypes = result, arguments
    return loaded


def generator(rng: np.random.Generator) -> int:
    """The address of a generator's state for numpy's C functions."""
    return int(rng.bit_generator.ctypes.bit_generator.value)
