# SPDX-License-Identifier: Apache-2.0
"""What every block's environment is built on: agents of all ports, and what a test asks of them together."""

from collections.abc import Sequence
from functools import partial
from typing import Any, ClassVar

from pyuvm import uvm_env

from configs import Stream
from tb.common.components.agent import StreamAgent
from tb.common.components.axi.agent import AxiAgent
from tb.common.components.axi.handshake import BurstEvent
from tb.common.components.axi.memory import AxiMemory
from tb.common.components.bench import KEY, Bench, look
from tb.common.components.pacing import MemoryPacing
from tb.common.components.reference import ReferenceModel
from tb.common.components.reset import ResetDriver
from tb.common.components.scoreboard import Scoreboard
from tb.common.components.stream import ReadySink
from tb.common.components.transactions import AnalysisImp
from tb.common.components.virtual_sequence import VirtualSequencer
from tb.common.coverage import meetings
from tb.common.coverage.bins import AddressBits, Counters


class BlockEnv(uvm_env):
    """Base of all environments: an agent for every stream and AXI port of the configuration, in its order.

    A block names its own classes and builds what else it has, above all ``reference``, ``scoreboard`` and
    ``counters``, after these; its ``connect_phase`` says, from driver to scoreboard, who listens to whom.
    """

    resets_class: ClassVar[type[ResetDriver]] = ResetDriver
    flags: ClassVar[dict[str, str]] = {}  # by stream: a signal to sample with each transfer
    at_once: ClassVar[tuple[str, ...]] = ()  # streams whose listeners look at pins, or drive some
    counts_offers: ClassVar[bool] = False  # whether a burst is on its way from the offer of its address on
    reference: ReferenceModel
    scoreboard: Scoreboard
    counters: Counters  # functional coverage

    def build_phase(self) -> None:
        """Agents, resets, and the sequencer of virtual sequences."""
        self.bench: Bench = self.cdb_get(KEY)
        self.cfg = self.bench.cfg
        self._observed = 0  # transfers before the last reset
        self.agents: dict[str, StreamAgent] = {}
        for name, stream in self.watched().items():
            self.agents[name] = agent = StreamAgent.create(name, self)
            agent.stream, agent.flag = stream, self.flags.get(name, "")
        self.axi: dict[str, AxiAgent] = {}
        for prefix, port in self.cfg.axi_ports.items():
            self.axi[prefix] = AxiAgent.create(prefix, self)
            self.axi[prefix].port = port
        self.resets: ResetDriver = self.resets_class.create("resets", self)
        self.sequencer: VirtualSequencer = VirtualSequencer.create("sequencer", self)
        self.addresses = {
            name: AnalysisImp(f"{name}_addresses", self, partial(self._address, name))
            for prefix in self.axi
            for name in (f"{prefix}_ar", f"{prefix}_aw")
        }
        self._address_valids = [
            look(getattr(self.bench.dut, f"{channel.name}valid"))
            for port in self.cfg.axi_ports.values()
            for name, channel in port.channels.items()
            if name in ("ar", "aw")
        ]
        self.reset_begins = AnalysisImp("reset_begins", self, self._reset_begins)
        self.reset_ends = AnalysisImp("reset_ends", self, self._reset_ends)

    def watched(self) -> dict[str, Stream]:
        """The streams that have an agent: all but counters, which are read when somebody wants to know."""
        streams: dict[str, Stream] = self.cfg.streams
        return {name: stream for name, stream in streams.items() if stream.valid}

    @property
    def meeting(self) -> list[StreamAgent]:
        """The agents of which pairs of events are counted and aimed at: all, or of many alike two."""
        return list(self.agents.values())

    def other_ends(self) -> list[Any]:
        """Further actors (:mod:`acting`), of ports that the block's environment builds itself."""
        return []

    def coincidences(self) -> meetings.Counts:
        """What met at the ports, of each clock for itself."""
        streams = [agent.stream for agent in self.meeting]
        streams += [channel for port in self.cfg.axi_ports.values() for channel in port.channels.values()]
        counts: meetings.Counts = {}
        for name, clocking in self.bench.clockings.items():
            mine = [stream for stream in meetings.eventful(streams) if stream.clock == name]
            counts |= meetings.count(self.bench.log.events(mine), clocking.resets, clocking.releases)
        return counts

    def connect_phase(self) -> None:
        """Resets reach all that watches the design; addresses are covered."""
        self.resets.asserted.connect(self.reset_begins)
        self.resets.released.connect(self.reset_ends)
        for axi in self.axi.values():
            axi.monitor.addresses.connect(self.addresses[f"{axi.port.prefix}_ar"])
            axi.monitor.write_addresses.connect(self.addresses[f"{axi.port.prefix}_aw"])

    def start_of_simulation_phase(self) -> None:
        """All is connected."""
        self._address_bits = AddressBits(self.counters)
        for name in self.at_once:
            self.agents[name].monitor.watched.wake_always()

    @property
    def sinks(self) -> list[ReadySink]:
        """The sinks of all streams that leave the design and can be held back."""
        return [agent.sink for agent in self.agents.values() if agent.sinks]

    @property
    def memory(self) -> AxiMemory:
        """What answers the AXI port, of a block with one."""
        [axi] = self.axi.values()
        return axi.memory

    @property
    def bursts(self) -> int:
        """AXI bursts on their way, of all ports."""
        taken = sum(axi.monitor.outstanding for axi in self.axi.values())
        return taken + (self.offered if self.counts_offers else 0)

    @property
    def offered(self) -> int:
        """Addresses of bursts that are offered, of all ports, and not taken yet."""
        return [valid() for valid in self._address_valids].count("1")

    def pace_memory(self, pacing: MemoryPacing) -> None:
        """Change the memory's pacing, on all ports."""
        for axi in self.axi.values():
            axi.memory.pace(pacing)

    def _address(self, channel: str, event: BurstEvent) -> None:
        self._address_bits.sample(channel, event.word)

    def _reset_begins(self, part: str) -> None:
        self.reset(part)

    def _reset_ends(self, _part: str) -> None:
        self.bench.clocking.on_sample(self._check_known)

    def _check_known(self) -> bool:
        for agent in self.agents.values():
            agent.monitor.check_known()
        return False

    def reset(self, part: str) -> None:
        """A part of the design, or all, is being reset: predict what it accepted, then forget, everywhere."""
        self._observed += sum(channel.observed for channel in self.scoreboard.by_name.values())
        self.reference.lose()
        self.scoreboard.reset()
        self.reference.reset()
        for agent in self.agents.values():
            agent.monitor.reset()
        for axi in self.axi.values():
            axi.reset()

    def poison(self, lines: Sequence[int]) -> None:
        """From now on memory answers for ``lines`` with an error. To be called while the design is idle."""
        self.reference.poison(lines)
        for axi in self.axi.values():
            axi.poison(lines, self.cfg.cache.line_bytes)

    def heal(self) -> None:
        """From now on all is well. To be called while the design is idle."""
        self.reference.heal()
        for axi in self.axi.values():
            axi.heal()

    def progress(self) -> tuple[int, ...]:
        """Changes as long as the design gets on; a test that sees no change for long has hung. Each
        reset counts, too: what clears many sets does nothing else for long.
        """
        resets = sum(len(clocking.resets) for clocking in self.bench.clockings.values())
        return (resets, self._observed, *(channel.observed for channel in self.scoreboard.by_name.values()))

    def idle(self) -> bool:
        """Whether all that was accepted has been answered and nothing more is under way."""
        raise NotImplementedError

    def pending(self) -> bool:
        """Whether the design owes something: an answer, to take what is offered, an awaited transfer."""
        agents = self.agents.values()
        return not self.idle() or any(agent.monitor.waiting or agent.transfers.waiting for agent in agents)

    def state(self) -> str:
        """What is under way, for the message about a hang."""
        raise NotImplementedError

    def summary(self) -> dict[str, Any]:
        """Figures, numbers only: since the test began or, where the design counts, since its last reset."""
        return {}
