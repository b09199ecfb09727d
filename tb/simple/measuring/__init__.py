# SPDX-License-Identifier: Apache-2.0
"""What ``python -m tb measure simple`` measures: small programs, written back and written through."""

import argparse
from dataclasses import dataclass
from typing import Any

from configs import BlockConfig
from configs.simple.schema import Config
from models.memory import Memory
from tb.common.measuring import workload
from tb.common.measuring.stored import Order, Result
from tb.common.measuring.workload import (
    DisagreementError,
    Measured,
    Measurement,
    Run,
    library_name,
    preset_of,
)
from tb.common.replay.library import Roles
from tb.simple.replay import columns, predict, requester
from workloads.simple.patterns import PATTERNS, requests

COUNT, QUICK_COUNT = 100_000, 3_000
POLICIES = ("write-back", "write-through")


@dataclass(frozen=True)
class Workload(workload.Workload[Order]):
    """A program, on both policies."""

    def measure(self, order: Order) -> Measured:
        """See :class:`tb.common.measuring.workload.Workload`."""
        runs = []
        for role, cfg in self.cfgs.items():
            key = (self.id, role, cfg.hash, cfg.memory, library_name(cfg, Roles()), order.seed, order.quick)

            def make(cfg: Config = cfg) -> Result:
                return Result(self.figures(cfg, order))

            about = order.keep("runs", f"{self.id}-{role}", key, make)
            runs.append(Run(self.id, role, about["requests"], about["file"]))
        return Measured({"id": self.id, "file": runs[0].file}, runs)

    def figures(self, cfg: Config, order: Order) -> dict[str, Any]:
        """One run. Raises :class:`DisagreementError`."""
        asked = columns(requests(cfg, self.id, QUICK_COUNT if order.quick else COUNT))
        ask, memory = requester(cfg), Memory(order.seed)
        rtl = ask.replay(cfg, asked, memory, order.seed)
        if wrong := ask.check(cfg, asked, predict(cfg, asked, memory), rtl):
            raise DisagreementError(f"{self.id} on {cfg.name}: {wrong[0].text}; repeat: {order.command}")
        per_write = cfg.cache.line_bytes if cfg.policy == "write-back" else cfg.word_bytes
        return {
            "requests": len(asked["op"]), "cycles": rtl.cycles, **rtl.counters,
            "read_bytes": len(rtl.reads["m_axi"]) * cfg.cache.line_bytes,
            "written_bytes": rtl.counters["writes"] * per_write,
        }  # fmt: skip


class Simple(Measurement[Order]):
    """The simple cache's."""

    accesses = "requests"

    def order(self, arguments: argparse.Namespace, base: BlockConfig, command: str) -> Order:
        """See :class:`Measurement`."""
        return Order(base, arguments.out, command, arguments.seed, arguments.quick)

    def plan(self, order: Order) -> list[Workload]:
        """All programs, on both policies."""
        base: Any = order.base
        cfgs = {policy: preset_of(base.with_(policy=policy)) for policy in POLICIES}
        return [Workload(name, cfgs) for name in PATTERNS]


MEASUREMENT = Simple()
