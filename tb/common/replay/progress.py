# SPDX-License-Identifier: Apache-2.0
"""How far a replay has come: what the library fills while a design works, and what is due next."""

import ctypes
from collections.abc import Sequence

import numpy as np

from configs import BlockConfig
from tb.common.replay.library import Roles
from tb.common.replay.structures import ROOM, TAIL, AxiRun, PortRun, ReplayRun
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
        self.run = ReplayRun(ctypes.addressof(self.runs), ctypes.addressof(self._axi), tail, ROOM)

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
        return next(
            (n for n, run in enumerate(self.runs) if run.sent < run.count or run.answered < self._all(n)),
            None,
        )

    def _all(self, number: int) -> int:
        """Results that a port must give."""
        due = self.ports[number].work.due
        return int(self.runs[number].count) if due is None else due

    def due(self) -> str:
        """The request whose result is to come next, or nothing."""
        late = self._late()
        if late is None:
            return ""
        work, run = self.ports[late].work, self.runs[late]
        if work.due is None:
            return self.names[late] + work.describe(run.answered)
        return f"{self.names[late]}result {run.answered} of {work.due}, and {work.describe(run.sent)}"

    def stuck(self) -> str:
        """What has become of that request."""
        late = self._late() or 0
        run = self.runs[late]
        if self.ports[late].work.due is not None:
            return "have not come" if run.sent == run.count else "is not accepted"
        return "was accepted, but has no result" if run.sent > run.answered else "is not accepted"

    def surplus(self) -> str:
        """The result that was too many."""
        number = self.run.surplus
        answered = self.runs[number].answered
        return f"{self.names[number]}a result that no request asked for, after {answered} answered ones"
