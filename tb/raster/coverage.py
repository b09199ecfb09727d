# SPDX-License-Identifier: Apache-2.0
"""Samples functional coverage of ``raster``, word by word."""

from typing import Any

import numpy as np
from pyuvm import uvm_subscriber

from configs.depth import D16, D24X8, FORMATS, FUNCTIONS, PIXELS
from configs.depth import OPS as COMMANDS
from configs.raster.schema import BEGIN, FAN, LINE_STRIP, OPS, PASS, RESTART, STRIP, TOPOLOGIES, Config
from tb.common.components.bench import KEY
from tb.common.components.transactions import AnalysisImp, Observation
from tb.common.coverage.bins import WAITS, Counters, bucket_name
from tb.raster.items import SUBPIXEL
from tb.raster.machine import MachineOutcome, RasterMachine
from tb.raster.plan import plan
from tb.raster.shapes import SIDE, Corner, area, clip, nearest, octant, span, to_diamond

ALL = (1 << PIXELS) - 1
ONES = {D24X8: 0xFFFFFF, D16: 0xFFFF}


class RasterCoverage(uvm_subscriber):
    """Counts into the bins of :mod:`tb.raster.plan`: words of ``vtx`` with what the model made of them."""

    def build_phase(self) -> None:
        self.vertex = AnalysisImp("vertex", self, lambda event: self._waited("vertex wait", event))
        self.tile = AnalysisImp("tile", self, lambda event: self._waited("tile wait", event))
        self.cfg: Config = self.cdb_get(KEY).cfg
        self.counters = Counters(plan(self.cfg))
        self._forget()

    def _forget(self) -> None:
        self._before: str | None = None
        self._topology: int | None = None
        self._size: Corner = (1, 1)
        self._corners: list[Corner] = []

    def reset(self, machine: RasterMachine) -> None:
        """A reset meets this."""
        self.counters.hit("reset", machine.stage)
        self._forget()

    def _waited(self, point: str, transfer: Observation) -> None:
        self.counters.hit(point, bucket_name(transfer.waited, WAITS))

    def write(self, tt: MachineOutcome) -> None:
        """A word that was taken."""
        hit, op = self.counters.hit, OPS[tt.vertex["op"]]
        if self._before is not None:
            hit("after", f"{self._before}/{op}")
        self._before = op
        if op != "vertex":
            hit("cut", f"{op}/{TOPOLOGIES[tt.topology if op != 'begin' else self._topology or 0]}/{tt.held}")
        if tt.vertex["op"] == BEGIN:
            self._begin(tt.vertex)
        elif tt.vertex["op"] == PASS:
            hit("command", COMMANDS[tt.vertex["command"]])
        elif tt.vertex["op"] == RESTART:
            self._corners = []
        else:
            self._corners.append((int(tt.vertex["x"]), int(tt.vertex["y"])))
            if tt.work["primitive"]:
                self._primitive(tt)

    def _begin(self, vertex: Any) -> None:
        hit = self.counters.hit
        if self._topology is not None:
            hit("topology", f"{TOPOLOGIES[self._topology]}/{TOPOLOGIES[vertex['topology']]}")
        self._topology, self._size = int(vertex["topology"]), (int(vertex["x"]), int(vertex["y"]))
        self._corners = []
        hit("state", f"{FUNCTIONS[vertex['func']]}/{vertex['test']}/{vertex['write']}")
        hit("rest", "/".join(str((side - 1) % SIDE + 1) for side in self._size))

    def _primitive(self, tt: MachineOutcome) -> None:
        hit, corners = self.counters.hit, self._corners
        hit("primitive", f"{TOPOLOGIES[tt.topology]}/{'drawn' if len(tt.tiles) else 'empty'}")
        hit("word", ("none", "one", "two", "several")[min(len(tt.tiles), 3)])
        kind = ("point", "line", "triangle")[len(corners) - 1]
        for where in clip(corners, self._size):
            hit("clip", f"{kind}/{where}")
        {"point": self._point, "line": self._line, "triangle": self._triangle}[kind](corners, tt)
        for tile in tt.tiles:
            self._tile(tile)
        if tt.topology == STRIP:
            del corners[0]
        elif tt.topology == FAN:
            del corners[1]
        elif tt.topology == LINE_STRIP:
            del corners[0]
        else:
            corners.clear()

    def _point(self, corners: list[Corner], tt: MachineOutcome) -> None:
        x, y = (axis % SUBPIXEL == SUBPIXEL // 2 for axis in corners[0])
        self.counters.hit("tie", "both" if x and y else "x" if x else "y" if y else "neither")

    def _line(self, corners: list[Corner], tt: MachineOutcome) -> None:
        a, b = corners
        hit = self.counters.hit
        hit("octant", octant(a, b))
        hit("ends", f"{to_diamond(a)}/{to_diamond(b)}")
        major = int(abs(b[1] - a[1]) > abs(b[0] - a[0]))
        sign = 1 if b[major] > a[major] else -1
        to_centre = sign * -a[major] % SUBPIXEL
        if to_centre <= SUBPIXEL // 2:
            hit("first", "none")
        elif clip([a], self._size) == ["within"]:
            pixel = (nearest(a[0]), nearest(a[1]))
            hit("first", "drawn" if self._draws(tt.tiles, pixel) else "left out")

    @staticmethod
    def _draws(tiles: Any, pixel: Corner) -> bool:
        x, y = pixel
        bit = 1 << (y % SIDE * SIDE + x % SIDE)
        return any(t["x"] == x // SIDE and t["y"] == y // SIDE and t["mask"] & bit for t in tiles)

    def _triangle(self, corners: list[Corner], tt: MachineOutcome) -> None:
        a, b, c = corners
        size = area(a, b, c)
        winding = "clockwise" if size > 0 else "other"
        self.counters.hit("triangle", f"{winding}/{span(corners, self._size)}" if size else "flat")

    def _tile(self, tile: Any) -> None:
        hit, mask = self.counters.hit, int(tile["mask"])
        count = mask.bit_count()
        hit("mask", "none" if not count else "one" if count == 1 else "all" if mask == ALL else "some")
        for pixel in range(PIXELS):
            hit("pixel", f"{pixel}/{'drawn' if mask >> pixel & 1 else 'left out'}")
        drawn = tile["depth"][[bool(mask >> pixel & 1) for pixel in range(PIXELS)]]
        ones = ONES.get(int(tile["format"]), 0xFFFFFFFF)
        for name, times in (
            ("zero", int(np.count_nonzero(drawn == 0))), ("ones", int(np.count_nonzero(drawn == ones))),
        ):  # fmt: skip
            if times:
                hit("depth", f"{FORMATS[tile['format']]}/{name}", times)
        if np.any((drawn != 0) & (drawn != ones)):
            hit("depth", f"{FORMATS[tile['format']]}/between")
