# SPDX-License-Identifier: Apache-2.0
"""Trace files of ``lpas``: a row for each request of any PE (:mod:`workloads.traces.requests`).

``pe``, ``op``, ``word``, and if need be ``value`` and ``at``, the cycle before which it is not offered. A
PE's requests are offered in their order in the file; PEs do not wait for each other.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from configs import Field, Stream, UserError
from configs.lpas.schema import LDM, LOAD, OP_BITS, OPS, Config
from models.lpas import REQUEST
from workloads.traces.columns import of_stream
from workloads.traces.npz_table import Arrays
from workloads.traces.requests import Default, Requests, load_requests, records, requests_from_arrays

AT_BITS = 40  # of a cycle


def stream(cfg: Config) -> Stream:
    """What a row of a file is: a request, whose it is, and when it comes."""
    own = cfg.streams[f"req{cfg.pes - 1}"]
    fields = (
        Field("pe", cfg.array.pe_bits, doc="the PE, row by row"),
        Field("op", OP_BITS, doc="load, store; of the last PE ldm, stm, flush too", names=OPS),
        own.field("word"),
        own.field("value"),
        Field("at", AT_BITS, doc="first cycle in which it may be offered, from the end of reset on"),
    )
    return Stream("access", "in", fields)


def defaults(_cfg: Config) -> Mapping[str, Default]:
    """Fields that a trace may leave out: loads, as early as can be."""
    return {"op": LOAD, "value": 0, "at": 0}


def columns(cfg: Config) -> Iterable[str]:
    """Names of the columns of a request."""
    return of_stream(stream(cfg))


def load_trace(path: Path | str, cfg: Config) -> Requests:
    """Reads a trace file. Raises :class:`configs.UserError` naming file, line or array, and rule."""
    trace = load_requests(path, stream(cfg), cfg.name, defaults(cfg))
    check(cfg, trace, str(path))
    return trace


def from_arrays(cfg: Config, arrays: Arrays) -> Requests:
    """The arrays of a trace file. Raises :class:`configs.UserError`."""
    trace = requests_from_arrays(arrays, stream(cfg), defaults(cfg))
    check(cfg, trace)
    return trace


def check(cfg: Config, trace: Requests, path: str = "") -> None:
    """Raises :class:`configs.UserError` for operations that are not the PE's."""
    last = cfg.pes - 1
    wrong = np.flatnonzero((trace.columns["op"] >= LDM) & (trace.columns["pe"] != last))
    if len(wrong):
        row = wrong[0]
        op, pe = OPS[trace.columns["op"][row]], trace.columns["pe"][row]
        rule = f"{', '.join(OPS[LDM:])} are for the last one, {last}"
        where = f"{path}:{trace.lines[row]}: " if trace.lines else f"{path}: " if path else ""
        raise UserError(f"{where}access {row}: {op} of PE {pe}; {rule} ({cfg.name})")


def requests(trace: Requests) -> NDArray[Any]:
    """A trace as the golden model takes it."""
    return records(REQUEST, trace.columns)
