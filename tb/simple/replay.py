# SPDX-License-Identifier: Apache-2.0
"""Requests through the Verilated RTL of ``simple``, no Python in a cycle, and through the model."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from configs import MemoryTiming
from configs.simple.schema import Config
from models.memory import Memory
from models.simple import RESULT, SimpleModel
from tb.common.components.packing import Lanes, pack_lanes, unpack_lanes
from tb.common.replay.compare import Mismatch, compare_counters, compare_memory, compare_records
from tb.common.replay.machine import Replay, Work
from tb.common.replay.traffic import Traffic
from tb.simple.items import FIELDS

PINS = ("value", "err", "hit", "line", "evict", "victim", "write")  # of RESULT


@dataclass(frozen=True)
class Rtl:
    """What the RTL did with n requests: RESULT [n] as far as pins show it, cycles of the handshakes [n]."""

    result: NDArray[Any]
    t_request: NDArray[np.int64]
    t_result: NDArray[np.int64]
    counters: dict[str, int]
    machine: Replay

    @property
    def cycles(self) -> int:
        """From the first request to the last result, both included."""
        return int(self.t_result[-1] - self.t_request[0]) + 1 if len(self.result) else 0


def replay(
    cfg: Config,
    requests: NDArray[Any],
    seed: int = 1,
    *,
    poisoned: Iterable[int] = (),
    timing: MemoryTiming | None = None,
    traffic: Traffic | None = None,
    rtl_dir: Path | None = None,
    patience: int | None = None,
    plusarg: str | None = None,
    progress: Callable[[int], None] = lambda done: None,
) -> Rtl:
    """Run REQUEST [n] through the RTL of ``cfg`` (or in ``rtl_dir``), from reset. Raises ``ReplayError``."""
    machine = Replay(
        cfg, Memory(seed, poisoned=poisoned), cfg.cache.line_bytes, seed=seed, timing=timing,
        traffic=traffic, patience=patience, rtl_dir=rtl_dir, plusarg=plusarg,
    )  # fmt: skip
    machine.check_counters()
    result = np.zeros(len(requests), RESULT)
    times: list[list[NDArray[np.uint64]]] = [[], []]
    answered = told = 0
    streams = cfg.streams
    for chunk in machine.run(Work(words(cfg, requests), describe=lambda index: name(requests, index))):
        [port] = chunk.ports
        times[0].append(port.request_cycle.copy())
        times[1].append(port.result_cycle.copy())
        here = slice(answered, answered + len(port.results))
        for field in ("value", "err"):
            result[field][here] = unpack_lanes(streams["res"], port.results, field)
        answered += len(port.results)
        events = port.events[: len(result) - told]
        for field in PINS[2:]:
            result[field][told : told + len(events)] = unpack_lanes(streams["evt"], events, field)
        told += len(events)
        progress(answered)
    asked, got = (np.concatenate([np.zeros(0, np.uint64), *kind]).astype(np.int64) for kind in times)
    return Rtl(result, asked, got, machine.counters(), machine)


def words(cfg: Config, requests: NDArray[Any]) -> Lanes:
    """REQUEST [n], packed."""
    return pack_lanes(cfg.streams["req"], {field: requests[field] for field in FIELDS}, len(requests))


def name(requests: NDArray[Any], index: int) -> str:
    """A request for people."""
    return f"request {index} (" + ", ".join(f"{field} {requests[index][field]}" for field in FIELDS) + ")"


def predict(
    cfg: Config, requests: NDArray[Any], seed: int = 1, poisoned: Iterable[int] = ()
) -> tuple[SimpleModel, NDArray[Any]]:
    """The golden model after REQUEST [n], and its RESULT [n]."""
    model = SimpleModel(cfg, Memory(seed, poisoned=poisoned))
    return model, model.replay(requests)


def check(
    cfg: Config, requests: NDArray[Any], model: SimpleModel, result: NDArray[Any], rtl: Rtl
) -> list[Mismatch]:
    """All that must agree: each request, the counters, and every byte of memory."""
    pins = [array[list(PINS)] for array in (result, rtl.result)]
    return [
        *compare_records(pins[0], pins[1], lambda index: name(requests, index)),
        *compare_counters(model.counters, rtl.counters),
        *compare_memory(model.memory.line, model.memory.lines.tolist(), cfg.cache.line_bytes, rtl.machine),
    ]
