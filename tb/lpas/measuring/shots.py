# SPDX-License-Identifier: Apache-2.0
"""The source's patterns and classes, each case one shot through warm caches."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from configs.lpas.schema import Config
from tb.common.measuring.stored import Order, Result
from tb.common.measuring.workload import Workload
from tb.lpas.measuring.experiment import Experiment, Part, both
from tb.lpas.measuring.switches import READINGS, SWITCHES, configurations
from workloads.lpas.cases import all_cases, requests_of


@dataclass(frozen=True)
class Shots(Experiment):
    """All cases one after the other. Arrays [n]: number of the case, PE, cache, the cycle after the case's
    begin in which a request was first there, its latency; of each case its group, kind and operation.
    """

    name: str = "cases"

    def parts(self, cfg: Config, seed: int, quick: bool) -> Sequence[Part]:
        cases = all_cases(seed, quick)
        requests, numbers = requests_of(cfg, cases)
        return [Part(requests, (cases, numbers))]

    def result(self, cfg: Config, parts: Sequence[Part], answers: Sequence[NDArray[Any]]) -> Result:
        [part], [answer] = parts, answers
        cases, numbers = part.about
        shot = numbers >= 0
        requests, answer = part.requests[shot], answer[shot]
        arrays = {
            "case": numbers[shot], "pe": requests["pe"].astype(np.int64),
            "cache": (requests["word"] >> cfg.slot_bits) % cfg.pes,
            "first": answer["first"] - requests["at"], "latency": answer["done"] - answer["first"] + 1,
        }  # fmt: skip
        return Result({"cases": [[case.group, case.kind, case.op] for case in cases]}, arrays)


def plan(base: Config, quick: bool) -> list[Workload[Order]]:
    """The three switches, and the other readings of LR2SS."""
    built = configurations(base, SWITCHES if quick else (*SWITCHES, *READINGS))
    return both(Shots(), built, configurations(base, READINGS if quick else ()))
