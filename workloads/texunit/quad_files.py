# SPDX-License-Identifier: Apache-2.0
"""Writes a frame's quads as a trace file of the texture units (``docs/texunit_traces.md``)."""

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from configs.texunit.schema import FORMAT_WORDS
from utils.files import atomic_path
from workloads.texunit.quad_trace import COORDINATES, TEXTURE, VERSION
from workloads.texunit.quads import QuadFrame
from workloads.traces.columns import by_suffix


def save_frame(path: Path, frame: QuadFrame, units: int = 1) -> None:
    """Writes the quads, split over ``units`` by tiles of the screen, atomically.

    ``.npz`` has everything; ``.csv`` leaves the image out. Raises :class:`configs.UserError` for other names.
    """
    write = by_suffix(path, {".npz": _write_npz, ".csv": _write_csv})
    parts = frame.split(units)
    order = np.concatenate([mine for mine, _ in parts])
    prim = frame.prims[frame.prim_of_quad[order]]
    # what may differ between two primitives of one texture is the sampler
    textures, tex = np.unique(prim[list(TEXTURE.names or ())], return_inverse=True)
    columns = {
        "unit": np.repeat(np.arange(units), [len(mine) for mine, _ in parts]), "tex": tex,
        "mode_u": prim["mode_u"], "mode_v": prim["mode_v"], "filter": prim["bilinear"],
        "max_lod": prim["max_lod"], "valid": frame.quads["valid"][order],
        "x": frame.x[order], "y": frame.y[order],
    }  # fmt: skip
    if prim["trilinear"].any():
        columns["trilinear"] = prim["trilinear"]
    write(path, frame, textures, columns, frame.quads["uv"][order])


def _sides(textures: NDArray[Any]) -> dict[str, NDArray[np.int64]]:
    """What the file says of each TEXTURE."""
    return {
        "width": 1 << textures["log2w"].astype(np.int64), "height": 1 << textures["log2h"].astype(np.int64),
        "format": textures["format"].astype(np.int64), "base": textures["base"].astype(np.int64) * 16,
    }  # fmt: skip


def _write_npz(
    path: Path, frame: QuadFrame, textures: NDArray[Any], columns: dict[str, NDArray[Any]], uv: NDArray[Any]
) -> None:
    sides = _sides(textures)
    sides["texture_base"] = sides.pop("base")  # "base" is the image's
    arrays: dict[str, Any] = {"version": VERSION, "name": frame.name, **sides, **columns, "uv": uv}
    with atomic_path(path) as temporary:
        np.savez_compressed(temporary, image=frame.image, **arrays)


def _write_csv(
    path: Path, frame: QuadFrame, textures: NDArray[Any], columns: dict[str, NDArray[Any]], uv: NDArray[Any]
) -> None:
    columns |= dict(zip(COORDINATES, uv.reshape(-1, len(COORDINATES)).T, strict=True))
    with atomic_path(path) as temporary, temporary.open("w", newline="\n") as file:
        file.write(f"#trace version={VERSION}\n")
        rows = zip(*(column.tolist() for column in _sides(textures).values()), strict=True)
        for number, (width, height, kind, base) in enumerate(rows):
            words = f"width={width} height={height} format={FORMAT_WORDS[kind]} base={base:#x}"
            file.write(f"#texture id={number} {words}\n")
        file.write(",".join(columns) + "\n")
        values = zip(*(column.tolist() for column in columns.values()), strict=True)
        file.writelines(",".join(map(str, row)) + "\n" for row in values)
