# SPDX-License-Identifier: Apache-2.0
"""An experiment: requests for an array, and what is kept of what became of them.

:class:`Checked` sends them through RTL and golden model, which must agree in every acknowledge, grant, burst,
counter and byte; :class:`Modelled` asks the model alone, and its result says so.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray

from configs.lpas.schema import Config
from models.memory import Memory
from tb.common.measuring.stored import Order, Result
from tb.common.measuring.workload import DisagreementError, Measured, MeasuredRun, Workload, library_name
from tb.lpas.replay import check, predict, replay, roles

MEMORY_SEED = 1


@dataclass(frozen=True)
class Part:
    """REQUEST [n] that begin with an array out of reset, and what of them :meth:`Experiment.result` needs."""

    requests: NDArray[Any]
    about: Any


class Experiment(ABC):
    """Picklable."""

    name: str

    @abstractmethod
    def parts(self, cfg: Config, seed: int, quick: bool) -> Sequence[Part]:
        """What is asked."""

    @abstractmethod
    def result(self, cfg: Config, parts: Sequence[Part], answers: Sequence[NDArray[Any]]) -> Result:
        """What is kept of ``answers`` (:data:`tb.lpas.replay.ANSWER` [n] of each part)."""


def _measured(
    cfg: Config, experiment: Experiment, order: Order, where: str, on_rtl: bool
) -> tuple[Result, int]:
    parts = experiment.parts(cfg, order.seed, order.quick)
    answers = []
    for number, part in enumerate(parts):
        model = predict(cfg, part.requests, Memory(MEMORY_SEED))
        if on_rtl:
            rtl = replay(cfg, part.requests, Memory(MEMORY_SEED), order.seed)
            if wrong := check(cfg, part.requests, model, rtl):
                raise DisagreementError(f"{where}, part {number}: {wrong[0].text}; repeat: {order.command}")
        answers.append(model.answers)
    return experiment.result(cfg, parts, answers), sum(len(part.requests) for part in parts)


@dataclass(frozen=True)
class Checked(Workload[Order]):
    """An experiment on RTL and model."""

    experiment: Experiment

    def measure(self, order: Order) -> Measured:
        runs = []
        for role, cfg in self.cfgs.items():
            name = f"{self.id}-{role}"
            key = (self.experiment, role, cfg.hash, cfg.memory, library_name(cfg, roles(cfg)), order.seed,
                   order.quick)  # fmt: skip

            def make(role: str = role, cfg: Config = cfg, name: str = name) -> Result:
                kept, count = _measured(cfg, self.experiment, order, name, on_rtl=True)
                about = {"experiment": self.experiment.name, "role": role, "requests": count, **kept.about}
                return Result(about, kept.arrays)

            about = order.keep("runs", name, key, make)
            runs.append(MeasuredRun(self.id, role, about["requests"], about["file"]))
        return Measured({"id": self.id, "file": runs[0].file}, runs)


@dataclass(frozen=True)
class Modelled(Workload[Order]):
    """An experiment on the model of one configuration; ``cfgs`` is empty, nothing is built."""

    experiment: Experiment
    role: str
    cfg: Config

    def measure(self, order: Order) -> Measured:
        key = (self.experiment, self.role, self.cfg.hash, self.cfg.memory, order.seed, order.quick)

        def make() -> Result:
            kept, count = _measured(self.cfg, self.experiment, order, self.id, on_rtl=False)
            name = self.experiment.name
            about = {"experiment": name, "role": self.role, "requests": count, "model_only": True}
            return Result({**about, **kept.about}, kept.arrays)

        about = order.keep("workloads", self.id, key, make)
        listed = {"experiment": self.experiment.name, "role": self.role}
        return Measured({"id": self.id, "file": about["file"], "model_only": True, **listed}, [])


def both(
    experiment: Experiment, built: dict[str, Config], modelled: dict[str, Config]
) -> list[Workload[Order]]:
    """The experiment on the RTL of some configurations, and on the models of others."""
    name = experiment.name
    alone = [Modelled(f"{name}-{role}", {}, experiment, role, cfg) for role, cfg in modelled.items()]
    return [Checked(name, built, experiment), *alone] if built else [*alone]
