# SPDX-License-Identifier: Apache-2.0
"""How far a replay has come: what the library fills while a design works, and what is due next."""

import ctypes
from collections.abc import Sequence

import numpy as np

from configs import BlockConfig
from tb.common.replay.library import Roles
from tb.common.replay.structures import ROOM, TAIL, AxiRun, PortRun, Run
from tb.common.replay.work import Bursts, Chunk, PortArrays, Work


class Progress:
    """The work of each port of ``roles``, and room for what comes of it."""

    def __init__(self, cfg: BlockConfig, roles: Roles, work: Sequence[Work], tail: int = TAIL) -> None:
        self.ports = [PortArrays(cfg, port, part) for port, part in zip(roles.ports, work, strict=True)]
        self.names = [f"port {port.request}, " if len(work) > 1 else "" for port in roles.ports]
        self.runs = (PortRun * len(self.ports))(*(PortRun(*port.fields) for port in self.ports))
        self._bursts = np.zeros((len(cfg.axi_ports), 2, ROOM), np.uint64)
        self._axi = (AxiRun * len(self._bursts))(
            *(AxiRun(*(kind.ctypes.data for kind in port)) for port in self._bursts)
        )
        self.run = Run(ctypes.addressof(self.runs), ctypes.addressof(self._axi), tail, ROOM)

    def chunk(self) -> Chunk:
        """What the last call of the library did; overwritten by the next."""
        return Chunk(
            [port.chunk(run) for port, run in zip(self.ports, self.runs, strict=True)],
            [
                Bursts(reads[: run.new_reads], writes[: run.new_writes])
                for (reads, writes), run in zip(self._bursts, self._axi, strict=True)
            ],
        )

    def _late(self) -> int | None:
        return next((n for n, run in enumerate(self.runs) if run.answered < run.count), None)

    def due(self) -> str:
        """The request whose result is to come next, or nothing."""
        late = self._late()
        if late is None:
            return ""
        return self.names[late] + self.ports[late].work.describe(self.runs[late].answered)

    def stuck(self) -> str:
        """What has become of that request."""
        run = self.runs[self._late() or 0]
        return "was accepted, but has no result" if run.sent > run.answered else "is not accepted"

    def surplus(self) -> str:
        """The result that was too many."""
        number = self.run.surplus
        answered = self.runs[number].answered
        return f"{self.names[number]}a result that no request asked for, after {answered} answered ones"
