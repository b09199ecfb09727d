# SPDX-License-Identifier: Apache-2.0
"""What every block's environment is built on: it knows the monitors, the model and the scoreboard."""

from typing import Any

from pyuvm import uvm_env

from tb.common.components.axi_monitor import AxiReadMonitor, Tap
from tb.common.components.bench import KEY, Bench
from tb.common.components.monitor import StreamMonitor
from tb.common.components.reference import ReferenceModel
from tb.common.components.scoreboard import Scoreboard
from tb.common.coverage.bins import Counters


class BlockEnv(uvm_env):
    """Base of all environments. A block's ``build_phase`` sets the attributes below, then adds its own."""

    scoreboard: Scoreboard
    reference: ReferenceModel
    counters: Counters  # functional coverage

    def build_phase(self) -> None:
        """Find the bench; no monitors yet."""
        self.bench: Bench = self.cdb_get(KEY)
        self.monitors: list[StreamMonitor | AxiReadMonitor] = []

    def subscribe(self, port: Any, name: str, function: Any) -> None:
        """Hand what an analysis port publishes to ``function``."""
        port.connect(Tap(f"tap_{name}", self, function).analysis_export)

    def reset(self) -> None:
        """The design is being reset: predict what it accepted, then forget, everywhere."""
        self.reference.flush()
        self.scoreboard.reset()
        self.reference.reset()
        for monitor in self.monitors:
            monitor.reset()

    def check_known(self) -> None:
        """After reset no output that says "valid" may be X."""
        for monitor in self.monitors:
            monitor.check_known()

    def progress(self) -> tuple[int, ...]:
        """Changes as long as the design gets on; a test that sees no change for long has hung."""
        return tuple(len(channel.matched) + len(channel.seen) for channel in self.scoreboard.by_name.values())

    def idle(self) -> bool:
        """Whether all that was accepted has been answered and nothing more is under way."""
        raise NotImplementedError

    def pending(self) -> bool:
        """Whether the design owes something: an answer, or to take what is offered."""
        return not self.idle() or any(isinstance(one, StreamMonitor) and one.waiting for one in self.monitors)

    def state(self) -> str:
        """What is under way, for the message about a hang."""
        raise NotImplementedError

    def performance(self, stream: str = "perf") -> dict[str, int]:
        """The RTL's counters on ``stream``, by name. Raises AssertionError when they are X."""
        text = str(getattr(self.bench.dut, f"{stream}_data").value)
        assert set(text) <= {"0", "1"}, f"{stream}_data is {text}"
        return self.bench.cfg.streams[stream].unpack(int(text, 2))

    def final_checks(self) -> None:
        """Checks at the end of a test that passed so far, e.g. counters."""
        self.scoreboard.check_complete()

    def summary(self) -> dict[str, Any]:
        """Figures of the test for the run's summary: numbers only."""
        return {}
