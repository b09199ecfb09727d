# SPDX-License-Identifier: Apache-2.0
"""The environment of ``trilinear``: see :mod:`tb.common.components.request_env`."""

from collections.abc import Sequence

from configs.trilinear.schema import HALVES, Config
from tb.common.components.counters import CounterChecker, counts_of
from tb.common.components.request_env import RequestEnv
from tb.trilinear.coverage import TrilinearCoverage
from tb.trilinear.reference import TrilinearReference
from tb.trilinear.scoreboard import TrilinearScoreboard


def never_counted() -> dict[str, int]:
    """Counters of a half that stand still, as a witness: it is shown a request when it takes it."""
    return dict.fromkeys(("conflict_cycles", "stop_cycles", "request_wait_cycles"), 0)


class TrilinearEnv(RequestEnv):
    """Agents, model, scoreboard, coverage; what each half counted is held against its model."""

    cfg: Config
    reference_class, scoreboard_class = TrilinearReference, TrilinearScoreboard
    coverage_class = TrilinearCoverage
    reference: TrilinearReference
    scoreboard: TrilinearScoreboard

    def build_phase(self) -> None:
        super().build_phase()
        self.axi["m_axi"].uses_lines(self.cfg.half.cache.line_bytes)
        self.halves: dict[str, CounterChecker] = {}
        for name in HALVES:
            self.halves[name] = CounterChecker.create(f"{name}_performance", self)
            self.halves[name].stream, self.halves[name].unit = f"{name}_perf", f"{name} half, "

    def poison(self, lines: Sequence[int]) -> None:
        self.reference.poison(lines)
        self.axi["m_axi"].poison(lines, self.cfg.half.cache.line_bytes)

    def connect_phase(self) -> None:
        """Bursts of both halves reach the scoreboard, counters those of the model."""
        super().connect_phase()
        monitor = self.axi["m_axi"].monitor
        monitor.rules.reads.from_before = self.reference.is_before
        monitor.addresses.connect(self.scoreboard.addresses)
        monitor.lines.connect(self.scoreboard.lines)
        for name, checker in self.halves.items():
            model = self.reference.model.halves[name]
            inside = ("memory_wait_cycles", "result_wait_cycles")
            checker.unwitnessed = dict.fromkeys(inside, "no port shows it: half_waits_are_counted")
            checker.witnesses = {"model": counts_of(model), "order": never_counted}
