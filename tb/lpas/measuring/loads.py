# SPDX-License-Identifier: Apache-2.0
"""Offered load: what is accepted, how long it takes, who waits; near PEs against far ones; other sizes."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from configs.lpas.schema import LOAD, STORE, Config
from tb.common.measuring.stored import Order, Result
from tb.common.measuring.workload import Workload
from tb.lpas.measuring.experiment import Experiment, Part, both
from tb.lpas.measuring.switches import BOUNDED, FS, LPAS, PIPELINED, SWITCHES, configurations
from workloads.lpas.load import HOT_SPOT, LOADS, LOCAL, TRAFFICS, UNIFORM, offered, siege

CYCLES, QUICK_CYCLES = 3000, 400
QUICK_LOADS = (0.5, 1.0)
HISTOGRAM = 256  # cycles; longer waits are counted in the last place
SIZES = ((2, 2), (2, 4), (4, 4), (4, 8), (8, 8))
SIZE_LOADS = (0.2, 1.0)
NEAR = (10, 30, 100, 300, 1000)  # accesses of a near PE


@dataclass(frozen=True)
class Window:
    """Of a part: the traffic's name and load, its first cycle, and for how many cycles it comes."""

    traffic: str
    load: float
    start: int
    cycles: int


@dataclass(frozen=True)
class Load(Experiment):
    """Each of ``traffics`` at each of ``loads`` (all if there are none), of stores if ``op`` says no other.

    ``points``: a row each; arrays [points, ...]: ``latencies`` HISTOGRAM of cycles from a store's first offer
    to its acknowledge, ``by_area`` the same [areas, HISTOGRAM]; ``waited``, ``stores`` [PE, cache]: cycles
    beyond the first, and how many stores; ``pending`` [PE, cache]: how long the store has waited by the
    window's end that is not acknowledged by then, 0 if none.
    """

    name: str
    traffics: tuple[str, ...]
    loads: tuple[float, ...] = ()
    op: int = STORE

    def parts(self, cfg: Config, seed: int, quick: bool) -> Sequence[Part]:
        cycles, loads = (QUICK_CYCLES, QUICK_LOADS) if quick else (CYCLES, LOADS)
        parts = []
        for traffic in self.traffics:
            for load in self.loads or loads:
                requests, start = offered(cfg, traffic, load, cycles, seed, op=self.op)
                parts.append(Part(requests, Window(traffic, load, start, cycles)))
        return parts

    def result(self, cfg: Config, parts: Sequence[Part], answers: Sequence[NDArray[Any]]) -> Result:
        points, arrays = [], list[dict[str, NDArray[np.int64]]]()
        for part, answer in zip(parts, answers, strict=True):
            row, kept = point(cfg, part.requests[cfg.pes :], answer[cfg.pes :], part.about)
            points.append(row)
            arrays.append(kept)
        stacked = {name: np.stack([kept[name] for kept in arrays]) for name in arrays[0]}
        return Result({"pes": cfg.pes, "rows": cfg.array.rows, "points": points}, stacked)


def point(
    cfg: Config, requests: NDArray[Any], answers: NDArray[Any], window: Window
) -> tuple[dict[str, Any], dict[str, NDArray[np.int64]]]:
    """Figures of a traffic at a load.

    Accepted: what was acknowledged in the second half of the window, by PE and cycle. ``wait`` from a store's
    first offer to its acknowledge, ``delay`` from when it came up, with the time in the PE's queue; of what
    was acknowledged in the window. ``worst``: the longest until all queues were empty, in cycle ``empty`` of
    the traffic.
    """
    end, half = window.start + window.cycles, window.start + window.cycles // 2
    inside = answers["done"] < end
    accepted = int(((answers["done"] >= half) & inside).sum())
    latency = answers["done"] - answers["first"] + 1
    delay = answers["done"] - requests["at"] + 1
    pe, cache = requests["pe"].astype(np.int64), (requests["word"] >> cfg.slot_bits) % cfg.pes
    columns, rows = cfg.array.columns, cfg.array.rows
    near = [sorted(range(rows), key=lambda other: (abs(other - row), other)) for row in range(rows)]
    area_of = np.array([[order.index(row) for row in range(rows)] for order in near])
    area = area_of[cache // columns, pe // columns]
    matrix = np.zeros((2, cfg.pes, cfg.pes), np.int64)
    np.add.at(matrix[0], (pe[inside], cache[inside]), latency[inside] - 1)
    np.add.at(matrix[1], (pe[inside], cache[inside]), 1)
    by_area = np.zeros((rows, HISTOGRAM), np.int64)
    np.add.at(by_area, (area[inside], np.minimum(latency[inside], HISTOGRAM - 1)), 1)
    late = ~inside & (answers["first"] < end)
    pending = np.zeros((cfg.pes, cfg.pes), np.int64)
    pending[pe[late], cache[late]] = end - answers["first"][late]
    row = {
        "traffic": window.traffic, "offered": window.load,
        "accepted": accepted / (cfg.pes * (end - half)), "latency": float(latency[inside].mean()),
        "delay": float(delay[inside].mean()), "p99": float(np.percentile(latency[inside], 99)),
        "worst": int(latency.max()), "cycles": window.cycles,
        "empty": int(answers["done"].max()) + 1 - window.start,
        "worst_by_area": [int(latency[area == number].max(initial=0)) for number in range(rows)],
    }  # fmt: skip
    return row, {
        "latencies": by_area.sum(0), "by_area": by_area, "waited": matrix[0], "stores": matrix[1],
        "pending": pending,
    }  # fmt: skip


@dataclass(frozen=True)
class Siege(Experiment):
    """Near PEs that ask without pause, and one store of a PE in each other row: ``waits`` of these."""

    name: str = "siege"

    def parts(self, cfg: Config, seed: int, quick: bool) -> Sequence[Part]:
        kinds = (("one PE stores", 1, STORE), ("two PEs load", 2, LOAD))
        return [
            Part(siege(cfg, near, pes, op)[0], (kind, near, pes))
            for kind, pes, op in kinds for near in (NEAR[:3] if quick else NEAR)
        ]  # fmt: skip

    def result(self, cfg: Config, parts: Sequence[Part], answers: Sequence[NDArray[Any]]) -> Result:
        rows = []
        for part, answer in zip(parts, answers, strict=True):
            kind, near, _ = part.about
            far = answer[1 - cfg.array.rows :]
            began = answer["first"][cfg.pes]
            waits = (far["done"] - far["first"]).tolist()
            whole = int(answer["done"][cfg.pes : 1 - cfg.array.rows].max() - began + 1)
            rows.append({"kind": kind, "near": near, "waits": waits, "near_cycles": whole})
        return Result({"points": rows})


def plan(base: Config, quick: bool) -> list[Workload[Order]]:
    """Saturation by traffic, waits, loads that are pipelined, and sizes of the array."""
    three, bounded = configurations(base, SWITCHES), configurations(base, BOUNDED)
    fair = configurations(base, (LPAS, FS))
    curves = [
        workload
        for traffic in TRAFFICS
        for workload in both(Load(f"load-{slug(traffic)}", (traffic,)), three, {})
    ]
    unfair = (LOCAL, HOT_SPOT)
    waits = [
        *both(Load("bounded", unfair, (1.0,)), {} if quick else bounded, bounded if quick else {}),
        *both(Siege(), {} if quick else fair | bounded, fair | bounded if quick else {}),
    ]
    reads = both(Load("reads", TRAFFICS, (1.0,), LOAD), configurations(base, (LPAS, PIPELINED)), {})
    return [*curves, *reads, *waits, *_sizes(base, quick)]


def _sizes(base: Config, quick: bool) -> list[Workload[Order]]:
    workloads: list[Workload[Order]] = []
    for rows, columns in SIZES[1:3] if quick else SIZES:
        ids = (rows * columns).bit_length()  # one for each cache, one for the PE that reaches the outside
        changes = {"array": {"rows": rows, "columns": columns}, "axi": {"id_bits": ids}}
        switches = configurations(base, SWITCHES, **changes)
        experiment = Load(f"sizes-{rows}x{columns}", (UNIFORM, LOCAL), SIZE_LOADS)
        workloads += both(experiment, {} if quick else switches, switches if quick else {})
    return workloads


def slug(traffic: str) -> str:
    """A traffic in the name of a workload."""
    return traffic.replace(" ", "-")
