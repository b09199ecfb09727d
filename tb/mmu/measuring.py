# SPDX-License-Identifier: Apache-2.0
"""What ``python -m tb measure mmu`` measures: programs through the RTL, on published caches and others."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from configs import BlockConfig
from configs.mmu.schema import Config
from tb.common.measuring.programs import Case
from tb.common.measuring.stored import Order, Result
from tb.common.measuring.workload import (
    DisagreementError,
    Measured,
    MeasuredRun,
    Measurement,
    Workload,
    library_name,
    preset_of,
)
from tb.common.replay.library import Roles
from tb.mmu.machine import ROLES, MachineRun
from tb.mmu.outcome import ProgramOutcome, predicted, wide
from tb.mmu.profile import CAUSES
from workloads.simt.machine import Machine
from workloads.simt.programs import NINE, PROGRAMS, prepare

LATENCY = 100  # cycles from an address to the first beat
PUBLISHED, READY, WIDE, FASTEST = "published", "any ready warp", "published, a bus of 64 bits", "fast"
COALESCING = {"mshrs": 1, "coalescing": True}
BOTH = {"mshrs": 16, "coalescing": True}
AHEAD = {**BOTH, "prefetch": True}
#: by role: what is changed; more lines under way need more ids. The last one is the preset "fast", the one
#: before it tells what of that is the bus
CHANGES: Mapping[str, Mapping[str, Any]] = {
    PUBLISHED: {}, READY: {},
    "restart with the word": {"icache": {"restart": "word"}},
    "hits under a miss": {"dcache": {"mshrs": 1}},
    "hits under 8 misses": {"dcache": {"mshrs": 8}},
    "coalescing": {"dcache": COALESCING},
    "coalescing, hits under 16": {"dcache": BOTH, "axi": {"id_bits": 5}},
    "reading ahead, too": {"dcache": AHEAD, "axi": {"id_bits": 5}},
    WIDE: {"axi": {"data_bits": 64}},
    FASTEST: {"dcache": AHEAD, "axi": {"id_bits": 5, "data_bits": 64}},
}  # fmt: skip
CASES = tuple(Case(name, PROGRAMS[name].n) for name in NINE)
PRODUCT = Case("product", PROGRAMS["product"].n)  # the source's own, on the published caches
QUICK_CASES, QUICK_ROLES = (Case("lines", 4), Case("matmul", 8)), (PUBLISHED, READY, FASTEST)


def cfgs(base: Config, quick: bool) -> dict[str, Config]:
    """By role: ``base`` with what the role changes, as the machine needs it, its memory far away."""
    roles = QUICK_ROLES if quick else CHANGES
    far = base.with_(memory={"latency": LATENCY})
    return {role: preset_of(wide(far.with_(**CHANGES[role]))) for role in roles}


class MachineMeasurement(Measurement[Order]):
    """Programs of the SIMT machine through the RTL."""

    accesses = "instructions"

    def order(self, arguments: Any, base: BlockConfig, command: str) -> Order:
        return Order(base, arguments.out, command, arguments.seed, arguments.quick)

    def plan(self, order: Order) -> Sequence["ProgramOnRtl"]:
        assert isinstance(order.base, Config)
        made = cfgs(order.base, order.quick)
        workloads = [ProgramOnRtl(case.id, made, case) for case in (QUICK_CASES if order.quick else CASES)]
        return [*workloads, ProgramOnRtl(PRODUCT.id, {PUBLISHED: made[PUBLISHED]}, PRODUCT)]

    def roles(self, cfg: Any) -> Roles:
        return ROLES

    def extra(self, order: Order) -> dict[str, Any]:
        """How far memory is away."""
        return {"latency": LATENCY}


@dataclass(frozen=True)
class ProgramOnRtl(Workload[Order]):
    """A program, in each configuration; its results are numpy's, its hits the golden models'."""

    case: Case

    def measure(self, order: Order) -> Measured:
        runs = []
        for role, cfg in self.cfgs.items():
            key = (self.case, role, cfg.hash, cfg.memory, library_name(cfg, ROLES), order.seed)

            def make(role: str = role, cfg: Config = cfg) -> Result:
                return Result(self._run(role, cfg, order))

            about = order.keep("runs", f"{self.id}-{role}", key, make)
            runs.append(MeasuredRun(self.id, role, about["instructions"], about["file"]))
        return Measured({"id": self.id, "file": runs[0].file, "program": True}, runs)

    def _run(self, role: str, cfg: Config, order: Order) -> dict[str, Any]:
        job = prepare(PROGRAMS[self.case.program], self.case.n)
        before = job.memory.copy()
        trace = Machine(before.copy(), job.launch).run()
        outcome = MachineRun(
            cfg, Machine(before.copy(), job.launch), trace, order.seed, ready=role == READY
        ).run()
        for stream, counts in predicted(cfg, before, outcome.trace).counters.items():
            got = {name: outcome.counters[stream][name] for name in counts}
            if counts != got:
                raise DisagreementError(
                    f"{self.id}, {role}, {stream}: the models count {counts}, the RTL {got}; repeat: "
                    f"{order.command}"
                )
        job.memory[:] = outcome.memory
        job.check()
        return {"program": self.case.program, "n": self.case.n, **_figures(outcome)}


def _figures(outcome: ProgramOutcome) -> dict[str, Any]:
    icache, dcache = outcome.counters["icache_perf"], outcome.counters["dcache_perf"]
    return {
        "instructions": outcome.instructions, "cycles": outcome.cycles, "clean": outcome.clean,
        "fetch_wait_cycles": icache["memory_wait_cycles"], "fetch_misses": icache["misses"],
        "data_wait_cycles": dcache["memory_wait_cycles"], "data_misses": dcache["misses"],
        "words": dcache["hits"] + dcache["misses"],
        **{name: dcache[name] for name in CAUSES if name in dcache},
    }  # fmt: skip


MEASUREMENT = MachineMeasurement()
