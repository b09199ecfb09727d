# SPDX-License-Identifier: Apache-2.0
"""The application on the PEs: cycles, words, bandwidth; the golden model's result is right, the RTL's equal.

Memories nearer and farther away, and most images, are the golden model's alone.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from configs.lpas.schema import FLUSH, Config
from tb.common.measuring.stored import Order, Result
from tb.common.measuring.workload import DisagreementError, Measured, MeasuredRun, Workload, library_name
from tb.lpas.machine import MachineRun, differences
from tb.lpas.measuring.switches import LPAS, SWITCHES, configurations
from tb.lpas.replay import roles
from workloads.lpas import glcm
from workloads.lpas.figures import APPLICATIONS, over_time, phases
from workloads.lpas.golden import GoldenOutcome, run_golden
from workloads.lpas.images import BUILT_IN, DEFAULT
from workloads.lpas.loading import Loaded, load_program

WINDOWS = 120  # of the bandwidth over time
LATENCIES = (1, 3, 8, 16, 26, 50, 100)  # cycles from an address to the first beat


@dataclass(frozen=True)
class Application(Workload[Order]):
    """A program on an image; ``modelled``: configurations of the golden model alone, by role."""

    program: str
    image: str
    modelled: Mapping[str, Config]

    def measure(self, order: Order) -> Measured:
        shared = (self.program, self.image, order.seed)
        runs = []
        for role, cfg in self.cfgs.items():

            def make(role: str = role, cfg: Config = cfg) -> Result:
                return self._run(role, cfg, order, on_rtl=True)

            key = (*shared, role, cfg.hash, cfg.memory, library_name(cfg, roles(cfg)))
            about = order.keep("runs", f"{self.id}-{role}", key, make)
            runs.append(MeasuredRun(self.id, role, about["accesses"], about["file"]))
        points = []

        def beside() -> Result:
            for role, cfg in self.modelled.items():
                points.append({**self._run(role, cfg, order, on_rtl=False).about, "model_only": True})
            return Result({"program": self.program, "image": self.image, "points": points})

        others = [(role, cfg.hash, cfg.memory) for role, cfg in self.modelled.items()]
        about = order.keep("workloads", self.id, (*shared, *others), beside)
        entry = {"id": self.id, "file": about["file"], "program": self.program, "image": self.image}
        return Measured(entry, runs)

    def _run(self, role: str, cfg: Config, order: Order, on_rtl: bool) -> Result:
        loaded = load_program(cfg, self.program, self.image)
        golden = run_golden(cfg, loaded.program, loaded.words)
        where = f"{self.id}, {role}"
        assert loaded.image
        if wrong := glcm.wrong(loaded.image.pixels, golden):
            raise DisagreementError(f"{where}: {wrong}; repeat: {order.command}")
        if on_rtl:
            differing = differences(golden, MachineRun(cfg, loaded.program, loaded.words, order.seed).run())
            if differing:
                raise DisagreementError(f"{where}: {differing[0]}; repeat: {order.command}")
        cycle, rate = over_time(golden.accesses, golden.cycles, WINDOWS)
        about = {"program": self.program, "image": self.image, "role": role, "latency": cfg.memory.latency}
        return Result({**about, **figures(loaded, golden)}, {"cycle": cycle, "bandwidth": rate})


def figures(loaded: Loaded, golden: GoldenOutcome) -> dict[str, Any]:
    """What is kept of a run."""
    assert loaded.image
    counts, moment = glcm.found(golden)
    parts = [
        {"name": part.name, "cycles": part.cycles, "words": part.words, "bandwidth": part.bandwidth}
        for part in phases(loaded.program, golden)
    ]
    return {
        "cycles": golden.cycles, "instructions": golden.instructions, "flush": golden.flush,
        "accesses": len(golden.accesses), "words": int((golden.accesses["op"] < FLUSH).sum()),
        "matrix": counts.tolist(), "moment": moment, "source": loaded.image.words, "phases": parts,
        "pixels": np.asarray(loaded.image.pixels).tolist(), **golden.counters,
    }  # fmt: skip


def plan(base: Config, quick: bool) -> list[Workload[Order]]:
    """Both programs on the first image, the other images on the model."""
    latencies = LATENCIES[2:5:2] if quick else LATENCIES
    by_latency = {f"latency {latency}": base.with_(memory={"latency": latency}) for latency in latencies}
    three = configurations(base, SWITCHES)
    alone = {LPAS: three[LPAS]}
    workloads: list[Workload[Order]] = []
    for program in APPLICATIONS:
        lines = program.endswith("lines")
        built = alone if lines or not quick else {}
        built = three if lines and not quick else built
        beside = {role: cfg for role, cfg in three.items() if role not in built}
        workloads.append(Application(program, built, program, DEFAULT, beside | by_latency))
    for image in BUILT_IN[1:2] if quick else BUILT_IN[1:]:
        workloads.append(Application(f"image-{image}", {}, APPLICATIONS[1], image, alone))
    return workloads
