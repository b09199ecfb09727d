# SPDX-License-Identifier: Apache-2.0
"""One workload through RTL and model on its configurations, and what is kept of it."""

from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from configs.texcache.schema import Config
from models.texcache import RESULT
from tb.common.measuring import workload
from tb.common.measuring.stored import Order, Result
from tb.common.measuring.workload import DisagreementError, Measured, MeasuredRun, hardware, library_name
from tb.common.replay.library import Roles
from tb.common.replay.traffic import Traffic as Pacing
from tb.texcache.measuring.traffic import Binder, Bound, FootprintTraffic
from tb.texcache.replay import Rtl, check, predict, replay
from workloads.texcache.frame import shade

BASE = "base"


@dataclass(frozen=True)
class Workload(workload.Workload[Any]):
    """Footprints of ``traffic``; ``meta`` says what the report needs of a ``kind``.

    ``requests`` is the pattern of cycles in which a request may be offered, empty: any.
    """

    kind: str
    meta: dict[str, Any]
    traffic: FootprintTraffic
    requests: tuple[int, ...] = field(default=(), repr=False)

    def measure(self, order: Order) -> Measured:
        bound: Binder = Binder(self.traffic)
        base: Any = order.base
        decides: tuple[object, ...] = (self.id, self.meta, self.traffic, base.hash)
        stored = order.keep("workloads", self.id, decides, lambda: self._footprints(bound(base)))
        runs = []
        for role, cfg in sorted(self.cfgs.items(), key=lambda item: item[1].layout):
            library = library_name(cfg, Roles())
            decides = (self.id, self.traffic, self.requests, cfg.hash, cfg.memory, library, order.seed)
            make = partial(self._run, order, cfg, library, bound, role == BASE)
            about = order.keep("runs", f"{self.id}-{role}", decides, make)
            runs.append(MeasuredRun(self.id, role, about["footprints"], about["file"]))
        names = ("id", "kind", "meta", "footprints", "file", "sha256")
        return Measured({name: stored[name] for name in names}, runs)

    def _footprints(self, bound: Bound) -> Result:
        """Once for all runs."""
        trace = bound.trace
        about = {
            "id": self.id, "kind": self.kind, "meta": {**self.meta, "pixels": trace.pixels},
            "footprints": len(trace),
        }  # fmt: skip
        sides = np.array(bound.sides)
        return Result(about, {"footprints": trace.footprints, "sides": sides, **trace.extras})

    def _run(self, order: Order, cfg: Config, library: str, binder: Binder, shown: bool) -> Result:
        """One run; the model has to agree. Where it is ``shown``, with the picture that its texels make."""
        bound = binder(cfg)
        pacing = Pacing(request=np.array(self.requests, np.uint8)) if self.requests else None
        rtl = replay(hardware(cfg), bound.trace, order.seed, cfg.memory, traffic=pacing)
        mismatches = check(cfg, bound.trace, predict(cfg, bound.trace, order.seed), rtl)
        if mismatches:
            raise DisagreementError(f"{self.id} on {cfg.name}: {mismatches[0].text}; repeat: {order.command}")
        arrays = encode(bound, rtl)
        if bound.frame and shown:
            arrays["picture"] = shade(bound.frame, rtl.result["texel"])
        about = {
            "workload": self.id, "config": cfg.model_dump(mode="json"), "config_name": cfg.name,
            "config_hash": cfg.hash, "library": library, "seed": order.seed, "counters": rtl.counters,
            "cycles": rtl.cycles, "footprints": len(bound.trace),
        }  # fmt: skip
        return Result(about, arrays)


def encode(bound: Bound, rtl: Rtl) -> dict[str, NDArray[Any]]:
    """What a run's file holds: RESULT by column, cycles of request and result, the look-up table."""
    assert rtl.cycles < 1 << 32, f"{rtl.cycles} cycles: too long a run for 32-bit times"
    columns = {f"result_{name}": np.ascontiguousarray(rtl.result[name]) for name in RESULT.names or ()}
    times = {name: getattr(rtl, name).astype(np.uint32) for name in ("t_request", "t_result")}
    return {**columns, "lut": bound.trace.lut, **times}
