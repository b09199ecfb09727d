# SPDX-License-Identifier: Apache-2.0
"""What tiles must answer and memory must hold, tile after tile, without a notion of time.

A second opinion beside the golden model, which is exact in cycles: here depths are compared one tile after
the other, in the order of the stream. Lines that were read live until they are told to be evicted; what was
stored in them must be what is written.
"""

from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray
from pyuvm import uvm_component

from configs.depth import BASE, CLEAR, FORMATS, FUNCTIONS, OPS, PIXELS, TILE
from configs.zcache.schema import Config
from models.memory import Memory
from models.sparse import SparseMemory, write_line
from tb.common.components.axi.bursts import SLVERR
from tb.common.components.axi.handshake import BurstEvent
from tb.common.components.bench import KEY, Bench
from tb.common.components.transactions import AnalysisImp, Observation
from tb.zcache.items import LINE_BYTES, Surface

COUNTED = dict(zip(FORMATS, ((1 << 24) - 1, (1 << 32) - 1, (1 << 16) - 1), strict=True))
MASKS = tuple(COUNTED.values())
#: whether ``new f stored``, by function
COMPARE: tuple[Callable[[int, int], bool], ...] = (
    lambda new, old: False,
    lambda new, old: new < old,
    lambda new, old: new == old,
    lambda new, old: new <= old,
    lambda new, old: new > old,
    lambda new, old: new != old,
    lambda new, old: new >= old,
    lambda new, old: True,
)


@dataclass
class Line:
    """The 16 words of a tile as the cache has them."""

    words: NDArray[np.uint32]
    dirty: bool = False


def tested(fields: Mapping[str, int], live: int, stored: NDArray[np.uint32]) -> int:
    """Pixels of ``live`` that pass against the words ``stored`` [16]."""
    compare, mask = COMPARE[fields["func"]], MASKS[fields["format"]]
    return sum(
        1 << pixel
        for pixel in range(PIXELS)
        if live >> pixel & 1 and compare(fields[f"depth{pixel}"] & mask, int(stored[pixel]) & mask)
    )


def _words(value: int) -> NDArray[np.uint32]:
    return np.full(PIXELS, value, np.uint32)


class DepthOracle(uvm_component):
    """Takes the transfers of ``tile``, ``shade`` and ``pre``, the first cycle of each result, and the writes
    of the AXI port; fails for the first that cannot be. ``memory`` is what memory must hold.
    """

    def build_phase(self) -> None:
        self.tile = AnalysisImp("tile", self, self._tile)
        self.shade = AnalysisImp("shade", self, self._shade)
        self.result = AnalysisImp("result", self, self._result)
        self.lines_asked = AnalysisImp("lines_asked", self, self._asked)
        self.writes = AnalysisImp("writes", self, self._write)
        self.answers = AnalysisImp("answers", self, self._answer)
        self.bench: Bench = self.cdb_get(KEY)
        self.cfg: Config = self.bench.cfg
        self.memory = SparseMemory(Memory(seed=self.bench.seed & 0xFFFFFFFF), LINE_BYTES)
        self.perhaps: dict[int, bytes] = {}  # writes that a reset may have met once they were begun
        self.results = 0  # compared
        self.cover: Callable[[str, str], None] = lambda point, name: None  # functional coverage
        self._forget()

    def _forget(self) -> None:
        self.surface = Surface()
        self.tiles: deque[dict[str, int]] = deque()  # taken, without result
        self.kills: deque[int] = deque()
        self.lines: dict[int, Line] = {}  # by address
        self.leaving: deque[tuple[int, bytes]] = deque()  # evicted, and to be written
        self.cleared = 0  # tiles of the clear that is under way
        self.marked: dict[int, int] = {}  # addresses of tiles that memory lacks, in order: the clear's value
        self.refused = False  # a write has failed since the last barrier
        self.awake = False  # a tile was taken since the reset: memory had answered all that was begun before

    def reset(self, forgotten: bool) -> None:
        """The design is reset; memory too, if it has ``forgotten`` what was under way."""
        if self.tiles or self.leaving or self.lines:
            self.perhaps = dict(list(self.leaving)[:1]) | self._of_barrier()
        if forgotten:
            self.perhaps = {}
        self._forget()

    def _of_barrier(self) -> dict[int, bytes]:
        """The writes that the barrier which is next may begin."""
        if not self.tiles or self.tiles[0]["op"] == TILE:
            return {}
        writes = {address: line.words.tobytes() for address, line in self.lines.items() if line.dirty}
        if writes:
            return writes
        if self.tiles[0]["op"] != CLEAR:
            for address, value in list(self.marked.items())[:1]:
                writes[address] = _words(value).tobytes()
        elif self.cleared < self._to_clear:
            address = self.surface.address(self.cfg.fast_clear + self.cleared)
            writes[address] = _words(self.tiles[0]["depth0"]).tobytes()
        return writes

    @property
    def _to_clear(self) -> int:
        """Tiles that a clear writes: those beyond the ones that it can mark."""
        return max(0, self.surface.tiles - self.cfg.fast_clear)

    def _tile(self, transfer: Observation) -> None:
        self.tiles.append(self.cfg.streams["tile"].unpack(transfer.word))
        self.perhaps, self.awake = {}, True

    def _shade(self, transfer: Observation) -> None:
        self.kills.append(transfer.word)

    def _asked(self, transfer: Observation) -> None:
        """A line was reserved; its victim is gone."""
        fields = self.cfg.streams["pre"].unpack(transfer.word)
        if not (fields["fill"] and fields["evict"]):
            return
        address = self.surface.address(fields["victim"])
        line = self.lines.pop(address, None)
        dirty = line is not None and line.dirty
        if dirty != bool(fields["dirty"]):
            self._fail(
                transfer, f"the victim at {address:#x} is dirty={fields['dirty']}, expected {int(dirty)}"
            )
        if line is not None and dirty:
            self.leaving.append((address, line.words.tobytes()))
            self.marked.pop(address, None)

    def _write(self, event: BurstEvent) -> None:
        """A burst has its address and all its data."""
        data = b"".join(beat.to_bytes(16, "little") for beat, _ in event.beats)
        address = event.burst.address
        if self.perhaps:
            allowed, self.perhaps = self.perhaps, {}
        elif self.leaving:
            allowed = dict([self.leaving.popleft()])
        else:
            allowed = self._of_barrier()
            clears = bool(self.tiles) and not any(line.dirty for line in self.lines.values())
            self.cleared += clears and self.tiles[0]["op"] == CLEAR and address in allowed
            if address in allowed and not clears:
                self.lines[address].dirty = False
            self.marked.pop(address, None)
        if allowed.get(address) != data:
            expected = ", ".join(f"{place:#x}" for place in allowed)
            why = "other data" if address in allowed else f"expected one of {expected or 'none'}"
            self._fail(event, f"the write of {address:#x}: {why}")

    def _answer(self, event: BurstEvent) -> None:
        if event.word >= SLVERR:
            self.refused = self.awake  # else it is of a line from before a reset
            return
        data = b"".join(beat.to_bytes(16, "little") for beat, _ in event.beats)
        self.memory.reserve(1)
        line = event.burst.address // LINE_BYTES
        write_line(self.memory.written, line, np.frombuffer(data, np.uint8))

    def _result(self, transfer: Observation) -> None:
        """A result is offered, in its first cycle."""
        if not self.tiles:
            self._fail(transfer, "a result, and no tile is in flight")
        fields, shown = self.tiles[0], self.cfg.streams["res"].unpack(transfer.word)
        passed = self._barrier(transfer, shown) if fields["op"] != TILE else self._test(fields, shown["err"])
        if shown["passed"] != passed:
            self._fail(transfer, f"passed {shown['passed']:#06x}, expected {passed:#06x}")
        self.tiles.popleft()
        self.results += 1

    def _barrier(self, transfer: Observation, shown: Mapping[str, int]) -> int:
        fields = self.tiles[0]
        kept = [address for address, line in self.lines.items() if line.dirty]
        kept += [] if fields["op"] == CLEAR else list(self.marked)
        if kept or self.leaving:
            self._fail(
                transfer,
                f"{OPS[fields['op']]} is done, and {len(kept or self.leaving)} lines are not written",
            )
        if fields["op"] == CLEAR and self.cleared != self._to_clear:
            self._fail(transfer, f"clear has written {self.cleared} tiles of {self._to_clear}")
        if fields["op"] == CLEAR:
            marked = range(min(self.surface.tiles, self.cfg.fast_clear))
            self.marked = {self.surface.address(number): fields["depth0"] for number in marked}
        if shown["err"] != self.refused:
            self._fail(transfer, f"err {shown['err']}, expected {int(self.refused)}")
        self.refused, self.cleared = False, 0
        if fields["op"] in (CLEAR, BASE):
            self.lines.clear()
        if fields["op"] == BASE:
            depths = [fields[f"depth{place}"] for place in range(3)]
            self.surface = Surface.of(self.cfg, {"depth": depths})
        return 0

    def _test(self, fields: Mapping[str, int], failed: int) -> int:
        """The pixels that pass; what they store."""
        live = fields["mask"] & ~(self.kills.popleft() if self.cfg.given else 0)
        if not fields["test"]:
            return live
        if failed or not live:
            return 0
        line = self._line(self.surface.address(self.surface.number(self.cfg, fields["x"], fields["y"])))
        passed, mask = tested(fields, live, line.words), MASKS[fields["format"]]
        self._relate(fields, live, line.words)
        for pixel in range(PIXELS) if fields["write"] else ():
            if passed >> pixel & 1:
                line.words[pixel] = (
                    int(line.words[pixel]) & ~mask & 0xFFFFFFFF | fields[f"depth{pixel}"] & mask
                )
                line.dirty = True
        return passed

    def _relate(self, fields: Mapping[str, int], live: int, stored: NDArray[np.uint32]) -> None:
        """Cover how new depths and stored ones compare."""
        kind, mask = f"{FUNCTIONS[fields['func']]}/{FORMATS[fields['format']]}", MASKS[fields["format"]]
        for pixel in range(PIXELS):
            if live >> pixel & 1:
                new, old = fields[f"depth{pixel}"] & mask, int(stored[pixel]) & mask
                self.cover(
                    "relation", f"{kind}/{'less' if new < old else 'equal' if new == old else 'greater'}"
                )

    def _line(self, address: int) -> Line:
        if address not in self.lines:
            words = self.memory.line(address // LINE_BYTES).view(np.uint32).copy()
            marked = self.marked.get(address)
            self.lines[address] = Line(words if marked is None else _words(marked))
        return self.lines[address]

    def _fail(self, event: Any, text: str) -> NoReturn:
        word = f"\n  the tile: {self.tiles[0]}" if self.tiles else ""
        self.bench.fail(f"cycle {event.cycle}: {text}{word}")
