# SPDX-License-Identifier: Apache-2.0
"""Trace files as text, to be written by hand or by any program; ``docs/traces.md`` is the description."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from configs import UserError
from configs.texcache.schema import Config
from models.texcache.lut import allocate, first_level
from utils.files import write_atomic
from workloads.texcache.trace import FIELDS, VERSION, Trace, assemble, check_textures, columns
from workloads.traces.csv_table import CsvTable
from workloads.traces.opening import plain_name


@dataclass
class Reader(CsvTable):
    """A trace of the texture cache."""

    directives = {
        "trace": (("version",), ("max_side", "line_bytes", "textures")),
        "texture": (("id", "side"), ("base",)),
        "level": (("tex", "level", "base"), ()),
    }
    version = VERSION

    cfg: Config = field(kw_only=True)
    lut: dict[tuple[int, int], int] = field(default_factory=dict)
    next_base: int = 0

    def _trace(
        self,
        version: int,
        max_side: int | None = None,
        line_bytes: int | None = None,
        textures: int | None = None,
    ) -> None:
        self.check_version(version)
        check_textures(self.cfg, textures)
        for name, value, own in (
            ("max_side", max_side, self.cfg.max_side),
            ("line_bytes", line_bytes, self.cfg.cache.line_bytes),
        ):
            if value is not None and value != own:
                raise UserError(
                    f"{name}={value}: the trace is for another machine, {self.cfg.name} has {name}={own}"
                )

    def _texture(self, id: int, side: int, base: int | None = None) -> None:
        self.in_range("id", id, self.cfg.textures)
        if any(tex == id for tex, _ in self.lut):
            raise UserError(f"id={id}: texture {id} is declared already")
        start = self.next_base if base is None else base
        table, total = allocate(self.cfg, [side], start)
        for level in range(first_level(self.cfg, side), self.cfg.levels):
            self.lut[id, level] = int(table[0, level])
        self.next_base = start + total

    def _level(self, tex: int, level: int, base: int) -> None:
        self.in_range("tex", tex, self.cfg.textures)
        self.in_range("level", level, self.cfg.levels)
        if base < 0 or base % self.cfg.cache.line_bytes or base >> self.cfg.cache.address_bits:
            raise UserError(
                f"base={base:#x}: must be a multiple of a line's {self.cfg.cache.line_bytes} bytes "
                f"below 2**{self.cfg.cache.address_bits}"
            )
        if (tex, level) in self.lut:
            raise UserError(f"tex={tex}, level={level}: this level is declared already")
        self.lut[tex, level] = base // self.cfg.cache.line_bytes

    def table(self, used: NDArray[np.int64]) -> NDArray[np.uint32]:
        """The look-up table; ``used`` [n, 2]: texture and level of each row."""
        lut = np.zeros((self.cfg.textures, self.cfg.levels), np.uint32)
        if not self.lut:
            for tex in np.unique(used[:, 0]):
                self._texture(int(tex), self.cfg.max_side)
        declared = np.zeros(lut.shape, bool)
        for place, line in self.lut.items():
            lut[place], declared[place] = line, True
        wrong = np.flatnonzero(~declared[used[:, 0], used[:, 1]])
        if len(wrong):
            tex, level = used[wrong[0]]
            self.fail(
                self.numbers[wrong[0]],
                f"tex={tex}, level={level}: no such level is declared; level 0 has side {self.cfg.max_side}, "
                f"a texture declared by #texture has the levels from its own side down",
            )
        return lut


def read_csv(path: Path, cfg: Config) -> Trace:
    """A trace from text; see :func:`workloads.texcache.trace_files.load_trace`."""
    reader = Reader(path, cfg.name, columns(cfg), cfg=cfg)
    reader.read()
    values = reader.values()
    used = np.stack([values["tex"], values["level"]], axis=1)
    footprints, extras = assemble(values)
    return Trace(
        footprints,
        reader.table(used),
        name=plain_name(path).stem,
        line_bytes=cfg.cache.line_bytes,
        layout=cfg.layout,
        **extras,
    ).check(cfg)


def write_csv(path: Path, trace: Trace) -> None:
    """``trace`` as text. Image and meta are left out; of the table only what the footprints use is kept."""
    footprints = trace.footprints
    used = np.unique(np.stack([footprints["tex"], footprints["level"]], axis=1).astype(int), axis=0)
    values: dict[str, Sequence[int]] = {name: footprints[name].tolist() for name in FIELDS}
    values |= {name: column.tolist() for name, column in trace.extras.items()}
    max_side = 1 << (trace.lut.shape[1] - 1)
    sizes = f"max_side={max_side} line_bytes={trace.line_bytes} textures={trace.textures}"
    lines: list[Any] = [f"#trace version={VERSION} {sizes}"]
    lines += [
        f"#level tex={tex} level={level} base={int(trace.lut[tex, level]) * trace.line_bytes:#x}"
        for tex, level in used
    ]
    lines.append(",".join(values))
    lines += [",".join(map(str, row)) for row in zip(*values.values(), strict=True)]
    write_atomic(path, "\n".join(lines) + "\n")
