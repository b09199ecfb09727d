# SPDX-License-Identifier: Apache-2.0
"""Measuring of a cache of the SIMT processor: beside patterns, programs of the machine (docs/simt.md).

Each program goes through RTL and model under each policy, as a pattern does. By the models alone: other
geometries, true LFU and the optimum, and fewer warps.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from models.comparison import Geometry, compared
from tb.common.measuring.requests import RequestMeasurement, RequestWorkload
from tb.common.measuring.stored import Order, Result
from tb.common.measuring.workload import Measured, preset_of
from tb.common.replay.requests import Columns, Rtl
from workloads.simt.isa import WARPS
from workloads.simt.machine import Trace
from workloads.simt.profile import profile
from workloads.simt.programs import PROGRAMS, prepare
from workloads.simt.requests import wide

WAYS = (4, 8, 16)  # that the policies are made for
BEGINS = 48  # requests at the beginning of a run whose cycles are kept


class Case(NamedTuple):
    """A program, and the size of its problem."""

    program: str
    n: int

    @property
    def id(self) -> str:
        """As results call it."""
        return f"{self.program} {self.n}"


@dataclass(frozen=True)
class Sweeps:
    """Geometries around one: ``sizes`` in bytes and ``lines`` in bytes of a line; the ways are WAYS."""

    around: Geometry
    sizes: Sequence[int]
    lines: Sequence[int]

    def points(self) -> list[Geometry]:
        """All, each once: one size changes, the others stay, where that can be built."""
        ways, line, size = self.around.ways, self.around.line_bytes, self.around.capacity_bytes
        made = [Geometry(other // (ways * line), ways, line) for other in self.sizes]
        made += [Geometry(size // (other * line), other, line) for other in WAYS]
        made += [Geometry(size // (ways * other), ways, other) for other in self.lines]
        return list(dict.fromkeys([self.around, *(geometry for geometry in made if geometry.sets >= 2)]))


@dataclass(frozen=True)
class SimtMeasurement(RequestMeasurement):
    """``cases`` and ``quick_cases``; ``asked`` gives the requests of a run, ``looked_up`` their byte
    addresses; ``sweeps`` the geometries of a configuration.
    """

    cases: tuple[Case, ...]
    quick_cases: tuple[Case, ...]
    asked: Callable[[Trace], NDArray[Any]]
    looked_up: Callable[[Trace], NDArray[np.int64]]
    sweeps: Callable[[Any], Sweeps]

    def plan(self, order: Order) -> Sequence[RequestWorkload[Order]]:
        """See :class:`tb.common.measuring.workload.Measurement`."""
        cfgs = {role: preset_of(wide(cfg)) for role, cfg in self.cfgs(order.base).items()}
        cases = self.quick_cases if order.quick else self.cases
        programs = [ProgramWorkload(case.id, cfgs, self, case, self) for case in cases]
        return [*programs, *super().plan(order)]


@dataclass(frozen=True)
class ProgramWorkload(RequestWorkload[Order]):
    """A program on the machine. What the models alone say of it is kept as the workload's."""

    case: Case
    simt: SimtMeasurement

    def columns(self, cfg: Any, order: Order) -> Columns:
        """See :class:`RequestWorkload`."""
        requests = self.simt.asked(ran(self.case, WARPS))
        return {name: requests[name] for name in requests.dtype.names or ()}

    def measure(self, order: Order) -> Measured:
        """See :class:`tb.common.measuring.workload.Workload`."""
        base = next(iter(self.cfgs.values())).cache
        sweeps = self.simt.sweeps(order.base)
        warps = (1, WARPS) if order.quick else range(1, WARPS + 1)
        geometries = dict.fromkeys([Geometry.of(base), *sweeps.points()])

        def make() -> Result:
            return Result(self._modelled(geometries, sweeps.around, warps, base.invalid_first))

        key = (self.case, tuple(geometries), tuple(warps), base.invalid_first)
        about = order.keep("workloads", self.id, key, make)
        return Measured({"id": self.id, "file": about["file"], "program": True}, super().measure(order).runs)

    def _modelled(
        self, geometries: Iterable[Geometry], around: Geometry, warps: Iterable[int], invalid_first: bool
    ) -> dict[str, Any]:
        by_warps = []
        for number in warps:
            some = self.simt.looked_up(ran(self.case, number))
            counted = compared(some, around, invalid_first)
            by_warps.append({"warps": number, "looked_up": len(some), **counted._asdict()})
        trace = ran(self.case, WARPS)
        counts, addresses = profile(trace, 0), self.simt.looked_up(trace)
        return {
            "program": self.case.program, "n": self.case.n, "instructions": counts.instructions,
            "ideal_cycles": counts.cycles, "looked_up": len(addresses), "around": around._asdict(),
            "points": [
                point._asdict() | compared(addresses, point, invalid_first)._asdict() for point in geometries
            ],
            "warps": by_warps,
        }  # fmt: skip


@lru_cache(maxsize=1)
def ran(case: Case, warps: int) -> Trace:
    """The program's run on so many warps, its results checked."""
    return prepare(PROGRAMS[case.program], case.n, warps=warps).run()


def begins(rtl: Rtl, chosen: NDArray[np.bool_], misses: NDArray[np.int64]) -> list[list[int]]:
    """Of the first BEGINS of the requests ``chosen`` [n]: cycles in which they were taken and answered, from
    the first one's on, and ``misses`` [n].
    """
    rows = np.flatnonzero(chosen)[:BEGINS]
    columns = np.stack([rtl.t_request[rows], rtl.t_result[rows], misses[rows]], axis=1)
    columns[:, :2] -= columns[:1, :1]
    begun: list[list[int]] = columns.tolist()
    return begun
