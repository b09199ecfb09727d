# SPDX-License-Identifier: Apache-2.0
"""Trace files of ``simple``: requests as text or as numpy archive; ``docs/traces.md`` describes them."""

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from configs import UserError
from configs.simple.schema import OPS, STORE, Config
from models.simple import REQUEST
from workloads.traces.csv_table import CsvTable
from workloads.traces.npz_table import check_names, integers, read_arrays

COLUMNS = REQUEST.names or ()
REQUIRED = ("op", "word")


class Reader(CsvTable):
    """Requests as text."""

    known = COLUMNS
    required = REQUIRED
    words = {"op": {name: number for number, name in enumerate(OPS)}}
    directives = {"trace": (("version",), ())}
    version = 1

    def _trace(self, version: int) -> None:
        self.check_version(version)


def load(path: Path, cfg: Config) -> NDArray[Any]:
    """REQUEST array [n] of a trace file (``.csv`` or ``.npz``). Raises :class:`UserError`."""
    fields = {field.name: (0, (1 << field.width) - 1) for field in cfg.streams["req"].fields}
    if path.suffix == ".csv":
        reader = Reader(path, cfg.name)
        reader.read()
        columns = dict(reader.values(fields))
    elif path.suffix == ".npz":
        arrays = read_arrays(path)
        try:
            check_names(arrays, COLUMNS)
            for name in REQUIRED:
                if name not in arrays:
                    raise UserError(f"array {name} is missing: a trace needs {' and '.join(REQUIRED)}")
            columns = {name: integers(arrays, name, *fields[name]) for name in arrays}
            if len({len(column) for column in columns.values()}) > 1:
                raise UserError("arrays of different lengths: each has one value for each request")
        except UserError as error:
            raise UserError(f"{path}: {error}") from None
    else:
        raise UserError(f"{path}: a trace file's name ends in .csv or .npz (docs/traces.md describes both)")
    requests = np.zeros(len(columns["op"]), REQUEST)
    requests["strobe"] = np.where(columns["op"] == STORE, (1 << cfg.word_bytes) - 1, 0)
    requests["id"] = np.arange(len(requests)) & ((1 << cfg.id_bits) - 1)
    for name, column in columns.items():
        requests[name] = column
    return requests
