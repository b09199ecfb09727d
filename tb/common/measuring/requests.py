# SPDX-License-Identifier: Apache-2.0
"""Measuring of a block that answers requests (:mod:`tb.common.replay.requests`): columns in, figures out."""

import argparse
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from configs import BlockConfig
from models.memory import Memory
from tb.common.measuring import workload
from tb.common.measuring.stored import Order, Result
from tb.common.measuring.workload import (
    DisagreementError,
    Measured,
    MeasuredRun,
    Measurement,
    O,
    library_name,
)
from tb.common.replay.library import Roles
from tb.common.replay.requests import Columns, Model, Requester, Rtl


@dataclass(frozen=True)
class RequestMeasurement(Measurement[Order]):
    """``workloads``, each on the configurations that ``cfgs(base)`` gives by role.

    ``columns(cfg, workload, quick)``: the requests of a workload, fewer if ``quick``; ``figures``: what is
    kept of a run beside requests, cycles and the counters. ``requester`` and ``predict`` as for a replay.
    """

    workloads: tuple[str, ...]
    cfgs: Callable[[Any], dict[str, Any]]
    columns: Callable[[Any, str, bool], Columns]
    requester: Callable[[Any], Requester]
    predict: Callable[[Any, Columns, Memory], Model]
    figures: Callable[[Any, Columns, Rtl], dict[str, Any]]
    accesses = "requests"

    def order(self, arguments: argparse.Namespace, base: BlockConfig, command: str) -> Order:
        """See :class:`Measurement`."""
        return Order(base, arguments.out, command, arguments.seed, arguments.quick)

    def roles(self, cfg: Any) -> Roles:
        """See :class:`Measurement`."""
        return self.requester(cfg).roles

    def plan(self, order: Order) -> Sequence["RequestWorkload[Order]"]:
        """See :class:`Measurement`."""
        return [RequestWorkload(name, self.cfgs(order.base), self) for name in self.workloads]


@dataclass(frozen=True)
class RequestWorkload(workload.Workload[O]):
    """The requests that ``measurement`` has for the workload's ``id``, on each configuration.

    Another measurement than a :class:`RequestMeasurement` has its ``requester``, ``predict``, ``figures`` and
    ``roles``; its workloads say what :meth:`columns` are, and what :meth:`decides`.
    """

    measurement: Any

    def measure(self, order: O) -> Measured:
        """See :class:`tb.common.measuring.workload.Workload`."""
        runs = []
        for role, cfg in self.cfgs.items():
            library = library_name(cfg, self.measurement.roles(cfg))
            key = (self.id, role, cfg.hash, cfg.memory, library, order.seed, *self.decides(order))

            def make(cfg: Any = cfg) -> Result:
                return Result(self._run(cfg, order))

            about = order.keep("runs", f"{self.id}-{role}", key, make)
            runs.append(MeasuredRun(self.id, role, about["requests"], about["file"]))
        return Measured({"id": self.id, "file": runs[0].file}, runs)

    def decides(self, order: O) -> tuple[Any, ...]:
        """What its requests depend on, beside the configuration."""
        return (order.quick,)

    def columns(self, cfg: Any, order: O) -> Columns:
        """Its requests."""
        columns: Columns = self.measurement.columns(cfg, self.id, order.quick)
        return columns

    def _run(self, cfg: Any, order: O) -> dict[str, Any]:
        requests, memory = self.columns(cfg, order), Memory(order.seed)
        requester = self.measurement.requester(cfg)
        rtl = requester.replay(cfg, requests, memory, order.seed)
        model = self.measurement.predict(cfg, requests, memory)
        if wrong := requester.check(cfg, requests, model, rtl):
            raise DisagreementError(f"{self.id} on {cfg.name}: {wrong[0].text}; repeat: {order.command}")
        counted = {"requests": len(rtl.t_result), "cycles": rtl.cycles, **rtl.counters}
        return counted | self.measurement.figures(cfg, requests, rtl)
