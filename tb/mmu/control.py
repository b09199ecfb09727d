# SPDX-License-Identifier: Apache-2.0
"""The master of ``mmu``'s control port: it tells which operations of the caches were asked for and when."""

from typing import NamedTuple

from pyuvm import uvm_analysis_port, uvm_component

from configs.mmu.registers import COMMANDS, REGISTERS
from configs.mmu.schema import Config
from tb.common.components.axi.handshake import Transfer, number
from tb.mmu.axi_lite import ALL_BYTES, AxiLiteMaster

STATUSES = ("icache_status", "dcache_status")
POLICIES = ("icache_policy", "dcache_policy")
#: operations by the channel on which they are asked for
OPERATIONS = {"w": ("base", *POLICIES, *COMMANDS), "ar": STATUSES}


class Operation(NamedTuple):
    """An operation of the caches: as it begins, or with its ``answer``, when it is done.

    Requests that are taken from ``cycle`` on come behind it. ``number``: of the block whose base it is;
    ``value``: of a base or policy. ``answer``: what is read and the response. ``word``, ``waited`` and
    ``flag`` are there as in an ``Observation``.
    """

    cycle: int
    word: int
    waited: int
    flag: bool
    name: str
    number: int = 0
    value: int = 0
    answer: tuple[int, ...] = ()  # not None: operations of a cycle are sorted


def written(cfg: Config, address: int, data: int, strobe: int) -> tuple[str, int] | None:
    """The operation that a write asks for, and of which block; None: nothing is asked for."""
    word = address & ~3
    if strobe != ALL_BYTES:
        return None
    if word == REGISTERS["command"].address:
        return (list(COMMANDS)[data], 0) if data < len(COMMANDS) else None
    for name in POLICIES:
        if word == REGISTERS[name].address:
            return name, 0
    number = (word - REGISTERS["base"].address) // 4
    return ("base", number) if 0 <= number < cfg.icache.blocks else None


def read(address: int) -> str | None:
    """The status that a read asks for; None: another register."""
    return next((name for name in STATUSES if REGISTERS[name].address == address & ~3), None)


class ControlMaster(AxiLiteMaster):
    """``operations`` publishes each :class:`Operation` when its words have been taken, and again when its
    answer is offered for the first time, taken or not.

    ``catch``: a channel and an operation; the next such access is stopped there, when it is to be offered.
    """

    catch: tuple[str, str] | None = None

    def __init__(self, name: str, parent: uvm_component) -> None:
        super().__init__(name, parent)
        self.operations = uvm_analysis_port("operations", self)
        self._forget()

    @property
    def reading(self) -> bool:
        """Whether a register is being read."""
        return bool(self._open["r"])

    @property
    def caught(self) -> bool:
        """Whether what is to be caught can be offered next."""
        if self.catch is None:
            return False
        channel, name = self.catch
        return channel not in self._offered and self._next(channel) == name

    @property
    def answered(self) -> bool:
        """Whether all before what is to be caught have been answered: the port has time for it."""
        return self.catch is not None and len(self._open["b" if self.catch[0] == "w" else "r"]) == 1

    def reset(self) -> None:
        super().reset()
        self._forget()

    def _forget(self) -> None:
        self._address = 0  # of the write whose data come
        self._begun: dict[str, Operation | None] = {"b": None, "r": None}  # by the channel of the answer

    def _next(self, channel: str) -> str | None:
        """The operation that is offered next on a channel, if it is one."""
        if not self._words[channel]:
            return None
        fields = self._words[channel][0].fields
        if channel == "ar":
            return read(fields["addr"])
        if not self._words["aw"]:
            return None
        command = written(
            self._bench.cfg, self._words["aw"][0].fields["addr"], fields["data"], fields["strb"]
        )
        return command and command[0]

    def _drive_pins(self) -> None:
        if self.caught and self.catch is not None:
            self._stopped.add(self.catch[0])
        super()._drive_pins()

    def _seen(self, name: str) -> Transfer | None:
        transfer = super()._seen(name)
        if transfer is not None:
            payload = {field: number(text) for field, text in transfer.payload.items()}
            if name == "aw":
                self._address = payload["addr"]
            elif name == "w":
                command = written(self._bench.cfg, self._address, payload["data"], payload["strb"])
                self._begin("b", *(command or ("", 0)), payload["data"])
            elif name == "ar":
                self._begin("r", read(payload["addr"]) or "")
        if name in self._begun and (transfer is not None or self._rules[name].waiting):
            self._end(name)
        return transfer

    def _begin(self, answer: str, name: str, number: int = 0, value: int = 0) -> None:
        self._begun[answer] = None
        if name:
            operation = Operation(self._clocking.cycle + 1, 0, 0, False, name, number, value)
            self._begun[answer] = operation
            self.operations.write(operation)

    def _end(self, answer: str) -> None:
        """An answer is offered; that of a status a cycle after requests may go on."""
        operation, self._begun[answer] = self._begun[answer], None
        if operation is not None:
            data = number(self._looks["r", "data"]()) if answer == "r" else 0
            response = number(self._looks[answer, "resp"]())
            cycle = self._clocking.cycle - (answer == "r")
            self.operations.write(operation._replace(cycle=cycle, answer=(data, response)))
