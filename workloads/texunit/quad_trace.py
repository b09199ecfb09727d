# SPDX-License-Identifier: Apache-2.0
"""Trace files of the texture units: quads with their textures and samplers, as text or numpy archive.

``docs/traces.md`` describes the files; they are an interface, :data:`VERSION` counts its changes.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from configs import UserError
from configs.texunit.schema import FORMAT_WORDS, Units
from models.texunit import PRIM, QUAD
from models.texunit.address import MAX_LOG2, texture_bytes
from workloads.texunit.quads import QuadStream
from workloads.traces import npz_table as npz
from workloads.traces.columns import Column, Columns, of_field, of_stream, reader
from workloads.traces.csv_table import CsvTable
from workloads.traces.opening import plain_name

VERSION = 1
COORDINATES = tuple(f"{axis}{pixel}" for pixel in range(4) for axis in "uv")
#: columns that describe texture and sampler, and what they are where a file does not say it
STATE = {"mode_u": 0, "mode_v": 0, "filter": 1, "trilinear": 0, "max_lod": MAX_LOG2, "invalidate": 0}
SCREEN = ("x", "y")  # where a quad is drawn: carried to the results
FIELDS = {"filter": "bilinear"}  # of a primitive, where a column is called otherwise
#: a texture; ``base`` is a byte address / 16
TEXTURE = np.dtype([("log2w", "u1"), ("log2h", "u1"), ("format", "u1"), ("base", "u4")])


@dataclass(frozen=True, eq=False)
class QuadTrace:
    """n quads in the order of the file.

    ``unit`` [n] that takes each quad; ``prims`` PRIM [p] and ``prim_of_quad`` [n]: a primitive begins where
    texture or sampler of a unit change, and with ``invalidate``. ``image``: words of memory from byte address
    ``base`` on, None where contents do not matter (then memory is a hash of seed and address). ``x``, ``y``
    [n]: upper left pixel of each quad on the screen, if the file says it.
    """

    quads: NDArray[Any]
    unit: NDArray[np.int64]
    prims: NDArray[Any]
    prim_of_quad: NDArray[np.int64]
    base: int = 0
    image: NDArray[np.uint32] | None = None
    name: str = "trace"
    x: NDArray[np.uint16] | None = None
    y: NDArray[np.uint16] | None = None

    def __len__(self) -> int:
        return len(self.quads)

    def __repr__(self) -> str:
        return f"<QuadTrace {self.name}: {len(self):,} quads>"

    def split(self, units: int) -> list[tuple[NDArray[np.int64], QuadStream]]:
        """For each unit the numbers of its quads and its work."""
        parts = []
        for unit in range(units):
            mine = np.flatnonzero(self.unit == unit)
            used, renumbered = np.unique(self.prim_of_quad[mine], return_inverse=True)
            parts.append((mine, QuadStream(self.prims[used], self.quads[mine], renumbered.astype(np.int64))))
        return parts


def known_columns(cfg: Units, textures: int = 1) -> Columns:
    """The columns of a trace file for ``cfg`` and so many textures, from the streams of a unit."""
    prim, quad = cfg.streams["prim0"], cfg.streams["quad0"]
    fields = {field.name: field for field in prim.fields}  # "trilinear" among them if the units have it
    named = [(name, fields.get(FIELDS.get(name, name))) for name in STATE]
    state = [of_field(field, name, required=False) for name, field in named if field]
    unit = Column("unit", 0, cfg.units - 1, required=False, doc="unit that samples the quad")
    listed = [unit, Column("tex", 0, textures - 1, doc="place of its texture in width and height"), *state]
    listed += of_stream(quad, ("valid", *COORDINATES), optional=["valid"]).values()
    screen = "of the upper left pixel on the screen"
    listed += [Column(name, 0, np.iinfo(np.uint16).max, required=False, doc=screen) for name in SCREEN]
    return {column.name: column for column in listed}


def array_columns(cfg: Units) -> Columns:
    """The columns of an ``.npz`` file, and the arrays that describe its textures."""
    rows = known_columns(cfg, 1 << cfg.cache.address_bits - 4)
    uv = replace(rows["u0"], name="uv", shape="[n, 4, 2]", doc="u and v of each pixel, 16 fraction bits")
    textures = (
        Column("width", 1, cfg.max_side, doc="a power of two", shape="[textures]"),
        Column("height", 1, cfg.max_side, doc="a power of two", shape="[textures]"),
        replace(of_field(cfg.streams["prim0"].field("format"), required=False), shape="[textures]"),
        Column(
            "texture_base", 0, (1 << cfg.cache.address_bits) - 1, required=False,
            doc="byte address, a multiple of 16", shape="[textures]",
        ),
    )  # fmt: skip
    return {
        **{name: row for name, row in rows.items() if name not in COORDINATES},
        **{column.name: column for column in (uv, *textures)},
    }


def load_quads(path: Path | str, cfg: Units) -> QuadTrace:
    """Reads a trace file (``.csv`` or ``.npz``). Raises :class:`UserError` for what is not as documented."""
    path = Path(path)
    return reader(path, {".csv": _read_csv, ".npz": _read_npz})(path, cfg)


@dataclass
class Reader(CsvTable):
    """Quads as text."""

    directives = {
        "trace": (("version",), ()),
        "texture": (("id", "width", "height"), ("format", "base")),
    }
    version = VERSION

    cfg: Units = field(kw_only=True)
    textures: list[tuple[int, int, int, int]] = field(default_factory=list)

    def _texture(self, id: int, width: int, height: int, format: int = 0, base: int | None = None) -> None:
        if id != len(self.textures):
            raise UserError(f"id={id}: textures are declared in order, this one is {len(self.textures)}")
        self.textures.append(place(self.cfg, self.textures, width, height, format, base))


def place(
    cfg: Units,
    before: Sequence[tuple[int, int, int, int]],
    width: int,
    height: int,
    kind: int,
    base: int | None,
) -> tuple[int, int, int, int]:
    """A TEXTURE; without ``base`` (a byte address) behind the last one. Raises :class:`UserError`."""
    for name, side in (("width", width), ("height", height)):
        if not 1 <= side <= cfg.max_side or side & (side - 1):
            raise UserError(f"{name}={side}: must be a power of two up to {cfg.max_side} in {cfg.name}")
    if not 0 <= kind < len(FORMAT_WORDS):
        last = len(FORMAT_WORDS) - 1
        raise UserError(f"format={kind}: must be one of {', '.join(FORMAT_WORDS)} (0 to {last})")
    log2w, log2h = width.bit_length() - 1, height.bit_length() - 1
    if base is None:
        base = before[-1][3] * 16 + texture_bytes(*before[-1][:3]) + 15 & ~15 if before else 0
    size = texture_bytes(log2w, log2h, kind)
    if base < 0 or base % 16 or base + size > 1 << cfg.cache.address_bits:
        raise UserError(
            f"base={base:#x}: must be a multiple of 16, and all {size} bytes below "
            f"2**{cfg.cache.address_bits}"
        )
    return log2w, log2h, kind, base // 16


def _read_csv(path: Path, cfg: Units) -> QuadTrace:
    words = of_field(cfg.streams["prim0"].field("format")).words
    reader = Reader(path, cfg.name, known_columns(cfg), {"format": words}, cfg=cfg)
    reader.read()
    if not reader.textures:
        reader.fail(1, "no texture is declared: write #texture id=0 width=W height=H")
    values = reader.values(known_columns(cfg, len(reader.textures)))
    uv = np.stack([values.pop(name) for name in COORDINATES], axis=1).reshape(-1, 4, 2)
    return _assemble(np.array(reader.textures, TEXTURE), values, uv, name=plain_name(path).stem)


def _read_npz(path: Path, cfg: Units) -> QuadTrace:
    arrays = npz.read_arrays(path)
    try:
        return from_arrays(cfg, arrays, plain_name(path).stem)
    except UserError as error:
        raise UserError(f"{path}: {error}") from None


def from_arrays(cfg: Units, arrays: npz.Arrays, name: str = "trace") -> QuadTrace:
    """The arrays of an ``.npz`` file as a trace. Raises :class:`UserError` naming array and rule."""
    sides = ("width", "height", "format", "texture_base")
    columns = [column for column in known_columns(cfg) if column not in COORDINATES]
    npz.check_names(arrays, (*columns, "uv", *sides), ("version", "base", "image", "name"))
    for needed in ("tex", "uv", "width", "height"):
        if needed not in arrays:
            raise UserError(f"column {needed} is missing: a trace needs tex, uv, width and height")
    npz.check_version(arrays, VERSION)
    arrays = npz.spread(arrays, (*columns, "uv"))
    given = {side: npz.integers(arrays, side, 0, (1 << 32) - 1) for side in sides if side in arrays}
    npz.same_length(given, "width")
    textures: list[tuple[int, int, int, int]] = []
    for row in zip(*(given.get(side, [None] * len(given["width"])) for side in sides), strict=True):
        width, height, kind, start = row
        textures.append(
            place(
                cfg, textures, int(width), int(height), int(kind or 0), None if start is None else int(start)
            )
        )
    allowed = known_columns(cfg, len(textures))
    values = {name: npz.column(arrays, allowed[name]).astype(np.int64) for name in columns if name in arrays}
    uv = npz.integers(arrays, "uv", *cfg.streams["quad0"].field("u0").legal, shape=(4, 2))
    npz.same_length({**values, "uv": uv}, "tex")
    base, words = npz.image(arrays)
    return _assemble(np.array(textures, TEXTURE), values, uv, base, words, npz.text(arrays, "name", name))


def _assemble(
    textures: NDArray[Any],
    columns: Mapping[str, NDArray[np.int64]],
    uv: NDArray[np.int64],
    base: int = 0,
    image: NDArray[np.uint32] | None = None,
    name: str = "trace",
) -> QuadTrace:
    count = len(uv)

    def column(name: str, default: int) -> NDArray[np.int64]:
        return columns.get(name, np.full(count, default, np.int64))

    quads = np.zeros(count, QUAD)
    quads["valid"], quads["uv"] = column("valid", 15), uv
    unit, tex = column("unit", 0), columns["tex"]
    state = {state_name: column(state_name, default) for state_name, default in STATE.items()}
    state["max_lod"] = np.minimum(state["max_lod"], np.maximum(textures["log2w"], textures["log2h"])[tex])
    key = np.column_stack([tex, *state.values()])
    starts = np.zeros(count, bool)
    for number in range(int(unit.max(initial=-1)) + 1):
        mine = np.flatnonzero(unit == number)
        starts[mine[:1]] = True
        starts[mine[1:]] = (key[mine[1:]] != key[mine[:-1]]).any(axis=1) | (
            state["invalidate"][mine[1:]] == 1
        )
    prims = np.zeros(int(starts.sum()), PRIM)
    for field_name in TEXTURE.names or ():
        prims[field_name] = textures[field_name][tex[starts]]
    for name_of_state, values in state.items():
        prims["bilinear" if name_of_state == "filter" else name_of_state] = values[starts]
    prim_of_quad = np.zeros(count, np.int64)
    for number in range(int(unit.max(initial=-1)) + 1):
        mine = np.flatnonzero(unit == number)
        prim_of_quad[mine] = (np.cumsum(starts) - 1)[mine[starts[mine]]][np.cumsum(starts[mine]) - 1]
    screen = {axis: columns[axis].astype(np.uint16) for axis in SCREEN if axis in columns}
    return QuadTrace(quads, unit, prims, prim_of_quad, base, image, name, **screen)
