# SPDX-License-Identifier: Apache-2.0
"""Traces: the accesses of one run of the texture cache, with the table and the memory that they need.

``docs/traces.md`` describes the files, which :mod:`workloads.texcache.trace_files` reads and writes; it is an
interface, :data:`VERSION` counts its changes.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from configs import UserError
from configs.texcache.schema import Config
from models.texcache.address import FOOTPRINT
from models.texcache.lookups import check_footprints, check_lut
from models.texcache.lut import allocate
from workloads.traces.columns import Column, Columns, of_stream

VERSION = 1
FIELDS = ("tex", "level", "u", "v", "mode_u", "mode_v")  # of the request, in the order of the file

#: columns that may accompany each footprint, and their type
EXTRAS: dict[str, Any] = {
    "x": np.uint16, "y": np.uint16, "pixel": np.uint32, "fu": np.uint8, "fv": np.uint8, "lw": np.uint8
}  # fmt: skip

EXTRAS_DOC = {
    "x": "column of the pixel on the screen", "y": "row of the pixel on the screen",
    "pixel": "number of the textured pixel; the two footprints of a trilinear sample share it",
    "fu": "weight of the right texels / 256", "fv": "weight of the lower texels / 256",
    "lw": "weight of the second level / 256, of both footprints",
}  # fmt: skip


@dataclass(frozen=True, eq=False)
class Trace:
    """``footprints`` FOOTPRINT [n] for one geometry of levels, lines and layout.

    ``lut``: line addresses [textures, levels]. ``image``: words of texture memory from byte address ``base``
    on, None where contents do not matter (then memory is a hash of seed and address). Optional columns, one
    value per footprint: ``x``, ``y`` pixel on the screen; ``pixel`` number of the textured pixel (the two
    footprints of a trilinear sample share it); ``fu``, ``fv`` weights in 1/256 of the right and lower texels;
    ``lw`` weight of a trilinear sample's second level. ``line_bytes`` and ``layout`` say what ``lut`` and
    ``image`` were made for.
    """

    footprints: NDArray[Any]
    lut: NDArray[np.uint32]
    base: int = 0
    image: NDArray[np.uint32] | None = None
    x: NDArray[np.uint16] | None = None
    y: NDArray[np.uint16] | None = None
    pixel: NDArray[np.uint32] | None = None
    fu: NDArray[np.uint8] | None = None
    fv: NDArray[np.uint8] | None = None
    lw: NDArray[np.uint8] | None = None
    name: str = "trace"
    meta: Mapping[str, Any] = field(default_factory=dict)
    line_bytes: int = 32
    layout: str = "row-major"

    def __post_init__(self) -> None:
        if self.footprints.dtype != FOOTPRINT or self.footprints.ndim != 1:
            raise ValueError(
                f"footprints of {self.footprints.dtype} {self.footprints.shape}: need FOOTPRINT [n]"
            )
        for name, column in self.extras.items():
            if column.shape != self.footprints.shape:
                raise ValueError(
                    f"column {name} has {len(column)} values for {len(self.footprints)} footprints"
                )

    def __len__(self) -> int:
        return len(self.footprints)

    def __repr__(self) -> str:
        return f"<Trace {self.name}: {len(self):,} footprints>"

    @property
    def extras(self) -> dict[str, NDArray[Any]]:
        """The optional columns that there are."""
        return {name: getattr(self, name) for name in EXTRAS if getattr(self, name) is not None}

    @property
    def pixels(self) -> int:
        """Textured pixels that the footprints belong to; without the column, one per footprint."""
        return len(self) if self.pixel is None else len(np.unique(self.pixel))

    @property
    def textures(self) -> int:
        """How many texture ids there must be in a table."""
        return int(self.footprints["tex"].max(initial=0)) + 1

    def first(self, count: int) -> "Trace":
        """The trace of the first ``count`` footprints."""
        cut = {name: column[:count] for name, column in self.extras.items()}
        return replace(self, footprints=self.footprints[:count], **cut)  # type: ignore[arg-type]

    def check(self, cfg: Config) -> "Trace":
        """The trace itself, if ``cfg`` can run it. Raises :class:`UserError` naming what is wrong."""
        check_footprints(cfg, self.footprints)
        check_lut(cfg, self.lut)
        if self.line_bytes != cfg.cache.line_bytes:
            raise UserError(
                f"trace {self.name}: its table counts lines of {self.line_bytes} bytes, "
                f"{cfg.name} has lines of {cfg.cache.line_bytes}"
            )
        if self.image is not None and self.base + self.image.nbytes > 1 << cfg.cache.address_bits:
            raise UserError(
                f"trace {self.name}: its image of {self.image.nbytes} bytes from base={self.base:#x} ends "
                f"beyond the {cfg.cache.address_bits}-bit address space"
            )
        if self.image is not None and self.layout != cfg.layout:
            raise UserError(
                f"trace {self.name}: its textures lie in memory as {self.layout}, {cfg.name} expects "
                f"{cfg.layout}; make the trace again for that, or set layout={self.layout}"
            )
        return self


def of_chains(
    cfg: Config, footprints: NDArray[Any], sides: list[int], base: int = 0, name: str = "trace", **rest: Any
) -> Trace:
    """A trace whose texture i is a chain of ``sides[i]``, one after the other from ``base``; no image."""
    lut, _ = allocate(cfg, sides, base)
    return Trace(
        footprints, lut, base, name=name, line_bytes=cfg.cache.line_bytes, layout=cfg.layout, **rest
    ).check(cfg)


def check_textures(cfg: Config, textures: int | None) -> None:
    """Raises :class:`UserError` if a file is for a larger table than ``cfg`` has."""
    if textures is not None and textures > cfg.textures:
        size = 1 << (textures - 1).bit_length()
        raise UserError(
            f'textures={textures}: {cfg.name} has a table for {cfg.textures}; take SET="textures={size}"'
        )


def columns(cfg: Config) -> Columns:
    """The columns of a trace file for ``cfg``: fields of its requests, and what may accompany them."""
    extras = (
        Column(name, 0, int(np.iinfo(kind).max), required=False, doc=EXTRAS_DOC[name])
        for name, kind in EXTRAS.items()
    )
    fields = of_stream(cfg.streams["req"], FIELDS, optional=("mode_u", "mode_v"))
    return {**fields, **{column.name: column for column in extras}}


def assemble(values: Mapping[str, NDArray[Any]]) -> tuple[NDArray[Any], dict[str, Any]]:
    """FOOTPRINT array and extra columns from integer ``values`` that are known to be in range."""
    footprints = np.zeros(len(values["tex"]), FOOTPRINT)
    for name in FOOTPRINT.names or ():
        if name in values:
            footprints[name] = values[name]
    extras = {name: np.asarray(values[name]).astype(kind) for name, kind in EXTRAS.items() if name in values}
    return footprints, extras
