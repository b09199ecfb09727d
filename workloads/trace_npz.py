# SPDX-License-Identifier: Apache-2.0
"""Trace files as numpy archives, for programs and long traces; ``docs/traces.md`` describes them."""

import json
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from configs import UserError
from configs.files import atomic_path
from configs.texcache.schema import Config
from models.lut import allocate
from workloads.trace import COLUMNS, REQUIRED, VERSION, Trace, assemble, column_ranges

Arrays = Mapping[str, NDArray[Any]]
OTHERS = ("version", "max_side", "lut", "line_bytes", "base", "image", "layout", "name", "meta", "sides")

#: what numpy, zipfile and zlib raise for a file that is no archive, or no longer
DAMAGE = (OSError, ValueError, EOFError, RuntimeError, MemoryError, zipfile.BadZipFile, zlib.error)


def read_npz(path: Path, cfg: Config) -> Trace:
    """A trace from an archive; see :func:`workloads.trace.load_trace`."""
    try:
        arrays = _arrays(path)
    except DAMAGE as error:
        raise UserError(f"{path}: cannot be read as a numpy archive: {error}") from None
    try:
        return _build(path, cfg, arrays).check(cfg)
    except UserError as error:
        raise UserError(str(error) if str(error).startswith(str(path)) else f"{path}: {error}") from None


def _arrays(path: Path) -> dict[str, NDArray[Any]]:
    """All arrays of an archive. Raises DAMAGE."""
    archive = np.load(path, allow_pickle=False)
    if not isinstance(archive, np.lib.npyio.NpzFile):
        raise ValueError("it holds a single array; write it with numpy.savez")
    with archive:
        return dict(archive)


def write_npz(path: Path, trace: Trace) -> None:
    """``trace`` with everything it holds, atomically."""
    arrays: dict[str, Any] = {
        "version": VERSION,
        "max_side": 1 << (trace.lut.shape[1] - 1),
        "lut": trace.lut,
        "line_bytes": trace.line_bytes,
        "layout": trace.layout,
        "name": trace.name,
        "meta": json.dumps(dict(trace.meta)),
    }
    arrays |= {
        name: np.ascontiguousarray(trace.footprints[name]) for name in trace.footprints.dtype.names or ()
    }
    arrays |= trace.extras
    if trace.image is not None:
        arrays |= {"base": trace.base, "image": trace.image}
    with atomic_path(path) as temporary:
        np.savez_compressed(temporary, **arrays)


def _build(path: Path, cfg: Config, arrays: Arrays) -> Trace:
    for name in arrays:
        if name not in (*COLUMNS, *OTHERS):
            raise UserError(f"unknown array {name!r}: known are {', '.join((*COLUMNS, *OTHERS))}")
    version, max_side = _number(arrays, "version", VERSION), _number(arrays, "max_side", cfg.max_side)
    if version != VERSION:
        raise UserError(f"version={version}: this program reads version {VERSION}")
    if max_side != cfg.max_side:
        raise UserError(f"max_side={max_side}: {cfg.name} has max_side={cfg.max_side}, levels would differ")
    footprints, extras = assemble(_columns(cfg, arrays))
    image, base = None, _number(arrays, "base", 0)
    if "image" in arrays:
        image = _integers(arrays, "image", 0, (1 << 32) - 1).astype(np.uint32)
        if base < 0 or base % 4:
            raise UserError(f"base={base}: the image begins at a multiple of 4 bytes")
    elif "base" in arrays:
        raise UserError(f"base={base}: there is no array image that begins there")
    return Trace(
        footprints,
        _table(cfg, arrays, footprints),
        base,
        image,
        name=_text(arrays, "name", path.stem),
        meta=_meta(arrays),
        line_bytes=cfg.line_bytes,
        layout=_text(arrays, "layout", cfg.layout),
        **extras,
    )


def _columns(cfg: Config, arrays: Arrays) -> dict[str, NDArray[Any]]:
    missing = [name for name in REQUIRED if name not in arrays]
    if missing:
        raise UserError(f"array {missing[0]} is missing: a trace needs {', '.join(REQUIRED)}")
    columns = {name: _integers(arrays, name, *column_ranges(cfg)[name]) for name in COLUMNS if name in arrays}
    for name, column in columns.items():
        if len(column) != len(columns["tex"]):
            raise UserError(f"array {name} has {len(column)} values, tex has {len(columns['tex'])}")
    return columns


def _table(cfg: Config, arrays: Arrays, footprints: NDArray[Any]) -> NDArray[np.uint32]:
    """The look-up table: as given (in lines of any size that fits), or chains one after the other."""
    if "lut" not in arrays:
        return _chains(cfg, arrays, footprints)
    if "sides" in arrays:
        raise UserError("arrays lut and sides: give one of them")
    lut = arrays["lut"]
    if lut.ndim != 2 or lut.dtype.kind not in "iu" or lut.shape[1] != cfg.levels:
        raise UserError(f"array lut of {lut.dtype} {lut.shape}: needs integers [textures, {cfg.levels}]")
    line_bytes = _number(arrays, "line_bytes", cfg.line_bytes)
    if not 0 < line_bytes <= 1 << cfg.address_bits:
        raise UserError(f"line_bytes={line_bytes}: must be 1..2**{cfg.address_bits}")
    addresses = lut.astype(object) * line_bytes  # integers of any size: nothing may wrap around
    table = np.zeros((cfg.textures, cfg.levels), object)
    kept = min(len(addresses), cfg.textures)
    table[:kept] = addresses[:kept]
    wrong = np.argwhere((table % cfg.line_bytes != 0) | (table < 0) | (table >> cfg.address_bits != 0))
    if len(wrong):
        tex, level = wrong[0]
        raise UserError(
            f"array lut: tex {tex}, level {level} is at byte address {table[tex, level]:#x}, which must be a "
            f"multiple of a line's {cfg.line_bytes} bytes below 2**{cfg.address_bits}"
        )
    tex, level = footprints["tex"].astype(np.int64), footprints["level"]
    beyond = np.flatnonzero(tex >= len(lut))
    if len(beyond):
        row = beyond[0]
        raise UserError(f"footprint {row}: tex={tex[row]}, level={level[row]}: lut has {len(lut)} textures")
    return (table // cfg.line_bytes).astype(np.uint32)


def _chains(cfg: Config, arrays: Arrays, footprints: NDArray[Any]) -> NDArray[np.uint32]:
    table = np.zeros((cfg.textures, cfg.levels), np.uint32)
    if "sides" in arrays:  # side of texture 0, 1, ...
        sides = _integers(arrays, "sides", 1, cfg.max_side)
        table, _ = allocate(cfg, [int(side) for side in sides])
        levels = np.array(
            [cfg.levels - int(side).bit_length() for side in sides] + [cfg.levels] * cfg.textures
        )
        wrong = np.flatnonzero(footprints["level"] < levels[footprints["tex"]])
        if len(wrong):
            row = wrong[0]
            tex, level = int(footprints["tex"][row]), int(footprints["level"][row])
            raise UserError(
                f"footprint {row}: tex={tex}, level={level}: no such level in sides={sides.tolist()}"
            )
        return table
    used = np.unique(footprints["tex"])
    chains, _ = allocate(cfg, [cfg.max_side] * len(used))
    table[used] = chains[: len(used)]
    return table


def _integers(arrays: Arrays, name: str, low: int, high: int) -> NDArray[Any]:
    values = arrays[name]
    if values.ndim != 1 or values.dtype.kind not in "iu":
        raise UserError(f"array {name} of {values.dtype} {values.shape}: needs integers in one dimension")
    wrong = np.flatnonzero((values < low) | (values > high))
    if len(wrong):
        raise UserError(f"array {name}: value {values[wrong[0]]} at {wrong[0]}: must be {low}..{high}")
    return values


def _number(arrays: Arrays, name: str, default: int) -> int:
    value = arrays.get(name)
    if value is None:
        return default
    if value.shape != () or value.dtype.kind not in "iu":
        raise UserError(f"array {name} of {value.dtype} {value.shape}: needs a single integer")
    return int(value)


def _text(arrays: Arrays, name: str, default: str) -> str:
    value = arrays.get(name)
    if value is None:
        return default
    if value.shape != () or value.dtype.kind != "U":
        raise UserError(f"array {name} of {value.dtype} {value.shape}: needs a single text")
    return str(value)


def _meta(arrays: Arrays) -> dict[str, Any]:
    text = _text(arrays, "meta", "{}")
    try:
        meta = json.loads(text)
    except ValueError as error:
        raise UserError(f"array meta: not JSON ({error})") from None
    if not isinstance(meta, dict):
        raise UserError("array meta: needs a JSON object")
    return meta
