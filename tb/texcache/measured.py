# SPDX-License-Identifier: Apache-2.0
"""Files of measured results: arrays column by column, compressed lightly, with a checksum."""

import hashlib
import io
import zipfile
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from configs.files import write_atomic
from models.texcache import RESULT
from tb.texcache.replay import Rtl
from workloads.store import ROOT, digest
from workloads.trace import Trace

OURS = ("measurements", "measured", "replay")
SOURCES = ("models", "workloads", *(f"tb/texcache/{name}.py" for name in OURS))


@cache
def sources_key() -> str:
    """A hash of all sources that decide traffic, model and records."""
    paths = [path for name in SOURCES for path in (sorted((ROOT / name).rglob("*.py")) or [ROOT / name])]
    return digest([part for path in paths for part in (str(path.relative_to(ROOT)), path.read_bytes())])


def encode(trace: Trace, rtl: Rtl) -> dict[str, NDArray[Any]]:
    """What a run's file holds: RESULT by column, cycles of request and result, the look-up table."""
    assert rtl.cycles < 1 << 32, f"{rtl.cycles} cycles: too long a run for 32-bit times"
    columns = {f"result_{name}": np.ascontiguousarray(rtl.result[name]) for name in RESULT.names or ()}
    times = {name: getattr(rtl, name).astype(np.uint32) for name in ("t_request", "t_result")}
    return {**columns, "lut": trace.lut, **times}


def write_arrays(path: Path, arrays: Mapping[str, NDArray[Any]]) -> str:
    """Write an ``.npz`` file that numpy reads, atomically, and return its SHA-256.

    Same arrays, same bytes: the time of writing is not in it.
    """
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for name, array in arrays.items():
            file = io.BytesIO()
            npy.write_array(file, np.ascontiguousarray(array), allow_pickle=False)
            member = zipfile.ZipInfo(f"{name}.npy")
            archive.writestr(member, file.getbuffer(), zipfile.ZIP_DEFLATED, compresslevel=1)
    data = content.getvalue()
    write_atomic(path, data)
    return hashlib.sha256(data).hexdigest()
