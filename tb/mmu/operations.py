# SPDX-License-Identifier: Apache-2.0
"""Operations of ``mmu`` as events of its ports, beside the transfers that ask for them.

Their names are those of the streams, with the operation behind: ``dcache_req FLUSH``, ``s_axil_w FENCE``.
"""

from collections import defaultdict
from functools import partial

import numpy as np
from pyuvm import uvm_component

from configs.dcache.schema import LOAD, STORE
from configs.dcache.schema import OPS as DATA_OPS
from configs.icache.schema import FETCH
from configs.icache.schema import OPS as FETCH_OPS
from configs.mmu.schema import Config
from tb.common.components.bench import KEY
from tb.common.components.transactions import AnalysisImp, Observation
from tb.common.coverage.meetings import Counts, Event
from tb.mmu import control
from tb.mmu.control import Operation

#: operations of the streams of requests: by name, the number in ``op``
ASKED = {
    "icache_req": {name: op for op, name in enumerate(FETCH_OPS) if op != FETCH},
    "dcache_req": {name: op for op, name in enumerate(DATA_OPS) if op not in (LOAD, STORE)},
}


def event(stream: str, name: str) -> str:
    """What the event is called."""
    return f"{stream} {name.upper()}"


def by_stream(cfg: Config) -> dict[str, tuple[str, ...]]:
    """The operations that are asked for on each stream and channel."""
    prefix = cfg.control.prefix
    registers = {f"{prefix}_{channel}": names for channel, names in control.OPERATIONS.items()}
    return {stream: tuple(names) for stream, names in ASKED.items()} | registers


class OperationWatch(uvm_component):
    """Keeps the cycles of all operations: of ``requests`` by stream, of ``registers``."""

    def build_phase(self) -> None:
        self.requests = {
            stream: AnalysisImp(stream, self, partial(self._request, stream)) for stream in ASKED
        }
        self.registers = AnalysisImp("registers", self, self._register)
        self._cfg: Config = self.cdb_get(KEY).cfg
        self._cycles: dict[str, list[int]] = defaultdict(list)

    def _request(self, stream: str, transfer: Observation) -> None:
        low = self._cfg.streams[stream].offset("op")
        op = transfer.word >> low & (1 << self._cfg.streams[stream].field("op").width) - 1
        for name, number in ASKED[stream].items():
            if op == number:
                self._cycles[event(stream, name)].append(transfer.cycle)

    def _register(self, operation: Operation) -> None:
        if not operation.answer:
            [channel] = [key for key, names in control.OPERATIONS.items() if operation.name in names]
            stream = f"{self._cfg.control.prefix}_{channel}"
            self._cycles[event(stream, operation.name)].append(operation.cycle - 1)

    def events(self) -> list[Event]:
        """All of them."""
        return [
            Event(name, stream, np.array(self._cycles[name], np.int64))
            for stream, names in by_stream(self._cfg).items()
            for name in (event(stream, operation) for operation in names)
        ]


def apart(counts: Counts) -> Counts:
    """These counts without those of an operation and another event of the same port."""

    def same_port(name: str) -> bool:
        pair = name.replace(" = ", " > ").split(" > ")
        ports = {part.partition("_")[0] for part in pair}
        return len(ports) == 1 and any(part.split()[-1].isupper() for part in pair)

    return {name: number for name, number in counts.items() if not same_port(name)}
