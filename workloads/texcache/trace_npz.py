# SPDX-License-Identifier: Apache-2.0
"""Trace files as numpy archives, for programs and long traces; ``docs/traces.md`` describes them."""

import json
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from configs import UserError
from configs.texcache.schema import Config
from models.texcache.lut import allocate
from utils.files import atomic_path
from workloads.texcache.trace import VERSION, Trace, assemble, check_textures, columns
from workloads.traces import npz_table as npz
from workloads.traces.opening import plain_name

OTHERS = (
    "version", "max_side", "textures", "lut", "line_bytes", "base", "image", "layout", "name", "meta", "sides"
)  # fmt: skip


def read_npz(path: Path, cfg: Config) -> Trace:
    """A trace from an archive; see :func:`workloads.texcache.trace_files.load_trace`."""
    arrays = npz.read_arrays(path)
    try:
        return from_arrays(cfg, arrays, plain_name(path).stem)
    except UserError as error:
        raise UserError(f"{path}: {error}") from None


def write_npz(path: Path, trace: Trace) -> None:
    """``trace`` with everything it holds, atomically."""
    arrays: dict[str, Any] = {
        "version": VERSION,
        "max_side": 1 << (trace.lut.shape[1] - 1),
        "textures": trace.textures,
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


def from_arrays(cfg: Config, arrays: npz.Arrays, name: str = "trace") -> Trace:
    """The arrays of such an archive as a trace. Raises :class:`UserError` naming array and rule."""
    allowed = columns(cfg)
    npz.check_names(arrays, allowed, OTHERS)
    npz.check_version(arrays, VERSION)
    max_side = npz.number(arrays, "max_side", cfg.max_side)
    if max_side != cfg.max_side:
        raise UserError(f"max_side={max_side}: {cfg.name} has max_side={cfg.max_side}, levels would differ")
    if "textures" in arrays:
        check_textures(cfg, npz.number(arrays, "textures", 0))
    footprints, extras = assemble(npz.read_columns(npz.spread(arrays, allowed), allowed))
    base, words = npz.image(arrays)
    return Trace(
        footprints,
        _table(cfg, arrays, footprints),
        base,
        words,
        name=npz.text(arrays, "name", name),
        meta=_meta(arrays),
        line_bytes=cfg.cache.line_bytes,
        layout=npz.text(arrays, "layout", cfg.layout),
        **extras,
    ).check(cfg)


def _table(cfg: Config, arrays: npz.Arrays, footprints: NDArray[Any]) -> NDArray[np.uint32]:
    """The look-up table: as given (in lines of any size that fits), or chains one after the other."""
    own = cfg.cache.line_bytes
    line_bytes = npz.number(arrays, "line_bytes", own)
    if "lut" not in arrays:
        if line_bytes != own:
            raise UserError(
                f"line_bytes={line_bytes}: {cfg.name} has lines of {own} bytes, by which textures are placed "
                "where no lut says so; choose another configuration, or leave it out"
            )
        return _chains(cfg, arrays, footprints)
    if "sides" in arrays:
        raise UserError("arrays lut and sides: give one of them")
    lut = arrays["lut"]
    if lut.ndim != 2 or lut.dtype.kind not in "iu" or lut.shape[1] != cfg.levels:
        raise UserError(f"array lut of {lut.dtype} {lut.shape}: needs integers [textures, {cfg.levels}]")
    if not 0 < line_bytes <= 1 << cfg.cache.address_bits:
        raise UserError(f"line_bytes={line_bytes}: must be 1..2**{cfg.cache.address_bits}")
    addresses = lut.astype(object) * line_bytes  # integers of any size: nothing may wrap around
    table = np.zeros((cfg.textures, cfg.levels), object)
    kept = min(len(addresses), cfg.textures)
    table[:kept] = addresses[:kept]
    wrong = np.argwhere(
        (table % cfg.cache.line_bytes != 0) | (table < 0) | (table >> cfg.cache.address_bits != 0)
    )
    if len(wrong):
        tex, level = wrong[0]
        raise UserError(
            f"array lut: tex {tex}, level {level} is at byte address {table[tex, level]:#x}, which must be a "
            f"multiple of a line's {cfg.cache.line_bytes} bytes below 2**{cfg.cache.address_bits}"
        )
    tex, level = footprints["tex"].astype(np.int64), footprints["level"]
    beyond = np.flatnonzero(tex >= len(lut))
    if len(beyond):
        row = beyond[0]
        raise UserError(f"footprint {row}: tex={tex[row]}, level={level[row]}: lut has {len(lut)} textures")
    return (table // cfg.cache.line_bytes).astype(np.uint32)


def _chains(cfg: Config, arrays: npz.Arrays, footprints: NDArray[Any]) -> NDArray[np.uint32]:
    table = np.zeros((cfg.textures, cfg.levels), np.uint32)
    if "sides" in arrays:  # side of texture 0, 1, ...
        sides = npz.integers(arrays, "sides", 1, cfg.max_side)
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


def _meta(arrays: npz.Arrays) -> dict[str, Any]:
    try:
        meta = json.loads(npz.text(arrays, "meta", "{}"))
    except ValueError as error:
        raise UserError(f"array meta: not JSON ({error})") from None
    if not isinstance(meta, dict):
        raise UserError("array meta: needs a JSON object")
    return meta
