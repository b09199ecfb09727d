# SPDX-License-Identifier: Apache-2.0
"""Clock domains of an elaborated block: the clock of each register and port, what goes from one to another.

A port belongs to the clock of its stream or AXI port; of others ``gpu_rst`` to ``gpu_clk``, and so on.
"""

from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from configs import PROJECT, BlockConfig
from rtl.verilog import stream_signals

if TYPE_CHECKING:
    from rtl.dataflow import Dataflow

SYNCHRONIZER, FIFO = f"{PROJECT}sync_bit", f"{PROJECT}async_fifo"


@dataclass(frozen=True)
class Crossing:
    """What register ``source`` (of ``clock``) hands over to clock ``into``.

    ``target`` is the first flip-flop of a synchronizer, or the FIFO whose ``words`` are read there.
    """

    source: str
    target: str
    clock: str
    into: str
    bits: int
    words: bool = False


class Domains:
    """The clock domains of ``design``, the Verilog of ``cfg``."""

    def __init__(self, cfg: BlockConfig, design: "Dataflow") -> None:
        self.cfg, self.design = cfg, design
        self.registers = design.registers
        self._clocks = {name: self._clocks_of(name) for name in self.registers}
        self._read: dict[str, tuple[str, ...]] = {}

    def clock(self, name: str) -> str | None:
        """The clock of a register or of a port of the top; None if it has none, or several."""
        if name not in self.registers:
            return self._port(name)
        clocks = self._clocks[name]
        return next(iter(clocks)) if len(clocks) == 1 else None

    def _clocks_of(self, register: str) -> set[str]:
        edges = {edge for drive in self.design.drives[register] for edge in drive.edges}
        return {clock for edge in edges if (clock := self.origin(edge)) in self.cfg.clocks}

    def _port(self, name: str) -> str | None:
        if name in self._known_ports:
            return self._known_ports[name]
        owners = [clock for clock in self.cfg.clocks if name.startswith(clock.removesuffix("clk"))]
        return max(owners, key=len, default=None)

    @cached_property
    def _known_ports(self) -> dict[str, str]:
        clocks = {clock: clock for clock in self.cfg.clocks}
        for stream in self.cfg.all_streams.values():
            clocks |= {signal.name: stream.clock for signal in stream_signals(stream)}
        for port in self.cfg.axi_ports.values():
            clocks |= {signal.name: port.clock for signal in port.signals}
        return clocks

    def origin(self, name: str) -> str:
        """Where a signal comes from by wires alone: a register, a port of the top, or what logic makes."""
        passed: set[str] = set()
        while name not in passed and name not in self.registers:
            passed.add(name)
            drives = self.design.drives.get(name, [])
            if len(drives) != 1 or not drives[0].plain or len(drives[0].reads) != 1:
                break
            name = drives[0].reads[0]
        return name

    def sources(self, name: str, stop: Collection[str] = ()) -> dict[str, list[str]]:
        """The registers and input ports that a signal depends on, each with the way from it.

        A signal in ``stop`` counts as one. Edges that are no clock's do, too (asynchronous resets).
        """
        origins: dict[str, list[str]] = {}
        steps = [(read, name) for read in self._reads(name)]
        readers: dict[str, str] = {}  # of what was passed: by whom it was reached
        while steps:
            at, reader = steps.pop()
            if at in readers:
                continue
            readers[at] = reader
            if at in self.registers or at in self.design.inputs or at in stop:
                origins[at] = way = [at, reader]
                while way[-1] != name:
                    way.append(readers[way[-1]])
            else:
                steps += [(read, at) for read in self._reads(at) if read not in readers]
        return origins

    def _reads(self, name: str) -> tuple[str, ...]:
        """What a signal's drives read, each once: a vector of many drives reads the same again and again."""
        if name not in self._read:
            reads: dict[str, None] = {}
            for drive in self.design.drives.get(name, []):
                edges = (edge for edge in drive.edges if self.origin(edge) not in self.cfg.clocks)
                reads |= dict.fromkeys((*drive.reads, *edges))
            self._read[name] = tuple(reads)
        return self._read[name]

    def readers(self, register: str) -> list[str]:
        """The registers, and output ports of the top, that depend on a register."""
        ends, ways, passed = [], [register], {register}
        while ways:
            for reader in self._readers.get(ways.pop(), ()):
                if reader in passed:
                    continue
                passed.add(reader)
                if reader in self.registers or reader in self.design.outputs:
                    ends.append(reader)
                else:
                    ways.append(reader)
        return sorted(ends)

    @cached_property
    def _readers(self) -> dict[str, set[str]]:
        readers: dict[str, set[str]] = {}
        for target in self.design.drives:
            for read in self._reads(target):
                readers.setdefault(read, set()).add(target)
        return readers

    @cached_property
    def first_stages(self) -> dict[str, str]:
        """The registers that take what synchronizers are given: register -> its synchronizer."""
        return {
            register: path
            for path in self.design.instances(SYNCHRONIZER)
            for register in self.inside(path)
            if f"{path}.d" in self.sources(register, stop=(f"{path}.d",))
        }

    def inside(self, path: str) -> list[str]:
        """The registers in an instance."""
        return [name for name in self.registers if name.startswith(f"{path}.")]

    def crossings(self) -> list[Crossing]:
        """All of a design without faults: synchronizers, then the words of FIFOs."""
        crossings = []
        for first, path in self.first_stages.items():
            source = self.origin(f"{path}.d")
            clock, into = str(self.clock(source)), str(self.clock(first))
            crossings.append(Crossing(source, first, clock, into, self.design.widths[first]))
        for path in self.design.instances(FIFO):
            clock, into = (self.origin(f"{path}.{name}") for name in ("in_clk", "out_clk"))
            words = [name for name in self.inside(path) if name in self.design.arrays]
            crossings += [Crossing(name, path, clock, into, 0, words=True) for name in words]
        return crossings
